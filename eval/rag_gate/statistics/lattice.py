"""Whole numbers for scores, so that float noise never decides a comparison."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

SCALE = 1_000_000
"""Steps per unit for tolerances and floors."""

P_SCALE = 1_000
"""Steps per unit for p-values."""

_NOISE_DIGITS = 12


def to_lattice(x: float, scale: int = SCALE) -> int:
    """Return ``x * scale`` as a whole number, halves away from zero.

    Anything beyond the 12th decimal is taken for float noise and dropped first, so that
    ``0.85 - 0.88`` and ``-0.03`` are the same number. The rounding is symmetric:
    ``to_lattice(-x) == -to_lattice(x)``.

    Args:
        x: any finite number.
        scale: steps per unit, for example ``SCALE`` or ``P_SCALE``.

    Raises:
        ValueError: if ``x`` is NaN or infinite.
    """
    if not math.isfinite(x):
        raise ValueError(f"{x} has no place on a lattice; leave unscored cases out first")
    clean = Decimal(repr(round(float(x), _NOISE_DIGITS)))
    return int((clean * scale).to_integral_value(ROUND_HALF_UP))


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean, the sum free of rounding error and so of any order.

    Raises:
        ValueError: if there are no values.
    """
    if not values:
        raise ValueError("the mean of no values does not exist")
    return math.fsum(values) / len(values)
