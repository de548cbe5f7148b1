"""A bar for steps that take long, on a terminal that somebody watches; nothing anywhere else."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click

from rag_gate.terminal.manners import is_watched

T = TypeVar("T")
#: A step that is done sooner needs no bar.
_PATIENCE_S = 1.0
#: The cost is asked for no more often than that.
_REFRESH_S = 0.5
Clock = Callable[[], float]


def tracked(
    items: Iterable[T],
    total: int,
    label: str,
    cost: Callable[[], float | None] = lambda: None,
    clock: Clock = time.monotonic,
) -> Iterator[T]:
    """Yield the items, and show how many of them are done, how fast, and what they have cost.

    Args:
        items: what is worked on.
        total: how many they will be.
        label: what is done with them.
        cost: returns USD so far; None where that is not known.
        clock: returns seconds.
    """
    if not is_watched(os.environ):
        yield from items
        return
    bar = _Bar(total, label, cost, clock)
    try:
        for item in items:
            yield item
            bar.step()
    finally:
        bar.close()


class _Bar:
    """Draws late, and only then: a quick step leaves no trace."""

    def __init__(self, total: int, label: str, cost: Callable[[], float | None], clock: Clock) -> None:
        self._total, self._label = total, label
        self._cost, self._clock = cost, clock
        self._started = self._asked = clock()
        self._done = 0
        self._usd: float | None = None
        self._bar: click._termui_impl.ProgressBar[int] | None = None

    def step(self) -> None:
        """Count one item."""
        self._done += 1
        now = self._clock()
        if self._bar is None:
            if now - self._started < _PATIENCE_S:
                return
            self._bar = click.progressbar(
                length=self._total,
                label=self._label,
                show_pos=True,
                show_percent=False,
                item_show_func=lambda _: self._rate(),
                file=sys.stderr,
            )
            self._bar.__enter__()
            self._bar.update(self._done - 1)
        if now - self._asked >= _REFRESH_S:
            self._asked, self._usd = now, self._cost()
        self._bar.update(1, self._done)

    def _rate(self) -> str:
        seconds = self._clock() - self._started
        rate = f"{self._done / seconds:.1f}/s" if seconds else ""
        return rate if self._usd is None else f"{rate}  {self._usd:.4f} USD"

    def close(self) -> None:
        """End the line."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
