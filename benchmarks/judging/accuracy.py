"""How well scores tell right from wrong: area under the ROC curve, balanced accuracy, their errors."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from rag_gate.calibrate.auc import auc, hanley_mcneil_variance


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure with its standard error."""

    value: float
    error: float


def area(labels: Sequence[bool], scores: Sequence[float]) -> Measured:
    """Return the ROC-AUC and its standard error (Hanley and McNeil 1982).

    Raises:
        ValueError: if only one label occurs.
    """
    found = auc(labels, scores)
    if found is None:
        raise ValueError("an area needs both labels")
    right = sum(labels)
    value = found.value
    return Measured(value, sqrt(hanley_mcneil_variance(value, right, len(labels) - right)))


def area_error(value: float, right: int, wrong: int) -> float:
    """Return the standard error of an area that was measured on so many rows."""
    return sqrt(hanley_mcneil_variance(value, right, wrong))


def with_own_limit(ids: Sequence[str], labels: Sequence[bool], scores: Sequence[float]) -> Measured:
    """Return the balanced accuracy where a dataset may choose its own limit, as published figures mostly do.

    The limit that is best on one half of the rows (by a hash of their ids) is applied to the other half.
    """
    halves: tuple[list[int], list[int]] = ([], [])
    for at, name in enumerate(ids):
        halves[hashlib.sha256(name.encode()).digest()[0] % 2].append(at)
    accepted: list[bool | None] = [None] * len(ids)
    for chosen_on, applied_to in (halves, halves[::-1]):
        limit = _best_limit([labels[at] for at in chosen_on], [scores[at] for at in chosen_on])
        for at in applied_to:
            accepted[at] = scores[at] >= limit
    return balanced(labels, accepted)


def _best_limit(labels: Sequence[bool], scores: Sequence[float]) -> float:
    def value(limit: float) -> float:
        return balanced(labels, [score >= limit for score in scores]).value

    return max(sorted(set(scores)), key=value)


def balanced(labels: Sequence[bool], accepted: Sequence[bool | None]) -> Measured:
    """Return the mean of the shares of right and wrong rows that were told so; undecided counts half."""
    shares = []
    for side in (True, False):
        told = [_credit(found, side) for label, found in zip(labels, accepted, strict=True) if label is side]
        shares.append((sum(told) / len(told), len(told)))
    error = sqrt(sum(share * (1 - share) / n for share, n in shares)) / 2
    return Measured(sum(share for share, _ in shares) / 2, error)


def _credit(found: bool | None, side: bool) -> float:  # noqa: FBT001
    return 0.5 if found is None else float(found is side)
