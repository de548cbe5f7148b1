"""From settings to a judge, and to the fingerprint of what can move its scores."""

import os
from collections.abc import Iterator, Mapping

from rag_gate.config_judge import JudgeConfig
from rag_gate.errors import ConfigError
from rag_gate.judge.engine import Engine
from rag_gate.partials import evaluator_of
from rag_gate.records.partial import Evaluator


def engine_of(config: JudgeConfig, environ: Mapping[str, str] = os.environ) -> Engine:
    """Return the judge that the settings describe; nothing is asked yet.

    Raises:
        ConfigError: if a setting, a key or an optional dependency is missing or wrong.
        InputError: if a file that the settings name cannot be read.
    """
    if config.engine == "lexical":
        from rag_gate.judge.offline import LexicalEngine

        return LexicalEngine()
    if config.engine == "llm":
        from rag_gate.judge.llm.build import llm_engine

        return llm_engine(config, environ)
    if config.engine == "ragas":
        from rag_gate.judge.ragas.build import ragas_judge

        return ragas_judge(config, environ)
    raise ConfigError("judge.engine: is none, so there is no judge; name another engine")


def described_evaluator(config: JudgeConfig) -> Evaluator:
    """Return the evaluator of the settings without asking for keys: to compare it with the one of a run.

    Raises:
        ConfigError: as :func:`engine_of`, but for a missing key.
    """
    if config.engine == "llm":
        from rag_gate.judge.llm.build import settings_of
        from rag_gate.judge.llm.engine import LlmEngine

        return evaluator_of(LlmEngine.name, LlmEngine.version, settings_of(config))
    environ = AnyKey(os.environ)
    if config.engine == "ragas":
        from rag_gate.judge.ragas.build import described_ragas

        engine: Engine = described_ragas(config, environ)
    else:
        engine = engine_of(config, environ)
    return evaluator_of(engine.name, engine.version, engine.settings)


class AnyKey(Mapping[str, str]):
    """Environment variables of which each is set, for a judge that is described and never asked."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        return self._environ.get(name) or "unused"

    def __iter__(self) -> Iterator[str]:
        return iter(self._environ)

    def __len__(self) -> int:
        return len(self._environ)
