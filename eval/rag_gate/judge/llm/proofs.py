"""Check in code what a model claims to have read: quotations word for word, claims and numbers from the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_gate.judge.llm.alike_values import alike
from rag_gate.judge.llm.marks import marks, same_script
from rag_gate.judge.llm.quotations import Quotation, Source
from rag_gate.judge.llm.quoting import quotable
from rag_gate.judge.llm.replies import Claim
from rag_gate.judge.llm.statement import Statement
from rag_gate.judge.polarity import disagreements, polarity
from rag_gate.judge.values import Value
from rag_gate.late import Late
from rag_gate.text import contains

#: A quotation of fewer letters and digits shows nothing; nor does one much shorter than its claim.
_SHORTEST, _ENOUGH, _OF_CLAIM = 3, 12, 5
#: A longer quotation is no quotation but the document (unless the claim is long too).
_LONGEST, _TIMES_CLAIM = 600, 10
#: So many words more may stand in a passage that denies what the claim says in the same words.
_FEW = 2
_NEGATIONS = marks("cannot can't don't doesn't won't isn't aren't didn't wasn't never none unable without")
_CONDITION = Late(
    r"\b(?:if|unless|only|except|without|until|before|after|within|but|otherwise)\b|"
    r"なければ|ない限り|以外|場合|のみ|だけ|以内|まで|まえ|前|後|ただし|が、",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check of one claim found.

    Attributes:
        objections: why it does not count as supported though the model says so.
        notes: what a reader should look at; they decide nothing.
        document: the number of the document that the quotation is from.
    """

    objections: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    document: int | None = None


@dataclass(slots=True)
class Proofs:
    """The texts against which one case's claims are checked.

    Attributes:
        said: what the answer and the question say; what the question states, a claim may repeat.
        question: as sent.
        documents: number -> text, as sent.
    """

    said: Statement
    question: str
    documents: Mapping[int, str]
    _sources: dict[int, Source] = field(init=False, default_factory=dict)
    _whole: dict[int, Statement] = field(init=False, default_factory=dict)

    def of(self, claim: Claim, statement: Statement) -> Proof:
        """Check a claim that the model says is supported.

        Objections: ``no_evidence``: no quotation, or one too short to show anything (fewer than 3 letters and digits,
        or than a fifth of the claim's characters, where 12 are always enough). ``evidence_too_long``: more than 600
        characters, and ten times the claim. ``evidence_not_found``: it stands in no document. ``evidence_unrelated``:
        it shares no word with the claim, nor do the sentences around it. ``number_not_in_answer``,
        ``number_not_in_evidence``: a number or date of the claim is another one there. ``negation``: evidence and
        claim differ in nothing but a negation.

        Notes: ``other_document``: not the one that was named. ``gaps``: words are left out. ``number_not_quoted``: a
        number stands near the quotation or elsewhere in its document. ``negation_differs``: one denies what the other
        says.
        """
        objections = ["number_not_in_answer"] if self._is_another_number(statement) else []
        evidence = claim.evidence or ""
        found, rank = self._found(evidence, claim.document)
        problem = _no_quotation(evidence, claim.text, found)
        if problem is not None or found is None or rank is None:
            return Proof((*objections, problem or "evidence_not_found"))
        notes = ["gaps"] if found.gaps else []
        if rank != claim.document:
            notes.append("other_document")
        if contains(
            quotable(claim.text), quotable(evidence)
        ):  # in the same words there is nothing to compare
            return Proof(tuple(objections), tuple(notes), rank)
        for against, more in (
            _unrelated(statement, found),
            self._numbers(statement, evidence, found, rank),
            _negation(claim.text, evidence, found),
        ):
            objections += against
            notes += more
        return Proof(tuple(objections), tuple(notes), rank)

    def _found(self, evidence: str, named: int | None) -> tuple[Quotation | None, int | None]:
        """Look in the document that is named first, then in the others."""
        for rank in sorted(self.documents, key=lambda rank: rank != named):
            found = self._source(rank).find(evidence)
            if found is not None:
                return found, rank
        return None, None

    def _source(self, rank: int) -> Source:
        if rank not in self._sources:
            self._sources[rank] = Source(self.documents[rank])
        return self._sources[rank]

    def _is_another_number(self, claim: Statement) -> bool:
        return claim.text not in self.said.text and not all(map(self.said.states_number, claim.values))

    def _numbers(
        self, claim: Statement, evidence: str, found: Quotation, rank: int
    ) -> tuple[list[str], list[str]]:
        if not claim.values:
            return [], []
        quoted, near = Statement.of(evidence), Statement.of(found.sentences)
        notes = []
        for value in claim.values:
            if quoted.states(value):
                continue
            if not quoted.states_number(value):
                if _says_another(value, quoted, claim):
                    return ["number_not_in_evidence"], []
                if near.states(value):
                    continue
                if not self._is_known(value, found, rank):
                    return ["number_not_in_evidence"], []
            notes.append("number_not_quoted")
        return [], notes[:1]

    def _is_known(self, value: Value, found: Quotation, rank: int) -> bool:
        """Tell whether a number that the quotation lacks stands elsewhere in its document, or in the question."""
        if Statement.of(found.around).states(value):
            return True
        if rank not in self._whole:
            self._whole[rank] = Statement(f"{self.documents[rank]}\n{self.question}")
        return self._whole[rank].states(value)


def _no_quotation(evidence: str, claim: str, found: Quotation | None) -> str | None:
    said = sum(map(str.isalnum, quotable(evidence)))
    least = max(_SHORTEST, min(_ENOUGH, len(claim) // _OF_CLAIM))
    is_whole = found is not None and quotable(found.around) == quotable(evidence)
    if said == 0 or (said < least and not is_whole):
        return "no_evidence"
    if len(evidence) > max(_LONGEST, _TIMES_CLAIM * len(claim)):
        return "evidence_too_long"
    return None


def _says_another(value: Value, quoted: Statement, claim: Statement) -> bool:
    """Tell whether the quotation states another value of the sort, which the claim does not state."""
    return any(alike(value, other) and not claim.states(other) for other in quoted.values)


def _unrelated(claim: Statement, found: Quotation) -> tuple[list[str], list[str]]:
    near = Statement.of(found.around)
    shares = not claim.marks or claim.marks & near.marks or any(near.states(value) for value in claim.values)
    return ([] if shares or not same_script(claim.text, near.text) else ["evidence_unrelated"]), []


def _negation(claim: str, evidence: str, found: Quotation) -> tuple[list[str], list[str]]:
    """Compare negations: a difference alone is a hint, for words may mean the same; in the same words it is sure."""
    said = polarity(claim)
    for text in (evidence, found.sentences):
        held = polarity(text)
        if disagreements(said, held):
            denies = any(said.asserts(word) for word in held.denied.keys() - said.denied.keys())
            sure = _is_same_but_for_negation(claim, text, _FEW if denies else 0)
            return (["negation"], []) if sure else ([], ["negation_differs"])
    return [], []


def _is_same_but_for_negation(claim: str, text: str, more: int) -> bool:
    """Tell whether a text holds all words of a claim, and at most so many more, none of which is a condition."""
    if _CONDITION.search(claim) or _CONDITION.search(text):
        return False
    wanted, held = (Statement.of(each).marks - _NEGATIONS for each in (claim, text))
    return bool(wanted) and wanted <= held and len(held) - len(wanted) <= more
