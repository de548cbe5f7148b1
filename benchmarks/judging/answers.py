"""Everything but grounding: edits, swapped answers, correctness, relevance, refusals, time."""

from collections.abc import Callable, Sequence
from time import process_time

from judging.accuracy import area, balanced, with_own_limit
from judging.rows import Row
from rag_gate.judge.evidence import Evidence
from rag_gate.judge.reference import Correctness, judge_correctness
from rag_gate.judge.support import ClaimVerdict, judge_claim
from rag_gate.judge.whole_answer import question_coverage
from rag_gate.wording.refusals import is_refusal

Figures = dict[str, int | float | str]
_SEEN: dict[str, Callable[[ClaimVerdict], bool]] = {
    "number": lambda found: bool(found.flags),
    "negation": lambda found: "negation_mismatch" in found.hints,
    "entity_in_context": lambda found: "unknown_entity" in found.hints,
    "para": lambda found: bool(found.flags or found.hints),
}
_MIDDLE = 0.5


def judged(row: Row) -> ClaimVerdict:
    """Judge a row's answer as one claim."""
    return judge_claim(row.answer, Evidence(row.contexts, also_known=row.question))


def edits(rows: Sequence[Row]) -> list[Figures]:
    """Return per kind of edit and language how many rows the judge marks, and how many it calls supported."""
    found = []
    for kind, seen in _SEEN.items():
        for dataset in dict.fromkeys(row.dataset for row in rows):
            own = [judged(row) for row in rows if row.kind == kind and row.dataset == dataset]
            marked, supported = sum(map(seen, own)), sum(one.verdict == "supported" for one in own)
            found.append(_figures(dataset, kind=kind, n=len(own), marked=marked, supported=supported))
    return found


def swapped(rows: Sequence[Row]) -> Figures:
    """Return how often right and swapped answers of the same text are called supported."""
    found = [(row.right, judged(row).verdict == "supported") for row in rows]
    right = [supported for is_right, supported in found if is_right]
    wrong = [supported for is_right, supported in found if not is_right]
    return _figures(
        "jaquad_swap",
        right=len(right),
        wrong=len(wrong),
        right_supported=sum(right),
        wrong_supported=sum(wrong),
    )


def correctness(rows: Sequence[Row]) -> list[Figures]:
    """Return per dataset what became of right and of wrong answers."""
    found = []
    for dataset in dict.fromkeys(row.dataset for row in rows):
        own = [row for row in rows if row.dataset == dataset]
        results = [judge_correctness(row.answer, row.references) for row in own]
        labels = [row.right for row in own]
        told = [None if one.score is None else one.score == 1.0 for one in results]
        ranks = [_rank(one) for one in results]
        whole, middle = area(labels, ranks), balanced(labels, told)
        own_limit = with_own_limit([row.id for row in own], labels, ranks)
        found.append(
            _figures(
                dataset,
                right=sum(labels),
                wrong=len(labels) - sum(labels),
                accepted=sum(bool(one) and label for one, label in zip(told, labels, strict=True)),
                rejected=sum(one is False and not label for one, label in zip(told, labels, strict=True)),
                undecided=told.count(None),
                area=whole.value,
                area_error=whole.error,
                balanced=middle.value,
                balanced_error=middle.error,
                own_limit=own_limit.value,
                own_limit_error=own_limit.error,
            )
        )
    return found


def _rank(found: Correctness) -> float:
    """Order the three results, and within them by what was shared."""
    return 2 * (0.5 if found.score is None else found.score) + found.recall


def relevance(rows: Sequence[Row]) -> list[Figures]:
    """Return per dataset how well question coverage tells own answers from others."""
    found = []
    for dataset in dict.fromkeys(row.dataset for row in rows):
        own = [row for row in rows if row.dataset == dataset]
        covered = [question_coverage(row.question, row.answer) or 0.0 for row in own]
        labels = [row.right for row in own]
        whole, middle = area(labels, covered), balanced(labels, [score >= _MIDDLE for score in covered])
        found.append(
            _figures(
                dataset,
                right=sum(labels),
                wrong=len(labels) - sum(labels),
                area=whole.value,
                area_error=whole.error,
                balanced=middle.value,
                balanced_error=middle.error,
            )
        )
    return found


def refusals(rows: Sequence[Row]) -> Figures:
    """Return how many evasive answers are taken for refusals, and how many real ones."""
    evasive = [is_refusal(row.answer) for row in rows if row.kind == "refusal"]
    real = [is_refusal(row.answer) for row in rows if row.right]
    return _figures("all", evasive=len(evasive), seen=sum(evasive), real=len(real), false=sum(real))


def milliseconds(rows: Sequence[Row]) -> dict[str, float]:
    """Return the mean time of one claim with its contexts per dataset, and over all rows (``all``)."""
    times: dict[str, list[float]] = {}
    for row in rows:
        began = process_time()
        judged(row)
        times.setdefault(row.dataset, []).append(1000 * (process_time() - began))
    every = [spent for own in times.values() for spent in own]
    return {name: sum(own) / len(own) for name, own in times.items()} | {"all": sum(every) / len(every)}


def _figures(dataset: str, **values: float | str) -> Figures:
    """Return the figures, shares to four decimals."""
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in values.items()}
    return {"dataset": dataset, **rounded}
