"""Scores of a run of ragas as they come in, and what is still open."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rag_gate.judge.engine import CaseJudgment
from rag_gate.judge.ragas.messages import Scored, Unscored
from rag_gate.judge.ragas.plan import Row
from rag_gate.judge.ragas.settings import RagasSettings

#: ragas divides by a sum plus 1e-10; that is no difference.
_DIGITS = 9
_LONGEST_MESSAGE = 300


class Tally:
    """What is known of each metric of each row.

    Args:
        rows: the cases.
        metrics: what is measured.
        kept: returns the score of an earlier run, None if there is none.
        keep: receives each new score.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        metrics: tuple[str, ...],
        kept: Callable[[Row, str], float | None],
        keep: Callable[[Row, str, float], None],
    ) -> None:
        self._rows = rows
        self._metrics = metrics
        self._keep = keep
        self._scores: list[dict[str, float]] = []
        self._reasons = [dict(row.reasons) for row in rows]
        self._errors: list[dict[str, str]] = [{} for _ in rows]
        for row in rows:
            left = (name for name in metrics if name not in row.reasons and name not in row.scores)
            found = {name: score for name in left if (score := kept(row, name)) is not None}
            self._scores.append({**row.scores, **found})
        self._new = [self._open(index) for index in range(len(rows))]
        self._asked = [index for index, names in enumerate(self._new) if names]

    def job(self, settings: RagasSettings) -> dict[str, Any]:
        """Return what ragas is to do."""
        folder = settings.japanese_prompts
        rows = [
            {
                "sample": self._rows[index].sample,
                "japanese": self._rows[index].japanese,
                "metrics": self._open(index),
            }
            for index in self._asked
        ]
        # Twice as many as requests at a time: a metric asks its questions one after another.
        return {
            "metrics": self._metrics,
            "japanese_prompts": None if folder is None else str(folder.resolve()),
            "parallel": 2 * settings.judge.concurrency,
            "rows": rows,
        }

    def take(self, message: Scored | Unscored) -> None:
        """Note what ragas says of one metric of one row.

        Raises:
            ValueError: if it was not asked that.
        """
        if not 0 <= message.row < len(self._asked):
            raise ValueError("no such row")
        index = self._asked[message.row]
        if message.metric not in self._open(index):
            raise ValueError("not asked, or answered before")
        if isinstance(message, Unscored):
            self._fail(index, message.metric, message.reason, message.message)
        elif not math.isfinite(message.value) or message.value > 1 + 10**-_DIGITS:
            self._fail(index, message.metric, "judge_bad_reply", f"ragas says {message.value}")
        else:
            # A cosine may be below 0: the answer is as far from the question as can be.
            score = min(1.0, max(0.0, round(message.value, _DIGITS)))
            self._scores[index][message.metric] = score
            self._keep(self._rows[index], message.metric, score)

    def give_up(self, reason: str, message: str) -> None:
        """Note why everything that is still open stays without a score."""
        for index in self._asked:
            for metric in self._open(index):
                self._fail(index, metric, reason, message)

    def lost(self) -> dict[str, str]:
        """Return each metric that failed for every case it was asked about, with the first message."""
        found = {}
        for name in self._metrics:
            said = [self._errors[index].get(name) for index in self._asked if name in self._new[index]]
            if said and (first := said[0]) is not None and None not in said:
                found[name] = first
        return found

    def judgments(self, version: str) -> Iterator[CaseJudgment]:
        """Yield each row's scores, with a reason beside each that is null."""
        for row, scores, reasons, errors in zip(
            self._rows, self._scores, self._reasons, self._errors, strict=True
        ):
            detail: dict[str, Any] = {"answer": row.sample["response"], "ragas": version}
            if errors:
                detail["errors"] = errors
            yield CaseJudgment({name: scores.get(name) for name in self._metrics}, reasons, detail)

    def _open(self, index: int) -> list[str]:
        known = self._scores[index].keys() | self._reasons[index].keys()
        return [name for name in self._metrics if name not in known]

    def _fail(self, index: int, metric: str, reason: str, message: str) -> None:
        self._reasons[index][metric] = reason
        self._errors[index][metric] = message[:_LONGEST_MESSAGE]
