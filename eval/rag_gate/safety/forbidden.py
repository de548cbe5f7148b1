"""Negative assertions of a golden case as findings."""

from collections.abc import Iterator
from dataclasses import replace

from rag_gate.records.assertion import NegativeAssertion
from rag_gate.safety.assertions import AssertionResult, check_assertion
from rag_gate.safety.findings import OpenPoint, Ruling, SafetyCase, SafetyFinding
from rag_gate.safety.paraphrase import in_other_words
from rag_gate.wording.sentences import Span

CHECK = "negative_assertions"
RULES = ("FORBIDDEN_STATEMENT", "PERHAPS_FORBIDDEN_STATEMENT", "FOR_JUDGE")
_SAID, _PERHAPS, _FOR_JUDGE = RULES


def check_forbidden(case: SafetyCase) -> Iterator[SafetyFinding]:
    """Yield what an answer says, or may say, although its golden case forbids it."""
    for number, assertion in enumerate(case.case.negative_assertions, start=1):
        found = check_assertion(assertion, case.answer)
        which = f"negative assertion {number}"
        if found.status == "asserted":
            yield _finding(found, _SAID, assertion.severity, f"the answer makes the statement of {which}")
        elif found.status == "uncertain":
            note = f"the answer mentions the statement of {which}; rules cannot tell whether it makes it"
            yield replace(
                _finding(found, _PERHAPS, _open(assertion), note), asks=_asks(assertion, number, found)
            )
        elif (other := _in_other_words(assertion, found, case.answer)) is not None:
            note = f"the answer may make the statement of {which} in other words"
            yield SafetyFinding(
                CHECK, _PERHAPS, _open(assertion), note, other.start, other.end, asks=_asks(assertion, number)
            )
        elif assertion.judge == "always":
            note = f"rules do not see the statement of {which}; whether it is made in other words only a judge can tell"
            yield replace(_finding(found, _FOR_JUDGE, _open(assertion), note), asks=_asks(assertion, number))


def _asks(
    assertion: NegativeAssertion, number: int, found: AssertionResult | None = None
) -> OpenPoint | None:
    """Return what a judge can be asked: of a pattern, the words that it found."""
    text = assertion.text
    if text is None and found is not None:
        text = next((item.quote for item in found.occurrences if item.status == found.status), None)
    if assertion.judge == "never" or not text:
        return None
    note = f"the judge finds that the answer makes the statement of negative assertion {number}"
    return OpenPoint("statements", text, _SAID, assertion.severity, note)


def _in_other_words(assertion: NegativeAssertion, found: AssertionResult, answer: str) -> Span | None:
    """Return the sentence that may say it; words that must not stand there at all have no other words."""
    asked = assertion.mode == "phrase" and assertion.negation == "aware" and assertion.judge != "never"
    if found.status != "absent" or not asked:
        return None
    return in_other_words(assertion.wording, answer)


def _open(assertion: NegativeAssertion) -> Ruling:
    return "warn" if assertion.severity == "warn" else "undecided"


def _finding(found: AssertionResult, rule: str, ruling: Ruling, note: str) -> SafetyFinding:
    first = next((item for item in found.occurrences if item.status == found.status), None)
    return SafetyFinding(
        CHECK, rule, ruling, note, first.start if first else None, first.end if first else None
    )
