"""Monitoring may fail; the request that it watches may not."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

_Arguments = ParamSpec("_Arguments")
_log = logging.getLogger("rag_gate.monitoring")
_told: set[tuple[str, str]] = set()


def safely(function: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """Return a function that never raises.

    What goes wrong is logged as a warning of ``rag_gate.monitoring``, once for each place and kind, by its type alone: its
    text could quote a question or an answer.
    """

    @wraps(function)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - a bot must answer, whatever happens to its monitoring
            warn_once(
                function.__qualname__, f"failed with {type(error).__name__}; the request went on, uncounted"
            )

    return guarded


def warn_once(place: str, problem: str) -> None:
    """Log a problem of one place the first time it happens."""
    if (place, problem) not in _told:
        _told.add((place, problem))
        _log.warning("%s: %s", place, problem)
