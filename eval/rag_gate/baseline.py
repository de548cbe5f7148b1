"""The life of a baseline: read it, and move it on purpose (promote)."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from rag_gate import __version__
from rag_gate.errors import InputError
from rag_gate.files import (
    canonical_json,
    json_lines,
    parse_json,
    read_bytes,
    refuse_repeated_keys,
    write_text,
)
from rag_gate.measures import is_possible
from rag_gate.records.anchor import Anchor
from rag_gate.records.baseline import Baseline, BaselineCase, Provenance
from rag_gate.records.own import check_own
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.wholeness import refuse_broken

Flat = dict[str, float | None]
Whole = TypeVar("Whole", Baseline, Results)


def load_baseline(path: Path) -> Baseline | Flat:
    """Read a promoted baseline, or a flat ``{metric: score}`` file.

    Raises:
        InputError: if it is neither.
    """
    return _load(path, Baseline, "baseline", "rag-gate promote")


def load_results(path: Path) -> Results | Flat:
    """Read results of merge, or a flat ``{metric: score}`` file.

    Raises:
        InputError: if it is neither.
    """
    return _load(path, Results, "results", "rag-gate merge")


def _load(path: Path, model: type[Whole], kind: str, command: str) -> Whole | Flat:
    data = read_bytes(path)
    document = parse_json(data, str(path))
    if is_flat(document):
        refuse_repeated_keys(data, str(path))
        return flat_scores(document, str(path))
    found = check_own(document, str(path), model, kind, command)
    refuse_broken(found, str(path), command)
    return found


def is_flat(document: object) -> bool:
    """Tell whether a document is a table of numbers rather than a file of our own."""
    return isinstance(document, dict) and not {"schema_version", "kind"} & document.keys()


def flat_scores(document: Mapping[str, Any], where: str) -> Flat:
    """Check a flat table: every value a finite number, or null for "not measured".

    Raises:
        InputError: one line per value that is no number; an empty table.
    """
    if not document:
        raise InputError(f"{where}: holds no metric; zero metrics never pass")
    problems = [
        f"{where}: {name}: must be a finite number (or null when it was not measured), found "
        f"{value if isinstance(value, float) else type(value).__name__}"
        for name, value in document.items()
        if value is not None and not _is_finite(value)
    ]
    problems += [
        f"{where}: {name}: must be a share from 0 to 1 (0.88 for 88 %), found {value}"
        for name, value in document.items()
        if _is_finite(value) and not is_possible(name, value)
    ]
    if problems:
        raise InputError.of(problems)
    return {name: None if value is None else float(value) for name, value in document.items()}


def _is_finite(value: object) -> bool:
    """Tell whether a value is a number that a float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def promoted(
    results: Results,
    previous: Baseline | Flat | None,
    provenance: Provenance,
    anchor: Anchor | None,
    kept_run: str | None = None,
) -> Baseline:
    """Return the baseline that results become; the anchor and the copy of the run go with it."""
    before: Mapping[str, float | None] = (
        previous.metrics if isinstance(previous, Baseline) else previous or {}
    )
    changes = {
        name: (before.get(name), now) for name, now in results.scores.items() if before.get(name) != now
    }
    return Baseline(
        dataset=results.dataset,
        run=results.run,
        kept_run=kept_run,
        stages=results.stages,
        provenance=provenance.model_copy(update={"changes": changes}),
        anchor=anchor,
        metrics=results.scores,
        cases=[baseline_case(case) for case in results.cases],
        extended_retrieval=[retrieval_case(row) for row in results.extended_retrieval],
    )


def baseline_case(case: CaseResult) -> BaselineCase:
    """Return what a baseline keeps of a case."""
    return BaselineCase(
        question_id=case.question_id,
        fingerprint=case.fingerprint,
        info=case.info,
        status=case.status,
        scores=case.scores,
        retrieval_ok=case.retrieval_ok,
        retrieved_fp=case.retrieved_fp,
        top_score=case.detail.get("retrieval", {}).get("top_score"),
    )


def retrieval_case(row: CaseScore) -> BaselineCase:
    """Return what a baseline keeps of a case of which only retrieval was measured."""
    return BaselineCase(
        question_id=row.question_id,
        fingerprint=row.fingerprint,
        info=row.info,
        status="unscored",
        scores=row.scores,
        retrieval_ok=row.detail.get("retrieval_ok"),
        retrieved_fp=row.detail.get("retrieved_fp"),
        top_score=row.detail.get("top_score"),
    )


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline atomically, one case per line so that diffs can be read."""
    document = baseline.model_dump(mode="json")
    anchor, lists = (
        document.pop("anchor"),
        {name: document.pop(name) for name in ("cases", "extended_retrieval")},
    )
    text = canonical_json(document)[:-1]
    if anchor is not None:
        references = anchor.pop("cases")
        text += f',"anchor":{canonical_json(anchor)[:-1]},"cases":{json_lines(references)}}}'
    for name, rows in lists.items():
        text += f',"{name}":{json_lines(rows)}' if rows or name == "cases" else ""
    write_text(path, f"{text}}}\n")


def provenance_of(
    results: Results, verdict: Verdict, reason: str | None, promoted_at: str, config_hash: str
) -> Provenance:
    """Return who, when and why, without the changes (see ``promoted``)."""
    manifest = results.run.manifest
    return Provenance(
        promoted_at=promoted_at,
        commit=manifest.commit if manifest else None,
        reason=reason,
        verdict=verdict.overall,
        tool_version=__version__,
        config_hash=config_hash,
    )


def shown_mean(value: float | None) -> str:
    """Return a mean for a line of the log."""
    return "none" if value is None else f"{value:.4f}"
