"""Say what was decided: files, summary, annotations, outputs; the comment is the sticky one of ``comment``."""

from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.ci.gate import Gated
from rag_gate.ci.written import written_files
from rag_gate.github.commands import Annotation, Level
from rag_gate.records.results import Results
from rag_gate.report.headline import outcome

_LEVELS: Mapping[str, Level] = {
    "pass": "notice",
    "regression": "error",
    "inconclusive": "warning",
    "error": "error",
    "neutral": "warning",
    "skipped": "warning",
}


def annotations_of(gated: Gated) -> Iterator[Annotation]:
    """Yield the verdict, what got worse, and what a reader should know."""
    verdict = gated.decision.verdict
    level = _LEVELS[gated.decision.status]
    title = f"rag-gate: {outcome(verdict)}"
    if level == "error" and verdict.passed:
        level = "warning"
    yield Annotation(level, title, verdict.summary)
    for problem in verdict.problems[1:]:
        yield Annotation(level, title, problem)
    if verdict.neutral:
        yield Annotation("warning", title, verdict.neutral)
    for row in verdict.cases.newly_failing:
        cause = (row.now or "").replace("_", " ")
        yield Annotation(
            level if level != "notice" else "warning",
            "rag-gate: newly failing",
            f"{row.question_id}: {cause}",
        )
    for path in verdict.rules_changed:
        yield Annotation("notice", "rag-gate: changed rules", f"{path}: the base commit's version decided")


def outputs_of(gated: Gated, comment_url: str | None, *, measured_here: bool) -> dict[str, str]:
    """Return the outputs of the step; an empty text = not known."""
    written = written_files(gated.output.absolute(), measured_here=measured_here)
    verdict, results = gated.decision.verdict, gated.results
    return {
        "status": gated.decision.status,
        "passed": str(verdict.passed).lower(),
        "exit-code": str(verdict.exit_code),
        "regressions": str(len(verdict.regressions)),
        "coverage": _coverage(gated),
        "cost": _cost(results) if isinstance(results, Results) else "",
        "paths": "\n".join(map(str, written)),
        "comment-url": comment_url or "",
    }


def _coverage(gated: Gated) -> str:
    """Return the smallest share of scored cases among the metrics that decide, such as ``0.98``."""
    results = gated.results
    if not isinstance(results, Results):
        return ""
    shares = []
    for name in gated.decision.verdict.metrics:
        found = results.metrics.get(name)
        if found is not None and (due := found.n_scored + found.n_unscored):
            shares.append((found.n_scored - found.n_missing) / due)
    return f"{min(shares):.4f}" if shares else ""


def _cost(results: Results) -> str:
    """Return what a model judge cost in USD; empty where none judged or no price is known."""
    judging: dict[str, Any] = results.model_dump(include={"judging"}).get("judging") or {}
    models: Mapping[str, Any] = judging.get("models") or {}
    costs = [use.get("cost_usd") for use in models.values()]
    known = [cost for cost in costs if isinstance(cost, int | float)]
    return f"{sum(known):.4f}" if known and len(known) == len(costs) else ""
