"""Student's t for paired differences, also when cases come in clusters."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from rag_gate.statistics.beta import t_cdf, t_quantile
from rag_gate.statistics.intervals import Interval
from rag_gate.statistics.lattice import mean


@dataclass(frozen=True, slots=True)
class PairedT:
    """Mean of paired differences with its standard error and t test.

    Attributes:
        delta: mean difference.
        sd: standard deviation of the differences (divisor n - 1).
        se: standard error of ``delta``.
        t: ``delta / se``; None when all differences are equal.
        p_less: P(a t this low or lower) when nothing changed; None when ``t`` is.
        interval: confidence interval of ``delta``.
    """

    delta: float
    sd: float
    se: float
    t: float | None
    p_less: float | None
    interval: Interval


def standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation with divisor n - 1.

    Raises:
        ValueError: if there are fewer than two values.
    """
    return sqrt(_variance(_two_or_more(values)))


def paired_t(deltas: Sequence[float], confidence: float = 0.90) -> PairedT:
    """Return mean, standard error, one-sided t test and interval of paired differences.

    Raises:
        ValueError: if there are fewer than two differences.
    """
    values = _two_or_more(deltas)
    sd = sqrt(_variance(values))
    return _result(mean(values), sd, sd / sqrt(len(values)), len(values) - 1, confidence)


def clustered_t(deltas: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.90) -> PairedT:
    """Return the same with cases of one cluster counted as dependent.

    The standard error is that of a ratio estimate over clusters, ``sqrt(G / (G - 1) * sum(r_g ** 2)) / n``
    with ``r_g`` the summed residuals of cluster g; G - 1 degrees of freedom.

    Raises:
        ValueError: if there are fewer than two clusters.
    """
    if len(deltas) != len(clusters):
        raise ValueError("each difference needs its cluster")
    centre = mean(deltas)
    residuals: dict[Hashable, list[float]] = {}
    for delta, cluster in zip(deltas, clusters, strict=True):
        residuals.setdefault(cluster, []).append(delta - centre)
    sums = _two_or_more([fsum(group) for group in residuals.values()])
    groups = len(sums)
    se = sqrt(groups / (groups - 1) * fsum(value * value for value in sums)) / len(deltas)
    return _result(centre, standard_deviation(deltas), se, groups - 1, confidence)


def _result(delta: float, sd: float, se: float, df: int, confidence: float) -> PairedT:
    half = t_quantile((1 + confidence) / 2, df) * se
    t = delta / se if se > 0 else None
    p_less = None if t is None else t_cdf(t, df)
    return PairedT(delta, sd, se, t, p_less, Interval(delta - half, delta + half))


def _two_or_more(values: Sequence[float]) -> list[float]:
    if len(values) < 2:  # noqa: PLR2004 - spread needs two
        raise ValueError("a spread needs at least two values")
    return list(values)


def _variance(values: list[float]) -> float:
    if min(values) == max(values):
        return 0.0
    centre = mean(values)
    return fsum((value - centre) ** 2 for value in values) / (len(values) - 1)
