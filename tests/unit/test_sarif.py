"""Safety findings as SARIF."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from material import lines
from report_material import case, results

from rag_gate.errors import NotJudgedError
from rag_gate.records.results import CaseResult
from rag_gate.report.sarif import sarif_log

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "data/schemas/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
HOSTILE = "</x>\x00\u202e\x1b[31m `rm`\u2028 [link](https://evil.example)"


def finding(
    check: str = "secrets", rule: str = "AWS_KEY", ruling: str = "fail", **more: Any
) -> dict[str, Any]:
    return {"check": check, "rule": rule, "ruling": ruling, "note": f"the answer holds {rule}", **more}


def unsafe(key: str, *findings: dict[str, Any]) -> CaseResult:
    return case(
        key, status="safety_failure", safety_ok=False, detail={"safety": {"findings": list(findings)}}
    )


def log_of(*cases: CaseResult, dataset: str | None = None, run: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sarif_log(results(*cases), dataset, run, Path("results.json")))
    jsonschema.Draft4Validator(SCHEMA).validate(found)
    return found


def test_each_finding_is_a_result_with_its_rule() -> None:
    run = log_of(
        unsafe("b", finding("output", "MD_IMAGE_EXTERNAL", "warn")),
        unsafe("a", finding(), finding("refusal", "DECLINED", "undecided")),
        unsafe("c", finding(ruling="allowed")),
    )["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["output/MD_IMAGE_EXTERNAL", "refusal/DECLINED", "secrets/AWS_KEY"]
    found = [(row["ruleId"], row["level"], row["message"]["text"]) for row in run["results"]]
    assert found == [
        ("secrets/AWS_KEY", "error", "Case a: the answer holds AWS_KEY"),
        ("output/MD_IMAGE_EXTERNAL", "warning", "Case b: the answer holds MD_IMAGE_EXTERNAL"),
        ("refusal/DECLINED", "note", "Case a: the answer holds DECLINED"),
    ]
    assert [rules[row["ruleIndex"]] for row in run["results"]] == [row["ruleId"] for row in run["results"]]
    assert run["tool"]["driver"]["rules"][2]["properties"]["security-severity"] == "9.0"


def test_a_finding_stands_at_its_golden_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "data dir").mkdir()
    monkeypatch.chdir(tmp_path / "data dir")
    dataset = lines(tmp_path / "data dir/gold.jsonl", [{"id": "z"}, {"id": "a"}])
    run = lines(tmp_path / "run.jsonl", [{"question_id": "a"}])
    found = log_of(unsafe("a", finding()), dataset=dataset, run=run)["runs"][0]["results"][0]
    place, other = (found[name][0]["physicalLocation"] for name in ("locations", "relatedLocations"))
    assert place["artifactLocation"] == {"uri": "data%20dir/gold.jsonl", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2}
    assert (other["artifactLocation"]["uri"], other["region"]) == ("run.jsonl", {"startLine": 1})


def test_without_texts_a_finding_stands_at_the_results() -> None:
    found = log_of(unsafe("a", finding()))["runs"][0]["results"][0]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "results.json"


def test_fingerprints_stay_whatever_else_is_found(tmp_path: Path) -> None:
    def prints(*cases: CaseResult, dataset: str) -> list[str]:
        run = log_of(*cases, dataset=dataset)["runs"][0]
        return [
            row["partialFingerprints"]["ragGateFinding/v1"]
            for row in run["results"]
            if row["message"]["text"].startswith("Case a:")
        ]

    first = lines(tmp_path / "first.jsonl", [{"id": "a"}])
    later = lines(tmp_path / "later.jsonl", [{"id": "b"}, {"id": "a"}])
    two = unsafe("a", finding(start=1), finding(start=9))
    before = prints(two, dataset=first)
    assert before == prints(unsafe("b", finding()), two, dataset=later)
    assert len(set(before)) == 2


def test_more_than_code_scanning_takes_is_left_out_and_counted() -> None:
    many = [unsafe(f"q{number}", finding(ruling="warn")) for number in range(5_001)]
    run = log_of(*many, unsafe("worst", finding()))["runs"][0]
    assert len(run["results"]) == 5_000
    assert run["properties"]["leftOut"] == 2
    assert run["results"][0]["level"] == "error"


def test_nothing_found_is_an_empty_list() -> None:
    assert log_of(case("q"))["runs"][0]["results"] == []
    assert json.loads(sarif_log({"recall@5": 1.0}, None, None, Path("r.json")))["runs"][0]["results"] == []


def test_hostile_and_found_texts() -> None:
    text = json.dumps(
        log_of(unsafe(f"mail jane.roe@fabrikam.com {HOSTILE}", finding(rule=HOSTILE, note="x" * 5_000))),
        ensure_ascii=False,
    )
    assert "fabrikam" not in text
    assert not {"\x00", "\u202e", "\x1b"} & set(text)
    messages = [row["message"]["text"] for row in json.loads(text)["runs"][0]["results"]]
    assert max(map(len, messages)) <= 1_000


def test_no_text_becomes_a_link_or_a_second_line() -> None:
    hostile = "[safe](https://evil.example)[1](1)\n\n# Fixed\r\nby [you](mailto:x)"
    run = log_of(unsafe(hostile, finding(rule=hostile, note=hostile)))["runs"][0]
    (rule,) = run["tool"]["driver"]["rules"]
    said = [run["results"][0]["message"], rule["shortDescription"], rule["fullDescription"]]
    assert all("](" not in one["text"] and "\n" not in one["text"] for one in said)
    long = log_of(unsafe("a", finding(note="[](" * 500)))["runs"][0]["results"][0]["message"]["text"]
    assert len(long) <= 1_000


def test_a_value_that_cannot_be_masked_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag_gate.report.hiding.Hider.text", lambda _self, text, _limit=0: text)
    with pytest.raises(NotJudgedError, match="EMAIL"):
        log_of(unsafe("mail jane.roe@fabrikam.com", finding()))
