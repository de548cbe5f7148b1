"""A must-pass case that fails names the stage that it failed in, also when it is new."""

import pytest

from rag_gate.config import shipped_tolerances
from rag_gate.config_models import GateConfig
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, MetricSummary, RunInfo
from rag_gate.records.results import CaseResult, Results, Status
from rag_gate.regression.check import Rules, check


def results(status: Status) -> Results:
    evaluator = Evaluator(name="ranking", version="1", fingerprint="e")
    case = CaseResult(
        question_id="new",
        fingerprint="f",
        info=CaseInfo(must_pass=True),
        status=status,
        scores={"recall@5": 1.0},
    )
    return Results(
        dataset=DatasetInfo(fingerprint="d", tier="core", n_cases=1),
        run=RunInfo(fingerprint="r"),
        stages={"retrieval": evaluator},
        scores={"recall@5": 1.0},
        metrics={"recall@5": MetricSummary(mean=1.0, n_scored=1)},
        statuses={status: 1},
        cases=[case],
    )


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        ("retrieval_failure", "retrieval"),
        ("retrieval_and_generation_failure", "retrieval"),
        ("generation_failure", "answer"),
        ("safety_failure", "safety"),
    ],
)
def test_a_lost_must_pass_case_names_its_own_stage(status: Status, stage: str) -> None:
    verdict = check(results(status), None, Rules(None, shipped_tolerances(), GateConfig()))
    assert (verdict.overall, verdict.stage) == ("regressed", stage)
    assert verdict.cases.lost_must_pass == ["new"]
