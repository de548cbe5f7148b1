"""The map of models: which prompt version a model is used with, what it takes and what it costs."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.prompt_files import prompt_versions
from rag_gate.records.problems import validation_problems
from rag_gate.resources import shipped
from rag_gate.yaml_reader import read_yaml

_PER = 1_000_000
#: What makes a name a version: a date, or the digest of weights.
_VERSION = re.compile(r"(?<![0-9])20[0-9]{2}-?[01][0-9]-?[0-3][0-9](?![0-9])|sha256[:-][0-9a-f]{12}")
_Tokens = Annotated[int, Field(ge=1, strict=True)]
_Usd = Annotated[float, Field(ge=0)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Price(_Entry):
    """USD per million tokens."""

    input: _Usd
    output: _Usd


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
    pinned: bool = False
    context_window: _Tokens = 128_000
    max_output: _Tokens = 4096
    price: Price | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    def cost(self, usage: Usage) -> float | None:
        """Return the cost in USD, None where no price is known."""
        if self.price is None:
            return None
        return (usage.prompt_tokens * self.price.input + usage.completion_tokens * self.price.output) / _PER


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
    near = [known for known in models if known.startswith(f"{name}-")] or get_close_matches(
        name, models, 3, 0.7
    )
    hint = f" (did you mean {' or '.join(near)}?)" if near else ""
    newest = prompt_versions()[-1]
    pinned = "" if _VERSION.search(name) else "pinned: true, "
    return (
        f"judge: model '{name}' is in no map of models{hint}; to judge with it, add to the file that judge.models "
        f"names, below 'models:', the line:   {name}: {{provider: openai, prompt: {newest}, {pinned}"
        "context_window: 128000, max_output: 4096}"
    )
