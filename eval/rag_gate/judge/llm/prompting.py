"""Make the prompts about one case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_gate.files import fingerprint
from rag_gate.judge.llm.backend import Prompt
from rag_gate.judge.llm.fences import fenced
from rag_gate.judge.llm.material import Material, estimated_tokens
from rag_gate.judge.llm.prompt_files import Part, PromptFile, PromptId, prompt_file
from rag_gate.judge.llm.replies import SCHEMA_VERSION, schema_of

Mode = Literal["single", "split"]
#: Which prompt asks a part by itself.
_SPLIT: dict[Part, PromptId] = {
    "claims": "faithfulness",
    "relevance": "relevance",
    "correctness": "correctness",
}
#: What a part is judged by.
_NEEDS: dict[Part, tuple[str, ...]] = {
    "claims": ("answer", "documents"),
    "relevance": ("question", "answer"),
    "correctness": ("question", "answer", "expected"),
}
#: Estimates of tokens are off by at most this share for the texts that people write.
_SAFETY = 1.3


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and what is needed to read its reply.

    Attributes:
        prompt: what is sent.
        parts: what is asked.
        nonce: what the reply must repeat.
        tokens: estimate of the prompt's tokens, with the schema.
        most_tokens: upper bound of them: no tokenizer makes more tokens than bytes.
        material: the case as sent.
    """

    prompt: Prompt
    parts: tuple[Part, ...]
    nonce: str
    tokens: int
    most_tokens: int
    material: Material

    def fits(self, room: int | None) -> bool:
        """Tell whether a prompt may have so many tokens; None for any number."""
        return room is None or self.tokens * _SAFETY <= room


def questions_of(
    material: Material, parts: Sequence[Part], mode: Mode, version: str, room: int | None
) -> tuple[list[Question], tuple[Part, ...]]:
    """Return what to ask about a case (one prompt, or one for each part), and the parts that do not fit.

    Where the documents do not fit even alone, only what needs them is not asked.

    Args:
        material: the case.
        parts: what to ask.
        mode: ``single`` or ``split``.
        version: of the prompts.
        room: how many tokens a prompt may have; None for no limit.
    """
    found: list[Question] = []
    too_long: list[Part] = []
    for group in [tuple(parts)] if mode == "single" else [(part,) for part in parts]:
        name: PromptId = "judge" if mode == "single" else _SPLIT[group[0]]
        file = prompt_file(name, material.language, version)
        question, asked = _fitting(file, group, material, room), group
        if question is None and "claims" in group:
            too_long.append("claims")
            asked = tuple(part for part in group if part != "claims")
            question = _fitting(file, asked, material, room) if asked else None
        if question is None:
            too_long += asked
        else:
            found.append(question)
    return found, tuple(too_long)


def _fitting(
    file: PromptFile, parts: tuple[Part, ...], material: Material, room: int | None
) -> Question | None:
    """Return the prompt, without the documents of the last ranks if it has no room for them; None if it never has."""
    while True:
        question = question_about(file, parts, _data(material, parts), material)
        if question.fits(room):
            return question
        if "claims" not in parts or len(material.documents) <= 1:
            return None
        material = material.without_last_document()


def question_about(
    file: PromptFile, parts: tuple[Part, ...], data: Mapping[str, Any], material: Material
) -> Question:
    """Return the prompt that asks some parts.

    Args:
        file: the instructions.
        parts: what is asked.
        data: what is put before the model, fenced and as JSON.
        material: the case that it is from.
    """
    system = file.system(parts)
    fence, nonce = fenced(data)
    user = f"{fence}\n{file.closing}"
    schema = schema_of(parts, nonce)
    key = fingerprint([file.digest, system, data, file.closing, list(parts), SCHEMA_VERSION])
    size = estimated_tokens(system + user)
    prompt = Prompt(system, user, schema, f"{file.id}_{'_'.join(parts)}_{SCHEMA_VERSION}", key)
    most = len(system.encode()) + len(user.encode()) + len(str(schema))
    return Question(prompt, parts, nonce, size + len(str(schema)) // 4, most, material)


def _data(material: Material, parts: Sequence[Part]) -> dict[str, Any]:
    needed = {field for part in parts for field in _NEEDS[part]}
    documents = {str(rank): text for rank, text in material.documents.items()}
    whole = {
        "question": material.question,
        "answer": material.answer,
        "expected": list(material.expected),
        "documents": documents,
    }
    return {field: value for field, value in whole.items() if field in needed}
