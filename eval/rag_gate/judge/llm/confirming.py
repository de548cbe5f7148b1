"""Whether a failing verdict about a case stands, when the case was judged again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rag_gate.judge.llm.opinion import Opinion, combined

Confirmation = Literal["confirmed", "overturned", "unresolved"]


def confirmed(every: Sequence[Opinion]) -> tuple[Opinion, Confirmation]:
    """Return the opinion that counts of several about one case, the first of which fails it.

    Verdicts are counted, not scores: an answer that one verdict calls unfaithful and another one wrong fails twice.

    - ``confirmed``: most of them fail the case. Of each metric the (lower) median counts; if the medians pass it, since
      the verdicts fail it for different reasons, the first failing verdict does.
    - ``overturned``: most of them are whole and pass it; the medians count.
    - ``unresolved``: neither, since too many could not be had; the first verdict stays.
    """
    middle = combined(every)
    failing = [each for each in every if each.fails]
    if 2 * len(failing) > len(every):
        return (middle if middle.fails else _with_detail_of(failing[0], middle)), "confirmed"
    if 2 * sum(each.passes for each in every) > len(every):
        return middle, "overturned"
    return _with_detail_of(every[0], middle), "unresolved"


def _with_detail_of(one: Opinion, all_together: Opinion) -> Opinion:
    """Return one of several opinions with what is kept of all of them."""
    return replace(
        one,
        detail={**one.detail, "repeats": all_together.detail["repeats"]},
        raw=all_together.raw,
        error=all_together.error,
    )
