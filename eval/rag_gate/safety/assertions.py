"""Negative assertions: does an answer say what it must not say?"""

from dataclasses import dataclass

from rag_gate.folding import Folded, fold
from rag_gate.records.assertion import NegativeAssertion
from rag_gate.safety.negation_en import judge_english
from rag_gate.safety.negation_ja import judge_japanese
from rag_gate.safety.occurrences import find_spans, is_cut_off
from rag_gate.safety.sentences import sentence_around
from rag_gate.safety.verdicts import ASSERTED, Finding, Status, uncertain
from rag_gate.text import has_cjk

#: More occurrences than this are not looked at one by one.
MAX_OCCURRENCES = 100
_WORST_FIRST: tuple[Status, ...] = ("asserted", "uncertain", "negated")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where the words stand.

    Attributes:
        start: offset in the answer as given (code points).
        end: offset after the last character.
        quote: ``answer[start:end]``.
        status: what the sentence around does with the words.
        cue: the words or the rule that decided it; None if nothing speaks against the claim.
    """

    start: int
    end: int
    quote: str
    status: Status
    cue: str | None


@dataclass(frozen=True, slots=True)
class AssertionResult:
    """What was found for one assertion.

    Attributes:
        assertion: its text or pattern.
        status: the worst occurrence (asserted, uncertain, negated), or absent. Only ``asserted`` violates;
            ``uncertain`` is for a judge, a warning or, where the user is strict, a failure.
        occurrences: in the order of the answer, the first 100.
    """

    assertion: str
    status: Status
    occurrences: tuple[Occurrence, ...] = ()


def check_assertion(assertion: NegativeAssertion, answer: str) -> AssertionResult:
    """Look for a negative assertion in an answer.

    An answer too long to be searched or judged whole (a regex beyond 20,000 characters, more than 100
    occurrences) is uncertain unless something asserted is found.
    """
    folded = fold(answer)
    occurrences: list[Occurrence] = []
    complete = not is_cut_off(assertion, answer)
    for start, end in find_spans(assertion, answer):
        if len(occurrences) == MAX_OCCURRENCES:
            complete = False
            break
        status, cue = ASSERTED if assertion.negation == "ignore" else _judge(folded, start, end)
        occurrences.append(Occurrence(start, end, answer[start:end], status, cue))
    found = {occurrence.status for occurrence in occurrences}
    if not complete:
        found.add("uncertain")
    overall: Status = next((status for status in _WORST_FIRST if status in found), "absent")
    return AssertionResult(assertion.wording, overall, tuple(occurrences))


def _judge(folded: Folded, start: int, end: int) -> Finding:
    sentence = sentence_around(folded.text, *folded.place(start, end))
    if sentence.quoted:
        return uncertain("quotation")
    if has_cjk(sentence.before + sentence.match + sentence.after):
        return judge_japanese(sentence)
    return judge_english(sentence)
