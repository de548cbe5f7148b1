"""The smallest records that a view of the comment can be built from."""

from typing import Any

from rag_gate.config_models import ReportConfig
from rag_gate.records.partial import DatasetInfo, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.model import CommentView
from rag_gate.report.rows import MetricRow
from rag_gate.report.view import build_view

FAILED: dict[str, Any] = {"status": "generation_failure", "retrieval_ok": True, "answer_ok": False}
LOST: dict[str, Any] = {"status": "retrieval_failure", "retrieval_ok": False, "answer_ok": True}


def case(key: str = "q", **changed: Any) -> CaseResult:
    row: dict[str, Any] = {"question_id": key, "fingerprint": "f", "status": "passed", "scores": {}}
    return CaseResult.model_validate(row | changed)


def results(*cases: CaseResult, **changed: Any) -> Results:
    row: dict[str, Any] = {
        "dataset": DatasetInfo(fingerprint="d", tier="core", n_cases=len(cases)),
        "run": RunInfo(fingerprint="r"),
        "stages": {},
        "scores": {},
        "metrics": {},
        "statuses": {},
        "cases": list(cases),
    }
    return Results.model_validate(row | changed)


def verdict(overall: str = "regressed", **changed: Any) -> Verdict:
    passed = overall == "pass"
    row: dict[str, Any] = {
        "overall": overall, "passed": passed, "exit_code": int(not passed), "summary": "Why.", "metrics": {},
        "alpha": 0.05,
    }  # fmt: skip
    return Verdict.model_validate(row | changed)


def view(found: Results | dict[str, float | None], decision: Verdict, most: int = 20) -> CommentView:
    return build_view(found, decision, ReportConfig(max_cases=most))


def row_of(found: MetricVerdict, name: str = "recall@5") -> MetricRow:
    return view({}, verdict(metrics={name: found})).metrics.rows[0]


def soft(**changed: Any) -> MetricVerdict:
    row: dict[str, Any] = {
        "verdict": "pass", "kind": "soft", "tolerance": 0.03, "n_current": 50, "n_pairs": 50, "n_units": 50,
        "mean_base": 0.9, "mean_current": 0.88, "mean_current_all": 0.88, "delta": -0.02, "beyond": False,
        "ci_low": -0.05, "ci_high": 0.01, "wins": 1, "losses": 2, "ties": 47, "p_adj": 0.3,
    }  # fmt: skip
    return MetricVerdict.model_validate(row | changed)
