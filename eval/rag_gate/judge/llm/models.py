"""The map of models: which prompt version a model is used with, what it takes and what it costs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from rag_gate.config_base import Flag, NoFlag
from rag_gate.errors import ConfigError
from rag_gate.files import canonical_json
from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.prompt_files import prompt_versions
from rag_gate.late import Late
from rag_gate.records.problems import validation_problems
from rag_gate.resources import shipped
from rag_gate.yaml_reader import read_yaml

_PER = 1_000_000
#: What makes a name a version: a date, or the digest of weights.
_VERSION = Late(r"(?<![0-9])20[0-9]{2}-?[01][0-9]-?[0-3][0-9](?![0-9])|sha256[:-][0-9a-f]{12}")
_Tokens = Annotated[int, Field(ge=1, strict=True)]
_Usd = Annotated[float, Field(ge=0), NoFlag]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Price(_Entry):
    """USD per million tokens."""

    input: _Usd
    output: _Usd

    @property
    def is_due(self) -> bool:
        """Whether anything is paid."""
        return self.input > 0 or self.output > 0


class ModelEntry(_Entry):
    """One model of the map.

    Attributes:
        provider: the wire format.
        prompt: version of the prompts it is used with.
        pinned: its name stands for one version for good, though no date is in it.
        context_window: tokens of prompt and reply together.
        max_output: tokens of a reply.
        price: None where nothing is paid, or nothing is known.
        options: further fields of each request.
    """

    provider: Literal["openai", "anthropic", "command", "replay"] = "openai"
    prompt: str
    pinned: Flag = False
    context_window: _Tokens = 128_000
    max_output: _Tokens = 4096
    price: Price | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    @field_validator("options")
    @classmethod
    def _plain(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Refuse what no request can hold."""
        try:
            canonical_json(options).encode()
        except (TypeError, ValueError):
            raise ValueError("must be plain values: no date, no NaN or infinity; quote a text") from None
        return options

    @model_validator(mode="after")
    def _has_room(self) -> "ModelEntry":
        if self.max_output >= self.context_window:
            raise ValueError(
                f"max_output ({self.max_output}) must be below context_window ({self.context_window}), which is "
                "prompt and reply together"
            )
        return self

    def cost(self, usage: Usage) -> float | None:
        """Return the cost in USD, None where no price is known, or not what a request cost."""
        if self.price is None or (usage.uncounted and self.price.is_due):
            return None
        return self.at_most(usage, 0)

    def at_most(self, usage: Usage, most_prompt_tokens: int) -> float:
        """Return the most it can have cost in USD: a request whose cost is not known is counted at its worst.

        Args:
            usage: what was sent.
            most_prompt_tokens: upper bound of the tokens of each of its prompts.
        """
        if self.price is None:
            return 0.0
        prompt = usage.prompt_tokens + usage.uncounted * most_prompt_tokens
        completion = usage.completion_tokens + usage.uncounted * self.max_output
        return (prompt * self.price.input + completion * self.price.output) / _PER


class _ModelMap(_Entry):
    schema_version: Literal[1]
    models: dict[str, ModelEntry]


def load_models(own: Path | None = None) -> dict[str, ModelEntry]:
    """Return the shipped map, with the user's own entries over it.

    Raises:
        ConfigError: one line per problem.
        InputError: if the user's file cannot be read.
    """
    models = _read(shipped("config") / "models.yml")
    return models if own is None else {**models, **_read(own)}


def _read(path: Path) -> dict[str, ModelEntry]:
    try:
        return _ModelMap.model_validate(read_yaml(path)).models
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, str(path))) from None


def require_model(name: str, models: Mapping[str, ModelEntry], prompt: str | None = None) -> ModelEntry:
    """Return the entry of a model that may judge.

    Args:
        name: the model.
        models: the map.
        prompt: the version of the prompts that the settings ask for, None for the mapped one.

    Raises:
        ConfigError: if the model is not in the map, its name can stand for another version tomorrow, or it is
            to be used with other prompts than it is mapped to; with what to write.
    """
    entry = models.get(name)
    if entry is None:
        raise ConfigError(_unmapped(name, models))
    if not entry.pinned and not _VERSION.search(name):
        raise ConfigError(
            f"judge: the name of model '{name}' holds no version, so it may be another model tomorrow; name a dated "
            f"version, or add 'pinned: true' to its entry in the file that judge.models names"
        )
    if prompt is not None and prompt != entry.prompt:
        raise ConfigError(
            f"judge: model '{name}' is mapped to prompts {entry.prompt}, and the settings ask for {prompt}; scores of "
            f"two prompts cannot be compared. To change the map: '{name}: {{prompt: {prompt}, ...}}' in the file that "
            "judge.models names, and promote a new baseline"
        )
    if entry.prompt not in prompt_versions():
        have = ", ".join(prompt_versions())
        raise ConfigError(f"judge: model '{name}' is mapped to prompts {entry.prompt}; there are {have}")
    return entry


def _unmapped(name: str, models: Mapping[str, ModelEntry]) -> str:
    from difflib import get_close_matches

    near = [known for known in models if known.startswith(f"{name}-")] or get_close_matches(
        name, models, 3, 0.7
    )
    hint = f" (did you mean {' or '.join(near)}?)" if near else ""
    newest = prompt_versions()[-1]
    pinned = "" if _VERSION.search(name) else "pinned: true, "
    return (
        f"judge: model '{name}' is in no map of models{hint}; to judge with it, write a file with 'schema_version: 1' and "
        "'models:', name it in the settings as judge.models, and add below 'models:' the line:   "
        f"{name}: {{provider: openai, prompt: {newest}, {pinned}"
        "context_window: 128000, max_output: 4096}"
    )
