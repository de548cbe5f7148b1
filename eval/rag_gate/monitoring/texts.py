"""What a bot's own functions return, read as results and as text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rag_gate.monitoring.safely import warn_once
from rag_gate.records.run import ANSWER_KEYS, ID_LISTS, TEXT_LISTS

_LISTS = (*ID_LISTS, *TEXT_LISTS, "results", "documents", "matches", "chunks")
_TEXTS = (*ANSWER_KEYS, "text", "content", "delta")


def results_of(value: Any) -> Sequence[Any] | None:  # noqa: ANN401 - whatever a retriever returns
    """Return the list of results in what a retriever returned; None where there is none to be found."""
    if value is None:
        return ()
    if type(value) is list:
        return value  # at once, as most do
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return value
    return next((found for found in _parts(value, _LISTS) if isinstance(found, Sequence)), None)


def text_of(value: Any) -> str | None:  # noqa: ANN401 - whatever a generator returns
    """Return the text in what a generator returned; None where there is none to be found."""
    if isinstance(value, str):
        return value
    return next((found for found in _parts(value, _TEXTS) if isinstance(found, str)), None)


def answer_of(pieces: Iterable[Any], text: Callable[[Any], str | None], name: str) -> str | None:
    """Return the text of all pieces; None where none holds any.

    A piece that the function cannot read is left out, such as the last one of a model's stream, which holds usage and no text.
    """
    known: list[str] = []
    problem: str | None = None
    for piece in pieces:
        try:
            part = text(piece)
        except Exception as error:  # noqa: BLE001 - of the user's own function, which may do anything
            part, problem = None, f"text= failed with {type(error).__name__}"
        if isinstance(part, str):
            known.append(part)
        elif piece is not None:
            problem = problem or f"gave a {type(piece).__name__} without text; give text="
    if problem and not known:
        warn_once(name, f"{problem}; citations are not counted")
    return "".join(known) if known else None


def citations_of(value: Any) -> tuple[str, ...] | None:  # noqa: ANN401 - as above
    """Return the sources that stand beside an answer under ``citations``, None where there are none said."""
    found = None if isinstance(value, str) else next(iter(_parts(value, ("citations",))), None)
    return tuple(map(str, found)) if isinstance(found, list | tuple) else None


def _parts(value: Any, names: tuple[str, ...]) -> list[Any]:  # noqa: ANN401 - as above
    if isinstance(value, Mapping):
        return [value[name] for name in names if value.get(name) is not None]
    return [found for name in names if (found := getattr(value, name, None)) is not None]
