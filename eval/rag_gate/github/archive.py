"""Read one file out of an archive that may have been made to do harm; nothing is unpacked to disk."""

import io
import stat
import struct
import zipfile
import zlib

from rag_gate.errors import NotJudgedError

#: Bytes of an archive, entries in it, bytes of the file that is read.
MOST_BYTES, MOST_ENTRIES, LARGEST_FILE = 50_000_000, 200, 50_000_000
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: What the library raises for archives that are none, or are broken somewhere.
_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)


def read_from_archive(data: bytes, name: str) -> bytes:
    """Return the content of the one entry of that name, in whatever folder of the archive it stands.

    Raises:
        NotJudgedError: if the archive is none, is too large, names paths outside itself, holds links or secrets, or
            does not hold exactly one such file.
    """
    if len(data) > MOST_BYTES:
        raise _refused(f"is larger than {MOST_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES:
                raise _refused(f"holds more than {MOST_ENTRIES} entries")
            for entry in entries:
                _check(entry)
            found = [entry for entry in entries if entry.filename.rsplit("/", 1)[-1] == name]
            if len(found) != 1:
                raise _refused(f"holds {len(found)} files named {name}, and one is needed")
            return _content(archive, found[0])
    except _BROKEN:
        raise _refused("is no archive that can be read") from None


def _check(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    if name.startswith(("/", "\\")) or "\\" in name or ":" in name or ".." in name.split("/") or "\0" in name:
        raise _refused("names a path outside itself")
    mode = entry.external_attr >> 16
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0):
        raise _refused("holds a link or a device")
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
        raise _refused("is encrypted, or packed in a way that GitHub does not use")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return what the entry really unpacks to; what it says about its size proves nothing."""
    with archive.open(entry) as handle:
        content = handle.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise _refused(f"holds a file of more than {LARGEST_FILE} bytes")
    return content


def _refused(why: str) -> NotJudgedError:
    return NotJudgedError(f"the artifact of the first stage {why}, so it is not used")
