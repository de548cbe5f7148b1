"""Whether asking on is worth it: a dead service is noticed once, not once per case."""

import asyncio

from rag_gate.judge.llm.backend import BackendError

#: Prompts in a row that found the service unreachable in all their attempts.
_PROMPTS_THAT_PROVE_AN_OUTAGE = 5


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

    def answered(self) -> None:
        """Note that the service gave a usable reply."""
        self._in_vain = 0

    def failed(self, error: BackendError) -> None:
        """Note how a prompt ended without a reply."""
        if error.fatal:
            self._final = self._final or error
        self._in_vain = self._in_vain + 1 if error.reason == "judge_unreachable" else 0
        if self._in_vain >= _PROMPTS_THAT_PROVE_AN_OUTAGE and self._final is None:
            self._final = BackendError(
                f"{error}; {self._in_vain} prompts in a row ended so, no more are asked",
                error.reason,
                fatal=True,
            )
