"""The area under the ROC curve: does the judge put right answers above wrong ones?"""

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist

from rag_gate.calibrate.agreement import CONFIDENCE, Measured
from rag_gate.statistics import Interval

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_HALVINGS = 60


def auc(labels: Sequence[bool], scores: Sequence[float]) -> Measured | None:
    """Return the chance that a right answer scores above a wrong one, ties counting half.

    The interval holds the areas that are no further from the observed one than 1.96 of their own standard
    errors by Hanley and McNeil's formula (1982), with both class sizes in it replaced by their mean
    (Newcombe 2006, method 5). Unlike the usual plus-minus it does not shrink to a point at 0 and 1.

    Args:
        labels: true = people say "right".
        scores: the judge's, finite.

    Returns:
        None where people used one label only.
    """
    right = [score for label, score in zip(labels, scores, strict=True) if label]
    wrong = [score for label, score in zip(labels, scores, strict=True) if not label]
    if not right or not wrong:
        return None
    above, equal = _compared(sorted(right), sorted(wrong))
    value = (2 * above + equal) / (2 * len(right) * len(wrong))
    middle = (len(right) + len(wrong)) / 2

    def reach(area: float) -> float:
        variance = hanley_mcneil_variance(area, middle, middle) * middle**2 / (len(right) * len(wrong))
        return _Z * sqrt(variance)

    low = _boundary(0.0, value, lambda area: value - area > reach(area))
    high = _boundary(1.0, value, lambda area: area - value > reach(area))
    return Measured(value, Interval(low, high))


def hanley_mcneil_variance(area: float, right: float, wrong: float) -> float:
    """Return the variance of an area of ``area`` (Hanley and McNeil 1982, exponential approximation)."""
    both_right = area / (2 - area) - area * area
    both_wrong = 2 * area * area / (1 + area) - area * area
    spread = area * (1 - area) + (right - 1) * both_right + (wrong - 1) * both_wrong
    return max(0.0, spread) / (right * wrong)


def _compared(right: Sequence[float], wrong: Sequence[float]) -> tuple[int, int]:
    """Return in how many pairs the right one is above, and in how many they tie; both lists are sorted."""
    above = equal = below = upto = 0
    for score in right:
        while below < len(wrong) and wrong[below] < score:
            below += 1
        upto = max(upto, below)
        while upto < len(wrong) and wrong[upto] == score:
            upto += 1
        above += below
        equal += upto - below
    return above, equal


def _boundary(outside: float, inside: float, is_outside: Callable[[float], bool]) -> float:
    """Return where areas stop being possible, by halving; the end of the scale where none does."""
    if not is_outside(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return inside
