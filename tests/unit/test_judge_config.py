"""The settings of the judge: what fits together, which model may judge, and what identifies it."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rag_gate.config import load_config
from rag_gate.config_judge import JudgeConfig
from rag_gate.errors import ConfigError
from rag_gate.judge.factory import described_evaluator, engine_of
from rag_gate.judge.llm.models import load_models, require_model
from rag_gate.judge.llm.prompt_files import LANGUAGES, PARTS, prompt_file, prompt_versions
from rag_gate.stage_options import judge_config

MODEL = "gpt-4o-2024-11-20"
CHEAP = "gpt-4o-mini-2024-07-18"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"engine": "llm"}, "engine llm needs 'model'"),
        ({"engine": "lexical", "model": MODEL}, "takes no 'model'"),
        ({"model": MODEL, "provider": "command"}, "'command' and 'provider: command' go together"),
        ({"model": MODEL, "command": ["judge"]}, "'command' and 'provider: command' go together"),
        ({"model": MODEL, "provider": "replay"}, "needs 'recording'"),
        (
            {"model": MODEL, "provider": "replay", "recording": "r", "base_url": "http://x"},
            "remove 'base_url'",
        ),
        ({"model": MODEL, "confirm": True, "repeats": 3}, "one of the two"),
        ({"model": MODEL, "cascade": {"model": MODEL}}, "is the judge itself"),
        ({"model": MODEL, "engine": "ragas", "max_calls": 1}, "ragas cannot be held"),
        ({"model": MODEL, "engine": "ragas", "cascade": {"model": CHEAP}}, "'cascade' is for engine llm"),
        ({"model": MODEL, "repeats": 0}, "repeats"),
        ({"model": MODEL, "concurrency": 0}, "concurrency"),
        ({"model": MODEL, "max_cost_usd": float("nan")}, "max_cost_usd"),
        ({"modle": MODEL}, "modle"),
    ],
)
def test_what_does_not_fit_together_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        JudgeConfig.model_validate(given)


def test_a_model_means_the_model_judge() -> None:
    assert JudgeConfig.model_validate({"model": MODEL}).engine == "llm"
    assert JudgeConfig().engine == "lexical"


def test_an_address_is_not_shown() -> None:
    config = JudgeConfig.model_validate({"model": MODEL, "base_url": "https://secret.example/v1"})
    assert "secret" not in repr(config)


def test_paths_are_relative_to_the_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "rag-gate.yml"
    text = f"judge: {{model: {MODEL}, models: m.yml, recording: r.jsonl, cache: {{path: kept}}}}"
    path.write_text(text, encoding="utf-8")
    judge = load_config(path).judge
    assert (judge.models, judge.recording) == (tmp_path / "m.yml", tmp_path / "r.jsonl")
    assert judge.cache.path == tmp_path / "kept"


@pytest.mark.parametrize(
    ("options", "engine", "model"),
    [
        ({}, "lexical", None),
        ({"judge_model": "lexical-v1"}, "lexical", None),
        ({"judge_model": MODEL}, "llm", MODEL),
        ({"judge_model": MODEL, "engine": "ragas"}, "ragas", MODEL),
    ],
)
def test_a_model_on_the_command_line_names_the_engine(
    options: dict[str, Any], engine: str, model: str | None
) -> None:
    found = judge_config(JudgeConfig(), options)
    assert (found.engine, found.model) == (engine, model)


def test_options_win_over_settings() -> None:
    config = JudgeConfig.model_validate({"model": MODEL, "cascade": {"model": CHEAP}, "max_calls": 5})
    assert judge_config(config, {"judge_model": "lexical-v1"}).engine == "lexical"
    assert judge_config(config, {"engine": "lexical"}).engine == "lexical"
    changed = judge_config(config, {"max_calls": 9, "max_cost_usd": 1.5, "no_cache": True})
    assert (changed.max_calls, changed.max_cost_usd, changed.cache.enabled) == (9, 1.5, False)
    assert changed.cascade == config.cascade


def test_the_shipped_map_holds_pinned_models_with_prompts_and_prices() -> None:
    models = load_models()
    assert {MODEL, CHEAP} <= models.keys()
    for name in models:
        entry = require_model(name, models)
        assert entry.price is not None
        assert entry.prompt in prompt_versions()
        assert entry.max_output < entry.context_window


def test_an_unmapped_model_is_refused_with_the_line_to_add(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean gpt-4o-2024-11-20") as caught:
        require_model("gpt-4o", load_models())
    _, _, line = str(caught.value).partition("the line:   ")
    own = tmp_path / "models.yml"
    own.write_text(f"schema_version: 1\nmodels:\n  {line}\n", encoding="utf-8")
    assert require_model("gpt-4o", load_models(own)).pinned


def test_a_name_that_can_change_its_meaning_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "models.yml"
    own.write_text("schema_version: 1\nmodels:\n  judge-latest: {prompt: v1}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="pinned: true"):
        require_model("judge-latest", load_models(own))


def test_other_prompts_than_the_mapped_ones_are_refused() -> None:
    with pytest.raises(ConfigError, match="mapped to prompts v1, and the settings ask for v2"):
        require_model(MODEL, load_models(), "v2")
    assert require_model(MODEL, load_models(), "v1").prompt == "v1"


@pytest.mark.parametrize(
    "text",
    ["models: {}", "schema_version: 2\nmodels: {}", "schema_version: 1\nmodels: {a-2026-01-01: {promt: v1}}"],
)
def test_a_map_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    own = tmp_path / "models.yml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"models\.yml"):
        load_models(own)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_all_prompts(language: Any) -> None:
    whole = prompt_file("judge", language, "v1")
    assert set(whole.parts) == set(PARTS)
    for name, part in (
        ("faithfulness", "claims"),
        ("relevance", "relevance"),
        ("correctness", "correctness"),
    ):
        assert set(prompt_file(name, language, "v1").parts) == {part}


def test_a_prompt_version_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigError, match="no prompts of version 'v99'"):
        prompt_file("judge", "en", "v99")


def fingerprint(**given: Any) -> str:
    return described_evaluator(JudgeConfig.model_validate({"model": MODEL, **given})).fingerprint


def test_what_can_move_a_score_is_in_the_fingerprint_and_nothing_else() -> None:
    base = fingerprint()
    for changed in (
        {"model": CHEAP},
        {"mode": "split"},
        {"repeats": 3},
        {"confirm": True},
        {"cascade": {"model": CHEAP}},
        {"base_url": "http://127.0.0.1:1/v1"},
    ):
        assert fingerprint(**changed) != base, changed
    for same in ({"concurrency": 2}, {"max_cost_usd": 1}, {"cache": {"ttl_days": 1}}, {"api_key_env": "KEY"}):
        assert fingerprint(**same) == base, same


def test_a_described_judge_is_the_one_that_judges() -> None:
    config = JudgeConfig.model_validate({"model": MODEL, "cascade": {"model": CHEAP}})
    engine = engine_of(config, {"OPENAI_API_KEY": "k"})
    described = described_evaluator(config)
    assert (engine.name, engine.version, dict(engine.settings)) == (
        described.name,
        described.version,
        described.settings,
    )


def test_a_limit_of_costs_needs_prices(tmp_path: Path) -> None:
    own = tmp_path / "models.yml"
    own.write_text("schema_version: 1\nmodels: {own-2026-01-01: {prompt: v1}}\n", encoding="utf-8")
    given = {"model": "own-2026-01-01", "models": own, "base_url": "http://127.0.0.1:1", "max_cost_usd": 1}
    with pytest.raises(ConfigError, match="no price of model 'own-2026-01-01' is known"):
        engine_of(JudgeConfig.model_validate(given), {})
    assert engine_of(JudgeConfig.model_validate({**given, "max_cost_usd": None}), {}).name == "llm"


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        engine_of(JudgeConfig.model_validate({"model": MODEL}), {})
