"""How far a judge agrees with people: pure functions of labels, verdicts and scores."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from rag_gate.statistics import Interval, wilson

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Confusion(NamedTuple):
    """Counts of (people, judge); positive = "right"."""

    true_positive: int
    false_negative: int
    true_negative: int
    false_positive: int

    @property
    def n(self) -> int:
        """All of them."""
        return sum(self)


class Measured(NamedTuple):
    """A value and its 95 % interval."""

    value: float
    interval: Interval


def confusion(labels: Sequence[bool], verdicts: Sequence[bool]) -> Confusion:
    """Count who said what."""
    pairs = list(zip(labels, verdicts, strict=True))
    return Confusion(
        *(pairs.count(kind) for kind in ((True, True), (True, False), (False, False), (False, True)))
    )


def share(k: int, n: int) -> Measured | None:
    """Return k of n with Wilson's interval; None of nothing."""
    return Measured(k / n, wilson(k, n, CONFIDENCE)) if n else None


def balanced_accuracy(counts: Confusion) -> Measured | None:
    """Return the mean of sensitivity and specificity; None where people used one label only.

    The interval puts the two Wilson intervals together by the squared distances of their bounds (MOVER,
    Zou and Donner 2008), so that it does not shrink to a point when the judge made no error.
    """
    right = share(counts.true_positive, counts.true_positive + counts.false_negative)
    wrong = share(counts.true_negative, counts.true_negative + counts.false_positive)
    if right is None or wrong is None:
        return None
    value = (right.value + wrong.value) / 2
    down = sqrt((right.value - right.interval.low) ** 2 + (wrong.value - wrong.interval.low) ** 2) / 2
    up = sqrt((right.value - right.interval.high) ** 2 + (wrong.value - wrong.interval.high) ** 2) / 2
    return Measured(value, Interval(max(0.0, value - down), min(1.0, value + up)))


def kappa(counts: Confusion) -> Measured | None:
    """Return Cohen's kappa; None where people or judge used one label only, as it is then 0 or undefined.

    The interval is the asymptotic one (Fleiss, Cohen and Everitt 1969). Where nobody disagreed (or
    nobody agreed) its standard error is 0 and says nothing; the bounds are then those of Wilson's interval
    of the observed agreement, put through kappa's formula with the expected agreement as it is.
    """
    people_right = counts.true_positive + counts.false_negative
    judge_right = counts.true_positive + counts.false_positive
    if {people_right, judge_right} & {0, counts.n}:
        return None
    cells = _table(counts)
    people, judge = [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]
    observed = cells[0][0] + cells[1][1]
    expected = people[0] * judge[0] + people[1] * judge[1]
    value = (observed - expected) / (1 - expected)
    agreed = counts.true_positive + counts.true_negative
    if agreed in (0, counts.n):
        low, high = (
            max(-1.0, (side - expected) / (1 - expected)) for side in wilson(agreed, counts.n, CONFIDENCE)
        )
        return Measured(value, Interval(min(low, value), max(high, value)))
    spread = sum(cells[i][i] * (1 - (people[i] + judge[i]) * (1 - value)) ** 2 for i in (0, 1))
    spread += (1 - value) ** 2 * sum(cells[i][j] * (judge[i] + people[j]) ** 2 for i, j in ((0, 1), (1, 0)))
    spread -= (value - expected * (1 - value)) ** 2
    half = _Z * sqrt(max(0.0, spread) / counts.n) / (1 - expected)
    return Measured(value, Interval(max(-1.0, value - half), min(1.0, value + half)))


def _table(counts: Confusion) -> list[list[float]]:
    n = counts.n
    return [
        [counts.true_positive / n, counts.false_negative / n],
        [counts.false_positive / n, counts.true_negative / n],
    ]
