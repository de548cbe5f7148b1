"""From settings to a judge, and to the fingerprint of what can move its scores."""

import os
from collections.abc import Mapping

from rag_gate.config_judge import JudgeConfig
from rag_gate.errors import ConfigError
from rag_gate.judge.engine import Engine
from rag_gate.judge.spent import Spent
from rag_gate.partials import evaluator_of
from rag_gate.records.agreement import Agreement
from rag_gate.records.own import read_own
from rag_gate.records.partial import Evaluator


def engine_of(
    config: JudgeConfig, environ: Mapping[str, str] = os.environ, spent: Spent | None = None
) -> Engine:
    """Return the judge that the settings describe; nothing is asked yet.

    Args:
        config: the settings.
        environ: where keys come from.
        spent: what counts against ``max_calls`` and ``max_cost_usd`` already, and what is added to: give the same
            to all judges that share these limits. By default nothing.

    Raises:
        ConfigError: if a setting or an optional dependency is missing or wrong.
        InputError: if a file that the settings name cannot be read.
    """
    if config.engine == "lexical":
        from rag_gate.judge.offline import LexicalEngine

        return LexicalEngine(_calibration(config))
    if config.engine == "llm":
        from rag_gate.judge.llm.build import llm_engine

        return llm_engine(config, environ, spent)
    if config.engine == "ragas":
        from rag_gate.judge.ragas.build import ragas_judge

        return ragas_judge(config, environ)
    raise ConfigError("judge.engine: is none, so there is no judge; name another engine")


def _calibration(config: JudgeConfig) -> Agreement | None:
    if config.calibration is None:
        return None
    return read_own(config.calibration, Agreement, "agreement", "rag-gate calibrate judge")


def described_evaluator(config: JudgeConfig) -> Evaluator:
    """Return the evaluator of the settings, to compare it with the one of a run; the judge need not be installed.

    Raises:
        ConfigError: as :func:`engine_of`.
    """
    if config.engine == "llm":
        from rag_gate.judge.llm.build import settings_of
        from rag_gate.judge.llm.engine import LlmEngine

        return evaluator_of(LlmEngine.name, LlmEngine.version, settings_of(config))
    if config.engine == "ragas":
        from rag_gate.judge.ragas.build import described_ragas

        engine: Engine = described_ragas(config, os.environ)
    else:
        engine = engine_of(config)
    return evaluator_of(engine.name, engine.version, engine.settings)
