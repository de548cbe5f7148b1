"""Write the file of one evaluator while its cases are measured; read it back.

Rows wait in memory up to 32 MB and in a temporary file from there on, and are put in order of question
id at the end, so the same input gives the same bytes whatever the order of its rows.

No row holds a found value: each is masked before it is kept, and once more when it is written, with the
values that were found in other cases.
"""

import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from math import fsum
from pathlib import Path
from typing import IO, Any

from pydantic_core import from_json, to_json

from rag_gate.dataset.run import Joined, JoinedRun
from rag_gate.files import atomic_writer, canonical_json, fingerprint
from rag_gate.masking import current_masker, texts_of
from rag_gate.reasons import MISSING, NOT_APPLICABLE
from rag_gate.records.golden import GoldenCase
from rag_gate.records.judging import Judging
from rag_gate.records.own import read_own
from rag_gate.records.partial import Evaluator, MetricSummary, Partial, Shard, StageName

_IN_MEMORY = 32_000_000
_ASIDE = "recorded_aside"
_COUNTS = ("cases", "executed", "empty", "missing", "error", "unknown", _ASIDE)


class Tally:
    """One metric over the cases: values for the mean, and what has none."""

    def __init__(self) -> None:
        self.values = array("d")
        self.reasons: Counter[str] = Counter()

    def summary(self, *, missing_counts_zero: bool) -> MetricSummary:
        """Return mean and denominators; the sum is exact (math.fsum), nothing is rounded."""
        missing = self.reasons[MISSING]
        excluded = sum(count for reason, count in self.reasons.items() if reason in NOT_APPLICABLE)
        scored = len(self.values) + (missing if missing_counts_zero else 0)
        return MetricSummary(
            mean=fsum(self.values) / scored if scored else None,
            n_scored=scored,
            n_excluded=excluded,
            n_unscored=sum(self.reasons.values()) - excluded - missing,
            n_missing=missing,
            reasons=dict(sorted(self.reasons.items())),
        )


