"""What a reader should know although it does not decide."""

from collections.abc import Mapping

from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import CaseChanges
from rag_gate.regression.comparability import embedding_mismatch, other_corpus
from rag_gate.regression.references import reference_notices
from rag_gate.regression.sentences import named
from rag_gate.regression.sides import Sides
from rag_gate.regression.wording import wording_notices

_REBASELINE = 0.8


def notices(
    sides: Sides, metrics: Mapping[str, MetricVerdict], cases: CaseChanges, *, judged: bool
) -> list[str]:
    """Return the notices, one sentence each, the most important first.

    Args:
        sides: what is compared.
        metrics: the verdict of each gating metric.
        cases: what happened to the cases.
        judged: whether there is a verdict; otherwise its reason is said already.
    """
    found = [*_run_notices(sides), *_comparison_notices(sides, cases, judged=judged)]
    found += reference_notices(sides, metrics) if judged else []
    found += wording_notices(sides) if judged else []
    for name, metric in metrics.items():
        if "systematic_drop_within_tolerance" in metric.notes:
            found.append(f"{name} fell within its tolerance, and more often than chance explains")
        if metric.missing_current and metric.verdict != "error":
            unscored = metric.missing_current
            found.append(f"{name}: {_cases(len(unscored))} without a score: {named(unscored)}")
    return found


def _run_notices(sides: Sides) -> list[str]:
    if not isinstance(sides.current, Results):
        return []
    counts, found = sides.current.counts, []
    for key, one, many in (
        ("error", "was not executed (recorded with an error)", "were not executed (recorded with an error)"),
        ("missing", "is missing from the run", "are missing from the run"),
        ("empty", "retrieved nothing", "retrieved nothing"),
        (
            "unknown",
            "of the run is not in the golden set and was ignored",
            "of the run are not in the golden set and were ignored",
        ),
    ):
        if counts.get(key):
            found.append(f"{_cases(counts[key])} {one if counts[key] == 1 else many}")
    if counts.get("recorded_aside"):
        found.append(
            f"the run holds results of {_cases(counts['recorded_aside'])} of the extended tier, too few to measure, so "
            "retrieval is measured on the core tier alone"
        )
    found += _suspicions(sides.current)
    judging = sides.current.judging
    if judging is not None and judging.canary == "unscored" and not judging.problems:
        found.append(
            "the judge's canary, a wrong answer that asks to be passed, could not be judged, so nothing shows in this run "
            "that the judge resists; run again"
        )
    manifest = sides.current.run.manifest
    if manifest is not None and manifest.frozen_answers is not None:
        found.append(
            f"the answers were not generated anew: they are those of the run {manifest.frozen_answers[:12]}, so only "
            "retrieval is new"
        )
    mismatch = embedding_mismatch(sides.current)
    return [*found, mismatch] if mismatch else found


def _suspicions(results: Results) -> list[str]:
    """Return what looks like a mistake in the files: it would never be compared, so no later run shows it."""
    found = []
    ranks, answers = results.metrics.get("mrr"), results.metrics.get("correctness")
    if ranks is not None and not ranks.n_scored and "no_results_recorded" in ranks.reasons:
        found.append("the run records no results under 'retrieved', so retrieval is not measured")
    if ranks is not None and ranks.mean == 0 and results.counts.get("executed"):
        found.append(
            "no gold id is among the results of any case: do gold ids and results name the same things "
            "(retrieval.unit, retrieval.document_id)?"
        )
    if answers is not None and not answers.n_scored and "no_answer_recorded" in answers.reasons:
        found.append("the run records no 'answer', so answers are not judged")
    return found


def _comparison_notices(sides: Sides, cases: CaseChanges, *, judged: bool) -> list[str]:
    if not sides.baseline_means() and not sides.baseline_cases():
        return [
            "there is no baseline: only floors and zero-tolerance metrics are checked, nothing is compared"
        ]
    if not isinstance(sides.baseline, Baseline):
        return ["the baseline is a flat table without cases; promote once to compare case by case"]
    corpus = other_corpus(sides) if judged else None
    found = [corpus] if corpus else []
    if judged and sides.unlike:
        found.append(
            f"measured otherwise in the baseline ({sides.unlike.said()}), so no case is called newly failing or "
            "fixed; promote a new baseline"
        )
    total = len(sides.baseline_rows())
    gone = len(cases.removed) + len(cases.edited)
    for word, ids in (("added", cases.added), ("removed", cases.removed), ("edited", cases.edited)):
        if ids:
            verb = "was" if len(ids) == 1 else "were"
            found.append(f"{_cases(len(ids))} {verb} {word} and cannot be compared: {named(ids)}")
    if judged and total and total - gone < _REBASELINE * total:
        found.append("less than 80 % of the baseline's cases are left to compare; promote a new baseline")
    return found


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
