"""Which sentences of an answer the claims of a judge speak about, and which they pass over."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rag_gate.judge.llm.declining import says_only_that_it_declines
from rag_gate.judge.llm.marks import ASSENT, same_script
from rag_gate.judge.llm.quoting import quotable
from rag_gate.judge.llm.statement import Statement, Told
from rag_gate.judge.values import Value
from rag_gate.text import normalise
from rag_gate.wording.markers import blank_citations
from rag_gate.wording.refusal_phrases import HAND_OFF, POLITE
from rag_gate.wording.sentences import split_sentences

#: Share of a claim's words that stand in the answer, or of a sentence's words that stand in the claims.
_MOSTLY = 0.5
#: A sentence with fewer words of content may be a greeting.
_STATES = 3
#: A reply is no judgment of the answer if it passes over so many statements, and names a quarter as many claims or fewer.
_PASSED_OVER, _TIMES = 4, 4
#: Beyond it, repetitions are looked for among equal claims only.
_MANY = 500


@dataclass(slots=True)
class Coverage:
    """An answer, and what a reply says about it.

    Attributes:
        answer: as sent.
        question: as sent; a claim may spell out what the answer takes from it ("Yes.").
        said: both together.
        sentences: of the answer, without those that only decline.
    """

    answer: str
    question: str
    said: Statement = field(init=False)
    sentences: list[Statement] = field(init=False)

    def __post_init__(self) -> None:
        """Take the answer apart."""
        text = blank_citations(self.answer)
        self.said = Statement(f"{text}\n{self.question}")
        known: dict[str, Statement] = {}
        self.sentences = [
            known.setdefault(span.text, Statement.of(span.text))
            for span in split_sentences(text)
            if not says_only_that_it_declines(span.text)
        ]

    def foreign(self, claims: Sequence[Statement]) -> set[int]:
        """Return which claims (by place) the answer does not make.

        A claim is the answer's if most of its words are the answer's (or the question's). One in other words is
        taken for a paraphrase of a sentence that it shares a word with, or that has no words of its own ("Yes."), if
        no claim in the answer's words speaks of that sentence already.
        """
        own = {at for at, claim in enumerate(claims) if self._is_in_its_words(claim)}
        free = self._uncovered([claims[at] for at in sorted(own)])
        found = set()
        for at, claim in enumerate(claims):
            if at in own:
                continue
            place = next((place for place in free if _may_paraphrase(claim, self.sentences[place])), None)
            if place is None:
                found.add(at)
            else:
                free.remove(place)
        return found

    def _is_in_its_words(self, claim: Statement) -> bool:
        if claim.text in self.said.text:
            return True
        return bool(claim.content) and len(claim.content & self.said.keys) >= _MOSTLY * len(claim.content)

    def _uncovered(self, claims: Sequence[Statement]) -> list[int]:
        keys: set[str] = set()
        for claim in claims:
            keys |= claim.keys
        return [
            at
            for at, sentence in enumerate(self.sentences)
            if len(sentence.content & keys) < _MOSTLY * len(sentence.content)
        ]

    def unclaimed_numbers(self, claims: Sequence[Statement]) -> list[str]:
        """Return the sentences with a number, date or code that no claim states of what they speak about.

        A number that the question states is no statement of the answer. One without a unit in a sentence that is
        claimed otherwise may be a label ("Case 3: ...").
        """
        asked = Statement.of(self.question)
        told = Told(claims)
        passed_over = set(self._uncovered(claims))
        covered = {each.text for at, each in enumerate(self.sentences) if at not in passed_over}
        found: dict[str, bool] = {}
        for sentence in self.sentences:
            if sentence.text not in found:
                found[sentence.text] = any(
                    not asked.states(value)
                    and not (sentence.text in covered and value.kind == "number" and not value.unit)
                    and not self._is_claimed(value, sentence, told.stating(value))
                    for value in sentence.values
                )
        return [text for text, unclaimed in found.items() if unclaimed]

    def _is_claimed(self, value: Value, sentence: Statement, stating: Sequence[Statement]) -> bool:
        """Tell whether a claim states the value about the same thing, or as many claims as sentences state it."""
        if not stating or any(_speaks_of(claim, sentence) for claim in stating):
            return bool(stating)
        return len(stating) >= len({other.text for other in self.sentences if other.states(value)})

    def passed_over(self, claims: Sequence[Statement]) -> list[str]:
        """Return the statements (greetings, questions and hints whom to ask are none) of which most words no claim has."""
        return [
            self.sentences[at].text for at in self._uncovered(claims) if _is_statement(self.sentences[at])
        ]

    def is_no_judgment(self, claims: Sequence[Statement], passed_over: Sequence[str]) -> bool:
        """Tell whether a reply leaves most of the answer out."""
        statements = sum(map(_is_statement, self.sentences))
        return len(passed_over) >= _PASSED_OVER and _TIMES * len(claims) <= statements


def repeated(claims: Sequence[Statement], supported: Sequence[bool]) -> set[int]:
    """Return which claims (by place) say what another one says, so that each counts once.

    One that is written like another counts as unsupported if either is. A supported claim all of whose words stand in
    another supported one says nothing of its own, and single words count as one claim.
    """
    order = sorted(range(len(claims)), key=lambda at: (supported[at], -len(claims[at].keys), at))
    written: set[str] = set()
    kept: list[frozenset[str]] = []
    found = set()
    words = False
    for at in order:
        claim = claims[at]
        plain = quotable(claim.text)
        is_word = len(claim.content) <= 1 and not claim.values
        if plain in written or (
            supported[at] and ((is_word and words) or any(claim.keys <= other for other in kept))
        ):
            found.add(at)
            continue
        written.add(plain)
        if supported[at]:
            words = words or is_word
            if len(kept) < _MANY:
                kept.append(claim.keys)
    return found


def _may_paraphrase(claim: Statement, sentence: Statement) -> bool:
    if not sentence.marks - ASSENT or not claim.marks:
        return True
    return bool(claim.marks & sentence.marks) or not same_script(claim.text, sentence.text)


def _speaks_of(claim: Statement, sentence: Statement) -> bool:
    return not sentence.topic or bool(claim.topic & sentence.topic)


def _is_statement(sentence: Statement) -> bool:
    plain = normalise(sentence.text)
    if len(sentence.marks) < _STATES or plain.endswith("?"):
        return False
    return not (POLITE.match(plain) or HAND_OFF.search(plain))
