"""What two runs of the same commit differ by."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

from rag_gate.calibrate.material import MetricPairs
from rag_gate.regression.comparison import Comparison, compare
from rag_gate.statistics import clustered_t, mean, paired_t, standard_deviation

#: A difference between two identical runs that is less likely than this is not case-by-case noise.
_SHIFT_LEVEL = 0.01


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of one metric, over every pair of runs.

    Attributes:
        n_pairs: cases with a score in both runs (mean over the pairs of runs).
        n_units: independent units among them.
        sd0: standard deviation of the paired differences (root of the mean variance).
        se: standard error of the mean difference of one comparison.
        flip_rate: share of the cases whose score changed.
        mean_difference: the largest mean difference between two of the runs, in absolute value.
        shifted: two of the runs differ by more than noise of single cases explains.
    """

    n_pairs: float
    n_units: float
    sd0: float
    se: float
    flip_rate: float
    mean_difference: float
    shifted: bool


def measure_noise(metric: MetricPairs) -> Noise | None:
    """Measure a metric's noise; None where no two runs share two units, as spread needs two.

    ``se`` is ``sd0 / sqrt(n)``, or that of a ratio estimate over clusters where the metric gates by
    cluster. Every pair of runs counts alike.
    """
    spec = metric.spec
    compared = [
        compare(pairs, direction=spec.direction, cluster=spec.cluster) for pairs in metric.pairs if pairs
    ]
    usable = [found for found in compared if found.n_units > 1]
    if not usable:
        return None
    cases = sum(len(found.steps) for found in usable)
    level = _SHIFT_LEVEL / (2 * len(usable))
    return Noise(
        n_pairs=mean([len(found.deltas) for found in usable]),
        n_units=mean([found.n_units for found in usable]),
        sd0=_root_mean_square([standard_deviation(found.deltas) for found in usable]),
        se=_root_mean_square([_standard_error(found) for found in usable]),
        flip_rate=sum(step != 0 for found in usable for step in found.steps) / cases,
        mean_difference=max(abs(found.delta) for found in usable),
        shifted=any(min(found.test.p, found.test.p_up) <= level for found in usable),
    )


def _standard_error(found: Comparison) -> float:
    units: Sequence[Hashable] = found.units
    clustered = found.n_units < len(found.deltas)
    return clustered_t(found.deltas, units).se if clustered else paired_t(found.deltas).se


def _root_mean_square(values: Sequence[float]) -> float:
    return sqrt(mean([value * value for value in values]))
