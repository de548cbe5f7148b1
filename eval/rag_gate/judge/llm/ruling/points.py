"""What is asked about an answer and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.material import Material, material_of
from rag_gate.judge.llm.prompt_files import Part

#: ``statements``: does the answer make it; ``rules``: does the answer keep it.
PointKind = Literal["statements", "rules"]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to rule on.

    Attributes:
        kind: what is asked.
        text: the statement or the rule, in the user's words.
        words: the words of the answer that raised the question; a ruling must quote them or what stands around
            them. None where it is about the answer as a whole.
    """

    kind: PointKind
    text: str
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a model ruled on one point.

    Attributes:
        violates: whether the answer makes the statement or breaks the rule; None where it stays open.
        evidence: the passage of the answer that shows it, word for word; None where it stays open.
        reason: why it stays open, a code; None where it does not.
        note: the same in words.
    """

    violates: bool | None
    evidence: str | None = None
    reason: str | None = None
    note: str | None = None


def left_open(reason: str, note: str | None = None) -> Ruled:
    """Return that a point stays open."""
    return Ruled(None, reason=reason, note=note)


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer with its points.

    Attributes:
        points: in the order of the rulings.
        material: question and answer as a model gets to see them: without what speaks to the judge.
    """

    points: tuple[Point, ...]
    material: Material

    @classmethod
    def of(cls, request: JudgeRequest, points: Sequence[Point]) -> "Asked":
        """Prepare an answer."""
        return cls(tuple(points), material_of(request))

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is asked of it, in the order of the prompt."""
        kinds = {point.kind for point in self.points}
        order: tuple[PointKind, ...] = ("statements", "rules")
        return tuple(kind for kind in order if kind in kinds)