class PartialWriter:
    """Collect the rows of one evaluator and write them as a partial."""

    def __init__(
        self, metrics: Iterable[str], *, missing_counts_zero: bool = False, shows_answers: bool = True
    ) -> None:
        """Begin without rows.

        Args:
            metrics: what each row measures.
            missing_counts_zero: whether a case that is missing from the run counts as 0.
            shows_answers: whether rows quote answers, whose values then are masked everywhere; the detail of
                other rows holds ids and numbers only, and stays.
        """
        self._tallies = {name: Tally() for name in metrics}
        self._columns = [(name, tally.values.append, tally.reasons) for name, tally in self._tallies.items()]
        self._missing_counts_zero = missing_counts_zero
        self._masker = current_masker().fresh()
        self._shows_answers = shows_answers
        self._spool = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - as long as the writer
        self._close = weakref.finalize(self, self._spool.close)  # also when the run turns out unusable
        self._index: dict[str, tuple[int, int]] = {}
        self._aside: dict[str, tuple[int, int]] = {}
        self._end = 0

    def add(
        self,
        joined: Joined,
        scores: Mapping[str, float | None],
        reasons: Mapping[str, str],
        detail: Mapping[str, Any],
        *,
        aside: Container[str] | None = None,
    ) -> None:
        """Add one case; every metric of the evaluator needs a score or a reason.

        Args:
            joined: the case.
            scores: metric -> score.
            reasons: metric -> why it has none.
            detail: what explains them.
            aside: of a case that is measured beside the evaluated tier, the metrics that count.
        """
        if aside is not None:
            scores = {name: value for name, value in scores.items() if name in aside}
            reasons = {name: reason for name, reason in reasons.items() if name in aside}
        for name, append, counted in self._columns:
            if aside is not None and name not in aside:
                continue
            value = scores.get(name)
            if value is None:
                counted[reasons[name]] += 1
            else:
                append(value)
        row = {
            "question_id": joined.case.question_id,
            "fingerprint": joined.fingerprint,
            "info": case_info(joined),
            "scores": scores,
            "reasons": reasons,
            "detail": detail,
        }
        line = to_json(self._masked(row, joined))
        index = self._index if aside is None else self._aside
        index[joined.case.question_id] = (self._end, len(line))
        self._end += self._spool.write(line)

    def learn(self, text: str) -> None:
        """Mask the values of this text too, in all rows: of an answer whose row another shard writes."""
        self._masker.learn(text)

    def spare(self, texts: Iterable[str]) -> None:
        """Write these as they are where they are a whole text: names that the settings give."""
        self._masker.look.spare(texts)

    def _learn_case(self, case: GoldenCase) -> None:
        for text in (case.question or "", *case.expected_answers):
            self.learn(text)
        for canary in case.canaries:
            self._masker.hide("CANARY", canary)

    def _masked(self, row: dict[str, Any], joined: Joined) -> dict[str, Any]:
        """Return the row without values; ids and fingerprints join the files and stay as they are."""
        self._learn_case(joined.case)
        if not self._shows_answers:
            return row | {"info": self._masked_info(row["info"])}
        case = self._masker.for_one_text()
        answer = joined.record.answer if joined.record is not None else None
        if answer is not None:
            self.learn(answer)
            case.learn(answer)
        shown = {"question": row["info"]["question"], "detail": row["detail"]}
        looked_at = [text for text in dict.fromkeys(texts_of(shown)) if case.look.at(text)]
        for text in looked_at:
            case.learn(text)
        if not looked_at and not case.values:
            return row
        masked = case.mask_tree(shown)
        return row | {"info": row["info"] | {"question": masked["question"]}, "detail": masked["detail"]}

    def _with_others(self, line: bytes) -> bytes:
        """Return a row without the values that were found in other cases."""
        row = from_json(line)
        again = row | {"info": self._masked_info(row["info"])}
        if self._shows_answers:
            again["detail"] = self._masker.mask_tree(row["detail"])
        return line if again == row else to_json(again)

    def _masked_info(self, info: dict[str, Any]) -> dict[str, Any]:
        return info | {"question": self._masker.mask_tree(info["question"])}

    def metrics(self) -> dict[str, MetricSummary]:
        """Return the summary of each metric so far."""
        return {
            name: tally.summary(missing_counts_zero=self._missing_counts_zero)
            for name, tally in self._tallies.items()
        }

    def write(
        self,
        path: Path,
        kind: StageName,
        evaluator: Evaluator,
        run: JoinedRun,
        shard: Shard,
        judging: Judging | None = None,
    ) -> None:
        """Write the partial atomically; call it after the run was iterated to its end."""
        for key, case in run.golden.cases.items():
            if key not in self._index and key not in self._aside:
                self._learn_case(case)
        plain = self._masker.for_one_text()
        read = run.info()
        self.spare([evaluator.fingerprint, read.fingerprint])
        header: dict[str, Any] = {
            "schema_version": 1,
            "kind": kind,
            "dataset": run.golden.info().model_dump(),
            # All stages and shards must write the same here, so values known from answers do not count.
            "run": plain.mask_tree(read.model_dump(exclude_none=True)),
            "evaluator": plain.mask_tree(evaluator.model_dump()),
            "shard": shard.model_dump(),
            "counts": {key: run.counts[key] for key in _COUNTS if key != _ASIDE or run.counts[key]},
            "metrics": {name: summary.model_dump() for name, summary in sorted(self.metrics().items())},
        }
        if judging is not None:
            header["judging"] = judging.model_dump(mode="json")
        aside = sum(map(run.golden.is_aside, run.golden.cases.values()))
        if aside:
            header["extended_total"] = aside
        with atomic_writer(path) as out:
            out.write(canonical_json(header).encode()[:-1])
            self._write_rows(out, "cases", self._index)
            if aside:
                self._write_rows(out, "extended_retrieval", self._aside)
            out.write(b"}\n")
        self._close()

    def _write_rows(self, out: IO[bytes], name: str, index: Mapping[str, tuple[int, int]]) -> None:
        out.write(f',"{name}":['.encode())
        for number, key in enumerate(sorted(index)):
            start, length = index[key]
            self._spool.seek(start)
            line = self._spool.read(length)
            line = self._with_others(line) if self._masker.values else line
            out.write((b",\n" if number else b"\n") + line)
        out.write(b"\n]")


def evaluator_of(name: str, version: str, settings: Mapping[str, Any]) -> Evaluator:
    """Return who measured, with the fingerprint of all that decides whether scores can be compared.

    Left out are ``calibrated``, which moves no score, and ``ruled_by``, the judge that rules on what safety rules leave
    open: it is away where there is no key, and failing cases of safety count by themselves, not against a baseline.
    """
    moving = {key: value for key, value in settings.items() if key not in {"calibrated", "ruled_by"}}
    known = {"name": name, "version": version, "settings": moving}
    return Evaluator(name=name, version=version, settings=dict(settings), fingerprint=fingerprint(known))


def case_info(joined: Joined) -> dict[str, Any]:
    """Return what readers need to recognise the case (the fields of CaseInfo that are not default).

    Labels are masked by themselves: all stages must write the same of them.
    """
    case = joined.case
    named = {"category": case.category, "difficulty": case.difficulty, "language": case.language}
    slices = {key: value for key, value in named.items() if value is not None}
    if case.tags:
        slices["tags"] = ",".join(sorted(case.tags))
    labels = current_masker().for_one_text().mask_tree(slices)
    info: dict[str, Any] = {"question": case.question, "tier": case.tier, "slices": labels}
    if case.must_pass:
        info["must_pass"] = True
    cluster = _cluster(case)
    if cluster is not None:
        info["cluster"] = cluster
    return info


def _cluster(case: GoldenCase) -> str | None:
    """Name the gold documents, which make the cases that share them depend on each other."""
    gold = sorted(item for item, grade in case.grades.items() if grade > 0)
    return " + ".join(gold) or None


def read_partial(path: Path) -> Partial:
    """Read a partial.

    Raises:
        InputError: if it is not one, or of a schema version that this rag-gate does not know.
    """
    return read_own(path, Partial, "partial", "rag-gate retrieval, judge or safety")
