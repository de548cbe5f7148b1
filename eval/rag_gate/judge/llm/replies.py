"""What a model must reply: one JSON object, checked strictly, never repaired and never searched for."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag_gate.judge.llm.prompt_files import Part

#: Changes whenever the schema of a reply does; part of the cache's key.
SCHEMA_VERSION = "v1"

#: From the worst on: a model, or a program, that always takes the first choice passes nobody.
CORRECTNESS = ("incorrect", "partial", "correct")
Verdict = Literal["incorrect", "partial", "correct"]
Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Claim(_Strict):
    """One fact that the answer states, as the model sees it; evidence and document are null where unsupported."""

    text: Text
    evidence: str | None
    document: int | None
    supported: bool


class Relevance(_Strict):
    """Whether the answer fits the question."""

    addresses: bool
    missing: list[str]
    superfluous: list[str]


class OfStatement(_Strict):
    """Whether the answer makes one statement."""

    number: int
    evidence: str
    verdict: Literal["made", "unclear", "not_made"]


class OfRule(_Strict):
    """Whether the answer keeps one rule."""

    number: int
    evidence: str
    verdict: Literal["broken", "unclear", "kept"]


class ModelVerdict(_Strict):
    """A whole reply; what was not asked is None."""

    nonce: str
    claims: list[Claim] | None = None
    relevance: Relevance | None = None
    correctness: Verdict | None = None
    statements: list[OfStatement] | None = None
    rules: list[OfRule] | None = None

    def told(self) -> dict[str, Any]:
        """Return what the reply says of that which was asked, as plain data."""
        said = self.model_dump(exclude={"nonce"})
        return {part: of_part for part, of_part in said.items() if of_part is not None}


class BadReplyError(Exception):
    """A reply that is not what was asked for."""


def schema_of(parts: Sequence[Part], nonce: str) -> dict[str, Any]:
    """Return the JSON schema of a reply about some parts, in the dialect that strict modes take.

    The only value that ``nonce`` may have is the request's.
    """
    properties: dict[str, Any] = {"nonce": {"type": "string", "enum": [nonce]}}
    properties |= {part: _PARTS[part] for part in parts}
    return _object(properties)


def read_reply(text: str, parts: Sequence[Part], nonce: str | None) -> ModelVerdict:
    """Read a reply.

    Args:
        text: the reply, nothing but one JSON object.
        parts: what was asked.
        nonce: of the request; None for a kept reply, whose nonce was checked when it came.

    Raises:
        BadReplyError: if it is anything else: other text beside it, a key twice, missing or unknown, a value of
            another type, another nonce, no claim.
    """
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        verdict = ModelVerdict.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "reply"
        raise BadReplyError(f"the reply does not follow the schema ({where}: {first['msg']})") from None
    except (ValueError, RecursionError):
        raise BadReplyError("the reply is not one JSON object") from None
    found = {part for part in _PARTS if getattr(verdict, part) is not None}
    if found != set(parts):
        named = ", ".join(sorted(found ^ set(parts)))
        raise BadReplyError(f"the reply does not hold what was asked ({named})")
    if nonce is not None and verdict.nonce != nonce:
        raise BadReplyError("the reply does not repeat the nonce of its request")
    if verdict.claims == []:
        raise BadReplyError("the reply names no claim of an answer that is not empty")
    return verdict


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


_TEXT = {"type": "string"}


def _verdicts(*words: str) -> dict[str, Any]:
    """Return the schema of a list of verdicts; the worst comes first, as in ``CORRECTNESS``."""
    one = {
        "number": {"type": "integer"},
        "evidence": _TEXT,
        "verdict": {"type": "string", "enum": list(words)},
    }
    return _list(_object(one))


_PARTS: Mapping[Part, Any] = {
    "claims": _list(
        _object(
            {
                "text": _TEXT,
                # Evidence before the verdict: the model looks first and decides then.
                "evidence": {"type": ["string", "null"]},
                "document": {"type": ["integer", "null"]},
                "supported": {"type": "boolean"},
            }
        )
    ),
    "relevance": _object(
        {"missing": _list(_TEXT), "superfluous": _list(_TEXT), "addresses": {"type": "boolean"}}
    ),
    "correctness": {"type": "string", "enum": list(CORRECTNESS)},
    "statements": _verdicts("made", "unclear", "not_made"),
    "rules": _verdicts("broken", "unclear", "kept"),
}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
