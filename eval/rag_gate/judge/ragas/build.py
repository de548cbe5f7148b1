"""From settings to ragas as a judge."""

from collections.abc import Mapping
from datetime import timedelta
from importlib.util import find_spec

from rag_gate.errors import MissingExtraError
from rag_gate.judge.cache import EntryCache, cache_folder
from rag_gate.judge.llm.build import MEGABYTE, Chosen, backend_settings, chosen_models
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.embeddings import embedding_backend
from rag_gate.judge.ragas.engine import RagasEngine
from rag_gate.judge.ragas.settings import RagasSettings
from rag_gate.judge.ragas.worker import VERSION
from rag_gate.judge_config import JudgeConfig
from rag_gate.records.judging import Judging, ModelUse


class RagasJudge(RagasEngine):
    """ragas with its account."""

    def __init__(self, config: JudgeConfig, environ: Mapping[str, str], cache: EntryCache | None) -> None:
        chosen, _ = chosen_models(config)
        settings = ragas_settings(config, chosen)
        embedded = settings.embeddings
        super().__init__(
            settings,
            lambda: backend_of(settings.judge, environ),
            (lambda: embedding_backend(embedded, environ)) if embedded is not None else None,
            cache,
        )
        self._chosen = chosen
        self._kept_scores = cache

    def report(self) -> Judging:
        """Return what it cost; the tokens of embeddings are counted with the model's, at its price."""
        spent = self.usage
        used = ModelUse(
            prompt=f"ragas {VERSION}",
            calls=spent.requests,
            requests=spent.requests,
            cached=self._kept_scores.counters.hits if self._kept_scores else 0,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            cost_usd=self._chosen.entry.cost(spent),
        )
        return Judging(models={self._chosen.name: used})

    def warnings(self) -> list[str]:
        """Return what is odd about the cache."""
        if self._kept_scores is None:
            return []
        self._kept_scores.finish()
        return list(self._kept_scores.warnings)


def ragas_judge(config: JudgeConfig, environ: Mapping[str, str]) -> RagasJudge:
    """Return ragas as the settings describe it; nothing is asked yet.

    Raises:
        ConfigError: if a setting, a key or ragas itself is missing.
    """
    if config.ragas.python is None and find_spec("ragas") is None:
        raise MissingExtraError("judge.engine: ragas", "rag-gate[ragas]")
    return described_ragas(config, environ, _cache(config, environ))


def described_ragas(
    config: JudgeConfig, environ: Mapping[str, str], cache: EntryCache | None = None
) -> RagasJudge:
    """Return ragas to be described: it need not be installed for that."""
    return RagasJudge(config, environ, cache)


def ragas_settings(config: JudgeConfig, chosen: Chosen) -> RagasSettings:
    """Return how ragas is run."""
    own = config.ragas
    embeddings = None
    if own.embedding_model is not None:
        embeddings = BackendSettings(
            provider="openai",
            model=own.embedding_model,
            base_url=own.embedding_base_url or config.base_url,
            api_key_env=own.embedding_api_key_env
            if own.embedding_api_key_env is not None
            else config.api_key_env,
            concurrency=config.concurrency,
            timeout_s=config.timeout_s,
            deadline_s=config.deadline_s,
            max_attempts=config.max_attempts,
        )
    return RagasSettings(
        judge=backend_settings(chosen, config),
        embeddings=embeddings,
        metrics=own.metrics,
        japanese_prompts=own.japanese_prompts,
        python=own.python,
    )


def _cache(config: JudgeConfig, environ: Mapping[str, str]) -> EntryCache | None:
    if not config.cache.enabled:
        return None
    folder = cache_folder(config.cache.path, environ)
    days, size = timedelta(days=config.cache.ttl_days), int(config.cache.max_mb * MEGABYTE)
    return EntryCache(folder, "ragas", days, size)
