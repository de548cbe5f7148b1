"""Recorded replies: one line of JSON for each, ``{"key", "text", "usage", "model"}``."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag_gate.errors import InputError
from rag_gate.files import iter_lines, parse_json, refuse_repeated_keys
from rag_gate.records.problems import validation_problems


class RecordedUsage(BaseModel):
    """What a reply cost when it was recorded.

    Attributes:
        requests: sent for it.
        prompt_tokens: as the service counted them.
        completion_tokens: as the service counted them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    requests: int = Field(default=0, ge=0)
    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class RecordedReply(BaseModel):
    """One line of a recording.

    Attributes:
        key: of the prompt.
        text: of the reply.
        usage: what it cost then; a replay costs nothing.
        model: what the service said it ran.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    key: str = Field(min_length=1)
    text: str = Field(min_length=1)
    usage: RecordedUsage | None = None
    model: str | None = None


def read_recording(path: Path) -> dict[str, list[RecordedReply]]:
    """Return the replies by prompt key, those of one key in the order of the file.

    Raises:
        InputError: if the file cannot be read or a line is no recorded reply, naming file and line.
    """
    replies: dict[str, list[RecordedReply]] = {}
    for number, line in iter_lines(path):
        where = f"{path}:{number}"
        value = parse_json(line, where)
        refuse_repeated_keys(line, where)
        try:
            reply = RecordedReply.model_validate(value)
        except ValidationError as error:
            raise InputError(*validation_problems(error, where)) from None
        replies.setdefault(reply.key, []).append(reply)
    return replies
