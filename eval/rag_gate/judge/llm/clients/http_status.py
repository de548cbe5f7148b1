"""What the status of a reply means: wait, ask in a simpler form, or stop."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_gate.calls.retry_after import retry_after
from rag_gate.judge.llm.backend import Failure
from rag_gate.judge.llm.clients.attempt import AttemptError, Then
from rag_gate.judge.llm.clients.reply_text import UNCOUNTED
from rag_gate.late import Late

_OK = range(200, 300)
_REDIRECTS = range(300, 400)
_SERVER_ERRORS = range(500, 600)
_TRY_LATER = frozenset({408, 409, 425, 429})
_TOO_MANY = 429
_TOO_LARGE = 413
_ABOUT_THE_BODY = frozenset({400, 404, 422})
_NOT_ALLOWED = frozenset({401, 403})
_NO_LONGER = frozenset({404, 410})
#: Said by something in front of the model, which may have replied.
_MAY_BE_CHARGED = frozenset({408, 502, 504, 524})

_FORM = Late(
    r"response_format|json_schema|json_object|json mode|structured.?output|output_config|output_format",
    re.IGNORECASE,
)
_FILTERED = Late(r"content_filter|content_policy|content management policy|invalid_prompt", re.IGNORECASE)
_TOO_LONG = Late(
    r"context_length|context.?(?:length|window|size)|prompt is too long|too many tokens|request_too_large",
    re.IGNORECASE,
)
_NO_CREDIT = Late(r"insufficient_quota|billing|credit balance", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a service says is wrong.

    Attributes:
        status: of the reply.
        words: its message; untrusted.
        codes: its error code and type.
        headers: of the reply, with lower-case names.
    """

    status: int
    words: str
    codes: str
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """Everything that says what is wrong."""
        return f"{self.codes} {self.words}"


def complaint_of(status: int, headers: Mapping[str, str], body: Mapping[str, Any] | None) -> Complaint:
    """Read an error reply of any of the services' shapes."""
    error = (body or {}).get("error")
    source = error if isinstance(error, Mapping) else (body or {})
    words = next((str(source[key]) for key in ("message", "detail") if source.get(key)), "")
    if isinstance(error, str):
        words = error
    codes = " ".join(str(source.get(key) or "") for key in ("code", "type")).strip()
    return Complaint(status, words, codes, headers)


def is_ok(status: int) -> bool:
    """Tell whether a status announces a reply."""
    return status in _OK


def failure(complaint: Complaint, said: str, key_variable: str | None) -> AttemptError:
    """Return what a status other than 2xx means.

    Args:
        complaint: what the service says.
        said: its words, quoted; may be empty.
        key_variable: what holds the key, None where none is sent.
    """
    status = complaint.status
    words = f": {said}" if said else ""
    reason, then, meaning = _meaning(complaint, key_variable)
    wait = retry_after(complaint.headers) if then == "retry" else None
    usage = UNCOUNTED if status in _MAY_BE_CHARGED else None
    message = f"the service answers {status} ({meaning}){words}"
    return AttemptError(message, reason, then=then, wait_s=wait, usage=usage)


def _meaning(complaint: Complaint, key_variable: str | None) -> tuple[Failure, Then, str]:
    status = complaint.status
    if status in _TRY_LATER or status in _SERVER_ERRORS:
        return _later(complaint)
    if status in _REDIRECTS:
        return "judge_unreachable", "stop_all", "a redirect, not followed; base_url must be the final address"
    return _about_the_prompt(complaint) or _final(status, key_variable)


def _later(complaint: Complaint) -> tuple[Failure, Then, str]:
    if complaint.status != _TOO_MANY:
        return "judge_unreachable", "retry", "not available now"
    if _NO_CREDIT.search(complaint.text):
        return "judge_rate_limited", "stop_all", "no quota left"
    return "judge_rate_limited", "retry", "too many requests"


def _about_the_prompt(complaint: Complaint) -> tuple[Failure, Then, str] | None:
    """Return what a refusal means that another prompt, or the same in another form, need not meet."""
    if complaint.status in _ABOUT_THE_BODY and _FORM.search(complaint.text):
        return "judge_refused", "step_down", "this form of structured output is not supported"
    if complaint.status == _TOO_LARGE or _TOO_LONG.search(complaint.text):
        return "judge_refused", "stop", "the prompt is too long for the model"
    if _FILTERED.search(complaint.text):
        return "judge_refused", "stop", "a content filter stops the prompt"
    return None


def _final(status: int, key_variable: str | None) -> tuple[Failure, Then, str]:
    if status in _NOT_ALLOWED:
        key = f"check the key in {key_variable}" if key_variable else "it wants a key; set api_key_env"
        return "judge_refused", "stop_all", f"not allowed; {key}"
    if status in _NO_LONGER:
        return "judge_unreachable", "stop_all", "no such model or address; check model and base_url"
    return "judge_refused", "stop_all", "the request is not accepted; check model and request options"
