"""The command that writes the report again, without measuring again."""

import json
import os
import re
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, Ended, rag_gate
from comment_material import Scenario, baseline, case, judge, results
from comment_scenarios import retrieval_regression
from promoter import Promoter, here

from rag_gate.config_models import ReportConfig
from rag_gate.records.results import Results
from rag_gate.report.model import CommentView
from rag_gate.report.render import MAX_LENGTH
from rag_gate.report.reporter import Reporter
from rag_gate.report.sample import sample_view


def saved(folder: Path, scenario: Scenario) -> None:
    now, verdict = scenario
    text = now.model_dump_json() if isinstance(now, Results) else json.dumps(now)
    (folder / "results.json").write_text(text, encoding="utf-8")
    (folder / "verdict.json").write_text(verdict.model_dump_json(), encoding="utf-8")


def report(folder: Path, *options: str, settings: str = "") -> Ended:
    (folder / "rag-gate.yml").write_text(settings, encoding="utf-8")
    return rag_gate(
        "report", "results.json", "verdict.json", "--config", "rag-gate.yml", *options, cwd=folder
    )


def test_the_view_as_json_says_what_the_comment_says(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    ended = report(tmp_path, "--format", "json")
    assert (ended.code, ended.err) == (0, "rag-gate: wrote report.json\n")
    found: dict[str, Any] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (found["schema_version"], found["kind"], found["language"]) == (1, "report", "en")
    assert (found["outcome"], found["headline"]) == ("blocked", "BLOCKED")
    assert found["metrics"]["rows"][0]["decision"] == "regressed"
    first = found["tables"][0]["cases"]["rows"][0]
    assert first["question"] == "How long does a refund take (q-010)?"  # as it is, without escapes
    assert first["expected"] == {"rows": [{"id": "refund-policy", "rank": "rank 7"}], "total": 1}
    assert found.keys() == {"schema_version", "kind", *CommentView.__dataclass_fields__}


def test_every_key_of_the_json_is_documented() -> None:
    documented = set((ROOT / "docs" / "reference" / "report-view.md").read_text(encoding="utf-8").split("`"))

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list | tuple) else set()

    assert keys(asdict(sample_view("en"))) <= documented


@pytest.mark.parametrize(("lost", "tier"), [(0, "extended"), (0, "core"), (9, "extended")])
def test_the_commands_of_a_comment_work_as_they_are_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int, tier: str
) -> None:
    monkeypatch.chdir(tmp_path)
    user = Promoter(tmp_path, cases=40, extended=20)
    user.record()
    settings = "rag-gate.yml"
    first = ("run", "--config", settings, "--tier", tier)
    promote = ("promote", "eval_results/results.json", "--config", settings, "--reason", "first", "--yes")
    assert [here(*first).code, here(*promote).code] == [0, 0]
    user.record(lost)
    (tmp_path / "run.jsonl").rename("$(id) it's new.jsonl")
    decided = here(*first, "--run", "$(id) it's new.jsonl")
    comment = (tmp_path / "eval_results" / "comment.md").read_text(encoding="utf-8")
    pasted = [shlex.split(block)[1:] for block in re.findall(r"```sh\n(.*)\n```", comment)]
    assert [words[0] for words in pasted] == ["run", *(["check"] if lost else []), "promote"]
    again, *explained, promoted = [here(*words) for words in pasted]
    assert (again.code, again.out) == (decided.code, decided.out)
    assert [ended.code for ended in explained] == ([1] if lost else [])
    if lost:  # so large a drop also wants a new anchor; promote says so, and asks for nothing else
        assert (promoted.code, promoted.err.count("rag-gate:")) == (2, 1)
        assert "[anchor_budget_exceeded]" in promoted.err
        promoted = here(*pasted[-1], "--new-anchor")
    assert promoted.code == 0, promoted.err


