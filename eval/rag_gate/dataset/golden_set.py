"""The golden set: load, check, tiers, fingerprints."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from rag_gate.dataset.rows import Row, iter_rows
from rag_gate.errors import InputError
from rag_gate.files import fingerprint
from rag_gate.records.golden import GOLDEN_KEYS, GoldenCase
from rag_gate.records.partial import DatasetInfo, TierName
from rag_gate.records.problems import validation_problems
from rag_gate.records.run import RUN_KEYS, id_of

_MOST_PROBLEMS = 20


@dataclass(frozen=True)
class GoldenSet:
    """All golden cases of a file and which of them are evaluated.

    Attributes:
        source: the file (or hub name).
        tier: what is evaluated: ``core`` cases only, or all (``extended``).
        cases: the evaluated cases by id, in order of id; of tier ``core`` also the extended ones where they
            are measured beside them (see ``core``).
        all_ids: ids of every tier, so that a run may hold more than is evaluated.
        has_extended: whether any case is of the extended tier.
        run_rows: rows that hold results as well (the one-row short form), by id.
        warnings: what is odd but usable, one line each.
        recorded_aside: how many extended cases the run holds, where that is too few to measure them.
    """

    source: str
    tier: TierName
    cases: Mapping[str, GoldenCase]
    all_ids: frozenset[str]
    has_extended: bool
    run_rows: Mapping[str, Row]
    warnings: tuple[str, ...]
    recorded_aside: int = 0

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """Case id -> fingerprint of all that changes what is measured."""
        return {key: case.fingerprint() for key, case in self.cases.items()}

    def core(self, *, with_extended: bool = False) -> "GoldenSet":
        """Return the core tier, if asked together with the extended cases that are measured beside it.

        Raises:
            InputError: if there is no core case.
        """
        chosen = {key: case for key, case in self.cases.items() if case.tier == "core"}
        if not chosen:
            raise InputError(f'{self.source}: holds no case of tier \'core\'; mark cases with "tier": "core"')
        return replace(self, tier="core", cases=self.cases if with_extended else chosen)

    def is_aside(self, case: GoldenCase) -> bool:
        """Tell whether a case is measured beside the evaluated tier."""
        return self.tier == "core" and case.tier == "extended"

    def info(self) -> DatasetInfo:
        """Return the dataset's part of a partial's header."""
        evaluated = [key for key, case in self.cases.items() if not self.is_aside(case)]
        return DatasetInfo(
            fingerprint=fingerprint({key: self.fingerprints[key] for key in evaluated}),
            tier=self.tier,
            n_cases=len(evaluated),
            has_extended=self.has_extended,
        )


def load_golden(source: str, tier: TierName = "core") -> GoldenSet:
    """Load and check a golden set.

    Raises:
        InputError: one line per problem, each with file and line; also if no case is left to evaluate.
    """
    loader = read_golden(source)
    loader.refuse_problems()
    if not loader.cases:
        raise InputError(f"{source}: holds no case; zero cases never pass")
    everything = GoldenSet(
        source=source,
        tier="extended",
        cases=dict(sorted(loader.cases.items())),
        all_ids=frozenset(loader.cases),
        has_extended=any(case.tier == "extended" for case in loader.cases.values()),
        run_rows=loader.run_rows,
        warnings=tuple(loader.warnings(source)),
    )
    return everything.core() if tier == "core" else everything


def read_golden(source: str) -> "GoldenLoader":
    """Read a golden set without refusing what cannot be used in it.

    Raises:
        InputError: if the file cannot be read.
    """
    loader = GoldenLoader()
    for row in iter_rows(source):
        loader.add(row)
    loader.name_the_nameless()
    return loader


class GoldenLoader:
    """Rows on their way into a golden set.

    Attributes:
        cases: what can be used, by id.
        run_rows: rows that hold results as well, by id.
        rows: the row of each case, by id.
        problems: what cannot be used, one line each, with its place.
    """

    def __init__(self) -> None:
        self.cases: dict[str, GoldenCase] = {}
        self.run_rows: dict[str, Row] = {}
        self.rows: dict[str, Row] = {}
        self.problems: list[str] = []
        self._unknown: Counter[str] = Counter()
        self._repeated: list[str] = []
        self._nameless: list[tuple[GoldenCase, Row]] = []

    def add(self, row: Row) -> None:
        """Take one row, or note its problems."""
        content = self._with_tier(row)
        try:
            given = id_of(content)
            case = GoldenCase.model_validate(content if given else {**content, "question_id": "?"})
        except ValidationError as error:
            self.problems += validation_problems(error, row.where)
            self.problems += [
                f"{row.where}: key '{k}' means nothing here{n}" for k in content if (n := _near(k))
            ]
            return
        except ValueError as error:
            self.problems.append(f"{row.where}: {error}")
            return
        if given is None:
            self._nameless.append((case, row))
        else:
            self._keep(given, case, row)

    def _keep(self, given: str, case: GoldenCase, row: Row) -> None:
        if given in self.cases:
            self.problems.append(
                f"{row.where}: question_id '{given}' was already used at {self.rows[given].where}"
            )
            return
        self.cases[given] = case
        self.rows[given] = row
        self._note(row, given, case)

    @staticmethod
    def _with_tier(row: Row) -> dict[str, Any]:
        if row.split in {"core", "extended"} and "tier" not in row.content:
            return {**row.content, "tier": row.split}
        return row.content

    def name_the_nameless(self) -> None:
        """Make ids from the content, so that they depend neither on the order of rows nor on the run.

        Cases that are equal in all that is measured are numbered in order of their rows' text.
        """
        made = [(f"q-{case.fingerprint()[:10]}", case, row) for case, row in self._nameless]
        for base, case, row in sorted(made, key=lambda item: (item[0], item[2].raw)):
            names = (base if n == 1 else f"{base}-{n}" for n in range(1, len(self.cases) + 2))
            name = next(name for name in names if name not in self.cases)
            self._keep(name, case.model_copy(update={"question_id": name}), row)

    def _note(self, row: Row, given: str, case: GoldenCase) -> None:
        if not row.content.keys().isdisjoint(RUN_KEYS):
            self.run_rows[given] = row
        if case.unknown_keys:
            self._unknown.update(key for key in case.unknown_keys if key not in RUN_KEYS)
        if case.repeated_gold_ids:
            self._repeated.append(
                f"{row.where}: gold id '{case.repeated_gold_ids[0]}' is repeated; counted once"
            )

    def refuse_problems(self) -> None:
        """Raise an InputError with the problems, if there are any."""
        if self.problems:
            more = len(self.problems) - _MOST_PROBLEMS
            tail = [f"... and {more} more problems"] if more > 0 else []
            raise InputError.of([*self.problems[:_MOST_PROBLEMS], *tail])

    def warnings(self, source: str) -> Iterator[str]:
        """Yield what is odd but usable."""
        yield from self._repeated[:_MOST_PROBLEMS]
        for key, count in sorted(self._unknown.items()):
            yield f"{source}: key '{key}' means nothing here (in {count} cases){_near(key)}"


def _near(key: str) -> str:
    """Return a hint for a misspelled key; nothing for a known one, or one that is like none."""
    from difflib import get_close_matches

    near = [] if key in GOLDEN_KEYS or key in RUN_KEYS else get_close_matches(key, GOLDEN_KEYS, 1, cutoff=0.8)
    return f"; did you mean '{near[0]}'?" if near else ""
