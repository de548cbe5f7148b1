"""Reading a reply strictly: whatever is around the one JSON object makes it a bad reply."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.clients.attempt import AttemptError
from rag_gate.late import Late

_FENCE = Late(r"\A```(?:json|JSON)?[ \t]*\r?\n(.*)\n[ \t]*```\Z", re.DOTALL)
_MAX_COUNT = 10**12
#: What a request cost that may have been charged for, and does not tell.
UNCOUNTED = Usage(uncounted=1)


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
        raise bad_text("the model's reply is empty", usage)
    if fenced := _FENCE.match(bare):
        bare = fenced[1].strip()
    if json_object(bare) is None:
        raise bad_text("the model's reply is not one JSON object", usage)
    return bare


def bad_text(message: str, usage: Usage) -> AttemptError:
    """Return the error of a whole, paid reply that holds no judgment."""
    return AttemptError(message, "judge_bad_reply", then="bad_text", usage=usage)


def count(value: object) -> int:
    """Return a number of tokens as a service gives it; 0 for what cannot be one."""
    sane = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT
    return value if sane and isinstance(value, int) else 0


def usage_of(source: object, prompt_keys: tuple[str, ...], completion_key: str | None) -> Usage:
    """Return the tokens that a reply states under these keys.

    No prompt and no text has 0 tokens: a reply that says so, or nothing, does not tell what it cost.

    Args:
        source: the part of the reply about tokens.
        prompt_keys: are added up.
        completion_key: None where a reply has no text.
    """
    stated = source if isinstance(source, Mapping) else {}
    prompt = sum(count(stated.get(key)) for key in prompt_keys)
    completion = count(stated.get(completion_key)) if completion_key else 0
    if not prompt or (completion_key and not completion):
        return UNCOUNTED
    return Usage(prompt_tokens=prompt, completion_tokens=completion)


def model_name(value: object) -> str | None:
    """Return the model a service says it ran, None where it says nothing; what is no name is called so."""
    if value is None:
        return None
    return (value if isinstance(value, str) else "") or "(no name)"
