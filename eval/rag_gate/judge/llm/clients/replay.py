from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_gate.files import fingerprint_bytes, read_bytes
from rag_gate.judge.llm.backend import BackendError, Prompt, Reply, Usage
from rag_gate.judge.llm.clients.recording import read_recording


class ReplayBackend:
    """Gives recorded replies; needs no key and no network, and costs nothing.

    A prompt asked again gets the next reply recorded for it, and the last one from then on.

    Args:
        path: recording.
        model: as the settings name it.

    Raises:
        InputError: if the recording cannot be read.
    """

    def __init__(self, path: Path, model: str) -> None:
        self._replies = read_recording(path)
        self._asked: Counter[str] = Counter()
        self.identity: Mapping[str, Any] = {
            "provider": "replay",
            "endpoint": fingerprint_bytes(read_bytes(path))[:16],
            "model": model,
        }

    async def complete(self, prompt: Prompt) -> Reply:
        """Return the recorded reply.

        Raises:
            BackendError: if there is none for this prompt.
        """
        recorded = self._replies.get(prompt.key)
        if not recorded:
            message = "no reply to this prompt is recorded; record again with the prompts and inputs of now"
            raise BackendError(message, "judge_not_recorded")
        reply = recorded[min(self._asked[prompt.key], len(recorded) - 1)]
        self._asked[prompt.key] += 1
        return Reply(reply.text, Usage(), reply.model)

    async def aclose(self) -> None:
        """Nothing is open."""
