"""One case as a model gets to see it: sifted, in one language, cut to what fits."""

import math
from dataclasses import dataclass, replace

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.fences import says_something, without_invisible, without_roles
from rag_gate.judge.llm.leave import Known
from rag_gate.judge.llm.prompt_files import Language
from rag_gate.judge.llm.suspicion import sift
from rag_gate.text import is_japanese


@dataclass(frozen=True, slots=True)
class Material:
    """What a prompt about one case is made of.

    Attributes:
        question: as asked; "" when not known.
        answer: without what speaks to the judge.
        documents: number (rank, from 1) -> text, those with any.
        expected: accepted answers.
        language: of the instructions.
        removed: sentences of the answer that speak to the judge.
        withheld: sentences of the answer that do, and that a document says too: they are not the answer's fault.
        removed_in_documents: how many sentences of the documents did.
        invisible: how many suspicious invisible characters were taken out of answer and documents.
        cut: ranks of the documents that were left out because they did not fit.
    """

    question: str
    answer: str
    documents: dict[int, str]
    expected: tuple[str, ...]
    language: Language
    removed: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    removed_in_documents: int = 0
    invisible: int = 0
    cut: tuple[int, ...] = ()

    def without_last_document(self) -> "Material":
        """Leave out the document of the last rank."""
        last = max(self.documents)
        kept = {rank: text for rank, text in self.documents.items() if rank != last}
        return replace(self, documents=kept, cut=(last, *self.cut))


def material_of(request: JudgeRequest) -> Material:
    """Prepare a case for a model."""
    known = Known((request.question or "", *request.expected), request.contexts)
    answer = sift(request.answer, known.of_answer())
    documents = [sift(text, known.of_document()) for text in request.contexts]
    return Material(
        question=_plain(request.question or ""),
        answer=without_roles(answer.text).strip() if says_something(answer.text) else "",
        documents={
            rank: without_roles(found.text)
            for rank, found in enumerate(documents, start=1)
            if says_something(found.text)
        },
        expected=tuple(_plain(text) for text in request.expected if text.strip()),
        language=language_of(request),
        removed=answer.removed,
        withheld=answer.withheld,
        removed_in_documents=sum(len(found.removed) for found in documents),
        invisible=answer.invisible + sum(found.invisible for found in documents),
    )


def language_of(request: JudgeRequest) -> Language:
    """Return the language of the instructions: Japanese where the case is Japanese, else English.

    The case's own language decides where it is stated, else the script of question and answer.
    """
    if request.language is not None:
        return "ja" if request.language.lower().split("-")[0] in {"ja", "jp", "japanese"} else "en"
    return "ja" if is_japanese(f"{request.question or ''} {request.answer}") else "en"


def estimated_tokens(text: str) -> int:
    """Estimate tokens: four ASCII characters, or one other character, for each.

    Real tokenizers need fewer for Japanese and about as many for English.
    """
    ascii_signs = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_signs / 4) + len(text) - ascii_signs


def _plain(text: str) -> str:
    return without_roles(without_invisible(text)[0])
