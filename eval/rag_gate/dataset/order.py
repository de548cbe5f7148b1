"""The order in which a golden set's file gives its cases."""

from rag_gate.dataset.golden_set import GoldenSet
from rag_gate.dataset.rows import iter_rows
from rag_gate.records.run import id_of


def in_file_order(golden: GoldenSet) -> list[str]:
    """Return the ids of the evaluated cases in the order of their rows; cases without an id of their own come last."""
    places: dict[str, int] = {}
    for row in iter_rows(golden.source):
        given = id_of(row.content)
        if given is not None:
            places.setdefault(given, len(places))
    return sorted(golden.cases, key=lambda key: (places.get(key, len(places)), key))
