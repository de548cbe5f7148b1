"""Another run that gives one half: its results to answer from, or its answers to keep."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_gate.dataset import GoldenSet, open_run
from rag_gate.record.question import Question
from rag_gate.record.reply import results_of
from rag_gate.records.run import RunManifest, RunRecord


@dataclass(frozen=True)
class OtherRun:
    """A recorded run.

    Attributes:
        records: question id -> record, without cases that were not executed.
        fingerprint: of the run.
        manifest: under which conditions it was made.
    """

    records: Mapping[str, RunRecord]
    fingerprint: str
    manifest: RunManifest

    @classmethod
    def read(cls, golden: GoldenSet, path: Path) -> "OtherRun":
        """Read a run of the same golden set.

        Raises:
            InputError: if it cannot be read, or holds none of the cases.
        """
        run = open_run(golden, str(path))
        records = {
            joined.case.question_id: joined.record
            for joined in run
            if joined.record is not None and joined.state != "error"
        }
        info = run.info()
        return cls(records, info.fingerprint, info.manifest or RunManifest())

    def facts(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return facts of the manifest, as they hold for the half that is taken from it."""
        return {name: getattr(self.manifest, name) for name in names}

    def with_contexts(self, question: Question) -> Question | None:
        """Return the question with the recorded results to answer from; None where there are none.

        Raises:
            TargetError: if they cannot be used.
        """
        record = self.records.get(question.question_id)
        if record is None or not record.has_results:
            return None
        return replace(question, contexts=results_of(record), stage="generation")

    def with_answer(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row of which only the results are new, with the old answer, marked as such."""
        found = {key: value for key, value in row.items() if key not in {"answer", "citations", "usage"}}
        record = self.records.get(str(row["question_id"]))
        if record is None or record.answer is None or "error" in found:
            return found
        kept: dict[str, Any] = {"answer": record.answer, "answer_from": self.fingerprint[:12]}
        if record.citations is not None:
            kept["citations"] = list(record.citations)
        latency = {"latency_ms": found.pop("latency_ms")} if "latency_ms" in found else {}
        return {**found, **kept, **latency}
