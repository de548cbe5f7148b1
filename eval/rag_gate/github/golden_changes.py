"""What a pull request does to the golden set, and the set that decides about it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_gate.dataset import GoldenSet, load_golden
from rag_gate.errors import NotJudgedError
from rag_gate.files import canonical_json, write_text
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import RUN_KEYS
from rag_gate.regression.sentences import named

_NAMED = 5


@dataclass(frozen=True)
class GoldenChanges:
    """Ids of cases by what the pull request does to them, in order of id.

    Attributes:
        acknowledged: removed, and named under ``gate.removed_ok`` of the base commit.
    """

    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    acknowledged: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """Return what that means for the verdict."""
        found = []
        if self.edited:
            found.append(
                f"{_cases(self.edited)} edited by this pull request: the base commit's labels decide "
                f"({named(self.edited, _NAMED)})"
            )
        if self.removed:
            found.append(
                f"{_cases(self.removed)} removed by this pull request: they still count, unless the base commit's "
                f"gate.removed_ok names them ({named(self.removed, _NAMED)})"
            )
        if self.acknowledged:
            found.append(f"{_cases(self.acknowledged)} removed, as the base commit's gate.removed_ok allows")
        return found


def golden_changes(base: GoldenSet, head: GoldenSet, removed_ok: Collection[str]) -> GoldenChanges:
    """Compare two golden sets of all tiers."""
    gone = sorted(base.cases.keys() - head.cases.keys())
    both = sorted(base.cases.keys() & head.cases.keys())
    return GoldenChanges(
        added=tuple(sorted(head.cases.keys() - base.cases.keys())),
        edited=tuple(key for key in both if _rules(base, key) != _rules(head, key)),
        removed=tuple(key for key in gone if key not in removed_ok),
        acknowledged=tuple(key for key in gone if key in removed_ok),
    )


def _rules(golden: GoldenSet, key: str) -> tuple[str, str, bool]:
    case = golden.cases[key]
    return golden.fingerprints[key], case.tier, case.must_pass


def write_golden(path: Path, cases: Mapping[str, GoldenCase]) -> str:
    """Write cases as a golden set without results, and check that it means the same.

    Raises:
        NotJudgedError: if it would not.
    """
    write_text(path, "".join(f"{canonical_json(_row(case))}\n" for case in cases.values()))
    again = load_golden(str(path), "extended")
    if again.fingerprints != {key: case.fingerprint() for key, case in cases.items()}:
        raise NotJudgedError(
            "the base commit's golden set could not be taken over as it is; give its rows question_ids"
        )
    return str(path)


def _row(case: GoldenCase) -> dict[str, Any]:
    return case.model_dump(mode="json", exclude_defaults=True, exclude=set(case.model_extra or ()))


def write_inline_run(path: Path, golden: GoldenSet) -> str | None:
    """Write the results that golden rows hold as a run of its own; None where they hold none."""
    if not golden.run_rows:
        return None
    rows = (
        {"question_id": key, **{name: row.content[name] for name in RUN_KEYS if name in row.content}}
        for key, row in golden.run_rows.items()
    )
    write_text(path, "".join(f"{canonical_json(row)}\n" for row in rows))
    return str(path)


def _cases(ids: Collection[str]) -> str:
    return "1 case" if len(ids) == 1 else f"{len(ids)} cases"
