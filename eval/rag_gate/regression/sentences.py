"""Plain sentences about a verdict."""

from collections.abc import Mapping, Sequence

from rag_gate.measures import measure_of
from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict, Overall
from rag_gate.records.verdict_file import CaseChanges, Change
from rag_gate.regression.sides import Sides

_NAMED = 5
_SMALL_P = 0.001


def named(ids: Sequence[str], most: int = _NAMED) -> str:
    """Return the first few ids and how many more there are."""
    more = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {more} more" if more > 0 else "")


def summary_sentence(
    overall: Overall,
    regressions: Sequence[Change],
    metrics: Mapping[str, MetricVerdict],
    problems: Sequence[str],
    cases: CaseChanges,
) -> str:
    """Return the verdict in one sentence."""
    if overall == "error":
        return f"Could not be judged: {problems[0]}" if problems else "Could not be judged."
    if overall == "regressed":
        return f"Regression: {'; '.join(_regression(row, metrics.get(row.metric), cases) for row in regressions)}."
    doubtful = [name for name, found in metrics.items() if found.verdict == "inconclusive"]
    if overall == "inconclusive":
        return f"Inconclusive: {'; '.join(_doubt(name, metrics[name]) for name in doubtful)}."
    if all("no_baseline" in found.reasons for found in metrics.values() if found.kind == "soft"):
        return "Passed without comparison: there is no baseline yet; promote one with rag-gate promote."
    return f"No regression in {len(metrics)} gating metric{'s' if len(metrics) != 1 else ''}."


def _regression(row: Change, found: MetricVerdict | None, cases: CaseChanges) -> str:
    if row.reason == "lost_must_pass" or found is None:
        return f"must-pass cases fail: {named(cases.lost_must_pass)}"
    if row.reason == "zero_tolerance":
        failing = (
            f"has {len(found.failing)}: {named(found.failing)}"
            if found.failing
            else f"is {short_value(row.current)}"
        )
        return f"{row.metric} allows no failing case and {failing}"
    if row.reason == "below_floor":
        return f"{row.metric} is {short_value(found.mean_current_all)}, below its floor {found.floor}"
    sure = f", {_p(found.p_adj)} after correction" if found.p_adj is not None else ""
    return f"{row.metric} {_moved(found)} (tolerance {row.tolerance:g}{sure})"


def _doubt(name: str, found: MetricVerdict) -> str:
    if "missing_could_flip" in found.reasons:
        return f"{name} would be beyond its tolerance if its unscored cases ({len(found.missing_current)}) had failed"
    if "aggregate_baseline" in found.reasons:
        return f"{name} is lower than the baseline's mean, which has no cases to compare; promote once"
    p = f", {_p(found.p_adj)}" if found.p_adj is not None else ""
    return f"{name} {_moved(found)}, more than its tolerance, but that may be chance{p}"


def metric_problem(name: str, found: MetricVerdict, sides: Sides) -> str:
    """Return why one metric could not be judged, and what to do."""
    reason = found.reasons[0] if found.reasons else "unknown"
    if reason == "metric_missing":
        return f"{name} was not measured in this run{_why_missing(name, sides)}"
    if reason == "unscored_safety_case":
        many = len(found.unscored)
        have = f"{many} cases have" if many != 1 else "1 case has"
        return (
            f"{name} allows no case without a score and {have} none: {named(found.unscored)}; run them again"
        )
    if reason == "too_many_missing" or (reason == "no_comparable_cases" and found.missing_current):
        return too_many_unscored(name, found.missing_current, found.missing_fraction or 1.0, sides)
    if reason == "no_comparable_cases":
        if isinstance(sides.current, Results):
            why = "no case can be paired with the baseline; same golden set? promote a new baseline if it changed"
        else:
            why = "the results are means without cases, the baseline has cases; give the results of rag-gate merge"
        return f"{name}: {why}"
    if reason in {"no_cases", "no_scores"}:
        return f"{name}: no case has a score; check the stage that measures it"
    return f"{name}: {reason.replace('_', ' ')}"


def too_many_unscored(name: str, ids: Sequence[str], share: float, sides: Sides) -> str:
    """Return that a metric lacks the scores of too many cases, and why."""
    cases = "1 case" if len(ids) == 1 else f"{len(ids)} cases"
    return (
        f"{name}: {cases} ({share * 100:.0f} %) could not be scored{_why_unscored(name, sides)}: {named(ids)}; "
        f"{_what_to_complete(name, sides)}"
    )


def _why_unscored(name: str, sides: Sides) -> str:
    summary = sides.current.metrics.get(name) if isinstance(sides.current, Results) else None
    if summary is None:
        return ""
    reasons = {key: count for key, count in summary.reasons.items() if key not in NOT_APPLICABLE}
    counted = ", ".join(f"{key.replace('_', ' ')}: {count}" for key, count in reasons.items())
    return f" ({counted})" if counted else ""


def _what_to_complete(name: str, sides: Sides) -> str:
    """Return what to do; a whole run without results or answers has them under another key, if at all."""
    summary = sides.current.metrics.get(name) if isinstance(sides.current, Results) else None
    if summary is not None and not summary.n_scored:
        for reason, key in (("no_results_recorded", "retrieved"), ("no_answer_recorded", "answer")):
            if reason in summary.reasons:
                return f"record them under '{key}' in each row of the run"
    return "complete the run and check again"


def _why_missing(name: str, sides: Sides) -> str:
    measure = measure_of(name)
    if measure is None or not isinstance(sides.current, Results):
        return "; add it to the results, or remove it from tolerances"
    if measure.stage not in sides.current.stages:
        return f": stage '{measure.stage}' did not run; run it, or remove {name} from tolerances"
    evaluator = sides.current.stages[measure.stage]
    k = name.partition("@")[2]
    if k and int(k) not in evaluator.settings.get("k_values", [int(k)]):
        return f": k = {k} was not evaluated; add {k} to retrieval.k_values, or remove {name} from tolerances"
    return (
        f": {evaluator.name} does not measure it, or no case of the golden set allows to; "
        f"remove {name} from tolerances or configure an evaluator that does"
    )


def _moved(found: MetricVerdict) -> str:
    """Return ``fell by 0.036``."""
    word = "fell" if found.direction == "higher" else "rose"
    return f"{word} by {more_than(-(found.delta or 0.0), found.tolerance or 0.0)}"


def more_than(drop: float, limit: float) -> str:
    """Return a drop with as many digits as it needs to be seen beyond its limit."""
    shown = (f"{drop:.{digits}f}" for digits in range(3, 7))
    return next((text for text in shown if float(text) > limit), f"{drop:.6f}")


def _p(p: float) -> str:
    return "p < 0.001" if p < _SMALL_P else f"p = {p:.3f}"


def short_value(number: float | None) -> str:
    """Return a mean with at most four decimals."""
    return "unknown" if number is None else f"{number:.4f}".rstrip("0").rstrip(".")
