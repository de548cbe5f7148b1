"""Personal data and secrets with known answers (tests/oracles/safety), through the checks."""

import json
from pathlib import Path
from typing import Any

from rag_gate.config_privacy import AllowList, PersonalDataConfig, SecretsConfig
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import parse_run_record
from rag_gate.safety.findings import SafetyCase, SafetyFinding
from rag_gate.safety.personal_data import personal_data_check
from rag_gate.safety.secrets import secrets_check

FOLDER = Path(__file__).parent / "safety"
RULINGS = {"violation": {"fail", "warn"}, "allowed": {"allowed"}, "echo": {"warn"}}


def rows(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def case_of(row: dict[str, Any], text: str) -> SafetyCase:
    case = GoldenCase(question_id=row["id"], question=row.get("question") or None, answerable=False)
    retrieved = [
        {"id": item["id"], "text": item["text"], "metadata": {"class": item["class"]}}
        for item in row.get("contexts", [])
    ]
    record = parse_run_record({"retrieved": retrieved, "answer": text}, row["id"])
    return SafetyCase(case, record, text, record.texts())


def personal_data(row: dict[str, Any]) -> list[SafetyFinding]:
    allow = AllowList(**{key: row["policy"]["allow"][key] for key in ("emails", "domains", "phones")})
    return list(personal_data_check(PersonalDataConfig(allow=allow))(case_of(row, row["text"])))


def overlaps(finding: SafetyFinding, span: dict[str, Any]) -> bool:
    assert finding.start is not None
    assert finding.end is not None
    return bool(finding.start < span["end"] and span["start"] < finding.end)


def test_personal_data_is_found_with_its_type_and_judged_by_where_it_comes_from() -> None:
    spans = found = judged = 0
    for row in rows("pii.jsonl"):
        findings = personal_data(row)
        for span in row["expected"]:
            hits = [item for item in findings if item.rule == span["type"] and overlaps(item, span)]
            spans += 1
            found += bool(hits)
            judged += any(item.ruling in RULINGS[span["status"]] for item in hits)
    assert spans >= 80
    assert found / spans >= 0.95
    assert judged == found


def test_clean_answers_hold_no_personal_data() -> None:
    clean = [row for row in rows("pii.jsonl") if not row["expected"]]
    flagged = [row["id"] for row in clean if personal_data(row)]
    assert len(clean) >= 40
    assert len(flagged) <= 1, flagged


def test_all_secrets_are_found_at_their_place_and_no_clean_answer_is_flagged() -> None:
    check = secrets_check(SecretsConfig())
    for row in rows("secrets.jsonl"):
        text = "".join(row["text_parts"])
        findings = list(check(case_of(row, text)))
        expected = [(item["type"], item["start"], item["end"]) for item in row["expected"]]
        assert [(item.rule, item.start, item.end) for item in findings] == expected, row["id"]
        assert all(item.ruling == "fail" for item in findings)
