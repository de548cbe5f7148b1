"""From the judge's settings to the model that rules."""

from collections.abc import Mapping
from typing import Any

from rag_gate.config_judge import JudgeConfig
from rag_gate.files import fingerprint
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.build import chosen_models, model_judge, reply_cache, require_prices
from rag_gate.judge.llm.prompt_files import LANGUAGES, prompt_file
from rag_gate.judge.llm.ruling.canary import RulingCanary
from rag_gate.judge.llm.ruling.engine import RulingEngine
from rag_gate.judge.spent import Spent


def ruling_settings(config: JudgeConfig) -> dict[str, Any]:
    """Return everything that can move a ruling; no key is needed for it.

    Raises:
        ConfigError: if the model may not judge.
    """
    strong, _ = chosen_models(config)
    digests = [prompt_file("ruling", language, strong.entry.prompt).digest for language in LANGUAGES]
    return {**strong.described(config), "prompts": fingerprint(digests)[:12]}


def ruling_engine(
    config: JudgeConfig, environ: Mapping[str, str], spent: Spent | None = None
) -> RulingEngine:
    """Return the model that rules: the judge itself, never the cheap model of a cascade; nothing is asked yet.

    Args:
        config: the settings of the judge, whose limits hold.
        environ: where keys come from.
        spent: what counts against the limits already, and what is added to; by default nothing.

    Raises:
        ConfigError: if a setting is missing or wrong.
        InputError: if a file that the settings name cannot be read.
    """
    strong, _ = chosen_models(config)
    require_prices(config, [strong])
    cache = reply_cache(config, environ)
    budget = Budget(config.max_calls, config.max_cost_usd, spent)
    judge = model_judge(strong, config, environ, budget, cache)
    canary = RulingCanary(judge) if config.canary else None
    return RulingEngine(judge, ruling_settings(config), cache, canary)
