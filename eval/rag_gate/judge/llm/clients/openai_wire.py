"""OpenAI's chat completions, which Azure, vLLM, Ollama, llama.cpp, OpenRouter and others speak too."""

import json
from collections.abc import Mapping
from typing import Any

from rag_gate.judge.llm.backend import Prompt, Usage
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.reply_text import model_name, only_object, usage_of
from rag_gate.judge.llm.clients.wire import checked_options

_LIMIT_NAMES = ("max_completion_tokens", "max_tokens")
_SCHEMA_IN_WORDS = "Reply with one JSON object that follows this JSON schema, and with nothing else:\n"


class OpenAiWire:
    """Chat completions.

    Args:
        model: as the service calls it.
        options: further fields of each request.
        max_output_tokens: limit of the reply.
    """

    path = "chat/completions"
    forms: tuple[str, ...] = ("json_schema", "json_object", "text")

    def __init__(self, model: str, options: Mapping[str, Any], max_output_tokens: int) -> None:
        self._fields = {"model": model, **checked_options(options)}
        name = next((name for name in _LIMIT_NAMES if name in options), "max_tokens")
        if self._fields.get(name) is None:
            self._fields[name] = max_output_tokens

    def body(self, prompt: Prompt, form: str) -> dict[str, Any]:
        """Return the request; the simpler forms say the schema in words."""
        system = prompt.system
        if form != "json_schema":
            system += f"\n\n{_SCHEMA_IN_WORDS}{json.dumps(prompt.schema, ensure_ascii=False)}"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}]
        return {**self._fields, "messages": messages, **_response_format(prompt, form)}

    def answer(self, reply: Mapping[str, Any], form: str) -> Answer:
        """Return what a reply says.

        Raises:
            AttemptError: if it is refused, cut off, or not one JSON object.
        """
        del form
        usage = usage_of(reply.get("usage"), ("prompt_tokens",), "completion_tokens")
        choices = reply.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
            raise AttemptError("the reply holds no message", "judge_bad_reply", usage=usage)
        _refuse_unfinished(choice.get("finish_reason"), message, usage)
        text = only_object(_text(message.get("content")), usage)
        return Answer(text, usage, model_name(reply.get("model")))


def _response_format(prompt: Prompt, form: str) -> dict[str, Any]:
    if form == "json_schema":
        named = {"name": prompt.schema_name, "strict": True, "schema": prompt.schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    return {"response_format": {"type": "json_object"}} if form == "json_object" else {}


def _refuse_unfinished(finish: object, message: Mapping[str, Any], usage: Usage) -> None:
    if finish == "length":
        text = "the reply was cut off at the token limit; raise max_output_tokens"
        raise AttemptError(text, "judge_truncated", then="stop", usage=usage)
    if finish == "content_filter":
        raise AttemptError("a content filter stopped the reply", "judge_refused", then="stop", usage=usage)
    if message.get("refusal"):
        raise AttemptError("the model declines to judge", "judge_refused", then="stop", usage=usage)


def _text(content: object) -> str:
    """Return a message's text, which some services give in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
