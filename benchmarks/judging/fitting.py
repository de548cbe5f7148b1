"""Logistic regression with weights that are never negative, in plain Python so that it repeats exactly.

Newton steps; each is a quadratic problem with the sign constraint, solved by coordinate descent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

_NEWTON_STEPS = 40
_SWEEPS = 200
_SETTLED = 1e-10


@dataclass(frozen=True, slots=True)
class Fitted:
    """``P(right) = 1 / (1 + exp(-(bias + sum of weight * value)))``."""

    bias: float
    weights: tuple[float, ...]

    def log_odds(self, values: Sequence[float]) -> float:
        """Return the log-odds of a row."""
        return self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True))


def fit(
    rows: Sequence[Sequence[float]], labels: Sequence[bool], shares: Sequence[float], ridge: float
) -> Fitted:
    """Fit the weights, each zero or more; every value must grow with the chance of being right.

    Args:
        rows: the values.
        labels: whether each row is right.
        shares: how much each row counts.
        ridge: penalty on the squared weights (not on the bias), as a share of the total weight.
    """
    width = len(rows[0]) + 1
    penalty = ridge * sum(shares)
    columns = [(1.0, *row) for row in rows]
    found = [0.0] * width
    for _ in range(_NEWTON_STEPS):
        slope, curve = _expansion(columns, labels, shares, found)
        for at in range(1, width):
            slope[at] -= penalty * found[at]
            curve[at][at] += penalty
        step = _step(slope, curve, found)
        found = [old + move for old, move in zip(found, step, strict=True)]
        if max(map(abs, step)) < _SETTLED:
            break
    return Fitted(found[0], tuple(found[1:]))


def _expansion(
    columns: Sequence[Sequence[float]], labels: Sequence[bool], shares: Sequence[float], at: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return gradient and negative curvature of the log-likelihood."""
    width = len(at)
    slope = [0.0] * width
    curve = [[0.0] * width for _ in range(width)]
    for row, label, share in zip(columns, labels, shares, strict=True):
        chance = 1 / (1 + exp(-sum(w * v for w, v in zip(at, row, strict=True))))
        miss, spread = share * (label - chance), share * chance * (1 - chance)
        for i, value in enumerate(row):
            slope[i] += miss * value
            scaled = spread * value
            line = curve[i]
            for j in range(i, width):
                line[j] += scaled * row[j]
    for i in range(width):
        for j in range(i):
            curve[i][j] = curve[j][i]
    return slope, curve


def _step(slope: Sequence[float], curve: Sequence[Sequence[float]], start: Sequence[float]) -> list[float]:
    """Return the Newton step that keeps every weight (not the bias) from going below zero."""
    width = len(start)
    step = [0.0] * width
    for _ in range(_SWEEPS):
        largest = 0.0
        for i in range(width):
            rest = slope[i] - sum(curve[i][j] * step[j] for j in range(width) if j != i)
            wanted = rest / curve[i][i] if curve[i][i] > 0 else 0.0
            if i:
                wanted = max(wanted, -start[i])
            largest = max(largest, abs(wanted - step[i]))
            step[i] = wanted
        if largest < _SETTLED:
            break
    return step