def test_masking_makes_no_comment_longer_than_the_limit() -> None:
    said = {"question": " ".join(["a@b.co"] * 12), "slices": {}}
    then = [case(f"q{number}", info=said) for number in range(500)]
    now = [case(f"q{number}", info=said, found=False, right=False) for number in range(500)]
    text = Reporter(ReportConfig(max_cases=500)).text(*judge(results(now), baseline(results(then))))
    assert MAX_LENGTH * 0.8 < len(text) <= MAX_LENGTH
    assert "omitted, see results.json" in text
    assert "b.co" not in text


@pytest.mark.parametrize("form", ["markdown", "json", "html", "junit", "sarif"])
def test_a_name_of_a_file_that_is_no_utf_8_breaks_no_report(tmp_path: Path, form: str) -> None:
    saved(tmp_path, retrieval_regression())
    name = os.fsdecode(b"r\xff.json")
    (tmp_path / "results.json").rename(tmp_path / name)
    ended = rag_gate("report", name, "verdict.json", "--format", form, "--output", "written", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "rag-gate: wrote written\n")
    (tmp_path / "written").read_text(encoding="utf-8")


def test_what_may_not_be_shown_is_masked_in_the_json_too(tmp_path: Path) -> None:
    leaking = case("q-1", right=False, answer="Write to jane.roe@corp-mail.de or call.")
    saved(tmp_path, judge(results([leaking]), baseline(results([case("q-1")]))))
    assert report(tmp_path, "--format", "json").code == 0
    text = (tmp_path / "report.json").read_text(encoding="utf-8")
    assert "[EMAIL]" in text
    assert "jane.roe" not in text


def test_the_language_of_the_settings_is_spoken(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    assert report(tmp_path, settings="report: {language: ja}\n").code == 0
    assert (tmp_path / "comment.md").read_text(encoding="utf-8").splitlines()[1] == "## rag-gate: 不合格 ❌"
    ended = report(tmp_path, settings="report: {language: fr}\n")
    assert ended.code == 2
    assert "report.language" in ended.err


def test_templates_are_found_beside_the_settings(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    (tmp_path / "gate" / "own").mkdir(parents=True)
    (tmp_path / "gate" / "rag-gate.yml").write_text("report: {templates: own}\n")
    (tmp_path / "gate" / "own" / "comment.md.j2").write_text("only {{ view.headline }}\n")
    ended = rag_gate("report", "results.json", "verdict.json", "--config", "gate/rag-gate.yml", cwd=tmp_path)
    assert ended.code == 0
    assert (tmp_path / "comment.md").read_text() == "<!-- rag-gate:default -->\nonly BLOCKED\n"


def test_a_typo_in_a_template_ends_with_file_and_line_and_writes_nothing(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "comment.md.j2").write_text(
        '{% extends "rag_gate/comment.md.j2" %}\n{% block foot %}{% endblock %}'
    )
    ended = report(tmp_path, settings="report: {templates: own}\n")
    assert ended.code == 2
    assert ended.err == "rag-gate: own/comment.md.j2:2: unknown block 'foot'; did you mean footer\n"
    assert not (tmp_path / "comment.md").exists()


def test_a_typo_in_a_template_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    rows = [
        {
            "question_id": "a",
            "question": "q",
            "expected": "x",
            "gold_ids": ["d"],
            "retrieved": ["d"],
            "actual": "x",
        }
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "comment.md.j2").write_text("{{ veiw }}")
    (tmp_path / "rag-gate.yml").write_text("dataset: golden.jsonl\nreport: {templates: own}\n")
    ended = rag_gate("run", cwd=tmp_path)
    assert ended.code == 2
    assert "own/comment.md.j2:1: unknown variable 'veiw'; did you mean view" in ended.err
    assert not (tmp_path / "eval_results").exists()


def test_the_commands_of_the_comment_name_the_files_of_the_run(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    assert report(tmp_path).code == 0
    text = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert "rag-gate check results.json --config rag-gate.yml --explain recall@5\n" in text
    assert str(tmp_path) not in text


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    saved(tmp_path, retrieval_regression())
    ended = report(tmp_path, "--output", "verdict.json")
    assert ended.code == 2
    assert "is an input of this command" in ended.err
