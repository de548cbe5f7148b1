"""From settings to the model judge, and to what stands for it in a fingerprint."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from rag_gate.config_judge import CheapModel, JudgeConfig, Provider
from rag_gate.errors import ConfigError
from rag_gate.files import fingerprint
from rag_gate.judge.cache import ReplyCache, cache_folder, cache_key
from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import Backend, Prompt
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.clients.factory import backend_of, service_of
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.llm.engine import LlmEngine
from rag_gate.judge.llm.material import Material
from rag_gate.judge.llm.models import ModelEntry, load_models, require_model
from rag_gate.judge.llm.prompt_files import LANGUAGES, PARTS, PromptId, prompt_file
from rag_gate.judge.llm.prompting import Mode, questions_of
from rag_gate.judge.llm.rounds import Rounds
from rag_gate.judge.spent import Spent

MEGABYTE = 10**6
#: Cases in work for each request in flight, so that a slow one does not hold up the others.
_AHEAD, _AHEAD_AT_LEAST = 4, 32
_PROMPTS: Mapping[str, tuple[PromptId, ...]] = {
    "single": ("judge",),
    "split": ("faithfulness", "relevance", "correctness"),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """One model of the settings with its row in the map."""

    name: str
    entry: ModelEntry
    provider: Provider
    base_url: str | None
    api_key_env: str | None

    def described(self, config: JudgeConfig) -> dict[str, Any]:
        """Return everything about the model that can move a score."""
        settings = backend_settings(self, config)
        digests = [
            prompt_file(name, language, self.entry.prompt).digest
            for name in _PROMPTS[config.mode]
            for language in LANGUAGES
        ]
        if self.provider == "replay":
            settings = replace(settings, provider=self.entry.provider)
        return {
            "model": self.name,
            "prompt": self.entry.prompt,
            "prompts": fingerprint(digests)[:12],
            "provider": settings.provider,
            "endpoint": service_of(settings),
            "options": dict(self.entry.options),
            "max_output": self.entry.max_output,
            "context_window": self.entry.context_window,
        }


def chosen_models(config: JudgeConfig) -> tuple[Chosen, Chosen | None]:
    """Return the judge, and the cheap model of its cascade.

    Raises:
        ConfigError: if a model may not judge; see :func:`require_model`.
        InputError: if the user's map of models cannot be read.
    """
    models = load_models(config.models)
    name = config.model or ""
    entry = require_model(name, models, config.prompt)
    strong = Chosen(name, entry, config.provider or entry.provider, config.base_url, config.api_key_env)
    return strong, _cheap(config.cascade, models, strong) if config.cascade else None


def _cheap(cheap: CheapModel, models: Mapping[str, ModelEntry], strong: Chosen) -> Chosen:
    entry = require_model(cheap.model, models)
    # Where the judge is a program or a recording, so is the cheap model.
    provider = cheap.provider or (
        strong.provider if strong.provider in {"command", "replay"} else entry.provider
    )
    same = provider == strong.provider
    return Chosen(
        cheap.model,
        entry,
        provider,
        cheap.base_url or (strong.base_url if same else None),
        cheap.api_key_env if cheap.api_key_env is not None or not same else strong.api_key_env,
    )


def settings_of(config: JudgeConfig) -> dict[str, Any]:
    """Return everything that can move a score of the model judge; no key is needed for it."""
    strong, cheap = chosen_models(config)
    return {
        **strong.described(config),
        "mode": config.mode,
        "repeats": config.repeats,
        "confirm": config.confirm,
        "cascade": cheap.described(config) if cheap else None,
    }


def llm_engine(config: JudgeConfig, environ: Mapping[str, str], spent: Spent | None = None) -> LlmEngine:
    """Return the model judge that the settings describe; nothing is asked yet.

    Args:
        config: the settings.
        environ: where keys come from.
        spent: what counts against the limits already, and what is added to; by default nothing.

    Raises:
        ConfigError: if a setting is missing or wrong.
        InputError: if a file that the settings name cannot be read.
    """
    strong, cheap = chosen_models(config)
    require_prices(config, [strong, *([cheap] if cheap else [])])
    budget = Budget(config.max_calls, config.max_cost_usd, spent)
    cache = reply_cache(config, environ)
    judges = [model_judge(chosen, config, environ, budget, cache) for chosen in (strong, cheap) if chosen]
    rounds = Rounds(
        strong=judges[0],
        cheap=judges[1] if cheap else None,
        mode=config.mode,
        repeats=config.repeats,
        confirm=config.confirm,
    )
    for judge in judges:
        _require_room(judge, config.mode)
    ahead = max(_AHEAD_AT_LEAST, _AHEAD * config.concurrency)
    return LlmEngine(rounds, settings_of(config), ahead, cache=cache, with_canary=config.canary)


def require_prices(config: JudgeConfig, chosen: Iterable[Chosen]) -> None:
    """Refuse a limit of costs where costs cannot be known.

    Raises:
        ConfigError: naming the model.
    """
    for model in chosen:
        if config.max_cost_usd is not None and model.entry.price is None and model.provider != "replay":
            raise ConfigError(
                f"judge.max_cost_usd: no price of model '{model.name}' is known; add 'price: {{input: 0, output: 0}}' "
                "(USD per million tokens) to its entry in the map of models, or limit max_calls"
            )


def _require_room(judge: ModelJudge, mode: Mode) -> None:
    """Refuse a context window that no case fits.

    Raises:
        ConfigError: naming the model.
    """
    for language in LANGUAGES:
        empty = Material("", "", {}, (), language)
        _, too_long = questions_of(empty, PARTS, mode, judge.entry.prompt, judge.room)
        if too_long:
            raise ConfigError(
                f"judge: model '{judge.name}' has room for prompts of {judge.room} tokens (context_window less "
                "max_output), which the instructions alone exceed; correct its entry in the map of models, or use "
                "another model"
            )


def reply_cache(config: JudgeConfig, environ: Mapping[str, str]) -> ReplyCache | None:
    """Return the cache; None where it is off, and for a recording, which is one itself."""
    if not config.cache.enabled or config.provider == "replay":
        return None
    folder = cache_folder(config.cache.path, environ)
    return ReplyCache(folder, timedelta(days=config.cache.ttl_days), int(config.cache.max_mb * MEGABYTE))


def model_judge(
    chosen: Chosen, config: JudgeConfig, environ: Mapping[str, str], budget: Budget, cache: ReplyCache | None
) -> ModelJudge:
    """Open one model."""
    backend = backend_of(backend_settings(chosen, config), environ)
    identity = backend.identity
    if config.recording is not None and chosen.provider != "replay":
        backend = _recorded(backend, config.recording)

    def key_of(prompt: Prompt, repeat: int) -> str:
        return cache_key(identity, prompt, repeat=repeat)

    return ModelJudge(
        name=chosen.name,
        entry=chosen.entry,
        backend=backend,
        budget=budget,
        cache=cache,
        key_of=key_of,
        checks_nonce=chosen.provider != "replay",
    )


def backend_settings(chosen: Chosen, config: JudgeConfig) -> BackendSettings:
    """Return what the client needs to know."""
    return BackendSettings(
        provider=chosen.provider,
        model=chosen.name,
        base_url=chosen.base_url,
        api_key_env=chosen.api_key_env,
        request_options=chosen.entry.options,
        max_output_tokens=chosen.entry.max_output,
        concurrency=config.concurrency,
        requests_per_minute=config.requests_per_minute,
        tokens_per_minute=config.tokens_per_minute,
        timeout_s=config.timeout_s,
        deadline_s=config.deadline_s,
        max_attempts=config.max_attempts,
        command=config.command,
        recording=config.recording,
    )


def _recorded(backend: Backend, path: Path) -> Backend:
    from rag_gate.judge.llm.clients.recorder import RecordingBackend

    return RecordingBackend(backend, path)
