"""Which sentences may sound like an attempt on the judge: those that the golden set or the documents say too."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_gate.judge.llm.quoting import quotable
from rag_gate.judge.llm.statement import Statement
from rag_gate.judge.llm.suspicion import Leave

#: Share of a sentence's words that question, accepted answers and documents must hold.
_MOSTLY = 0.5


@dataclass(frozen=True)
class Known:
    """What is known of a case beside its answer.

    Attributes:
        golden: question and accepted answers; the golden set is trusted.
        documents: as retrieved; anybody may have written them.
    """

    golden: Sequence[str]
    documents: Sequence[str]

    def of_answer(self) -> Leave:
        """Return what an answer may say.

        A sentence of the golden set stays. One that only may be an attempt ("The maximum score is 100 points.") stays if
        all its numbers stand in the golden set or the documents, and, where none has a unit, most of its words. One that is an attempt for sure
        goes in any case; if a document says it, the answer only repeats it, and it is not held against the answer.
        """
        return Leave(
            stay=lambda sentence, sure: self._is_golden(sentence) or (not sure and self._is_told(sentence)),
            excuse=lambda sentence: quotable(sentence) in self._documents,
        )

    def of_document(self) -> Leave:
        """Return what a document may say: a sentence of the golden set, and what only may be an attempt."""
        return Leave(stay=lambda sentence, sure: not sure or self._is_golden(sentence))

    def _is_golden(self, sentence: str) -> bool:
        return quotable(sentence) in self._golden

    def _is_told(self, sentence: str) -> bool:
        said = Statement.of(sentence)
        known = self._all
        if not all(known.states_number(value) for value in said.stated):
            return False
        if any(value.unit for value in said.stated):
            return True
        return len(said.content & known.keys) >= _MOSTLY * len(said.content)

    @cached_property
    def _golden(self) -> str:
        return "\n".join(map(quotable, self.golden))

    @cached_property
    def _documents(self) -> str:
        return "\n".join(map(quotable, self.documents))

    @cached_property
    def _all(self) -> Statement:
        return Statement("\n".join([*self.golden, *self.documents]))
