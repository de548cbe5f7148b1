"""One cached value as a line of JSON with its own checksum."""

import hashlib
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic_core import from_json

from rag_gate.files import canonical_json
from rag_gate.records.base import OwnRecord

#: Larger entries (in bytes) are neither written nor read.
MAX_ENTRY = 4 * 2**20
_HEAD, _MIDDLE, _TAIL = b'{"sha256":"', b'","entry":', b"}\n"
_START = len(_HEAD) + 64 + len(_MIDDLE)
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Entry(OwnRecord):
    """What is kept of one request.

    Attributes:
        key: what it is found by; an entry under another name is not taken.
        kind: ``reply`` (text of a model) or ``ragas`` (scores of one case).
        stored: when it was written, in seconds since 1970.
        model: what was asked, for statistics.
        value: the reply or the scores.
    """

    key: Key
    kind: Literal["reply", "ragas"]
    stored: Annotated[int, Field(ge=0, strict=True)]
    model: str | None
    value: dict[str, Any]


def encode(entry: Entry) -> bytes:
    """Return an entry as a line: its checksum, then itself.

    Raises:
        ValueError: if it holds NaN, infinity or a lone surrogate.
    """
    body = canonical_json(entry.model_dump()).encode()
    return b"".join((_HEAD, _digest(body), _MIDDLE, body, _TAIL))


def decode(data: bytes) -> Entry | None:
    """Return the entry of a line that :func:`encode` wrote; None for one that is torn, altered or another's."""
    body = data[_START : -len(_TAIL)]
    if data != b"".join((_HEAD, _digest(body), _MIDDLE, body, _TAIL)):
        return None
    try:
        return Entry.model_validate(from_json(body, allow_inf_nan=False))
    except ValueError:
        return None


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
