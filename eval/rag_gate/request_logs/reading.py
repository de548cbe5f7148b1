"""Lines of request logs, one at a time, plain or compressed; a bad line is counted and named, and the rest is read."""

import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from rag_gate.errors import InputError, NotJudgedError
from rag_gate.files import read_failure
from rag_gate.text import counted

_GZIP = b"\x1f\x8b"
_LONGEST = 10_000_000
_NAMED = 5
STANDARD_INPUT = "-"
_BOM = b"\xef\xbb\xbf"


class BadLines:
    """Lines that cannot be used.

    Attributes:
        count: how many.
        named: the first of them, with file, line and reason.
    """

    def __init__(self) -> None:
        self.count = 0
        self.named: list[str] = []

    def add(self, where: str, reason: str) -> None:
        """Count a line, and name it if it is among the first."""
        self.count += 1
        if len(self.named) < _NAMED:
            self.named.append(f"{where}: {reason}; the line is left out")

    def refuse_too_many(self, lines: int, most: float) -> None:
        """Refuse to judge a log of which too much could not be read.

        Raises:
            NotJudgedError: naming the first bad lines.
        """
        if self.count > most * lines:
            share = f"{self.count} of {counted(lines, 'line')} ({self.count / lines:.1%})"
            raise NotJudgedError(
                *self.named,
                f"{share} cannot be read, more than the {most:.1%} of monitoring.drift.max_bad_lines; mend the log",
            )


def log_lines(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (file:line, line) of all logs in turn, without empty lines.

    ``-`` is the standard input. Gzip is recognised by its content. A line beyond 10 MB comes as its beginning, which
    is no valid JSON.

    Raises:
        InputError: if a file is absent, cannot be read, or its compression is damaged.
    """
    for name in paths:
        try:
            with ExitStack() as open_files:
                yield from _lines(name, _opened(name, open_files))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"{name}: is cut off or damaged ({error}); copy the file again") from None
        except OSError as error:
            raise read_failure(Path(name), error) from None


def _opened(name: str, open_files: ExitStack) -> BinaryIO:
    if name == STANDARD_INPUT:
        stream = cast("BufferedReader", sys.stdin.buffer)
    else:
        stream = open_files.enter_context(Path(name).open("rb"))  # noqa: SIM115 - closed with the others
    if stream.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:
        return cast("BinaryIO", open_files.enter_context(gzip.open(stream, "rb")))
    return stream


def _lines(name: str, handle: BinaryIO) -> Iterator[tuple[str, bytes]]:
    number, whole = 0, True
    while line := handle.readline(_LONGEST):
        begins, whole = whole, line.endswith(b"\n")
        if not begins:
            continue  # the rest of a line that is too long
        number += 1
        stripped = line.removeprefix(_BOM).strip()
        if stripped:
            yield f"{name}:{number}", stripped
