"""From a verdict to what the check says, by the workflow's policy; and whether a key is missing."""

from pathlib import Path
from typing import Any

import pytest

from rag_gate.ci.gate import _capped
from rag_gate.ci.judge_key import missing_key
from rag_gate.ci.options import FailOn, OnError, Options
from rag_gate.ci.policy import creates_comment, decision_of, error_verdict, skipped_decision
from rag_gate.config_judge import JudgeConfig
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


OWN_MODELS = """\
schema_version: 1
models:
  gpt-like-of-ours: {provider: anthropic, prompt: v1, pinned: true, context_window: 128000, max_output: 4096}
  claude-like-of-ours: {prompt: v1, pinned: true, context_window: 128000, max_output: 4096}
"""
GPT, CLAUDE = "gpt-4o-2024-11-20", "claude-sonnet-5"
LOCAL = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("judge", "missing"),
    [
        ({"engine": "lexical"}, None),
        ({"engine": "none"}, None),
        ({"model": GPT}, "OPENAI_API_KEY"),
        ({"model": CLAUDE}, "ANTHROPIC_API_KEY"),
        # Whose a model is, the map says and not its name.
        ({"model": "gpt-like-of-ours"}, "ANTHROPIC_API_KEY"),
        ({"model": "claude-like-of-ours"}, "OPENAI_API_KEY"),
        ({"model": GPT, "provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"engine": "ragas", "model": GPT, "api_key_env": "MY_KEY"}, "MY_KEY"),
        (
            {
                "engine": "ragas",
                "model": CLAUDE,
                "api_key_env": "SET",
                "ragas": {"embedding_model": "e", "metrics": ["answer_relevancy"]},
            },
            "OPENAI_API_KEY",
        ),
        ({"model": GPT, "api_key_env": ""}, None),
        ({"model": GPT, "provider": "command", "command": ["judge"]}, None),
        ({"model": GPT, "provider": "replay", "recording": "replies.jsonl"}, None),
        # A service on this machine needs no key, unless one is named.
        ({"model": GPT, "base_url": LOCAL}, None),
        ({"model": GPT, "base_url": LOCAL, "api_key_env": "K"}, "K"),
        ({"model": GPT, "base_url": "https://judge.example.org/v1", "api_key_env": "K"}, "K"),
        # The cheap model takes over address and key of a judge of the same kind, and of no other.
        ({"model": GPT, "api_key_env": "SET", "cascade": {"model": "gpt-4o-mini-2024-07-18"}}, None),
        ({"model": GPT, "api_key_env": "SET", "cascade": {"model": CLAUDE}}, "ANTHROPIC_API_KEY"),
        ({"model": GPT, "base_url": LOCAL, "cascade": {"model": CLAUDE}}, "ANTHROPIC_API_KEY"),
    ],
)
def test_which_key_is_missing(tmp_path: Path, judge: dict[str, Any], missing: str | None) -> None:
    own = tmp_path / "models.yml"
    own.write_text(OWN_MODELS, encoding="utf-8")
    models = {"models": own} if "model" in judge else {}
    config = JudgeConfig.model_validate({**judge, **models})
    assert missing_key(config, {"GITHUB_TOKEN": "x", "K": " ", "SET": "x"}) == missing


def test_of_several_keys_each_must_be_there() -> None:
    config = JudgeConfig.model_validate({"model": GPT, "cascade": {"model": CLAUDE}})
    assert missing_key(config, {"OPENAI_API_KEY": "x"}) == "ANTHROPIC_API_KEY"
    assert missing_key(config, {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "y"}) is None


def test_a_model_in_no_map_is_an_error_and_no_missing_secret() -> None:
    with pytest.raises(ConfigError, match="in no map of models"):
        missing_key(JudgeConfig.model_validate({"model": "gpt-unheard-of"}), {})


@pytest.mark.parametrize(("engine", "cap"), [("llm", 0.5), ("lexical", None)])
def test_the_workflow_caps_the_judge_whoever_wrote_the_settings(engine: str, cap: float | None) -> None:
    model = {"model": "gpt-4o-2024-11-20"} if engine == "llm" else {}
    config = Config.model_validate({"judge": {"engine": engine, **model}})
    assert _capped(config, 0.5).judge.max_cost_usd == cap
    assert _capped(config, None) == config
