"""What the page of one case says of a model's verdict, of findings, and of a baseline."""

from typing import Any

from report_material import FAILED, case

from rag_gate.records.baseline import BaselineCase
from rag_gate.records.results import CaseResult
from rag_gate.records.run import RunRecord
from rag_gate.report.hiding import Hider
from rag_gate.report.html.case_data import CaseData
from rag_gate.report.html.chunks import ChunkStore
from rag_gate.report.html.marking import SUPPORTED, UNSUPPORTED
from rag_gate.report.html.sources import Texts

ANSWER = "Refunds take 5 days. Shipping back is free for members."
TEXTS = ["About kettles.", "Refunds: they take 5 days in all."]
JUDGED: dict[str, Any] = {
    "answer": ANSWER,
    "claims": [
        {
            "text": "Refunds take 5 days.",
            "verdict": "supported",
            "evidence": "they take 5 days",
            "document": 2,
        },
        {
            "text": "Members ship back free: shipping back is free for members",
            "verdict": "unsupported",
            "evidence": None,
            "document": None,
            "flags": ["no_quote"],
        },
    ],
    "correctness": "partial",
    "missing": ["the address"],
    "superfluous": [],
    "judged_by": "small-1",
    "raw": [{"claims": []}],
}


def shown(found: CaseResult, room: int = 1_000, **texts: Any) -> tuple[dict[str, Any], ChunkStore]:
    hider = Hider()
    chunks = ChunkStore(hider, room)
    writer = CaseData(Texts(**texts), hider, chunks)
    writer.learn(found)
    return writer.of(found, "why"), chunks


def recorded(**more: Any) -> RunRecord:
    results = [{"id": f"d{at}", "text": text} for at, text in enumerate(TEXTS)]
    return RunRecord("q", ["d0", "d1"], results, **{"answer": ANSWER, **more})


def test_claims_of_a_model_are_marked_also_in_other_words() -> None:
    data, _ = shown(case(**FAILED, detail={"judge": JUDGED}), now={"q": recorded()})
    assert data["now"]["marks"] == [0, 20, SUPPORTED, 21, 55, UNSUPPORTED]
    assert [row["rank"] for row in data["claims"]] == [2, None]
    assert data["claims"][1]["flags"] == ["no_quote"]
    assert data["judge"] == [
        ["correctness", ["partial"]],
        ["missing", ["the address"]],
        ["judged_by", ["small-1"]],
        ["raw", ['{"claims": []}']],
    ]


def test_a_case_that_was_not_executed_says_why() -> None:
    data, _ = shown(
        case(status="unscored"), now={"q": RunRecord("q", [], [], error="Timeout", has_results=False)}
    )
    assert data["now"] == {"answer": None, "error": "Timeout"}
    assert data["chunks"] == []


def test_the_baselines_side_names_status_answer_and_ranks() -> None:
    before = BaselineCase(question_id="q", fingerprint="other", status="passed", scores={})
    data, _ = shown(
        case(), cases_then={"q": before}, then={"q": recorded(answer="Before.")}, now={"q": recorded()}
    )
    assert data["then"] == {
        "status": "passed", "edited": True, "answer": "Before.", "error": None, "ids": ["d0", "d1"],
    }  # fmt: skip
    assert shown(case())[0]["then"] is None


def test_texts_are_kept_once_and_only_as_far_as_there_is_room() -> None:
    data, chunks = shown(case(), room=20, now={"q": recorded()})
    assert [chunk["text"] for chunk in data["chunks"]] == [0, -1]
    assert chunks.texts == ["About kettles."]
    assert chunks.is_full


def test_a_quote_of_a_finding_is_marked_and_findings_keep_their_ruling() -> None:
    finding = {
        "check": "rules",
        "rule": "NO_PROMISE",
        "ruling": "fail",
        "note": "a promise",
        "quote": "is free",
    }
    data, _ = shown(
        case(status="safety_failure", detail={"safety": {"findings": [finding]}}), now={"q": recorded()}
    )
    assert data["now"]["marks"] == [35, 42, 8]
    assert data["findings"] == [finding]


def test_what_leaks_instructions_is_withheld_with_all_that_quotes_it() -> None:
    leak = {"check": "leak", "rule": "CANARY", "ruling": "fail", "note": "holds a canary"}
    data, _ = shown(
        case(status="safety_failure", detail={"safety": {"findings": [leak]}, "judge": JUDGED}),
        now={"q": recorded()},
    )
    assert data["now"] == {"withheld": True}
    assert (data["claims"], data["judge"]) == ([], [])
