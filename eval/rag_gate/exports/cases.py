"""A golden set with its run, case by case, for what is written from both."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from rag_gate.dataset import load_golden
from rag_gate.dataset.run import open_run
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import RunRecord


class Both(NamedTuple):
    """A case and what the run has for it, None where it has nothing."""

    case: GoldenCase
    record: RunRecord | None


def pairs(dataset: str, run: str | None) -> Iterator[Both]:
    """Yield the cases in order of their id; without a run those of the golden rows themselves, if there are any."""
    golden = load_golden(dataset, "extended")
    if run is None and not golden.run_rows:
        yield from (Both(case, None) for case in golden.cases.values())
        return
    found = {joined.case.question_id: joined.record for joined in open_run(golden, run)}
    yield from (Both(case, found.get(key)) for key, case in golden.cases.items())


def text_and_id(record: RunRecord) -> list[tuple[str | None, str | None, Any]]:
    """Return (id, text, score) of each result."""
    scores = [item.get("score") if isinstance(item, dict) else None for item in record.results]
    return list(zip(record.ids, record.texts(), scores, strict=True))
