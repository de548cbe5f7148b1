"""A log of signals, one JSON line a request, which ``rag-gate monitor`` reads."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_gate.errors import ConfigError
from rag_gate.files import canonical_json
from rag_gate.monitoring.request import Request
from rag_gate.monitoring.signals import QualitySignals


class SignalLog:
    """Appends signals to a file; safe for threads and processes, since each line is one write.

    Args:
        path: the file.
        with_texts: also write question and answer, which ``rag-gate harvest`` needs. They may hold personal data: say
            so to your users, and keep the file as you keep such data.

    Raises:
        ConfigError: if the file cannot be written.
    """

    def __init__(self, path: str | Path, *, with_texts: bool = False) -> None:
        self._with_texts = with_texts
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written ({error.strerror}); choose another path") from None

    def request(self, signals: QualitySignals, request: Request, total_ms: float | None) -> None:
        """Write one request."""
        line = {**signals.as_dict(), "total_latency_ms": total_ms}
        if self._with_texts:
            line |= {"question": request.question, "answer": request.answer}
        self._write(line)

    def feedback(self, category: str, request_id: str | None) -> None:
        """Write that a user marked an answer as bad."""
        self._write({"request_id": request_id, "feedback": "down", "feedback_category": category})

    def _write(self, line: dict[str, Any]) -> None:
        stamped = {"timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"), **line}
        os.write(self._file, f"{canonical_json(stamped)}\n".encode("utf-8", "backslashreplace"))
