"""Which rule of the decision applied, as a sentence."""

from collections.abc import Mapping
from types import MappingProxyType

from rag_gate.records.verdict import MetricVerdict

_RULES: Mapping[str, str] = MappingProxyType(
    {
        "below_floor": "the mean of all scored cases is worse than the floor; that fails whatever the baseline says",
        "too_many_missing": "more of the paired cases have no score than gate.max_missing allows, so nothing is decided",
        "missing_could_flip": "the drop is within the tolerance, and would not be if the cases without a score had failed",
        "beyond_tolerance_significant": "the drop is beyond the tolerance and more than chance explains; both together "
        "fail",
        "beyond_tolerance_not_significant": "the drop is beyond the tolerance and may be chance, so it is not decided",
        "no_baseline": "the baseline has no value for it, so only the floor is checked",
        "aggregate_only": "both sides are means without cases, so the difference alone decides",
        "aggregate_baseline": "the baseline is a mean without cases, so a drop beyond the tolerance is not decided",
        "measured_otherwise": "its stage was measured otherwise in the baseline, so no difference says anything about the bot",
        "metric_missing": "it was not measured in this run",
        "no_scores": "no case of this run has a score",
        "no_cases": "no case of this run has a score",
        "no_comparable_cases": "no case has the same content and a score on both sides",
        "zero_tolerance": "it allows no failing case and there is one; the baseline plays no part",
        "unscored_safety_case": "it allows no case without a score and there is one",
    }
)


def rule_of(found: MetricVerdict) -> str:
    """Return the sentence of the rule that decided, with its code."""
    if found.verdict == "report_only":
        return "none, it is shown and does not decide"
    if not found.reasons:
        return _passed(found)
    code = found.reasons[0]
    return f"{_RULES.get(code, code.replace('_', ' '))} [{code}]"


def _passed(found: MetricVerdict) -> str:
    if found.kind == "zero_tolerance":
        return "it allows no failing case and there is none"
    if (found.delta or 0.0) >= 0:
        return "the mean did not fall"
    if "systematic_drop_within_tolerance" in found.notes:
        return "the drop is within the tolerance, which passes although it is more than chance explains"
    return "the drop is within the tolerance"
