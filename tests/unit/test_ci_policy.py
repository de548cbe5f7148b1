"""From a verdict to what the check says, by the workflow's policy; and whether a key is missing."""

from typing import Any

import pytest

from rag_gate.ci.gate import _capped
from rag_gate.ci.judge_key import missing_key_of
from rag_gate.ci.options import FailOn, OnError, Options
from rag_gate.ci.policy import creates_comment, decision_of, error_verdict, skipped_decision
from rag_gate.config_models import Config
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.records.verdict import Overall
from rag_gate.records.verdict_file import Verdict

CODES: dict[Overall, int] = {"pass": 0, "regressed": 1, "inconclusive": 0, "error": 3}


def verdict(overall: Overall, code: int | None = None) -> Verdict:
    found = CODES[overall] if code is None else code
    return Verdict(overall=overall, passed=found == 0, exit_code=found, summary="s", metrics={}, alpha=0.05)


@pytest.mark.parametrize(
    ("overall", "fail_on", "on_error", "status", "code"),
    [
        ("pass", "regression", "fail", "pass", 0),
        ("regressed", "regression", "fail", "regression", 1),
        ("regressed", "inconclusive", "neutral", "regression", 1),
        ("regressed", "never", "fail", "regression", 0),
        ("inconclusive", "regression", "fail", "inconclusive", 0),
        ("inconclusive", "inconclusive", "fail", "inconclusive", 4),
        ("inconclusive", "never", "fail", "inconclusive", 0),
        ("error", "never", "fail", "error", 3),
        ("error", "regression", "neutral", "neutral", 0),
    ],
)
def test_the_policy(overall: Overall, fail_on: FailOn, on_error: OnError, status: str, code: int) -> None:
    found = decision_of(verdict(overall), fail_on, on_error, None)
    assert (found.status, found.verdict.exit_code, found.verdict.passed) == (status, code, code == 0)


def test_settings_that_fail_on_doubt_are_kept() -> None:
    assert decision_of(verdict("inconclusive", 4), "regression", "fail", None).verdict.exit_code == 4


def test_a_pass_that_is_no_whole_one_is_neutral_and_says_why() -> None:
    found = decision_of(verdict("pass"), "regression", "fail", "no judge")
    assert (found.status, found.verdict.neutral) == ("neutral", "no judge")


def test_a_wrong_setting_is_never_neutral() -> None:
    wrong = error_verdict(ConfigError("rag-gate.yml: x"))
    assert decision_of(wrong, "never", "neutral", None).verdict.exit_code == 2


def test_an_error_before_the_verdict_is_told_whole() -> None:
    found = error_verdict(NotJudgedError("one", "two"))
    assert (found.summary, found.problems, found.exit_code, found.passed) == ("one", ["one", "two"], 3, False)


def test_when_a_first_comment_is_written() -> None:
    passed = decision_of(verdict("pass"), "regression", "fail", None)
    failed = decision_of(verdict("regressed"), "regression", "fail", None)
    assert [creates_comment(when, passed) for when in ("always", "on-change", "on-failure", "never")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert [creates_comment(when, failed) for when in ("always", "on-change", "on-failure", "never")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert creates_comment("on-change", skipped_decision("no key"))


@pytest.mark.parametrize(
    ("options", "event", "mode"),
    [
        ({}, "pull_request", "run"),
        ({}, "workflow_run", "comment"),
        ({"results": ("x",)}, "push", "merge"),
        ({"mode": "plan"}, "workflow_run", "plan"),
    ],
)
def test_the_mode_follows_event_and_options(options: dict[str, Any], event: str, mode: str) -> None:
    assert Options(config="rag-gate.yml", **options).mode_for(event) == mode  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("judge", "missing"),
    [
        ({"engine": "lexical"}, None),
        ({"engine": "none"}, None),
        ({"engine": "llm", "model": "gpt-4o-2024-11-20"}, "OPENAI_API_KEY"),
        ({"engine": "llm", "model": "claude-x"}, "ANTHROPIC_API_KEY"),
        ({"engine": "llm", "model": "m", "provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"engine": "ragas", "model": "m", "api_key_env": "MY_KEY"}, "MY_KEY"),
        ({"engine": "llm", "model": "m", "api_key_env": ""}, None),
        ({"engine": "llm", "model": "m", "provider": "command"}, None),
        ({"engine": "llm", "model": "m", "provider": "replay"}, None),
        ({"engine": "llm", "model": "m", "base_url": "http://127.0.0.1:8000/v1", "api_key_env": "K"}, None),
        (
            {"engine": "llm", "model": "m", "cascade": {"model": "c", "provider": "anthropic"}},
            "OPENAI_API_KEY",
        ),
    ],
)
def test_which_key_is_missing(judge: dict[str, Any], missing: str | None) -> None:
    assert missing_key(of(judge), {"GITHUB_TOKEN": "x", "K": " "}) == missing


def test_a_key_that_is_there_is_not_missing() -> None:
    judge = {"engine": "llm", "model": "m", "cascade": {"model": "c", "provider": "anthropic"}}
    assert missing_key_of(judge, {"OPENAI_API_KEY": "x"}) == "ANTHROPIC_API_KEY"
    assert missing_key_of(judge, {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "y"}) is None


@pytest.mark.parametrize(("engine", "cap"), [("llm", 0.5), ("lexical", None)])
def test_the_workflow_caps_the_judge_whoever_wrote_the_settings(engine: str, cap: float | None) -> None:
    model = {"model": "gpt-4o-2024-11-20"} if engine == "llm" else {}
    config = Config.model_validate({"judge": {"engine": engine, **model}})
    assert _capped(config, 0.5).judge.max_cost_usd == cap
    assert _capped(config, None) == config
