"""Check in code what a model claims to have read: quotations word for word, claims from the answer."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rag_gate.judge.llm.fences import folded
from rag_gate.judge.llm.replies import Claim
from rag_gate.judge.markers import blank_citations
from rag_gate.judge.sentences import split_sentences
from rag_gate.text import has_cjk

#: A quotation of fewer letters and digits shows nothing; nor does one much shorter than its claim.
_SHORTEST, _ENOUGH, _OF_CLAIM = 3, 12, 5
#: A longer quotation is no quotation but the document (unless the claim is long too).
_LONGEST, _TIMES_CLAIM = 600, 10
#: Share of a claim's words (or Japanese character pairs) that must stand in the answer.
_FROM_ANSWER = 0.5
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W_]+")
_CJK_RUN = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々ー]+")


@dataclass(slots=True)
class Proofs:
    """The texts against which one case's claims are checked.

    Attributes:
        answer: as sent.
        documents: number -> text, as sent.
    """

    answer: str
    documents: Mapping[int, str]
    _folded: dict[int, str] = field(init=False)
    _units: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Fold the texts once."""
        self._folded = {rank: folded(text) for rank, text in self.documents.items()}
        self._units = units(self.answer)

    def objections(self, claim: Claim) -> list[str]:
        """Return why a claim does not count as supported though the model says so; empty if it does.

        ``no_evidence``: no quotation, or one too short to show anything (fewer than 3 letters and digits, or than a
        fifth of the claim's characters, where 12 are always enough). ``evidence_too_long``: more than 600 characters,
        and ten times the claim. ``evidence_not_found``: it does not stand word for word in the document that is named.
        ``not_in_answer``: most words of the claim are not the answer's.
        """
        found = []
        evidence, document = folded(claim.evidence or ""), self._folded.get(claim.document or 0, "")
        least = max(_SHORTEST, min(_ENOUGH, len(claim.text) // _OF_CLAIM))
        if not evidence or (sum(map(str.isalnum, evidence)) < least and evidence != document):
            found.append("no_evidence")
        elif len(evidence) > max(_LONGEST, _TIMES_CLAIM * len(claim.text)):
            found.append("evidence_too_long")
        elif evidence not in document:
            found.append("evidence_not_found")
        if not self._is_from_answer(claim.text):
            found.append("not_in_answer")
        return found

    def unclaimed(self, claims: Iterable[Claim]) -> list[str]:
        """Return the sentences of the answer that state a number and of which no claim says anything.

        A judge that leaves a statement out has not judged it. Sentences without a number may be greetings.
        """
        texts = [claim.text for claim in claims]
        known = frozenset().union(*map(units, texts)) if texts else frozenset()
        numbers = {number for text in texts for number in _NUMBER.findall(folded(text))}
        return [
            span.text
            for span in split_sentences(blank_citations(self.answer))
            if (stated := set(_NUMBER.findall(folded(span.text)))) - numbers == stated != set()
            and len(units(span.text) & known) < _FROM_ANSWER * len(units(span.text))
        ]

    def _is_from_answer(self, text: str) -> bool:
        wanted = units(text)
        return bool(wanted) and len(wanted & self._units) >= _FROM_ANSWER * len(wanted)


def units(text: str) -> frozenset[str]:
    """Return the words of a text, and of Japanese and Chinese the pairs of neighbouring characters."""
    plain = folded(text).casefold()
    found = set()
    for run in _CJK_RUN.findall(plain) if has_cjk(plain) else ():
        found.update({run[at : at + 2] for at in range(len(run) - 1)} or {run})
    found.update(_WORD.findall(_CJK_RUN.sub(" ", plain)))
    return frozenset(found)
