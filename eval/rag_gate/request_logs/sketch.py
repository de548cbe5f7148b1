"""A compact picture of any number of values: logarithmic bins of 1 % width.

Known as DDSketch (Masson, Rim and Lee 2019): every quantile is within 0.5 % of a value at that rank, sketches of the same
width can be added and compared, and the size depends on the range of the values, not on their number.
"""

from collections.abc import Iterable, Iterator
from math import ceil, exp, log

_ACCURACY = 0.005
#: Width of a bin, as a share of its values.
BIN_WIDTH = 2 * _ACCURACY
_GAMMA = (1 + _ACCURACY) / (1 - _ACCURACY)
_STEP = log(_GAMMA)
_SMALLEST = 1e-9
_LARGEST = 1e15
#: Bins of positive values start above 0, those of negative ones below; 0 is the bin of everything smaller than 1e-9.
_OFFSET = 1 - ceil(log(_SMALLEST) / _STEP)


class Sketch:
    """Counts of bins; a bin's number grows with its values."""

    def __init__(self, bins: Iterable[tuple[int, int]] = ()) -> None:
        self.bins: dict[int, int] = dict(bins)

    def add(self, value: float) -> None:
        """Count a finite value; its size is cut to 1e15."""
        size = abs(value)
        if size < _SMALLEST:
            key = 0
        else:
            key = ceil(log(min(size, _LARGEST)) / _STEP) + _OFFSET
            key = max(key, 1) if value > 0 else -max(key, 1)
        self.bins[key] = self.bins.get(key, 0) + 1

    @property
    def count(self) -> int:
        """How many values were added."""
        return sum(self.bins.values())

    def pairs(self) -> list[tuple[int, int]]:
        """Return bins and counts in order of the values."""
        return sorted(self.bins.items())

    def quantile(self, q: float) -> float | None:
        """Return the value below which a share ``q`` of the values lies, within 0.5 %; None without values."""
        rank, seen = q * (self.count - 1), 0
        for key, count in self.pairs():
            seen += count
            if seen > rank:
                return value_of(key)
        return None

    def above(self, limit: float) -> int:
        """Return how many values lie in bins above that of ``limit``."""
        probe = Sketch()
        probe.add(limit)
        (own,) = probe.bins
        return sum(count for key, count in self.bins.items() if key > own)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.pairs())


def value_of(key: int) -> float:
    """Return the value that stands for a bin."""
    if key == 0:
        return 0.0
    size = exp((abs(key) - _OFFSET) * _STEP) * 2 / (1 + _GAMMA)
    return size if key > 0 else -size
