"""Cut a finished markdown text to a limit, by whole lines, so that nothing is left open."""

from collections.abc import Callable, Iterable

#: Code points of a comment, hidden lines included. GitHub's limits are higher, whichever way they are counted.
MOST_POINTS = 60_000
#: Bytes of a step's summary; GitHub drops one above 1 MiB.
MOST_BYTES = 1_000_000
_NOTE = "**This text was too long and was cut here.** All of it is in the artifact of the run."
_ROOM = 400


def cut_to_points(text: str, limit: int = MOST_POINTS) -> str:
    """Return at most ``limit`` code points."""
    return _cut(text, limit, len)


def cut_to_bytes(text: str, limit: int = MOST_BYTES) -> str:
    """Return a text of at most ``limit`` bytes of UTF-8."""
    return _cut(text, limit, lambda part: len(part.encode("utf-8", "backslashreplace")))


def _cut(text: str, limit: int, size: Callable[[str], int]) -> str:
    if size(text) <= limit:
        return text
    kept: list[str] = []
    left = limit - _ROOM
    for line in text.split("\n"):
        left -= size(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, *_closing(kept), "", _NOTE, ""])


def _closing(lines: Iterable[str]) -> list[str]:
    """Return the lines that close what is open: a fence first, since it hides all else."""
    fence: str | None = None
    depth = 0
    for line in lines:
        found = line.strip()
        if fence is None and found.startswith("```"):
            fence = "`" * (len(found) - len(found.lstrip("`")))
        elif fence is not None and found == fence:
            fence = None
        elif fence is None:
            depth += (found == "<details>") - (found == "</details>")
    return [*([fence] if fence else []), *(["", "</details>"] * max(0, min(depth, 10)))]
