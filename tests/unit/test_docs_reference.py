"""The reference names every key, code and status of the code, and no others."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from doc_pages import ROOT, coded, section, text_of
from pydantic import AliasChoices, BaseModel

from rag_gate.cli import main as command_line
from rag_gate.errors import ExitCode
from rag_gate.reasons import MISSING, NOT_APPLICABLE
from rag_gate.records import run as run_record
from rag_gate.records.assertion import NegativeAssertion
from rag_gate.records.baseline import Baseline, BaselineCase, Provenance
from rag_gate.records.golden import Evidence, GoldenCase, GradedId
from rag_gate.records.partial import (
    CaseInfo,
    CaseScore,
    DatasetInfo,
    Evaluator,
    MetricSummary,
    Partial,
    RunInfo,
    Shard,
)
from rag_gate.records.results import CaseResult, Results, Status
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import CaseChanges, Change, SliceWarning, Verdict
from rag_gate.safety.checks import RULES
from rag_gate.status import Judged, status_of

PACKAGE = ROOT / "eval" / "rag_gate"


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def names_of(model: type[BaseModel]) -> set[str]:
    names: set[str] = set()
    for name, found in model.model_fields.items():
        alias = found.validation_alias
        names |= {name, *map(str, alias.choices)} if isinstance(alias, AliasChoices) else {name}
    return names


RUN_KEYS = {
    *run_record.RUN_KEYS,
    *run_record.QUESTION_ID_KEYS,
    *run_record.ID_KEYS,
    *run_record.DOC_KEYS,
    *run_record.TEXT_KEYS,
    *names_of(RunManifest),
}
DOCUMENTED: dict[str, tuple[type[BaseModel], ...]] = {
    "## Golden set": (GoldenCase, GradedId, Evidence, NegativeAssertion),
    "## Partial": (Partial, DatasetInfo, RunInfo, Evaluator, Shard, MetricSummary, CaseInfo, CaseScore),
    "## Results": (Results,),
    "## Verdict": (Verdict, Change, CaseChanges, SliceWarning, MetricVerdict),
    "## Baseline": (Baseline, Provenance),
}


@pytest.mark.parametrize("title", DOCUMENTED)
def test_every_key_of_a_file_is_documented(title: str) -> None:
    told = section("docs/reference/files.md", title)
    known = coded(told) | set(re.findall(r'"(\w+)":', told))
    assert [
        name for model in DOCUMENTED[title] for name in sorted(names_of(model)) if name not in known
    ] == []


def test_every_key_of_a_case_in_results_and_baseline_is_documented() -> None:
    told = coded(text_of("docs/reference/files.md")) | set(
        re.findall(r'"(\w+)":', section("docs/reference/files.md", "## Results"))
    )
    assert names_of(CaseResult) | names_of(BaselineCase) <= told


def test_every_key_of_a_run_row_is_documented() -> None:
    told = section("docs/reference/files.md", "## Recorded run")
    assert coded(told) | set(re.findall(r'"(\w+)":', told)) >= RUN_KEYS


def test_every_exit_code_is_documented() -> None:
    rows = re.findall(r"^\| (\d) \| `(\w+)` \|", text_of("docs/reference/exit-codes.md"), re.MULTILINE)
    assert rows == [(str(code.value), code.name) for code in ExitCode]


def test_the_page_of_exit_codes_names_every_command_once() -> None:
    rows = re.findall(
        r"^\| (`.*?) \|(?: x \|| \|){5}$", text_of("docs/reference/exit-codes.md"), re.MULTILINE
    )
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(name for name, found in command_line.commands.items() if not found.hidden)


def reason_rows(title: str) -> dict[str, str]:
    told, _, _ = section("docs/reference/reasons.md", title).partition("| Note |")
    return dict(re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", told, re.MULTILINE))


NULL_REASONS = "## Reasons of a null score"
VERDICT_REASONS = "## Reasons of a verdict"


def test_excluded_and_missing_reasons_are_documented_as_such() -> None:
    rows = reason_rows(NULL_REASONS)
    assert {code for code, counted in rows.items() if counted == "excluded"} == NOT_APPLICABLE
    assert rows[MISSING] == "missing"


#: Files that give reasons; the rest of the judge's folder compares texts and is full of words.
STAGES = (
    "retrieval/*.py",
    "judge/requests.py",
    "judge/offline.py",
    "judge/llm/backend.py",
    "judge/llm/decided.py",
    "judge/llm/opinion.py",
    "judge/ragas/plan.py",
    "judge/ragas/session.py",
    "safety/stage.py",
    "reasons.py",
    "merge.py",
)


def strings_of(patterns: tuple[str, ...]) -> set[str]:
    paths = [path for pattern in patterns for path in sorted(PACKAGE.glob(pattern))]
    found = (node for path in paths for node in ast.walk(trees()[path]))
    return {node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_reason_that_a_stage_can_give_is_documented_and_the_other_way_round() -> None:
    rows = reason_rows(NULL_REASONS)
    stated = strings_of(STAGES)
    assert set(rows) <= stated, "documented, and no stage gives it"
    like = re.compile(r"(?:no|not|run|judge|missing|result)_[a-z_]+\Z")
    assert {word for word in stated if like.match(word)} - set(rows) == set()


SAFETY = "docs/reference/safety.md"


def test_every_safety_check_has_a_section_that_says_what_why_and_what_to_do() -> None:
    page = text_of(SAFETY)
    sections = [part.partition("\n") for part in page.split("\n## ")[1:]]
    checks = {title: text for title, _, text in sections if not title.startswith("OWASP")}
    assert len(checks) == 8
    for title, text in checks.items():
        assert all(mark in text for mark in ("**Detects.**", "**Why.**", "**What to do.**")), title
        assert "```yaml settings" in text or "**Settings.**" in text, title


def test_every_safety_rule_is_documented_and_no_other() -> None:
    ours = {check: rules for check, rules in RULES.items() if check not in {"personal_data", "secrets"}}
    told = coded(text_of(SAFETY))
    known = {rule for rules in ours.values() for rule in rules}
    assert known <= told
    like = re.compile(r"[A-Z]+(?:_[A-Z]+)+\Z")
    assert {word for word in told if like.match(word)} <= known


def test_every_risk_of_the_owasp_list_is_said_to_be_covered_partly_or_not() -> None:
    rows = re.findall(r"^\| LLM(\d\d) [^|]+\| (covered|partly|not) \|", text_of(SAFETY), re.MULTILINE)
    assert [number for number, _ in rows] == [f"{n:02}" for n in range(1, 11)]


def decided_reasons() -> Iterator[tuple[str, str]]:
    """Yield (verdict, reason) of every `decided(...)` in the regression check."""
    for path, tree in trees().items():
        if path.parent.name != "regression":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "decided":
                words = [
                    [str(c.value) for c in ast.walk(a) if isinstance(c, ast.Constant)] for a in node.args
                ]
                if len(words) > 1:
                    yield from ((v, r) for v in words[0] for r in words[1])


def test_every_reason_of_a_verdict_is_documented_with_its_verdicts() -> None:
    found: dict[str, set[str]] = {}
    for verdict, reason in decided_reasons():
        found.setdefault(reason, set()).add(verdict)
    found["lost_must_pass"] = {"regressed"}
    rows = {code: set(verdicts.split(" or ")) for code, verdicts in reason_rows(VERDICT_REASONS).items()}
    assert rows == found


def test_every_note_of_a_verdict_is_documented() -> None:
    function = next(
        node
        for node in ast.walk(trees()[PACKAGE / "regression/rule.py"])
        if isinstance(node, ast.FunctionDef) and node.name == "_notes"
    )
    notes = next(node for node in ast.walk(function) if isinstance(node, ast.Dict))
    stated = {key.value for key in notes.keys if isinstance(key, ast.Constant)}
    told = section("docs/reference/reasons.md", VERDICT_REASONS).partition("| Note |")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE)) == stated


def test_the_page_about_causes_names_every_status() -> None:
    assert set(get_args(Status)) <= coded(text_of("docs/how-to/find-the-cause.md"))


@pytest.mark.parametrize(
    ("row", "retrieval", "due"),
    [
        ("**retrieval right**", True, True),
        ("**retrieval wrong**", False, True),
        ("**retrieval not known**", None, True),
        ("**nothing to retrieve**", None, False),
    ],
)
def test_the_table_of_statuses_is_what_the_code_says(row: str, *, retrieval: bool | None, due: bool) -> None:
    line = next(line for line in text_of("docs/how-to/find-the-cause.md").splitlines() if row in line)
    told = re.findall(r"\| `(\w+)`", line)
    answers = (True, False, None)
    judged = [
        status_of(Judged(retrieval, answer, None), retrieval_due=due, answer_due=True) for answer in answers
    ]
    assert told == judged
