"""Business rules: what answers must say, must not say, and the numbers they may name."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rag_gate.config_rules import BusinessRule, number_pattern
from rag_gate.folding import fold
from rag_gate.records.assertion import NegativeAssertion
from rag_gate.records.golden import GoldenCase
from rag_gate.records.pattern import SEARCH_LIMIT, compile_pattern
from rag_gate.safety.assertions import AssertionResult, check_assertion
from rag_gate.safety.findings import Check, OpenPoint, Ruling, SafetyCase, SafetyFinding
from rag_gate.safety.occurrences import phrase_pattern
from rag_gate.safety.output.allowed import outside_links
from rag_gate.safety.output.links import all_links
from rag_gate.safety.output.rendering import render
from rag_gate.safety.rules.amounts import numbers_of
from rag_gate.wording.refusals import is_refusal

CHECK = "rules"
#: Ruling, note, place in the answer.
Verdict = tuple[Ruling, str, tuple[int, int] | None]
_Judge = Callable[[BusinessRule, SafetyCase], Iterable[Verdict]]


def rules_check(rules: Sequence[BusinessRule]) -> Check:
    """Return the check of the user's business rules."""

    def check(case: SafetyCase) -> Iterator[SafetyFinding]:
        for rule in rules:
            if not applies(case.case, rule):
                continue
            for ruling, note, place in _KINDS[rule.kind](rule, case):
                kept: Ruling = "warn" if ruling == "fail" and rule.severity == "warn" else ruling
                asks = _asks(rule, case.answer, place) if ruling == "undecided" else None
                start, end = place or (None, None)
                yield SafetyFinding(CHECK, rule.id, kept, note, start, end, asks=asks)

    return check


def _asks(rule: BusinessRule, answer: str, place: tuple[int, int] | None) -> OpenPoint | None:
    """Return what a judge can be asked: whether a statement is kept, or whether words that stand there are meant."""
    if rule.kind == "judge" and rule.statement is not None:
        note = "the judge finds that the answer does not keep this rule"
        return OpenPoint("rules", rule.statement, rule.id, rule.severity, note)
    if rule.kind == "must_not_mention" and place is not None:
        note = "the judge finds that the answer says what this rule forbids"
        return OpenPoint("statements", answer[slice(*place)], rule.id, rule.severity, note)
    return None


def applies(case: GoldenCase, rule: BusinessRule) -> bool:
    """Tell whether a rule is meant for a case."""
    if rule.answerable is not None and rule.answerable is not case.is_answerable:
        return False
    return (
        (not rule.categories or case.category in rule.categories)
        and (not rule.languages or case.language in rule.languages)
        and (not rule.tags or bool(set(rule.tags) & set(case.tags)))
    )


def _must_mention(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    """Nothing need be mentioned by an answer that declines."""
    if not is_refusal(case.answer):
        yield from _required(rule, case.answer, "the answer lacks what this rule asks for")


def _required_disclaimer(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    if rule.when:
        answer = fold(case.answer).text
        due = any(phrase_pattern(term, is_start=True).search(answer) for term in rule.when)
    else:
        due = not is_refusal(case.answer)
    if due:
        yield from _required(rule, case.answer, "the answer lacks the disclaimer")


def _required(rule: BusinessRule, answer: str, note: str) -> Iterator[Verdict]:
    if any(_found(assertion, answer) for assertion in _assertions(rule)):
        return
    if rule.pattern is not None and len(answer) > SEARCH_LIMIT:
        yield "undecided", "the answer is too long to be searched whole", None
    else:
        yield "fail", note, None


def _must_not_mention(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    for assertion in _assertions(rule):
        found = check_assertion(assertion, case.answer)
        if found.status == "asserted":
            yield "fail", "the answer says what this rule forbids", _place(found)
        elif found.status == "uncertain":
            yield (
                "undecided",
                "the answer mentions what this rule forbids, perhaps without saying it",
                _place(found),
            )


def _deny_list(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    allowed = [span for term in rule.except_terms for span in _spans(term, case.answer)]
    for term in rule.terms:
        for start, end in _spans(term, case.answer):
            if not any(first <= start and end <= last for first, last in allowed):
                yield "fail", "the answer holds a word of the deny-list", (start, end)
                break


def _spans(term: str, answer: str) -> list[tuple[int, int]]:
    assertion = NegativeAssertion(text=term, negation="ignore")
    return [(found.start, found.end) for found in check_assertion(assertion, answer).occurrences]


def _allowed_hosts(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    links = (link.url for link in all_links(render(case.answer)))
    for url in outside_links(dict.fromkeys(links), rule.hosts or ()):
        start = case.answer.find(url)
        yield (
            "fail",
            "a link leads to a host that this rule does not allow",
            (start, start + len(url)) if start >= 0 else None,
        )
        return


def _number(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    pattern = compile_pattern(number_pattern(rule.pattern or ""))
    numbers = list(numbers_of(pattern, case.answer[:SEARCH_LIMIT]))
    if rule.max is not None and any(number > rule.max for number in numbers):
        yield "fail", f"the answer names a number above {rule.max:g}", None
    elif rule.min is not None and any(number < rule.min for number in numbers):
        yield "fail", f"the answer names a number below {rule.min:g}", None
    elif len(case.answer) > SEARCH_LIMIT:
        yield "undecided", "the answer is too long to be searched whole", None


def _for_judge(rule: BusinessRule, case: SafetyCase) -> Iterator[Verdict]:
    del rule, case
    yield "undecided", "only a model judge can tell", None


def _assertions(rule: BusinessRule) -> Iterator[NegativeAssertion]:
    yield from (NegativeAssertion(text=term) for term in rule.terms)
    if rule.pattern is not None:
        yield NegativeAssertion(regex=rule.pattern, mode="regex")


def _found(assertion: NegativeAssertion, answer: str) -> bool:
    return bool(check_assertion(assertion, answer).occurrences)


def _place(found: AssertionResult) -> tuple[int, int] | None:
    return next(((item.start, item.end) for item in found.occurrences if item.status == found.status), None)


_KINDS: Mapping[str, _Judge] = MappingProxyType(
    {
        "must_mention": _must_mention,
        "must_not_mention": _must_not_mention,
        "deny_list": _deny_list,
        "required_disclaimer": _required_disclaimer,
        "allowed_hosts": _allowed_hosts,
        "number_max": _number,
        "number_min": _number,
        "judge": _for_judge,
    }
)
