"""Serve the support bot over HTTP, with its quality measured: POST /ask, POST /feedback, GET /metrics.

pip install "rag-gate[example,monitoring]" uvicorn
python examples/support-bot/serve.py --port 8000
curl -s localhost:8000/ask -d '{"question": "返品の期限は?"}'
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support_bot.bot import SupportBot
from support_bot.settings import read_settings

HERE = Path(__file__).resolve().parent
_MOST_BYTES = 10_000


def create_app(bot: SupportBot, log: Path | None = None) -> Any:  # noqa: ANN401 - an ASGI application
    """Return the bot as an ASGI application.

    Args:
        bot: answers the questions.
        log: a file that gets the signals of each request, without texts.
    """
    from rag_gate.monitoring import Monitor, QualityMiddleware, SignalLog, metrics_app

    monitor = Monitor(log=SignalLog(log) if log else None)
    retrieve, answer = monitor.retriever(bot.retrieve), monitor.generator(bot.answer)
    metrics = metrics_app(monitor)

    async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI calls it
        if scope["type"] != "http":
            return
        if scope["path"] == "/metrics":
            await metrics(scope, receive, send)
            return
        body = await _json_body(receive)
        if scope["path"] == "/ask" and isinstance(body.get("question"), str):
            found = retrieve(body["question"])
            said = answer(body["question"], found)
            await _reply(
                send,
                200,
                {"request_id": monitor.request_id(), "answer": said.text, "citations": said.citations},
            )
        elif scope["path"] == "/feedback":
            monitor.thumbs_down(str(body.get("category", "other")), _text(body.get("request_id")))
            await _reply(send, 200, {"thanks": True})
        else:
            await _reply(send, 404, {"error": "POST /ask with a question, POST /feedback or GET /metrics"})

    return QualityMiddleware(app, monitor)


async def _json_body(receive: Any) -> dict[str, Any]:  # noqa: ANN401 - as ASGI calls it
    data, more = b"", True
    while more and len(data) <= _MOST_BYTES:
        message = await receive()
        data, more = data + message.get("body", b""), message.get("more_body", False)
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


async def _reply(send: Any, status: int, content: dict[str, Any]) -> None:  # noqa: ANN401 - as ASGI calls it
    headers = [(b"content-type", b"application/json; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content, ensure_ascii=False).encode()})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bot", type=Path, default=HERE / "bot.yml", help="the bot's knobs")
    parser.add_argument("--port", type=int, default=8000, help="the port on 127.0.0.1")
    parser.add_argument("--log", type=Path, help="a file for the signals of each request")
    options = parser.parse_args(arguments)
    import uvicorn

    try:
        bot = SupportBot(HERE / "corpus", read_settings(options.bot))
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    uvicorn.run(create_app(bot, options.log), host="127.0.0.1", port=options.port, log_level="warning")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1] / "eval"))  # works without an installation, too
    sys.exit(main())
