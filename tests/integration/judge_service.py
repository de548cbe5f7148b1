"""A judge behind OpenAI's wire format on loopback that passes every answer, and counts who asks."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class JudgeService:
    """The service; ``keys`` holds the authorization of each request."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"service": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # head and body are two packets; the second would wait 40 ms for an answer to the first
    )
    service: JudgeService

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        del format, args

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.service.keys.append(self.headers.get("authorization", ""))
        message = {"role": "assistant", "content": json.dumps(_verdict(asked))}
        answer = {
            "id": "x",
            "object": "chat.completion",
            "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _verdict(asked: dict[str, Any]) -> dict[str, Any]:
    parts = asked["response_format"]["json_schema"]["schema"]["properties"]
    data = json.loads(asked["messages"][-1]["content"].split("\n", 1)[1].split("\n</data ", 1)[0])
    said: dict[str, Any] = {"nonce": parts["nonce"]["enum"][0], "correctness": "correct"}
    said["relevance"] = {"missing": [], "superfluous": [], "addresses": True}
    said["claims"] = [{"text": data["answer"], "evidence": None, "document": None, "supported": False}]
    return {name: said[name] for name in parts}
