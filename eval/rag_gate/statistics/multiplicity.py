"""Corrections for testing several things at once."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    The chance of one false alarm or more among all tests stays at the level compared with
    (Holm 1979). Each result is at least its input and at most 1.
    """
    count = len(p_values)
    adjusted = [0.0] * count
    highest = 0.0
    for rank, index in enumerate(_ascending(p_values)):
        highest = max(highest, min(1.0, (count - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the Benjamini-Hochberg adjusted p-values, in the order given.

    Reporting those at or below q keeps the expected share of false ones at q
    (Benjamini and Hochberg 1995). Each result is at least its input and at most 1.
    """
    count = len(p_values)
    adjusted = [0.0] * count
    lowest = 1.0
    for rank, index in reversed(list(enumerate(_ascending(p_values), start=1))):
        lowest = min(lowest, p_values[index] * count / rank)
        adjusted[index] = max(lowest, p_values[index])
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=p_values.__getitem__)
