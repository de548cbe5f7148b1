"""What was recorded so far, on disk: a crash, Ctrl-C or kill loses no answer.

The first line says what is recorded; each further line is one case. Lines are only ever appended. A line is in the
system's hands when its case counts as recorded, so a killed process loses nothing; it is brought to disk within a moment,
so a crashed machine loses at most the last few.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rag_gate.errors import InputError
from rag_gate.files import iter_lines, parse_json, write_whole
from rag_gate.text import counted

if sys.platform != "win32":
    import fcntl

_VERSION: Final = 1
#: The last line of a recording of which all cases have ended.
_ENDED: Final = b'{"ended": true}'
#: What must be the same to continue -> what it is called.
_CALLED = {
    "rag_gate": "version of rag-gate",
    "dataset": "golden set",
    "target": "target",
    "code": "state of the code (commit, or changes in the work tree)",
    "bot": "manifest of the bot",
    "frozen_retrieval": "run for --freeze-retrieval",
    "frozen_answers": "run for --freeze-answers",
}


def journal_path(run: Path) -> Path:
    """Return where the journal of a run stands, beside it."""
    return run.with_name(f"{run.name}.journal")


class Journal:
    """The journal of one recording, held by one process.

    Args:
        path: where it stands; continued if it is there.
        identity: what is recorded, under the names of ``_CALLED``.
        restart: begin anew, whatever is there.
        continue_ended: continue a recording of which all cases had ended; by default such a one is begun anew.

    Attributes:
        rows: what was recorded before, by question id.

    Raises:
        InputError: if it is of another recording, is held by another process, or cannot be written.
    """

    def __init__(
        self,
        path: Path,
        identity: Mapping[str, str | None],
        *,
        restart: bool = False,
        continue_ended: bool = False,
    ) -> None:
        self._path = path
        self._unsynced = False
        self.rows: dict[str, dict[str, Any]] = {}
        self._file = self._held()
        try:
            lines = [] if restart else self._whole_lines()
            if not lines or (lines[-1] == _ENDED and not continue_ended):
                self._begin(identity)
            else:
                self._continue(lines, identity)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, row: Mapping[str, Any]) -> None:
        """Add one recorded case.

        Raises:
            InputError: if it cannot be written.
        """
        self._append(row_bytes(row))

    async def keep_on_disk(self, every_s: float = 0.5) -> None:
        """Bring new lines to disk, again and again until cancelled, without holding up the others."""
        while True:
            await asyncio.sleep(every_s)
            if self._unsynced:
                self._unsynced = False
                with suppress(OSError):  # close() tries once more
                    await asyncio.to_thread(os.fsync, self._file)

    def close(self) -> None:
        """Bring everything to disk."""
        with suppress(OSError):  # not every file system can
            os.fsync(self._file)
        os.close(self._file)

    def know(self, run: Path) -> None:
        """Take the cases of a run of the same bot as recorded; it holds none of the cases that are left.

        Raises:
            InputError: if it cannot be read.
        """
        lines = ((number, self._parsed(line, number)) for number, line in iter_lines(run))
        self.rows = {**{str(row["question_id"]): row for _, row in lines}, **self.rows}

    def remove(self) -> None:
        """Remove it while it is still held, so that nobody continues a file that is about to vanish."""
        self._path.unlink(missing_ok=True)

    def end(self) -> None:
        """Note that every case has ended, some with an error; the next recording is a new one."""
        self._append(_ENDED + b"\n")

    def _begin(self, identity: Mapping[str, str | None]) -> None:
        os.ftruncate(self._file, 0)
        self._append(row_bytes({"journal": _VERSION, **identity}))

    def _continue(self, lines: Sequence[bytes], identity: Mapping[str, str | None]) -> None:
        begun = self._parsed(lines[0], 1)
        if begun.get("journal") != _VERSION:
            raise InputError(f"{self._path}: is not the journal of a recording; remove it, or say --restart")
        differing = [called for name, called in _CALLED.items() if begun.get(name) != identity.get(name)]
        recorded = [self._parsed(line, at) for at, line in enumerate(lines[1:], start=2) if line != _ENDED]
        if differing and all("error" in row for row in recorded):
            self._begin(identity)  # of the other bot there is nothing to lose, and nothing to mix
            return
        if differing:
            raise InputError(
                f"{self._path}: {counted(len(recorded), 'case was', 'cases were')} recorded with another {' and another '.join(differing)}; "
                "answers of both in one run cannot be compared. Say --restart (or remove this file) to record all cases "
                "anew, or name another --output"
            )
        self.rows = {str(row.get("question_id")): row for row in recorded}

    def _whole_lines(self) -> list[bytes]:
        """Read all lines; the rest of one that was being written when the process died is cut off."""
        size = os.fstat(self._file).st_size
        data = b""
        while len(data) < size and (part := os.pread(self._file, size - len(data), len(data))):
            data += part
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        return whole.splitlines()

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        where = f"{self._path}:{number}"
        try:
            row = parse_json(line, where)
        except InputError as error:
            raise InputError(f"{error.problems[0]}; or say --restart") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: must be a JSON object; say --restart to record all cases anew")
        return row

    def _append(self, line: bytes) -> None:
        try:
            write_whole(self._file, line)
        except OSError as error:
            raise self._unwritable(error) from None
        self._unsynced = True

    def _held(self) -> int:
        """Open the journal for this process alone; one that another process has just removed is none."""
        while True:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            except OSError as error:
                raise self._unwritable(error) from None
            try:
                self._lock(file)
                if os.path.samestat(os.fstat(file), self._path.stat()):
                    return file
            except FileNotFoundError:
                pass
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _lock(self, file: int) -> None:
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{self._path}: another rag-gate records this run; wait, or name another --output"
            ) from None
        except OSError:
            return  # a file system without locks

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"{self._path}: cannot be written ({error.strerror}); choose another --output")


def row_bytes(row: Mapping[str, Any]) -> bytes:
    """Return a recorded case as a line of a run."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n"
