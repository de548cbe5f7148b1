"""Evidence containment: is the needed passage really inside a retrieved chunk?

A retrieved id is not enough: with another chunking the id may be right and the passage cut in two.
"""

from collections.abc import Sequence

from rag_gate.text import contains, normalise


def evidence_found(passages: Sequence[str], chunks: Sequence[str], k: int) -> list[bool]:
    """Tell for each passage whether it stands whole inside one of the first k chunks.

    Both sides are normalised (width forms, case, spaces); at an end that is an ASCII letter or digit
    the neighbouring character must not be one of the same kind, so ``5日`` is not in ``15日``.

    Raises:
        ValueError: if a passage is empty after normalisation, or k < 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, found {k}")
    shown = [normalise(chunk) for chunk in chunks[:k]]
    return [any(contains(normalise(passage), chunk) for chunk in shown) for passage in passages]


def evidence_recall_at_k(passages: Sequence[str], chunks: Sequence[str], k: int) -> float:
    """Return passages found whole inside one of the first k chunks / passages (0..1).

    Raises:
        ValueError: if there is no passage, a passage is empty, or k < 1.
    """
    if not passages:
        raise ValueError("no evidence passage: the value is not defined")
    found = evidence_found(passages, chunks, k)
    return sum(found) / len(found)


def evidence_ranks(passages: Sequence[str], chunks: Sequence[str | None]) -> list[int | None]:
    """Return for each passage the rank (from 1) of the first chunk that holds it, None if none does."""
    shown = [normalise(chunk) if chunk else "" for chunk in chunks]
    wanted = [normalise(passage) for passage in passages]
    return [
        next((rank for rank, chunk in enumerate(shown, start=1) if contains(passage, chunk)), None)
        for passage in wanted
    ]
