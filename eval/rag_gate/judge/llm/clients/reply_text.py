"""Reading a reply strictly: whatever is around the one JSON object makes it a bad reply."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.clients.attempt import AttemptError

_FENCE = re.compile(r"\A```(?:json|JSON)?[ \t]*\r?\n(.*)\n[ \t]*```\Z", re.DOTALL)
_MAX_COUNT = 10**12
_LONGEST_NAME = 200


def json_object(data: str | bytes) -> dict[str, Any] | None:
    """Return what a JSON text holds if that is one object and nothing else, otherwise None."""
    try:
        value = from_json(data, allow_inf_nan=False)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def only_object(text: str, usage: Usage) -> str:
    """Return the text without white space and at most one markdown fence around it.

    Nothing is searched for: the first object in a text may be one that the judged answer holds.

    Raises:
        AttemptError: if it is empty, or anything but one JSON object.
    """
    bare = text.strip()
    if not bare:
        raise AttemptError("the model's reply is empty", "judge_bad_reply", usage=usage)
    if fenced := _FENCE.match(bare):
        bare = fenced[1].strip()
    if json_object(bare) is None:
        raise AttemptError("the model's reply is not one JSON object", "judge_bad_reply", usage=usage)
    return bare


def count(value: object) -> int:
    """Return a number of tokens as a service gives it; 0 for what cannot be one."""
    sane = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT
    return value if sane and isinstance(value, int) else 0


def usage_of(source: object, prompt_keys: tuple[str, ...], completion_key: str) -> Usage:
    """Return the tokens that a reply states under these keys."""
    if not isinstance(source, Mapping):
        return Usage()
    return Usage(
        prompt_tokens=sum(count(source.get(key)) for key in prompt_keys),
        completion_tokens=count(source.get(completion_key)),
    )


def model_name(value: object) -> str | None:
    """Return the model a service says it ran, None where it says nothing printable."""
    usable = isinstance(value, str) and value.isprintable() and 0 < len(value) <= _LONGEST_NAME
    return value if usable and isinstance(value, str) else None
