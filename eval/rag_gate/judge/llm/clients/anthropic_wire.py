"""Anthropic's messages."""

import json
from collections.abc import Mapping
from typing import Any

from rag_gate.judge.llm.backend import Prompt, Usage
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.reply_text import model_name, only_object, usage_of
from rag_gate.judge.llm.clients.wire import checked_options

_PROMPT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicWire:
    """Messages.

    Args:
        model: as the service calls it.
        options: further fields of each request.
        max_output_tokens: limit of the reply.
    """

    path = "v1/messages"
    forms: tuple[str, ...] = ("output_config", "tool")

    def __init__(self, model: str, options: Mapping[str, Any], max_output_tokens: int) -> None:
        self._fields = {"model": model, **checked_options(options)}
        if self._fields.get("max_tokens") is None:
            self._fields["max_tokens"] = max_output_tokens

    def body(self, prompt: Prompt, form: str) -> dict[str, Any]:
        """Return the request; the simpler form is a tool that the model must call."""
        messages = [{"role": "user", "content": prompt.user}]
        common = {**self._fields, "system": prompt.system, "messages": messages}
        if form == "tool":
            tool = {
                "name": prompt.schema_name,
                "description": "Takes the judgment.",
                "input_schema": prompt.schema,
            }
            return {**common, "tools": [tool], "tool_choice": {"type": "tool", "name": prompt.schema_name}}
        wanted = {"type": "json_schema", "schema": prompt.schema}
        return {**common, "output_config": {**(self._fields.get("output_config") or {}), "format": wanted}}

    def answer(self, reply: Mapping[str, Any], form: str) -> Answer:
        """Return what a reply says.

        Raises:
            AttemptError: if it is refused, cut off, or not one JSON object.
        """
        usage = usage_of(reply.get("usage"), _PROMPT_COUNTS, "output_tokens")
        content = reply.get("content")
        if not isinstance(content, list):
            raise AttemptError("the reply holds no content", "judge_bad_reply", usage=usage)
        _refuse_unfinished(reply.get("stop_reason"), usage)
        blocks = [block for block in content if isinstance(block, Mapping)]
        text = _tool_input(blocks) if form == "tool" else _text(blocks)
        return Answer(only_object(text, usage), usage, model_name(reply.get("model")))


def _refuse_unfinished(stop: object, usage: Usage) -> None:
    if stop in _CUT_OFF:
        text = "the reply was cut off at the token limit; raise max_output_tokens"
        raise AttemptError(text, "judge_truncated", then="stop", usage=usage)
    if stop == "refusal":
        raise AttemptError("the model declines to judge", "judge_refused", then="stop", usage=usage)


def _text(blocks: list[Mapping[str, Any]]) -> str:
    parts = [block.get("text") for block in blocks if block.get("type") == "text"]
    return "".join(part for part in parts if isinstance(part, str))


def _tool_input(blocks: list[Mapping[str, Any]]) -> str:
    """Return what the first call of the tool was given; empty without a call."""
    given = [block.get("input") for block in blocks if block.get("type") == "tool_use"]
    return json.dumps(given[0], ensure_ascii=False) if given else ""
