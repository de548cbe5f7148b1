"""Cases that ask the same, and the same question in both tiers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rag_gate.curation.finding import Finding
from rag_gate.curation.golden import Golden
from rag_gate.curation.grams import plain
from rag_gate.curation.near import Pair, near_pairs
from rag_gate.judge.polarity import negations
from rag_gate.records.golden import GoldenCase

#: Above this share of common n-grams two questions are near copies.
ALIKE = 0.8
#: Above this one they are also reported where their labels differ.
VERY_ALIKE = 0.9


def copies(golden: Golden) -> Iterator[Finding]:
    """Yield the questions that stand twice, word by word or nearly so.

    Near copies with other gold ids and another answer are mostly two questions with another name or number in them:
    they are reported only where nearly every n-gram is common and the numbers are the same.
    """
    asked = {key: plain(case.question) for key, case in golden.cases.items() if case.question}
    texts = {key: text for key, text in asked.items() if text}
    first: dict[str, str] = {}
    different: dict[str, str] = {}
    for key, text in texts.items():
        if text in first:
            yield _same(golden, key, first[text])
        else:
            first[text] = key
            different[key] = text
    reported: set[str] = set()
    for group in _groups(golden, different):
        for pair in near_pairs(group, ALIKE):
            if pair.name not in reported and _may_be_one(golden, pair):
                reported.add(pair.name)
                yield _near(golden, pair)
    left = {key: text for key, text in different.items() if key not in reported}
    for group in _by_numbers(left):
        for pair in near_pairs(group, VERY_ALIKE):
            if not _agree(golden.cases[pair.name], golden.cases[pair.first]):
                yield _other_labels(golden, pair.name, pair.first, "asks nearly the same as")


def _groups(golden: Golden, texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the texts with the same numbers of the cases that want the same documents, the same answer, or neither."""
    groups: dict[object, dict[str, str]] = defaultdict(dict)
    for key, text in texts.items():
        for label in _labels(golden.cases[key]):
            groups[label, _digits(text)][key] = text
    yield from groups.values()


def _by_numbers(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the texts that have the same numbers: another year or article number makes another question."""
    groups: dict[object, dict[str, str]] = defaultdict(dict)
    for key, text in texts.items():
        groups[_digits(text)][key] = text
    yield from groups.values()


def _may_be_one(golden: Golden, pair: Pair) -> bool:
    """Tell whether nothing speaks against a pair being one question.

    Other answers do, unless nearly all is common (two people may have written the answers) and none is negated.
    """
    one, other = golden.cases[pair.name], golden.cases[pair.first]
    answers = [set(map(plain, case.expected_answers)) for case in (one, other)]
    if not all(answers) or not answers[0].isdisjoint(answers[1]):
        return True
    denied = [len(negations(case.question or "")) for case in (one, other)]
    return pair.likeness >= VERY_ALIKE and denied[0] == denied[1]


def _labels(case: GoldenCase) -> Iterator[object]:
    wanted = frozenset(gold for gold, grade in case.grades.items() if grade > 0)
    if wanted:
        yield wanted
    yield from dict.fromkeys(map(plain, case.expected_answers))
    if not wanted and not case.expected_answers:
        yield None


def _same(golden: Golden, key: str, first: str) -> Finding:
    if golden.cases[key].tier != golden.cases[first].tier:
        return _leak(golden, key, first, "asks the same as")
    if not _agree(golden.cases[key], golden.cases[first]):
        return _other_labels(golden, key, first, "asks the same as")
    message = f"asks the same as {golden.line_of(first)}"
    return golden.of_case("duplicate-question", "warning", key, message, "remove one: it would count twice")


def _near(golden: Golden, pair: Pair) -> Finding:
    if golden.cases[pair.name].tier != golden.cases[pair.first].tier:
        return _leak(
            golden, pair.name, pair.first, f"is nearly the question (likeness {pair.likeness:.2f}) of"
        )
    message = f"asks nearly the same as {golden.line_of(pair.first)} (likeness {pair.likeness:.2f})"
    todo = "keep both only if the other wording is what the case is there for"
    return golden.of_case("near-duplicate", "warning", pair.name, message, todo)


def _leak(golden: Golden, key: str, first: str, what: str) -> Finding:
    message = (
        f"of tier {golden.cases[key].tier} {what} {golden.line_of(first)} of tier {golden.cases[first].tier}"
    )
    todo = "keep it in one tier, or the tiers do not measure apart from each other"
    return golden.of_case("tier-leak", "warning", key, message, todo)


def _other_labels(golden: Golden, key: str, first: str, what: str) -> Finding:
    message = f"{what} {golden.line_of(first)}, but has other gold ids and another expected answer"
    return golden.of_case("contradicting-labels", "warning", key, message, "correct the one that is wrong")


def _agree(left: GoldenCase, right: GoldenCase) -> bool:
    """Tell whether two cases want the same documents or the same answer."""
    return not set(_labels(left)).isdisjoint(_labels(right))


def _digits(text: str) -> tuple[str, ...]:
    return tuple(sorted("".join(char if char.isdigit() else " " for char in text).split()))
