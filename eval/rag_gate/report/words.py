"""The words for what the records name by code."""

from typing import get_args

from rag_gate.measures import measure_of
from rag_gate.records.results import Status
from rag_gate.records.verdict import MetricDecision
from rag_gate.report.markdown import Markdown

CAUSES: dict[Status, Markdown] = {
    "retrieval_failure": Markdown("retrieval"),
    "retrieval_and_generation_failure": Markdown("retrieval and generation"),
    "generation_failure": Markdown("generation"),
    "safety_failure": Markdown("safety"),
    "unscored": Markdown("not judged"),
    "passed": Markdown("passed"),
}
STATUSES: tuple[Status, ...] = get_args(Status)
#: Not a failure of its own status, and worth its own word.
WITHOUT_EVIDENCE = Markdown("right answer without evidence")

DECISIONS: dict[MetricDecision, Markdown] = {
    "regressed": Markdown("❌ regressed"),
    "error": Markdown("⚠️ not judged"),
    "inconclusive": Markdown("⚠️ inconclusive"),
    "pass": Markdown("✅ ok"),
    "report_only": Markdown("shown only"),
}
REASONS = {
    "beyond_tolerance_significant": "worse by more than the tolerance",
    "beyond_tolerance_not_significant": "worse by more than the tolerance, but that may be chance",
    "below_floor": "below its floor",
    "zero_tolerance": "no failing case is allowed",
    "missing_could_flip": "the unscored cases could change the verdict",
    "aggregate_baseline": "the baseline has no cases, only means were compared",
    "aggregate_only": "only means were compared",
    "no_baseline": "the baseline has nothing to compare with",
    "metric_missing": "not measured in this run",
    "unscored_safety_case": "unmeasured cases are not allowed",
    "too_many_missing": "too many cases without a score",
    "no_comparable_cases": "no case can be paired with the baseline",
    "no_cases": "no case has a score",
    "no_scores": "no case has a score",
}
NOTES = {
    "underpowered": "few cases",
    "systematic_drop_within_tolerance": "a small drop that is more than chance",
    "improved": "improved",
}
UNSCORED = {
    "missing_from_run": "missing from the run",
    "run_error": "not executed, the run recorded an error",
    "no_results_recorded": "the run recorded no retrieval results",
    "result_without_id": "a result has no id to compare",
    "no_text_recorded": "the run recorded no chunk texts",
    "no_answer_recorded": "the run recorded no answer",
    "answer_too_long": "the answer is too long to be judged",
    "texts_too_long": "the retrieved texts are too long to be searched",
    "undecided": "the judge could not decide",
    "judge_error": "the judge failed",
    "judge_unreachable": "the judge could not be reached",
    "judge_refused": "the judge's service refused the request",
    "judge_rate_limited": "the judge's service allows no more requests now",
    "judge_deadline": "the judge ran out of time",
    "judge_truncated": "the judge's reply was cut off",
    "judge_bad_reply": "the judge's reply was unusable",
    "judge_over_budget": "the limit of calls or costs was reached",
    "judge_not_recorded": "no reply of the judge is recorded",
    "prompt_too_long": "the case does not fit the judge's context window",
}
LEXICAL = "works offline and deterministically; it compares words and does not understand meaning"


def dimension_of(metric: str) -> Markdown:
    """Return the quality that a metric belongs to, ``own metric`` where the table does not know it."""
    measure = measure_of(metric)
    return Markdown(measure.dimension if measure else "own metric")


def unit_of(metric: str) -> str:
    """Return the unit in which a metric is shown."""
    measure = measure_of(metric)
    return measure.unit if measure else "share"


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return ``1 case`` or ``2 cases``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
