"""Drawing comparisons of two identical runs from those that were observed.

A resample draws as many units as one comparison has, with replacement, from the units of all pairs of
runs; each comes with its two runs as they were or swapped, at even odds. Both keep what was observed (how
many cases change, and by how much) and take from it only what made the two runs differ on average.
"""

from rag_gate.calibrate.draws import BITS, draws

_RESAMPLES = 2_000
_FEWEST = 200
_MOST_DRAWS = 500_000


def resamples(units: int) -> int:
    """Return how many resamples are made: 2,000, fewer above 250 units, 200 at least.

    A probability of 5 % is then good to 1 point (2 standard errors), and to 3 points with 200.
    """
    return max(_FEWEST, min(_RESAMPLES, _MOST_DRAWS // max(1, units)))


def drawn(purpose: str, number: int, units: int, total: int) -> list[int]:
    """Return which entries one resample takes.

    Args:
        purpose: name of the simulation.
        number: of the resample.
        units: how many to draw.
        total: entries to draw from, swapped ones included.
    """
    return [(word * total) >> BITS for word in draws(purpose, number, units)]
