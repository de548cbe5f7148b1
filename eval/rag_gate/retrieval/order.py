"""What was retrieved for one case and in which order, as one short text that can be kept in a baseline."""

import hashlib
from collections.abc import Sequence
from typing import cast

from rag_gate.dataset import Joined

_DIGITS = 16


def retrieved_fingerprint(joined: Joined) -> str | None:
    """Return 16 hexadecimal digits for the ids of all results in rank order, a result's text where it has no id.

    It depends neither on the unit of the gold ids nor on the cut-offs.

    Returns:
        None where nothing is known of what was retrieved: not executed, not in the run, no list of results.
    """
    record = joined.record
    if record is None or joined.state == "error" or not record.has_results:
        return None
    try:
        named = "\0".join(cast("Sequence[str]", record.ids))
    except TypeError:  # a result without id
        named = "\0".join(item or text or "" for item, text in zip(record.ids, record.texts(), strict=True))
    return hashlib.sha256(f"{len(record.ids)}\0{named}".encode("utf-8", "surrogatepass")).hexdigest()[
        :_DIGITS
    ]
