"""A model service on loopback that answers the questions of ragas by comparing letters, or fails as told."""

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_INPUT = "Now perform the same with the following input"
_ENOUGH = 0.55
_DIMENSIONS = 64


class Service(ThreadingHTTPServer):
    """The service.

    Attributes:
        fault: ``none``, a status such as ``401``, ``prose``, ``wrong form``, ``cut off``, ``close`` or ``hang``.
        latency_s: of each reply.
        forms: replies by the form that was asked for.
        prompts: as they came.
        peak: most requests at a time.
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

    def reset(self) -> None:
        """Forget what came."""
        self.forms: Counter[str] = Counter()
        self.prompts: list[str] = []
        self.peak = 0

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in the library
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        service = self.server
        with service.lock:
            service.at_work += 1
            service.peak = max(service.peak, service.at_work)
        try:
            service.stop.wait(600 if service.fault == "hang" else service.latency_s)
            self._answer(body)
        finally:
            with service.lock:
                service.at_work -= 1

    def _answer(self, body: dict[str, Any]) -> None:
        service = self.server
        if service.fault in {"close", "hang"}:
            service.forms[service.fault] += 1
            self.close_connection = True
        elif service.fault.isdigit():
            service.forms[service.fault] += 1
            self._send(int(service.fault), {"error": {"message": "no", "type": "error"}})
        elif "messages" not in body:
            service.forms["embeddings"] += 1
            self._send(200, _embeddings(body))
        else:
            # Where ragas itself asks, to translate its prompts, it names no schema.
            form = body["response_format"].get("json_schema", {"name": "Translated"})["name"]
            prompt = body["messages"][-1]["content"]
            service.forms[form] += 1
            service.prompts.append(prompt)
            self._send(200, _chat(form, prompt, service.fault))

    def _send(self, status: int, reply: dict[str, Any]) -> None:
        data = json.dumps(reply, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as in the library
        """Say nothing."""


def _chat(form: str, prompt: str, fault: str) -> dict[str, Any]:
    said = {"prose": "I would say 8 of 10.", "wrong form": '{"foo": 1}'}
    text = said.get(fault) or json.dumps(_judged(form, _input(prompt)), ensure_ascii=False)
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "length" if fault == "cut off" else "stop", "message": message}
    usage = {"prompt_tokens": _tokens(prompt), "completion_tokens": _tokens(text)}
    return {"model": "letters-1", "choices": [choice], "usage": usage}


def _tokens(text: str) -> int:
    """Estimate tokens: four ASCII characters to one, others one each."""
    plain = len(text.encode("ascii", "ignore"))
    return plain // 4 + len(text) - plain


def _input(prompt: str) -> dict[str, Any]:
    _, _, after = prompt.rpartition(_INPUT)
    found, _ = json.JSONDecoder().raw_decode(after[after.index("{") :])
    return dict(found)


def _judged(form: str, given: dict[str, Any]) -> dict[str, Any]:
    """Answer one question of ragas."""
    if form == "StatementGeneratorOutput":
        return {"statements": _sentences(given["answer"])}
    if form == "NLIStatementOutput":
        rows = [(text, _stands_in(text, given["context"])) for text in given["statements"]]
        return {"statements": [{"statement": text, "reason": "", "verdict": found} for text, found in rows]}
    if form == "ContextRecallClassifications":
        rows = [(text, _stands_in(text, given["context"])) for text in _sentences(given["answer"])]
        found = [{"statement": text, "reason": "", "attributed": found} for text, found in rows]
        return {"classifications": found}
    if form == "Verification":
        return {"reason": "", "verdict": _stands_in(given["answer"], given["context"])}
    if form == "ResponseRelevanceOutput":
        return {"question": f"{given['response']}?", "noncommittal": 0}
    if form == "Translated":
        return {"statements": [f"訳:{text}" for text in given["statements"]]}
    raise ValueError(form)


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[。.!?])", text) if part.strip()]


def _pairs(text: str) -> Counter[str]:
    bare = re.sub(r"\W", "", text.lower())
    return Counter(bare[place : place + 2] for place in range(len(bare) - 1))


def _stands_in(text: str, context: str) -> int:
    wanted, there = set(_pairs(text)), set(_pairs(context))
    return int(bool(wanted) and len(wanted & there) / len(wanted) >= _ENOUGH)


def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
    rows = [{"index": n, "embedding": _vector(text)} for n, text in enumerate(body["input"])]
    return {"model": "letters-1", "data": rows, "usage": {"prompt_tokens": sum(map(_tokens, body["input"]))}}


def _vector(text: str) -> list[float]:
    vector = [0.0] * _DIMENSIONS
    for pair, count in _pairs(text).items():
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
