"""What a bot is told of a golden case: never a label, never an expected answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_gate.records.golden import GoldenCase

#: ``all``: find and answer. ``retrieval``: only find. ``generation``: only answer, from the contexts given.
Stage = Literal["all", "retrieval", "generation"]
#: What may be said of a case, by the name under which a bot gets it.
FIELDS = ("question_id", "question", "contexts", "language", "tenant", "seed", "stage")


@dataclass(frozen=True, slots=True)
class Question:
    """One case as it is asked.

    Attributes:
        contexts: recorded results to answer from; None where the bot is to find its own.
        stage: what the bot is to do.
        seed: for bots that draw random numbers.
    """

    question_id: str
    question: str
    language: str | None = None
    tenant: str | None = None
    contexts: Sequence[Mapping[str, Any]] | None = None
    stage: Stage = "all"
    seed: int | None = None

    @classmethod
    def of(cls, case: GoldenCase, stage: Stage, seed: int | None) -> "Question":
        """Return what is asked of a golden case that has a question."""
        return cls(
            question_id=case.question_id,
            question=case.question or "",
            language=case.language,
            tenant=case.tenant,
            stage=stage,
            seed=seed,
        )

    def fields(self) -> dict[str, Any]:
        """Return what is said, without what is not known; the stage only where it is not the usual one."""
        told = {name: getattr(self, name) for name in FIELDS}
        if self.stage == "all":
            del told["stage"]
        return {name: value for name, value in told.items() if value is not None}
