"""Labels that cannot be right, and labels that nobody gave."""

from collections.abc import Collection, Iterator

from rag_gate.curation.finding import Finding
from rag_gate.curation.golden import Golden
from rag_gate.records.golden import GoldenCase
from rag_gate.text import contains, counted, normalise, quoted
from rag_gate.wording.refusals import is_refusal

_SHOWN = 3


def labels(golden: Golden) -> Iterator[Finding]:
    """Yield what is wrong inside one case."""
    for key, case in golden.cases.items():
        yield from _forbidden_in_expected(golden, key, case)
        yield from _unanswerable_unsaid(golden, key, case)
    yield from _unlabelled(golden)


def _unlabelled(golden: Golden) -> Iterator[Finding]:
    """Yield, once for the whole set, what some cases do not have."""
    mute = [key for key, case in golden.cases.items() if not case.question]
    if mute:
        message = f"{counted(len(mute), 'case has', 'cases have')} no question ({_some(golden, mute)})"
        yield golden.of_set(
            "no-question", "note", message, "add it: to record a run and to judge answers it is needed"
        )
    open_ended = [
        key
        for key, case in golden.cases.items()
        if case.is_answerable and not case.expected_answers and case.kind == "normal"
    ]
    if open_ended:
        count = counted(len(open_ended), "case has", "cases have")
        message = f"{count} no expected answer ({_some(golden, open_ended)})"
        todo = "add expected_answer, or only retrieval and grounding are measured there"
        yield golden.of_set("no-expected-answer", "note", message, todo)


def _some(golden: Golden, keys: list[str]) -> str:
    shown = ", ".join(golden.line_of(key) for key in keys[:_SHOWN])
    return shown if len(keys) <= _SHOWN else f"{shown}, ..."


def _forbidden_in_expected(golden: Golden, key: str, case: GoldenCase) -> Iterator[Finding]:
    for assertion in case.negative_assertions:
        words = normalise(assertion.text) if assertion.text else ""
        for answer in case.expected_answers:
            if words and contains(words, normalise(answer)):
                message = (
                    f"the expected answer holds what negative_assertions forbid ({quoted(assertion.text)})"
                )
                yield golden.of_case(
                    "forbidden-in-expected", "warning", key, message, "a right answer fails so; correct one"
                )


def _unanswerable_unsaid(golden: Golden, key: str, case: GoldenCase) -> Iterator[Finding]:
    declined = [answer for answer in case.expected_answers if is_refusal(answer)]
    if case.is_answerable and declined and case.kind == "normal":
        message = f"the expected answer declines ({quoted(declined[0])}), but answerable is not false"
        todo = 'say "answerable": false, so that declining counts as right and retrieval is not measured'
        yield golden.of_case("unanswerable-unsaid", "warning", key, message, todo)
    if not case.is_answerable and case.expected_answers and not declined:
        message = "answerable is false, but an expected answer is given that does not decline"
        yield golden.of_case(
            "answer-to-unanswerable", "warning", key, message, "remove the answer, or say what is right"
        )


def unknown_gold(golden: Golden, known: Collection[str], named: str, *, complete: bool) -> Iterator[Finding]:
    """Yield gold ids that are not among the known ones.

    Args:
        golden: the set.
        known: ids of documents and chunks.
        named: where they are from, for the message.
        complete: whether these are all that there are (a corpus), or what some run retrieved.
    """
    for key, case in golden.cases.items():
        asked = [gold for gold, grade in case.grades.items() if grade > 0]
        asked += [item.doc_id for item in case.evidence if item.doc_id is not None]
        absent = [gold for gold in dict.fromkeys(asked) if gold not in known]
        if not absent:
            continue
        shown = ", ".join(quoted(gold) for gold in absent[:_SHOWN])
        if complete:
            message = f"{len(absent)} gold ids are not in {named} ({shown})"
            yield golden.of_case(
                "unknown-gold-id", "warning", key, message, "no retriever can find them; correct them"
            )
        elif len(absent) == len(set(asked)):
            message = f"none of its gold ids was ever retrieved in {named} ({shown})"
            todo = "check the spelling and the unit (chunk or document); name the corpus with --corpus to be sure"
            yield golden.of_case("never-retrieved", "note", key, message, todo)
