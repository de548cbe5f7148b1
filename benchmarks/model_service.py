"""A model service on loopback that answers as `letters.py` says, or fails as told, and counts."""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from letters import form_of, pairs, reply_to

_DIMENSIONS = 64


class Service(ThreadingHTTPServer):
    """The service.

    Attributes:
        fault: ``none``, a status such as ``401``, ``prose``, ``wrong form``, ``cut off``, ``close`` or ``hang``.
        latency_s: of each reply; embeddings come in a sixth of it.
        forms: replies by the form that was asked for.
        prompts: as they came, the last message of each.
        prompt_tokens: of all of them, schemas and embedded texts included.
        peak: most requests at a time.
        began: when the first request came, in seconds of `time.perf_counter`.
        ended: when the last reply went.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.at_work = 0
        self.fault = "none"
        self.latency_s = 0.0
        self.reset()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def latency_of(self, body: dict[str, Any]) -> float:
        """Return how long a request takes, in seconds."""
        return self.latency_s if "messages" in body else self.latency_s / 6

    def reset(self) -> None:
        """Forget what came."""
        self.forms: Counter[str] = Counter()
        self.prompts: list[str] = []
        self.prompt_tokens = self.peak = 0
        self.began = self.ended = 0.0

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in the library
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        service = self.server
        with service.lock:
            service.began = service.began or time.perf_counter()
            service.at_work += 1
            service.peak = max(service.peak, service.at_work)
        try:
            service.stop.wait(600 if service.fault == "hang" else service.latency_of(body))
            self._answer(body)
        finally:
            with service.lock:
                service.at_work -= 1
                service.ended = time.perf_counter()

    def _answer(self, body: dict[str, Any]) -> None:
        service = self.server
        if service.fault in {"close", "hang"}:
            service.forms[service.fault] += 1
            self.close_connection = True
        elif service.fault.isdigit():
            service.forms[service.fault] += 1
            self._send(int(service.fault), {"error": {"message": "no", "type": "error"}})
        elif "messages" not in body:
            self._reply("embeddings", _embeddings(body))
        else:
            prompt = body["messages"][-1]["content"]
            form = form_of(body, prompt)
            service.prompts.append(prompt)
            self._reply(form, _chat(body, form, prompt, service.fault))

    def _reply(self, form: str, reply: dict[str, Any]) -> None:
        with self.server.lock:
            self.server.forms[form] += 1
            self.server.prompt_tokens += reply["usage"]["prompt_tokens"]
        self._send(200, reply)

    def _send(self, status: int, reply: dict[str, Any]) -> None:
        data = json.dumps(reply, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as in the library
        """Say nothing."""


def _chat(body: dict[str, Any], form: str, prompt: str, fault: str) -> dict[str, Any]:
    said = {"prose": "I would say 8 of 10.", "wrong form": '{"foo": 1}'}
    text = said.get(fault) or json.dumps(reply_to(body, form, prompt), ensure_ascii=False)
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "length" if fault == "cut off" else "stop", "message": message}
    asked = [*(str(sent["content"]) for sent in body["messages"]), _schema_text(body)]
    usage = {"prompt_tokens": sum(map(_tokens, asked)), "completion_tokens": _tokens(text)}
    usage["total_tokens"] = sum(usage.values())
    frame = {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"]}
    return {**frame, "choices": [choice], "usage": usage}


def _schema_text(body: dict[str, Any]) -> str:
    """Return the schema of the reply, which a service puts before the model too."""
    return json.dumps(body.get("response_format", {}).get("json_schema", ""))


def _tokens(text: str) -> int:
    """Estimate tokens: four ASCII characters to one, others one each."""
    plain = len(text.encode("ascii", "ignore"))
    return plain // 4 + len(text) - plain


def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
    rows = [{"index": n, "embedding": _vector(text)} for n, text in enumerate(body["input"])]
    return {"model": "letters-1", "data": rows, "usage": {"prompt_tokens": sum(map(_tokens, body["input"]))}}


def _vector(text: str) -> list[float]:
    vector = [0.0] * _DIMENSIONS
    for pair, count in pairs(text).items():
        vector[hashlib.sha256(pair.encode()).digest()[0] % _DIMENSIONS] += count
    return vector if any(vector) else [1.0, *vector[1:]]


@contextmanager
def served() -> Iterator[Service]:
    """Serve while the block runs."""
    service = Service()
    thread = threading.Thread(target=service.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.stop.set()
        service.shutdown()
        service.server_close()
