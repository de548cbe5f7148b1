"""Reading and writing files: UTF-8, atomic, deterministic, with errors that name file and line."""

import hashlib
import json
import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pydantic_core import from_json

from rag_gate.errors import InputError

_BOM = b"\xef\xbb\xbf"
#: What may be a number that no float can hold.
_HUGE = re.compile(rb"[0-9](?:\.?[eE]\+?0*[1-9][0-9]{2}|[0-9]{307})")
_GZIP, _UTF16 = b"\x1f\x8b", (b"\xff\xfe", b"\xfe\xff")
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint_bytes(data: bytes) -> str:
    """Return 32 hexadecimal digits (half a SHA-256) that stand for the content."""
    return hashlib.sha256(data).hexdigest()[:32]


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return one text per JSON value: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def json_lines(rows: Iterable[Any]) -> str:
    """Return a JSON list with one line per entry, so that differences can be read."""
    return "[\n" + ",\n".join(canonical_json(row) for row in rows) + "\n]"


def fingerprint(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return the fingerprint of a JSON value, independent of key order and spacing."""
    return fingerprint_bytes(canonical_json(value).encode("utf-8", "surrogatepass"))


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path`` that takes its place only if the block succeeds.

    A link keeps pointing to its file. A device or pipe (``/dev/stdout``) is written as it is.

    Raises:
        InputError: if the path cannot be written.
    """
    try:
        special = path.exists() and not path.is_file()
        target = path if special else Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle: IO[bytes] = (
            path.open("wb")
            if special
            else tempfile.NamedTemporaryFile(  # noqa: SIM115 - closed below, renamed after
                dir=target.parent, prefix=f".{target.name}.", suffix=".tmp", delete=False
            )
        )
    except OSError as error:
        raise _unwritable(path, error) from error
    temporary = None if special else Path(handle.name)
    try:
        with handle:
            yield handle
            handle.flush()
            if temporary is not None:
                os.fsync(handle.fileno())
        if temporary is not None:
            temporary.chmod(0o644)
            temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno:  # a full disk, a closed pipe
            raise _unwritable(path, error) from error
        raise


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written ({error.strerror}); choose another output path")


def beside(path: Path, ending: str) -> Path:
    """Return ``NAME.ending`` in the folder of ``NAME.json``; where that is a link, in its target's folder."""
    real = Path(os.path.realpath(path))
    folder = path.parent if real == path.absolute() else real.parent
    return folder / f"{real.name.removesuffix('.json')}.{ending}"


def write_whole(file: int, data: bytes) -> None:
    """Write all of the data to a file descriptor, which may take it in parts.

    Raises:
        OSError: if it cannot be written.
    """
    written = os.write(file, data)
    while written < len(data):
        written += os.write(file, data[written:])


def is_absent(path: Path) -> bool:
    """Tell whether nothing stands at a path; a link to nothing and a folder out of reach are not nothing."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def refuse_overwriting(output: Path, *inputs: str | Path | None) -> None:
    """Refuse to write over a file that is read, by whatever name it is called.

    Raises:
        InputError: if the output is one of the inputs.
    """
    target = os.path.realpath(output)
    for given in inputs:
        if given is not None and os.path.realpath(given) == target and Path(target).is_file():
            raise InputError(f"{output}: is an input of this command; choose another output path")


def write_text(path: Path, text: str) -> None:
    """Write a whole text file atomically, as UTF-8."""
    with atomic_writer(path) as handle:
        handle.write(text.encode("utf-8"))


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes without a byte order mark.

    Raises:
        InputError: if the file is absent or cannot be read.
    """
    try:
        return path.read_bytes().removeprefix(_BOM)
    except OSError as error:
        raise read_failure(path, error) from None


def read_failure(path: Path, error: OSError) -> InputError:
    """Return the error to raise for a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: no such file; check the path")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: is a folder; name a file")
    return InputError(f"{path}: cannot be read ({error.strerror})")


def read_text(path: Path) -> str:
    """Return a text file's content.

    Raises:
        InputError: if the file cannot be read or is not UTF-8.
    """
    data = read_bytes(path)
    if (problem := _undecodable(data)) is not None:
        hint = " (in Excel: CSV UTF-8)" if path.suffix.lower() == ".csv" and "UTF" in problem else ""
        raise InputError(f"{path}: {problem}{hint}")
    return data.decode("utf-8")


def parse_json(data: bytes, where: str, *, finite: bool = True) -> Any:  # noqa: ANN401 - any JSON value
    """Parse one JSON document.

    Args:
        data: the document, UTF-8.
        where: file (and line) for the error message.
        finite: refuse NaN and infinity.

    Raises:
        InputError: if it is not valid JSON.
    """
    try:
        found = from_json(data, allow_inf_nan=not finite, cache_strings="keys")
    except ValueError as error:
        if (problem := _undecodable(data)) is not None:
            raise InputError(f"{where}: {problem}") from None
        raise InputError(f"{where}: is not valid JSON ({error}); fix the file") from None
    if finite and _HUGE.search(data) and (place := next(_infinities(found), None)) is not None:
        raise InputError(f"{where}{place}: must be a finite number below 1.8e308, found inf")
    return found


def _infinities(value: Any, place: str = "") -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Yield where a number was too large for a float: a parser makes infinity of it without a word."""
    if isinstance(value, float):
        if math.isinf(value):
            yield place
        return
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in named:
        yield from _infinities(item, f"{place}: {name}" if not place else f"{place}.{name}")


def _undecodable(data: bytes) -> str | None:
    """Return why bytes are no text in UTF-8 and what to do, None if they are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.startswith(_GZIP):
            return "is compressed (gzip); unpack it"
        if data.startswith(_UTF16):
            return "is not UTF-8 but UTF-16; save it as UTF-8"
        return f"is not UTF-8 (byte {error.start}); save it as UTF-8"
    return None


def refuse_repeated_keys(data: bytes, where: str) -> None:
    """Refuse a small JSON object that gives a key twice; a parser keeps the last one without a word.

    Raises:
        InputError: naming the key.
    """

    def check(pairs: list[tuple[str, Any]]) -> None:
        keys = [key for key, _ in pairs]
        repeated = next((key for key in keys if keys.count(key) > 1), None)
        if repeated is not None:
            raise InputError(f"{where}: key '{repeated}' is given twice; keep one")

    json.loads(data, object_pairs_hook=check)


def iter_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line) of a text file, without empty lines, one at a time.

    Raises:
        InputError: if the file is absent or cannot be read.
    """
    try:
        with path.open("rb") as handle:
            for number, raw in enumerate(handle, start=1):
                line = raw.removeprefix(_BOM).strip()  # also inside: files with a mark may be joined
                if line:
                    yield number, line
    except OSError as error:
        raise read_failure(path, error) from None
