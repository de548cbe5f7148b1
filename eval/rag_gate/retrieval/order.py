"""What was retrieved for one case and in which order, as one short text that can be kept in a baseline."""

from collections.abc import Sequence
from typing import cast

from rag_gate.dataset import Joined
from rag_gate.records.run import results_fingerprint


def retrieved_fingerprint(joined: Joined) -> str | None:
    """Return 16 hexadecimal digits for the ids of all results in rank order, a result's text where it has no id.

    It depends neither on the unit of the gold ids nor on the cut-offs.

    Returns:
        None where nothing is known of what was retrieved: not executed, not in the run, no list of results.
    """
    record = joined.record
    if record is None or joined.state == "error" or not record.has_results:
        return None
    names = record.ids
    if None in names:
        texts = record.texts()
        names = [item or text or "" for item, text in zip(names, texts, strict=True)]
    return results_fingerprint(cast("Sequence[str]", names))
