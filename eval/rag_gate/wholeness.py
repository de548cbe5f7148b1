"""Whether results or a baseline are what the tool wrote: whole, and at one with themselves.

A file that was cut, joined by hand or edited must not be judged as if it had been measured.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rag_gate.errors import InputError
from rag_gate.measures import is_possible, measure_of, measures_ranks
from rag_gate.records.anchor import AnchorCase
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results

_MOST_PROBLEMS = 5
_Cases = Sequence[CaseResult | CaseScore | BaselineCase | AnchorCase]


def refuse_broken(document: Results | Baseline, where: str, command: str) -> None:
    """Refuse a file of ours that does not hold what its head says.

    Args:
        document: results or a baseline.
        where: the file, for messages.
        command: the command that writes such a file.

    Raises:
        InputError: one line per problem (the first few), and what to do.
    """
    problems = [*_case_problems([*document.cases, *document.extended_retrieval]), *_head_problems(document)]
    anchor = document.anchor if isinstance(document, Baseline) else None
    if anchor is not None:
        problems += [f"anchor: {problem}" for problem in _case_problems(anchor.cases)]
        problems += [f"anchor: {problem}" for problem in _mean_problems(anchor.metrics, anchor.cases)]
    if problems:
        lines = [f"{where}: {problem}" for problem in problems[:_MOST_PROBLEMS]]
        raise InputError.of(
            [*lines, f"{where}: was changed after it was written; write it again with {command}"]
        )


def _case_problems(cases: _Cases) -> Iterator[str]:
    seen: set[str] = set()
    for case in cases:
        if case.question_id in seen:
            yield f"cases: '{case.question_id}' stands twice"
        seen.add(case.question_id)
        for name, value in case.scores.items():
            if value is not None and not (0 <= value <= 1 or is_possible(name, value)):
                yield f"cases: '{case.question_id}': {name} is a share from 0 to 1, found {value}"


def _head_problems(document: Results | Baseline) -> Iterator[str]:
    expected = document.dataset.n_cases if document.dataset else len(document.cases)
    if len(document.cases) != expected:
        yield f"holds {len(document.cases)} of {expected} cases"
    means: Mapping[str, float | None]
    if isinstance(document, Results):
        means = {name: found.mean for name, found in document.metrics.items()}
        if means != document.scores:
            yield "scores: differ from the means under metrics"
        yield from _count_problems(document)
    else:
        means = document.metrics
    yield from _mean_problems(means, [*document.cases, *document.extended_retrieval])


def _count_problems(results: Results) -> Iterator[str]:
    """Compare each metric's denominators with the cases that have it, scored or not."""
    rows = Counter(name for case in results.cases for name in case.scores)
    rows.update(name for case in results.extended_retrieval for name in case.scores)
    for name, found in sorted(results.metrics.items()):
        measure = measure_of(name)
        zeroed = measure is not None and measure.stage == "retrieval"
        missing = 0 if zeroed else found.n_missing
        told = found.n_scored + found.n_excluded + found.n_unscored + missing
        if rows[name] != told:
            yield f"{name}: counts {told} cases, and {rows[name]} have it"
    for row in results.extended_retrieval:
        if foreign := sorted(name for name in row.scores if not measures_ranks(name)):
            yield f"extended_retrieval: '{row.question_id}': {foreign[0]} is no metric of retrieval"


def _mean_problems(means: Mapping[str, float | None], cases: _Cases) -> Iterator[str]:
    measured = {name for case in cases for name, value in case.scores.items() if value is not None}
    for name in sorted(measured - means.keys()):
        yield f"{name}: was measured for cases and has no mean"
    for name, value in sorted(means.items()):
        if value is not None and not (0 <= value <= 1 or is_possible(name, value)):
            yield f"{name}: is a share from 0 to 1, found {value}"
        elif value is not None and cases and name not in measured:
            yield f"{name}: has a mean and no case with a score"
