"""How well scores tell right from wrong: area under the ROC curve, balanced accuracy, their errors."""

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
