"""Which parts of the dataset got worse; slices warn and never fail the gate."""

from collections.abc import Collection

from rag_gate.errors import ConfigError
from rag_gate.records.verdict import SliceOutcome, SliceResult
from rag_gate.regression.comparison import compare, is_beyond
from rag_gate.regression.inputs import CaseMap, MetricSpec
from rag_gate.regression.pairing import Pair, pair_cases
from rag_gate.statistics import benjamini_hochberg

_FLOAT_SLACK = 1e-12


def judge_slices(
    base: CaseMap,
    current: CaseMap,
    spec: MetricSpec,
    *,
    keys: Collection[str] | None = None,
    min_slice: int = 20,
    q: float = 0.10,
) -> SliceOutcome:
    """Compare one metric within every slice that a usable pair belongs to.

    A slice is flagged if its drop is beyond the metric's tolerance and its p, corrected over the tested
    slices by Benjamini and Hochberg, is at most ``q``.

    Args:
        base: baseline cases.
        current: the run's cases; their slices count.
        spec: the metric's rule; its tolerance is needed.
        keys: the slice keys to look at; all of them if None.
        min_slice: fewer pairs than this are shown and not tested.
        q: accepted share of false flags, in (0, 1).

    Raises:
        ConfigError: if the metric has no tolerance.
    """
    if spec.tolerance is None:
        raise ConfigError("slices: need a metric with a tolerance; set one")
    members: dict[str, list[Pair]] = {}
    for pair in pair_cases(base, current).pairs:
        for key, value in pair.case.slices.items():
            if keys is None or key in keys:
                members.setdefault(f"{key}={value}", []).append(pair)
    results = {name: _compare_slice(members[name], spec, spec.tolerance) for name in sorted(members)}
    tested = [name for name, result in results.items() if result.n >= min_slice]
    p_bh = dict(zip(tested, benjamini_hochberg([results[name].p for name in tested]), strict=True))
    return SliceOutcome(
        slices=results,
        p_bh=p_bh,
        flagged=tuple(name for name in tested if results[name].beyond and p_bh[name] <= q + _FLOAT_SLACK),
        not_tested=tuple(name for name in results if name not in p_bh),
    )


def _compare_slice(pairs: list[Pair], spec: MetricSpec, tolerance: float) -> SliceResult:
    found = compare(pairs, direction=spec.direction, cluster=spec.cluster)
    return SliceResult(
        n=len(pairs), delta=found.delta, beyond=is_beyond(found.deltas, tolerance), p=found.test.p
    )
