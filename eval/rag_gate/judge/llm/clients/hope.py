"""Whether asking on is worth it: a dead service is noticed once, not once per case."""

import asyncio

from rag_gate.judge.llm.backend import BackendError

#: Requests in a row without any reply, and the seconds they must span: a service that restarts is no outage.
_REQUESTS_OF_AN_OUTAGE = 10
_SECONDS_OF_AN_OUTAGE = 20.0


class Hope:
    """What earlier prompts tell the next one.

    Args:
        deadline_s: limit of everything, from the first prompt.
    """

    def __init__(self, deadline_s: float) -> None:
        self._deadline_s = deadline_s
        self._deadline: float | None = None
        self._final: BackendError | None = None
        self._in_vain = 0
        self._silent_since: float | None = None

    @property
    def deadline(self) -> float:
        """When everything ends, in the event loop's time; the first look starts the clock."""
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().time() + self._deadline_s
        return self._deadline

    @property
    def remaining_s(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - asyncio.get_running_loop().time()

    def check(self) -> None:
        """Let a prompt be asked.

        Raises:
            BackendError: if it would fail like earlier ones, or the time is over.
        """
        if self._final is not None:
            raise BackendError(str(self._final), self._final.reason, fatal=True)
        if self.remaining_s <= 0:
            raise self.too_late()

    def too_late(self) -> BackendError:
        """Return the error of a prompt that was not answered before the deadline."""
        return BackendError(
            f"the judge's deadline of {self._deadline_s:g} s has passed", "judge_deadline", fatal=True
        )

    def reached(self) -> None:
        """Note that the service gave a reply of any kind."""
        self._in_vain = 0
        self._silent_since = None

    def unreachable(self, message: str) -> None:
        """Note that a request found no service; enough of them are an outage, and no more are sent.

        Args:
            message: how it failed.
        """
        now = asyncio.get_running_loop().time()
        self._in_vain += 1
        self._silent_since = now if self._silent_since is None else self._silent_since
        silent = now - self._silent_since
        if self._in_vain >= _REQUESTS_OF_AN_OUTAGE and silent >= _SECONDS_OF_AN_OUTAGE:
            text = f"{message}; no reply in {silent:.0f} s and {self._in_vain} requests, so no more are sent"
            self._final = self._final or BackendError(text, "judge_unreachable", fatal=True)

    def failed(self, error: BackendError) -> None:
        """Note how a prompt ended without a reply."""
        if error.fatal:
            self._final = self._final or error
