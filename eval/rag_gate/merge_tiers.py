"""Retrieval may be measured on every tier while the other stages saw the core tier only."""

from collections.abc import Mapping
from typing import NamedTuple

from rag_gate.errors import NotJudgedError
from rag_gate.files import fingerprint
from rag_gate.measures import measure_of
from rag_gate.records.partial import CaseScore, DatasetInfo, Partial

Rows = Mapping[str, CaseScore]


class Tiers(NamedTuple):
    """Rows of one stage, by tier."""

    core: Rows
    extended: list[CaseScore]


def is_wider(partial: Partial, dataset: DatasetInfo) -> bool:
    """Tell whether a partial measured retrieval on all tiers, and ``dataset`` is the core tier."""
    return partial.kind == "retrieval" and partial.dataset.tier == "extended" and dataset.tier == "core"


def split_tiers(rows: Rows, dataset: DatasetInfo) -> Tiers:
    """Part the rows of all tiers into the core tier that the other stages measured, and the rest.

    Of the rest only what retrieval measures is kept: their answers are nobody's business in this run.

    Raises:
        NotJudgedError: if the core cases are not those of ``dataset``.
    """
    core = {key: row for key, row in rows.items() if row.info.tier == "core"}
    if fingerprint({key: row.fingerprint for key, row in core.items()}) != dataset.fingerprint:
        raise NotJudgedError(
            "merge: the stage 'retrieval' measured all tiers of another golden set than the other stages; "
            "run all stages on the same set"
        )
    return Tiers(core, [_retrieval_only(row) for key, row in rows.items() if key not in core])


def _retrieval_only(row: CaseScore) -> CaseScore:
    kept = {name for name in row.scores if (found := measure_of(name)) and found.dimension == "retrieval"}
    return row.model_copy(
        update={
            "scores": {name: value for name, value in row.scores.items() if name in kept},
            "reasons": {name: reason for name, reason in row.reasons.items() if name in kept},
        }
    )
