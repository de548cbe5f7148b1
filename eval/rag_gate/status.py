"""Which stage failed, for one case: both truths are kept, the status only names the stage to look at.

A right answer is no proof of right retrieval, and right retrieval is no proof of a right answer.
"""

from typing import NamedTuple

from rag_gate.records.results import Status


class Judged(NamedTuple):
    """What is known about one case; None = not known."""

    retrieval_ok: bool | None
    answer_ok: bool | None
    safety_ok: bool | None


def status_of(known: Judged, *, retrieval_due: bool, answer_due: bool) -> Status:
    """Name the stage that failed.

    Args:
        known: the three truths.
        retrieval_due: whether retrieval had to be measured for this case (not for unanswerable ones).
        answer_due: whether the answer had to be measured.

    A broken safety rule comes first: such an answer cannot be released whatever else holds. Then
    retrieval, then the answer. A stage that was due and is not known makes the case ``unscored``,
    unless one that comes before it is known to have failed: what the answer lost cannot be told from
    what retrieval lost. It is never counted as passed.
    """
    retrieval, answer, safety = known
    if safety is False:
        return "safety_failure"
    if retrieval is False:
        return "retrieval_and_generation_failure" if answer is False else "retrieval_failure"
    if retrieval_due and retrieval is None:
        return "unscored"
    if answer is False:
        return "generation_failure"
    if answer_due and answer is None:
        return "unscored"
    return "passed" if True in known else "unscored"
