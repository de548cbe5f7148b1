"""Whether asking on is worth it: a bot that is down is noticed once, not once per case."""

import time
from collections.abc import Callable

from rag_gate.record.asking import Outcome

#: Cases in a row that did not reach the bot, and the seconds they must span: a bot that restarts is no outage.
_CASES_OF_AN_OUTAGE = 10
_SECONDS_OF_AN_OUTAGE = 20.0
#: If so many cases all failed, however, the rest would as well.
_FIRST_CASES = 20


class Outage:
    """What earlier cases tell the next one.

    Args:
        clock: monotonic seconds.

    Attributes:
        why: why no more cases are asked; None while they are.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.why: str | None = None
        self._clock = clock
        self._began = clock()
        self._in_vain = 0
        self._silent_since: float | None = None
        self._failed = 0
        self._answered = 0

    def note(self, outcome: Outcome) -> None:
        """Note how a case ended."""
        if outcome.error is None:
            self._answered += 1
        else:
            self._failed += 1
        if not outcome.passing:
            self._in_vain, self._silent_since = 0, None
        else:
            self._in_vain += 1
            self._silent_since = self._clock() if self._silent_since is None else self._silent_since
        self.why = self.why or self._found()

    def _found(self) -> str | None:
        if self._failed >= _FIRST_CASES and not self._answered:
            return f"the first {self._failed} cases all failed"
        silent = 0.0 if self._silent_since is None else self._clock() - self._silent_since
        if self._in_vain >= _CASES_OF_AN_OUTAGE and silent >= _SECONDS_OF_AN_OUTAGE:
            return f"the bot was not reached for {silent:.0f} s and {self._in_vain} cases"
        return None
