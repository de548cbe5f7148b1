"""What a judge is to the stage: something that turns one recorded answer into scores with reasons."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rag_gate.records.judging import Judging


class JudgeError(Exception):
    """One judgment could not be had (outage, unusable reply); the case stays unscored, never 0."""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One answer to judge.

    Attributes:
        question_id: the case.
        question: as asked; None when the golden set does not hold it.
        answer: as recorded.
        contexts: the retrieved texts in rank order.
        expected: accepted answers; empty when none is given.
        answerable: False when a right bot abstains.
        language: of the case, when it is said.
        nothing_retrieved: whether the list of results is known to be empty.
    """

    question_id: str
    question: str | None
    answer: str
    contexts: tuple[str, ...]
    expected: tuple[str, ...]
    answerable: bool = True
    language: str | None = None
    nothing_retrieved: bool = False


@dataclass(frozen=True, slots=True)
class CaseJudgment:
    """Scores of one case; every metric of the engine has a score or a reason."""

    scores: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)


class Engine(Protocol):
    """A judge.

    Attributes:
        name: what reports call it.
        version: changes whenever a score can change.
        settings: everything else that can move a score.
        metrics: the metrics it measures.
    """

    name: str
    version: str
    settings: Mapping[str, Any]
    metrics: tuple[str, ...]

    def judge_many(self, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        """Judge answers; judgments come in the order of the requests, which are read as they are needed.

        A judgment that cannot be had has no scores, and reasons.
        """
        ...

    def report(self) -> Judging | None:
        """Return what judging cost and how it went; None for a judge that costs nothing and cannot fail."""
        ...

    def warnings(self) -> list[str]:
        """Return what people should know of the run so far, one line each."""
        ...
