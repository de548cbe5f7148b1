"""What a model service can do wrong, and what each fault becomes: one table for the tests and the documentation."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from model_server import VERDICT, Turn, chat

ATTEMPTS = 3
TIMEOUT_S = 0.3
DEADLINE_S = 20.0


@dataclass(frozen=True)
class Fault:
    """One way to fail.

    Attributes:
        name: what the service does.
        script: its turns.
        outcome: ``answered``, or the reason of the failure.
        requests: that are sent for one prompt.
        fatal: no other prompt is asked.
        at_least_s: how long it takes at least.
        at_most_s: how long it takes at most, on a slow machine.
        tokens: prompt and completion tokens that are counted.
    """

    name: str
    script: tuple[Turn, ...]
    outcome: str
    requests: int = 1
    fatal: bool = False
    at_least_s: float = 0
    at_most_s: float = 5
    tokens: tuple[int, int] = (0, 0)


def error(status: int, message: str = "no", code: str = "", **headers: str) -> Turn:
    body = {"error": {"message": message, "code": code, "type": "invalid_request_error"}}
    return Turn(status, body, {key.replace("_", "-"): value for key, value in headers.items()})


def html(status: int = 200) -> Turn:
    return Turn(status, b"<html>Welcome to the wireless network</html>", {"Content-Type": "text/html"})


def said(text: str | None, finish: str = "stop", **message: Any) -> Turn:
    return Turn(body=chat(text, finish, **message))


def date(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


FINE = Turn()
NO_USAGE = Turn(body={key: value for key, value in chat().items() if key != "usage"})
GATEWAY = Turn(body={"error": {"message": "upstream overloaded", "code": 502}})
PAID = (11, 7)
PAID_ALL = (ATTEMPTS * 11, ATTEMPTS * 7)
BAD = "judge_bad_reply"
AWAY = "judge_unreachable"
NO = "judge_refused"
SLOW_DOWN = "judge_rate_limited"

FAULTS = (
    Fault("a usable reply", (FINE,), "answered", tokens=PAID),
    Fault("a usable reply without usage", (NO_USAGE,), "answered"),
    Fault(
        "one markdown fence around the object", (said(f"```json\n{VERDICT}\n```"),), "answered", tokens=PAID
    ),
    Fault(
        "the object in a fence, and prose around it",
        (said(f"Here:\n```json\n{VERDICT}\n```\nBye"),),
        BAD,
        3,
        tokens=PAID_ALL,
    ),
    Fault("prose, with an object in it", (said(f"The verdict is {VERDICT}."),), BAD, 3, tokens=PAID_ALL),
    Fault("two objects", (said(f"{VERDICT}\n{VERDICT}"),), BAD, 3, tokens=PAID_ALL),
    Fault("text that is no JSON", (said("{'verdict': yes"),), BAD, 3, tokens=PAID_ALL),
    Fault("an empty text", (said(""),), BAD, 3, tokens=PAID_ALL),
    Fault("no text at all", (said(None),), BAD, 3, tokens=PAID_ALL),
    Fault("a bad text, then a usable one", (said("Well."), FINE), "answered", 2, tokens=(22, 14)),
    Fault(
        "a text cut off at the token limit",
        (said('{"verdict": "su', "length"),),
        "judge_truncated",
        tokens=PAID,
    ),
    Fault("a whole object said to be cut off", (said(VERDICT, "length"),), "judge_truncated", tokens=PAID),
    Fault("a refusal by the model", (said(None, refusal="I cannot help with that."),), NO, tokens=PAID),
    Fault("a content filter on the reply", (said(VERDICT, "content_filter"),), NO, tokens=PAID),
    Fault("400, a content filter on the prompt", (error(400, "filtered", "content_filter"),), NO),
    Fault(
        "400, the prompt is longer than the context window",
        (error(400, "too long", "context_length_exceeded"),),
        NO,
    ),
    Fault("413", (error(413),), NO),
    Fault("a body that is no JSON", (Turn(body=b'{"choices": ['),), BAD, 3),
    Fault("an empty body", (Turn(body=b""),), BAD, 3),
    Fault("an object without a message", (Turn(body={"choices": []}),), BAD, 3),
    Fault("JSON nested 100,000 deep", (Turn(body=b"[" * 100_000),), BAD, 3),
    Fault("another content type", (html(),), BAD, 3),
    Fault("a reply of more than 2 MB", (Turn(body=b" " * 3_000_000),), BAD),
    Fault("an error wrapped in a 200", (GATEWAY, FINE), "answered", 2, tokens=PAID),
    Fault("400, unknown model", (error(400, "The model `judge-1` does not exist"),), NO, fatal=True),
    Fault("401", (error(401),), NO, fatal=True),
    Fault("402", (error(402),), NO, fatal=True),
    Fault("403", (error(403),), NO, fatal=True),
    Fault("404", (error(404),), AWAY, fatal=True),
    Fault("404 with a web page", (html(404),), AWAY, fatal=True),
    Fault("410", (error(410),), AWAY, fatal=True),
    Fault("a redirect", (Turn(307, b"", {"Location": "http://127.0.0.1:9/v1"}),), AWAY, fatal=True),
    Fault("408, then a usable reply", (error(408), FINE), "answered", 2, tokens=PAID),
    Fault("409, then a usable reply", (error(409), FINE), "answered", 2, tokens=PAID),
    Fault("425, then a usable reply", (error(425), FINE), "answered", 2, tokens=PAID),
    Fault("429, then a usable reply", (error(429), FINE), "answered", 2, tokens=PAID),
    Fault(
        "429 with `Retry-After: 1`, then a usable reply",
        (error(429, retry_after="1"), FINE),
        "answered",
        2,
        at_least_s=1,
        tokens=PAID,
    ),
    Fault(
        "429 with `retry-after-ms: 400`, then a usable reply",
        (error(429, retry_after_ms="400"), FINE),
        "answered",
        2,
        at_least_s=0.4,
        tokens=PAID,
    ),
    Fault(
        "429 with a `Retry-After` that is no time, then a usable reply",
        (error(429, retry_after="soon"), FINE),
        "answered",
        2,
        tokens=PAID,
    ),
    Fault("429 always", (error(429),), SLOW_DOWN, 3),
    Fault(
        "429 with a `Retry-After` beyond the deadline",
        (error(429, retry_after="3600"),),
        SLOW_DOWN,
        fatal=True,
    ),
    Fault(
        "429, and the account has no quota", (error(429, "pay", "insufficient_quota"),), SLOW_DOWN, fatal=True
    ),
    Fault("500 always", (error(500),), AWAY, 3),
    Fault("503, then a usable reply", (error(503), FINE), "answered", 2, tokens=PAID),
    Fault(
        "503 with a `Retry-After` beyond the deadline",
        (error(503, retry_after="3600"),),
        "judge_deadline",
        fatal=True,
    ),
    Fault("529, then a usable reply", (error(529), FINE), "answered", 2, tokens=PAID),
    Fault("the connection closes", (Turn(ending="close"),), AWAY, 3),
    Fault(
        "the connection closes, then a usable reply", (Turn(ending="close"), FINE), "answered", 2, tokens=PAID
    ),
    Fault("no reply at all", (Turn(ending="hang"),), AWAY, 3, at_least_s=3 * TIMEOUT_S),
    Fault(
        "no reply at all, then a usable one",
        (Turn(ending="hang"), FINE),
        "answered",
        2,
        at_least_s=TIMEOUT_S,
        tokens=PAID,
    ),
    Fault("a reply that drips in, byte by byte", (Turn(ending="drip"),), AWAY, 3, at_least_s=3 * TIMEOUT_S),
)


def table() -> str:
    """Return what each fault becomes, as markdown."""
    lines = ["| The service's reply | Becomes | Requests | Other prompts |", "| --- | --- | --- | --- |"]
    for fault in FAULTS:
        others = "no more are sent" if fault.fatal else "go on"
        outcome = "answered" if fault.outcome == "answered" else f"`{fault.outcome}`"
        lines.append(f"| {fault.name} | {outcome} | {fault.requests} | {others} |")
    return "\n".join(lines)
