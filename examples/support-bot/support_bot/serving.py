"""The bot as others call it: a function, a program that answers line by line, a service behind HTTP.

    python -m support_bot.serving            one JSON line in, one JSON line out
    uvicorn support_bot.serving:app          POST /ask, GET /manifest

The environment variable ``SUPPORT_BOT`` names another file of knobs than ``bot.yml``.
"""

import json
import os
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from support_bot.bot import Reply, SupportBot
from support_bot.settings import read_settings

HERE = Path(__file__).resolve().parents[1]
CORPUS = HERE / "corpus"
Message = MutableMapping[str, Any]


@lru_cache(maxsize=1)
def bot() -> SupportBot:
    """Return the bot of this process."""
    return SupportBot(CORPUS, read_settings(Path(os.environ.get("SUPPORT_BOT") or HERE / "bot.yml")))


def ask(question: str) -> dict[str, Any]:
    """Answer a question: what was found, best first, what is said, and what that cites."""
    return reply_table(bot().ask(question))


def manifest() -> dict[str, str | int | None]:
    """Say what the answers are made with."""
    return bot().manifest()


def reply_table(reply: Reply) -> dict[str, Any]:
    """Return a reply under the names that a recorded run has."""
    return {
        "retrieved": [
            {"id": chunk.chunk_id, "doc_id": chunk.doc_id, "text": chunk.text, "score": score}
            for chunk, score in reply.retrieved
        ],
        "answer": reply.answer.text,
        "citations": reply.answer.citations,
    }


def main() -> None:
    """Answer each line of the standard input with a line."""
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        said = {"manifest": manifest()} if asked.get("manifest") else ask(asked["question"])
        sys.stdout.buffer.write(json.dumps(said, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


async def app(
    scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
    """Serve HTTP (an ASGI application)."""
    if scope["type"] != "http":
        return
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    status, content = answer(scope["method"], scope["path"], body)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content, ensure_ascii=False).encode()})


def answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
    """Return status and content for a request."""
    if (method, path) == ("GET", "/manifest"):
        return 200, manifest()
    if (method, path) != ("POST", "/ask"):
        return 404, {"error": "POST a question to /ask"}
    try:
        question = json.loads(body)["question"]
    except (ValueError, TypeError, KeyError):
        return 400, {"error": 'send {"question": "..."}'}
    return 200, ask(str(question))


if __name__ == "__main__":
    main()
