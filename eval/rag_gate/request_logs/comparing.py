"""Signals of a log against those of a baseline: beyond the tolerance, and not by chance.

The rule is the gate's: a change for the worse counts as a regression if it is larger than the tolerance and such a change would be
rare (Holm, all signals together) if nothing had changed. Beyond the tolerance and not rare is inconclusive.
"""

from collections.abc import Callable
from typing import NamedTuple

from rag_gate.config_monitoring import DriftConfig
from rag_gate.records.monitor import Drift, Signal, Signals
from rag_gate.request_logs.sketch import Sketch
from rag_gate.statistics import Interval, holm, kolmogorov_smirnov_of_counts, rate_difference

#: Why a signal is not compared that nobody measured.
NEITHER = "neither side has a value"
#: A change that is the tolerance on paper is not beyond it in binary.
_ROUNDING = 1e-12
_HIGH = 0.95
_MEDIAN = 0.5


class Compared(NamedTuple):
    """One signal on both sides, before the p-values of all of them are adjusted."""

    signal: Signal
    baseline: float
    now: float
    change: float
    tolerance: float
    beyond: bool
    p: float
    interval: Interval | None = None


def compare(baseline: Signals, now: Signals, config: DriftConfig) -> list[Drift]:
    """Compare every signal that both sides know."""
    found = [part(baseline, now, config) for part in _PARTS]
    known = [item for item in found if isinstance(item, Compared)]
    adjusted = iter(holm([item.p for item in known]))
    return [
        _decided(item, next(adjusted), config.alpha) if isinstance(item, Compared) else item for item in found
    ]


def _decided(item: Compared, p: float, alpha: float) -> Drift:
    return Drift(
        signal=item.signal,
        verdict="pass" if not item.beyond else "regressed" if p <= alpha else "inconclusive",
        baseline=item.baseline,
        now=item.now,
        change=item.change,
        tolerance=item.tolerance,
        p=p,
        interval=None if item.interval is None else (item.interval.low, item.interval.high),
    )


def _too_few(signal: Signal, before: int, now: int, least: int) -> Drift | None:
    if min(before, now) >= least:
        return None
    if not before and not now:
        return Drift(signal=signal, verdict="not_compared", reason=NEITHER)
    side, count = ("the baseline", before) if before < least else ("the log", now)
    known = f"only {count} values" if count else "no value"
    reason = f"{side} has {known}; {least} are needed (monitoring.drift.min_requests)"
    return Drift(signal=signal, verdict="not_compared", reason=reason)


def _share(
    signal: Signal,
    counts: Callable[[Signals], tuple[int, int]],
    tolerance: Callable[[DriftConfig], float],
    *,
    rise_is_worse: bool,
) -> Callable[[Signals, Signals, DriftConfig], Compared | Drift]:
    def part(baseline: Signals, now: Signals, config: DriftConfig) -> Compared | Drift:
        first, second = counts(baseline), counts(now)
        few = _too_few(signal, first[1], second[1], config.min_requests)
        if few is not None:
            return few
        found = rate_difference(first, second)
        worse = found.delta if rise_is_worse else -found.delta
        limit = tolerance(config)
        return Compared(
            signal,
            found.first,
            found.second,
            found.delta,
            limit,
            beyond=worse > limit + _ROUNDING,
            p=found.p_higher if rise_is_worse else found.p_lower,
            interval=found.interval,
        )

    return part


def _similarity(baseline: Signals, now: Signals, config: DriftConfig) -> Compared | Drift:
    first, second = Sketch(baseline.top_similarity), Sketch(now.top_similarity)
    few = _too_few("similarity", first.count, second.count, config.min_requests)
    if few is not None:
        return few
    found = kolmogorov_smirnov_of_counts(first.bins, second.bins)
    return Compared(
        "similarity",
        first.quantile(_MEDIAN) or 0.0,
        second.quantile(_MEDIAN) or 0.0,
        found.lower,
        config.similarity,
        beyond=found.lower > config.similarity + _ROUNDING,
        p=found.p_lower,
    )


def _latency(signal: Signal, stage: str) -> Callable[[Signals, Signals, DriftConfig], Compared | Drift]:
    """Compare the 95th percentiles; the test is about the share of requests beyond the largest one that passes."""

    def part(baseline: Signals, now: Signals, config: DriftConfig) -> Compared | Drift:
        first, second = Sketch(baseline.latency_ms.get(stage, ())), Sketch(now.latency_ms.get(stage, ()))
        few = _too_few(signal, first.count, second.count, config.min_requests)
        if few is not None:
            return few
        before, after = first.quantile(_HIGH) or 0.0, second.quantile(_HIGH) or 0.0
        if before <= 0:
            return Drift(signal=signal, verdict="not_compared", reason="the baseline took no time at all")
        limit = before * (1 + config.latency)
        slower = rate_difference((first.above(limit), first.count), (second.above(limit), second.count))
        return Compared(
            signal,
            before,
            after,
            after / before - 1,
            config.latency,
            beyond=after > limit,
            p=slower.p_higher,
        )

    return part


_PARTS = (
    _share(
        "empty_rate",
        lambda seen: (seen.empty, seen.retrievals),
        lambda config: config.empty_rate,
        rise_is_worse=True,
    ),
    _similarity,
    _share(
        "citation_rate",
        lambda seen: (seen.cited, seen.answers),
        lambda config: config.citation_rate,
        rise_is_worse=False,
    ),
    _share(
        "hedging_rate",
        lambda seen: (seen.hedging, seen.hedge_known),
        lambda config: config.hedging_rate,
        rise_is_worse=True,
    ),
    _latency("retrieval_latency", "retrieval"),
    _latency("generation_latency", "generation"),
    _latency("total_latency", "total"),
)
