"""What the process of ragas may say. Anything else ends it: its lines are data of 90 foreign packages."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from rag_gate.records.base import OwnRecord

RagasMetric = Literal["faithfulness", "answer_relevancy", "context_precision", "context_recall"]
Reason = Literal[
    "judge_error",
    "judge_unreachable",
    "judge_refused",
    "judge_rate_limited",
    "judge_deadline",
    "judge_truncated",
    "judge_bad_reply",
    "judge_over_budget",
    "judge_not_recorded",
]


class Ready(OwnRecord):
    """The worker has loaded ragas."""

    type: Literal["ready"]
    version: str


class Failed(OwnRecord):
    """The worker cannot work here at all."""

    type: Literal["failed"]
    missing: bool
    message: str


class Ask(OwnRecord):
    """A prompt for the model."""

    type: Literal["ask"]
    id: int
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{1,64}$")]
    # A field named "schema" would hide a method of the base class.
    form: Annotated[dict[str, Any], Field(alias="schema")]
    prompt: str


class Embed(OwnRecord):
    """Texts for the embedding model."""

    type: Literal["embed"]
    id: int
    texts: Annotated[list[str], Field(min_length=1)]


class Scored(OwnRecord):
    """One metric of one row."""

    type: Literal["score"]
    row: int
    metric: RagasMetric
    value: float


class Unscored(OwnRecord):
    """Why one metric of one row has no score."""

    type: Literal["unscored"]
    row: int
    metric: RagasMetric
    reason: Reason
    message: str


class Done(OwnRecord):
    """Every row is through."""

    type: Literal["done"]


Message = Annotated[Ready | Failed | Ask | Embed | Scored | Unscored | Done, Field(discriminator="type")]
MESSAGES: TypeAdapter[Message] = TypeAdapter(Message)
