"""A reply is found only by exactly what it answers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_gate.errors import ConfigError
from rag_gate.judge.cache import cache_folder, cache_key
from rag_gate.judge.llm.backend import Prompt

IDENTITY: dict[str, Any] = {
    "provider": "openai",
    "endpoint": "3f2a",
    "model": "gpt-4o-2024-11-20",
    "parameters": {"temperature": 0, "max_tokens": 800},
}
PROMPT = Prompt(system="Judge.", user="<data 8f3c>...", schema={}, schema_name="judge_v1", key="0f" * 16)


@pytest.mark.parametrize(
    "other",
    [
        {"provider": "anthropic"},
        {"endpoint": "77aa"},
        {"model": "gpt-4o-mini"},
        {"parameters": {"temperature": 1, "max_tokens": 800}},
        {"parameters": {"max_tokens": 800}},
        {"seed": 1},
    ],
)
def test_another_service_model_or_parameter_is_another_key(other: dict[str, Any]) -> None:
    assert cache_key({**IDENTITY, **other}, PROMPT) != cache_key(IDENTITY, PROMPT)


def test_another_prompt_schema_or_repeat_is_another_key() -> None:
    keys = {
        cache_key(IDENTITY, PROMPT),
        cache_key(IDENTITY, replace(PROMPT, key="other")),
        cache_key(IDENTITY, replace(PROMPT, schema_name="judge_v2")),
        cache_key(IDENTITY, PROMPT, repeat=1),
    }
    assert len(keys) == 4


def test_the_nonce_and_the_order_of_the_parameters_do_not_matter() -> None:
    asked_again = replace(PROMPT, user="<data 11d0>...", schema={"const": "11d0"})
    assert cache_key(dict(reversed(IDENTITY.items())), asked_again) == cache_key(IDENTITY, PROMPT)


def test_parts_do_not_run_into_each_other() -> None:
    first = cache_key(IDENTITY, replace(PROMPT, key="ab", schema_name="c"))
    assert first != cache_key(IDENTITY, replace(PROMPT, key="a", schema_name="bc"))


def test_the_setting_wins_over_the_variable_and_the_variable_over_the_user_s_cache() -> None:
    environ = {"RAG_GATE_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}
    assert cache_folder(Path("/s"), environ) == Path("/s")
    assert cache_folder(None, environ) == Path("/a")
    assert cache_folder(None, {**environ, "RAG_GATE_CACHE_DIR": ""}) == Path("/b/rag-gate/judge")
    assert cache_folder(None, {"XDG_CACHE_HOME": "b", "HOME": "/c"}) == Path("/c/.cache/rag-gate/judge")


def test_without_a_home_folder_the_error_says_what_to_set() -> None:
    with pytest.raises(ConfigError, match="set RAG_GATE_CACHE_DIR"):
        cache_folder(None, {"HOME": "relative"})
