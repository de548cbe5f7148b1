"""Text that stands in base64 inside a text."""

import base64
import binascii
from collections.abc import Iterator

from rag_gate.late import Late

_RUN = Late(r"(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{16,4000}={0,2}(?![0-9A-Za-z+/_=-])")
_READABLE = Late(r"[\s\x20-\x7e\u00a0-\u024f\u3000-\u9fff\uff00-\uffef]+\Z")


def decoded_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, what it says) for each run of base64 that holds readable text."""
    for found in _RUN.finditer(text):
        run = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        if len(run) % 4 == 1:
            continue
        try:
            said = base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if _READABLE.match(said):
            yield (*found.span(), said)
