"""From settings to ragas as a judge."""

from collections.abc import Mapping
from datetime import timedelta

from rag_gate.config_judge import JudgeConfig
from rag_gate.judge.cache import EntryCache, cache_folder
from rag_gate.judge.llm.build import MEGABYTE, Chosen, backend_settings, chosen_models
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.engine import RagasEngine, openings, require_ragas
from rag_gate.judge.ragas.settings import RagasSettings
from rag_gate.judge.ragas.worker import VERSION
from rag_gate.records.judging import Judging, ModelUse


class RagasJudge(RagasEngine):
    """ragas with its account."""

    def __init__(self, config: JudgeConfig, environ: Mapping[str, str], cache: EntryCache | None) -> None:
        chosen, _ = chosen_models(config)
        settings = ragas_settings(config, chosen)
        super().__init__(settings, *openings(settings, environ), cache)
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
        return Judging(models={self._chosen.name: used}, asked=self.asked, problems=self.problems)

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
    require_ragas(config.ragas.python)
    return described_ragas(config, environ, _cache(config, environ))


def described_ragas(
    config: JudgeConfig, environ: Mapping[str, str], cache: EntryCache | None = None
) -> RagasJudge:
    """Return ragas to be described: it need not be installed for that."""
    return RagasJudge(config, environ, cache)


def ragas_settings(config: JudgeConfig, chosen: Chosen) -> RagasSettings:
    """Return how ragas is run."""
    own = config.ragas
    return RagasSettings(
        judge=backend_settings(chosen, config),
        embeddings=_embeddings(config, chosen, own.embedding_model) if own.embedding_model else None,
        metrics=own.metrics,
        japanese_prompts=own.japanese_prompts,
        python=own.python,
    )


def _embeddings(config: JudgeConfig, chosen: Chosen, model: str) -> BackendSettings:
    """Return the embedding model: of the judge's service, unless that speaks another wire format."""
    own = config.ragas
    shared = own.embedding_base_url is None and chosen.provider == "openai"
    key = config.api_key_env if shared and own.embedding_api_key_env is None else own.embedding_api_key_env
    return BackendSettings(
        provider="openai",
        model=model,
        base_url=config.base_url if shared else own.embedding_base_url,
        api_key_env=key,
        concurrency=config.concurrency,
        timeout_s=config.timeout_s,
        deadline_s=config.deadline_s,
        max_attempts=config.max_attempts,
    )


def _cache(config: JudgeConfig, environ: Mapping[str, str]) -> EntryCache | None:
    if not config.cache.enabled:
        return None
    folder = cache_folder(config.cache.path, environ)
    days, size = timedelta(days=config.cache.ttl_days), int(config.cache.max_mb * MEGABYTE)
    return EntryCache(folder, "ragas", days, size)
