"""The numbers behind one metric's verdict, in lines for people."""

from collections.abc import Iterator, Mapping, Sequence

from rag_gate.errors import ConfigError
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.check import Rules
from rag_gate.regression.comparison import Comparison, compare, orientation
from rag_gate.regression.explain_chance import chance_lines, power_lines
from rag_gate.regression.explain_rule import rule_of
from rag_gate.regression.inputs import MetricInput, MetricSpec
from rag_gate.regression.pairing import Pair, pair_cases
from rag_gate.regression.sides import Sides
from rag_gate.regression.table import gating_specs
from rag_gate.statistics import SCALE, to_lattice

_NAMED = 10


def explainable(verdict: Verdict) -> dict[str, MetricVerdict]:
    """Return what can be explained: the metrics that gate, then those that are shown."""
    return {**verdict.metrics, **verdict.report_only}


def explanations(names: Sequence[str], verdict: Verdict, sides: Sides, rules: Rules) -> list[str]:
    """Return a block of lines for each of the named metrics.

    Args:
        names: the metrics; a name that is given twice is explained once.
        verdict: what ``check`` decided.
        sides: what it compared.
        rules: by what it decided.

    Raises:
        ConfigError: with the names that can be explained, if the verdict does not know one.
    """
    known = explainable(verdict)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ConfigError(
            f"--explain: no metric '{unknown[0]}' in this verdict; there are {', '.join(known)}"
        )
    specs = gating_specs(rules.user, rules.shipped, sides.current_means(), sides.baseline_means())
    lines = []
    for name in dict.fromkeys(names):
        shown = MetricSpec(kind="report_only", direction=known[name].direction)
        spec = specs.get(name, shown) if name in verdict.metrics else shown
        lines += explain(name, verdict, sides.comparable(name, sides.metric_input(name, spec)))
    return lines


def explain(name: str, verdict: Verdict, metric: MetricInput) -> list[str]:
    """Return why one metric was judged as it was, and with which numbers.

    Args:
        name: a metric that the verdict knows.
        verdict: of the whole run.
        metric: the metric's rule and the scores of both sides, as they were judged.
    """
    found = explainable(verdict)[name]
    lines = [f"rule: {rule_of(found)}"]
    if verdict.problems:
        lines.append(f"the run as a whole could not be judged: {verdict.problems[0]}")
    lines += [*_counts(found), *_means(found), *_limits(found)]
    pairs, comparison = _compared(metric)
    if comparison is not None:
        lines += [*_on_lattice(comparison, found), *chance_lines(name, found, comparison, verdict)]
        lines += [*_worst_case(found), *power_lines(found, comparison, verdict.alpha)]
        lines += [*_cases(pairs, comparison, "worsened", -1), *_cases(pairs, comparison, "improved", 1)]
    elif found.failing:
        lines.append(f"failing: {', '.join(found.failing[:_NAMED])}{_more(len(found.failing))}")
    kind = f"{found.kind.replace('_', ' ')}, {found.direction} is better"
    return [f"{name}: {found.verdict.replace('_', ' ')} ({kind})", *(f"  {line}" for line in lines)]


def _compared(metric: MetricInput) -> tuple[tuple[Pair, ...], Comparison | None]:
    """Return the pairs and what they say; none for a metric that is not compared case by case."""
    if metric.spec.kind == "zero_tolerance":
        return (), None
    if not isinstance(metric.base, Mapping) or not isinstance(metric.current, Mapping):
        return (), None
    pairs = pair_cases(metric.base, metric.current).pairs
    if not pairs:
        return (), None
    return pairs, compare(pairs, direction=metric.spec.direction, cluster=metric.spec.cluster)


def _counts(found: MetricVerdict) -> Iterator[str]:
    if found.n_pairs is None:
        if found.n_current is not None:
            yield f"cases: {found.n_current} with a score now, {len(found.unscored)} without"
        return
    units = f" ({found.n_units} independent)" if found.n_units not in (None, found.n_pairs) else ""
    yield (
        f"cases: {found.n_pairs} pairs{units}; {len(found.added)} added, {len(found.removed)} removed, "
        f"{len(found.edited)} edited; {len(found.missing_current)} without a score now, "
        f"{len(found.missing_base)} without one in the baseline"
    )


def _means(found: MetricVerdict) -> Iterator[str]:
    if found.mean_base is not None:
        now = found.mean_current if found.mean_current is not None else found.mean_current_all
        interval = ""
        if found.ci_low is not None and found.ci_high is not None:
            interval = f", 90 % interval {found.ci_low:+.6g} to {found.ci_high:+.6g}"
        yield f"mean: {_number(found.mean_base)} -> {_number(now)}, change {found.delta or 0.0:+.6g}{interval}"
    if found.mean_current_all is not None:
        yield f"mean of all scored cases of this run: {_number(found.mean_current_all)}"


def _limits(found: MetricVerdict) -> Iterator[str]:
    if found.tolerance is not None and found.kind == "soft":
        yield f"tolerance: {found.tolerance:g}; floor: {'none' if found.floor is None else f'{found.floor:g}'}"
    if found.floor is not None and found.mean_current_all is not None:
        above = orientation(found.direction) * (found.mean_current_all - found.floor)
        yield f"floor: this run is {abs(above):.6g} on the {'good' if above >= 0 else 'bad'} side of it"


def _on_lattice(comparison: Comparison, found: MetricVerdict) -> Iterator[str]:
    """Say in the whole numbers that decided how far the mean is from the tolerance."""
    if found.tolerance is None or found.kind != "soft":
        return
    changed = sum(map(to_lattice, comparison.deltas))
    allowed = -to_lattice(found.tolerance) * len(comparison.deltas)
    side = "beyond" if changed < allowed else "within"
    distance = abs(changed - allowed) / SCALE / len(comparison.deltas)
    yield (
        f"{side} the tolerance, by {distance:.6g} (in steps of 0.000001 the changes add up to {changed:+d} "
        f"and {allowed:+d} is allowed)"
    )


def _worst_case(found: MetricVerdict) -> Iterator[str]:
    if not found.missing_current or found.worst_case_beyond is None:
        return
    side = "beyond" if found.worst_case_beyond else "within"
    yield f"had all cases without a score now failed, the drop would be {side} the tolerance"


def _cases(pairs: tuple[Pair, ...], comparison: Comparison, word: str, sign: int) -> Iterator[str]:
    moved = [
        (-abs(delta), pair.case_id, pair)
        for pair, delta in zip(pairs, comparison.deltas, strict=True)
        if sign * to_lattice(delta) > 0
    ]
    moved.sort(key=lambda item: item[:2])
    shown = [f"{pair.case_id} {_number(pair.base)} -> {_number(pair.current)}" for *_, pair in moved[:_NAMED]]
    yield f"{word}: {'; '.join(shown) or 'none'}{_more(len(moved))}"


def _more(count: int) -> str:
    return f" and {count - _NAMED} more" if count > _NAMED else ""


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.6g}"
