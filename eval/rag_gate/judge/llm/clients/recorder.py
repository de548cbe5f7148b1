import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import write_whole
from rag_gate.judge.llm.backend import Backend, Prompt, Reply
from rag_gate.judge.llm.clients.recording import RecordedReply, RecordedUsage


class RecordingBackend:
    """Passes prompts on and appends each reply to a recording, one whole line at a time.

    Args:
        backend: what is asked.
        path: recording; made if it is absent, continued if it is there.

    Raises:
        InputError: if the recording cannot be written.
    """

    def __init__(self, backend: Backend, path: Path) -> None:
        self.identity: Mapping[str, Any] = backend.identity
        self._backend = backend
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._end_torn_line()
        except OSError as error:
            raise self._unwritable(error) from None

    async def complete(self, prompt: Prompt) -> Reply:
        """Ask one prompt and record the reply.

        Raises:
            BackendError: if no whole reply came.
            InputError: if the recording cannot be written.
        """
        reply = await self._backend.complete(prompt)
        spent = reply.usage
        usage = RecordedUsage(
            requests=spent.requests,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
        )
        line = RecordedReply(key=prompt.key, text=reply.text, usage=usage, model=reply.served_model)
        self._append(line.model_dump_json(exclude_none=True).encode() + b"\n")
        return reply

    async def aclose(self) -> None:
        """Bring the recording to disk and give connections back."""
        try:
            await self._backend.aclose()
        finally:
            with suppress(OSError):  # a pipe or device cannot be brought to disk
                os.fsync(self._file)
            os.close(self._file)

    def _append(self, line: bytes) -> None:
        """Write a line in one piece, so that processes that share a recording do not mix."""
        try:
            write_whole(self._file, line)
        except OSError as error:
            raise self._unwritable(error) from None

    def _end_torn_line(self) -> None:
        """Start on a new line after a writer that was killed in the middle of one."""
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"{self._path}: cannot be written ({error.strerror}); choose another recording")
