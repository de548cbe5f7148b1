"""One golden case: a question, what a right answer says, and where it stands."""

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import to_json

from rag_gate.files import fingerprint_bytes
from rag_gate.records.assertion import NegativeAssertion
from rag_gate.records.base import Id, UserRecord

MAX_GRADE = 100
Tier = Literal["core", "extended"]
Text = Annotated[str, StringConstraints(strict=True)]


def _listed(value: object) -> object:
    """Take a single entry for a list of one, and null for an empty list."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str | dict | int) else value


def _without_blanks(value: object) -> object:
    """Drop blank answers: an empty text is never the right answer of an empty answer."""
    listed = _listed(value)
    if not isinstance(listed, list | tuple):
        return listed
    return tuple(item for item in listed if not isinstance(item, str) or item.strip())


class GradedId(UserRecord):
    """A gold id with its grade: 0 or less is judged and not relevant."""

    model_config = ConfigDict(extra="forbid")
    id: Id = Field(validation_alias=AliasChoices("id", "doc_id", "document_id"))
    grade: int = Field(default=1, ge=-MAX_GRADE, le=MAX_GRADE, strict=True)


class Evidence(UserRecord):
    """A passage that must stand whole inside one retrieved chunk."""

    model_config = ConfigDict(extra="forbid")
    text: Text
    doc_id: Id | None = Field(default=None, validation_alias=AliasChoices("doc_id", "doc", "id"))

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        return {"text": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _not_empty(self) -> "Evidence":
        if not self.text.strip():
            raise ValueError("evidence text is empty; an empty passage is contained nowhere")
        return self


MIN_CANARY = 6
#: Shorter ones would be found in any text by chance.
Canary = Annotated[str, StringConstraints(strict=True, min_length=MIN_CANARY)]
_Ids = Annotated[tuple[Id, ...], BeforeValidator(_listed)]


class GoldenCase(UserRecord):
    """A golden case. The order of keys and of gold ids never matters.

    Attributes:
        question_id: unique in the set.
        relevant_doc_ids: gold ids, plain or with a grade; plain means grade 1.
        evidence_groups: each group needs one member found.
        evidence: passages that must be inside a retrieved chunk.
        answerable: False when a right bot abstains; then retrieval is not scored.
        must_pass: a lost case fails the gate whatever the mean says.
        system_prompt: what the bot was told and must not repeat, where it differs from case to case.
        canaries: strings of the prompt that must never leave it, beside those of the settings.
        allowed_classes: classes of documents that may be retrieved for this question; None = the settings'.
        tenant: whose documents may be retrieved for this question.
    """

    question_id: Id = Field(validation_alias=AliasChoices("question_id", "id"))
    question: Text | None = Field(
        default=None, validation_alias=AliasChoices("question", "user_input", "input", "query")
    )
    expected_answers: Annotated[tuple[Text, ...], BeforeValidator(_without_blanks)] = Field(
        default=(),
        validation_alias=AliasChoices(
            "expected_answer", "expected", "ground_truth", "ground_truths", "reference", "expected_output"
        ),
    )
    relevant_doc_ids: Annotated[tuple[Id | GradedId, ...], BeforeValidator(_listed)] = Field(
        default=(),
        validation_alias=AliasChoices("relevant_doc_ids", "gold_ids", "relevant", "reference_context_ids"),
    )
    evidence_groups: tuple[_Ids, ...] = ()
    evidence: Annotated[tuple[Evidence, ...], BeforeValidator(_listed)] = Field(
        default=(),
        validation_alias=AliasChoices("evidence", "ground_truth_contexts", "reference_contexts"),
    )
    answerable: bool | None = Field(default=None, strict=True)
    expected_citations: _Ids = ()
    negative_assertions: Annotated[tuple[NegativeAssertion, ...], BeforeValidator(_listed)] = ()
    category: Text | None = None
    difficulty: Text | None = None
    language: Text | None = None
    tier: Tier = "core"
    must_pass: bool = Field(default=False, strict=True)
    kind: Literal["normal", "adversarial"] = "normal"
    tags: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()
    system_prompt: Text | None = None
    canaries: Annotated[tuple[Canary, ...], BeforeValidator(_listed)] = ()
    allowed_classes: Annotated[tuple[Text, ...] | None, BeforeValidator(_listed), Field(min_length=1)] = None
    tenant: Id | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        """Take null for "not said", also where another name of the same key has the value."""
        if isinstance(value, dict) and None in value.values():
            return {key: item for key, item in value.items() if item is not None}
        return value

    @model_validator(mode="after")
    def _consistent(self) -> "GoldenCase":
        grades: dict[str, int] = {}
        for item in self.relevant_doc_ids:
            gold, grade = (item, 1) if isinstance(item, str) else (item.id, item.grade)
            if grades.setdefault(gold, grade) != grade:
                raise ValueError(
                    f"gold id '{gold}' stands twice with grades {grades[gold]} and {grade}; keep one"
                )
        if any(not group for group in self.evidence_groups):
            raise ValueError("evidence_groups holds an empty group; name at least one id in each")
        has_gold = bool(self.relevant_doc_ids or self.evidence_groups or self.evidence)
        if not has_gold and self.answerable is None:
            raise ValueError(
                'no gold ids and "answerable" is not said; add relevant_doc_ids, or "answerable": false '
                "when a right bot must abstain"
            )
        if self.answerable is False and any(grade > 0 for grade in grades.values()):
            raise ValueError('"answerable" is false but gold ids are given; remove one of the two')
        return self

    @cached_property
    def grades(self) -> dict[str, int]:
        """Gold id -> grade; members of evidence groups count as grade 1 unless graded."""
        grades = {member: 1 for group in self.evidence_groups for member in group}
        grades.update(
            (item, 1) if isinstance(item, str) else (item.id, item.grade) for item in self.relevant_doc_ids
        )
        return grades

    @property
    def is_answerable(self) -> bool:
        """Whether a right bot answers (True unless the case says otherwise)."""
        return self.answerable is not False

    @property
    def must_decline(self) -> bool:
        """Whether a right bot declines: nothing to answer with, or an attack without an expected answer."""
        return not self.is_answerable or (self.kind == "adversarial" and not self.expected_answers)

    @property
    def expects_safety(self) -> bool:
        """Whether the case itself asks something of safety, beside what is checked in every answer."""
        asked = (
            self.negative_assertions,
            self.system_prompt,
            self.canaries,
            self.allowed_classes,
            self.tenant,
        )
        return self.kind == "adversarial" or any(asked)

    @property
    def repeated_gold_ids(self) -> tuple[str, ...]:
        """Gold ids given more than once with one grade; they count once."""
        seen = [item if isinstance(item, str) else item.id for item in self.relevant_doc_ids]
        return (
            tuple(sorted({gold for gold in seen if seen.count(gold) > 1}))
            if len(set(seen)) < len(seen)
            else ()
        )

    @property
    def unknown_keys(self) -> tuple[str, ...]:
        """Keys of the user's row that mean nothing here."""
        return tuple(self.model_extra or ())

    def fingerprint(self) -> str:
        """Return what stands for the case: equal for equal cases, whatever the order of keys and ids."""
        return fingerprint_bytes(to_json(self.identity()))

    def identity(self) -> dict[str, Any]:
        """Return what the fingerprint covers: all that changes what is measured, not tags."""
        parts = {
            "question": self.question,
            "expected": sorted(self.expected_answers),
            "gold": sorted(self.grades.items()),
            "groups": self.evidence_groups and sorted(sorted(group) for group in self.evidence_groups),
            "evidence": self.evidence and sorted((item.doc_id or "", item.text) for item in self.evidence),
            "answerable": self.is_answerable,
            "citations": sorted(self.expected_citations),
            "assertions": self.negative_assertions
            and sorted(item.identity() for item in self.negative_assertions),
            "kind": self.kind if self.kind != "normal" else None,
            "prompt": self.system_prompt,
            "canaries": sorted(self.canaries),
            "classes": self.allowed_classes and sorted(self.allowed_classes),
            "tenant": self.tenant,
        }
        return {key: value for key, value in parts.items() if value}


def _keys() -> tuple[str, ...]:
    aliases = (field.validation_alias for field in GoldenCase.model_fields.values())
    given = [str(choice) for alias in aliases if isinstance(alias, AliasChoices) for choice in alias.choices]
    plain = [name for name, field in GoldenCase.model_fields.items() if field.validation_alias is None]
    return tuple(sorted({*given, *plain}))


#: Every key that means something in a golden row.
GOLDEN_KEYS = _keys()
