"""Runs, baselines and verdicts as the stages would write them, small and by hand."""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Any

from rag_gate.config_models import GateConfig, Tolerance, Tolerances
from rag_gate.records.baseline import Baseline, BaselineCase, Provenance
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, MetricSummary, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.check import Rules, check
from rag_gate.status import Judged, status_of

TOLERANCES: Tolerances = {
    "recall@5": Tolerance(tolerance=0.03),
    "mrr": Tolerance(tolerance=0.03),
    "correctness": Tolerance(tolerance=0.03),
    "safety_pass_rate": Tolerance(),
}
MANIFEST = {"commit": "4f2a9c1", "model": "gpt-4o-mini", "prompt_version": "v12", "chunking_id": "512-64"}
Subject = Results | dict[str, float | None]
Scenario = tuple[Subject, Verdict]


def case(
    key: str, *, found: bool = True, right: bool = True, safe: bool | None = None, **changed: Any
) -> CaseResult:
    """One case as the stages would write it."""
    answer = changed.pop("answer", "Refunds take 5 business days." if right else "Refunds take 14 days.")
    status = status_of(Judged(found, right, safe), retrieval_due=True, answer_due=True)
    rank = 1 if found else 7
    row: dict[str, Any] = {
        "question_id": key,
        "fingerprint": "f",
        "info": CaseInfo(question=f"How long does a refund take ({key})?", slices={"category": "refunds"}),
        "status": status,
        "retrieval_ok": found,
        "answer_ok": right,
        "safety_ok": safe,
        "answered_without_evidence": right and not found,
        "scores": {
            "recall@5": float(found), "mrr": 1 / rank, "correctness": float(right),
            "safety_pass_rate": None if safe is None else float(safe),
        },
        "reasons": {} if safe is not None else {"safety_pass_rate": "nothing_checked"},
        "detail": {
            "retrieval": {
                "state": "ok", "retrieval_ok": found, "gold_ranks": {"refund-policy": rank},
                "evidence_ranks": [1 if found else None],
                "retrieved": ["refund-policy" if found else "shipping", "faq", "terms", "contact", "about"],
            },
            "judge": {
                "answer": answer, "expected": ["Refunds take 5 business days."], "engine": "lexical-v1",
                "missing": [] if right else ["5 business days"], "flags": [], "claims": [],
            },
        },
    }  # fmt: skip
    return CaseResult.model_validate(row | changed)


def missing(key: str) -> CaseResult:
    names = ("recall@5", "mrr", "correctness", "safety_pass_rate")
    return case(
        key, status="unscored", retrieval_ok=None, answer_ok=None, scores=dict.fromkeys(names),
        reasons=dict.fromkeys(names, "missing_from_run"), detail={"retrieval": {"state": "missing"}},
    )  # fmt: skip


def results(cases: Sequence[CaseResult], manifest: dict[str, Any] = MANIFEST, **changed: Any) -> Results:
    metrics = {}
    for name in sorted({name for row in cases for name in row.scores}):
        values = [row.scores[name] for row in cases if row.scores[name] is not None]
        reasons = Counter(row.reasons.get(name, "unknown") for row in cases if row.scores[name] is None)
        excluded = reasons["nothing_checked"]
        metrics[name] = MetricSummary(
            mean=fsum(v for v in values if v is not None) / len(values) if values else None,
            n_scored=len(values),
            n_excluded=excluded,
            n_missing=sum(reasons.values()) - excluded,
        )
    absent = sum(row.status == "unscored" for row in cases)
    row: dict[str, Any] = {
        "dataset": DatasetInfo(fingerprint="d" * 32, tier="core", n_cases=len(cases), has_extended=True),
        "run": RunInfo(fingerprint="e" * 32, manifest=RunManifest.model_validate(manifest)),
        "stages": {
            "retrieval": Evaluator(
                name="ranking", version="1", settings={"success": {"k": 5}}, fingerprint="r"
            ),
            "judge": Evaluator(name="lexical-v1", version="1", fingerprint="j"),
            "safety": Evaluator(name="rules", version="1", fingerprint="s"),
        },
        "counts": {"cases": len(cases), "executed": len(cases) - absent, "missing": absent, "error": 0},
        "scores": {name: summary.mean for name, summary in metrics.items()},
        "metrics": metrics,
        "statuses": dict(Counter(row.status for row in cases)),
        "cases": list(cases),
    }
    return Results.model_validate(row | changed)


def baseline(found: Results, **changed: Any) -> Baseline:
    row: dict[str, Any] = {
        "dataset": found.dataset,
        "run": found.run,
        "stages": found.stages,
        "metrics": found.scores,
        "provenance": Provenance(
            promoted_at="2025-05-01T09:00:00Z", commit="9e8d7c6b5a", verdict="pass", tool_version="0.1.0",
            config_hash="c",
        ),
        "cases": [
            BaselineCase(
                question_id=c.question_id, fingerprint=c.fingerprint, info=c.info, status=c.status,
                scores=c.scores,
            )
            for c in found.cases
        ],
    }  # fmt: skip
    return Baseline.model_validate(row | changed)


def judge(now: Subject, then: Baseline | dict[str, float | None] | None, **changed: Any) -> Scenario:
    user = changed.pop("tolerances", TOLERANCES)
    return now, check(now, then, Rules(user=user, shipped={}, gate=GateConfig(), **changed))


def good(count: int = 60, **changed: Any) -> list[CaseResult]:
    return [case(f"q-{n:03}", safe=True if n < 5 else None, **changed) for n in range(count)]


def with_changes(changes: dict[int, dict[str, Any]], count: int = 60) -> list[CaseResult]:
    return [
        case(row.question_id, safe=row.safety_ok, **changes[n]) if n in changes else row
        for n, row in enumerate(good(count))
    ]
