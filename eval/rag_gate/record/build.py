"""From settings to a bot that can be asked."""

from collections.abc import Mapping
from pathlib import Path

from rag_gate.config_target import TargetConfig
from rag_gate.errors import ConfigError
from rag_gate.record.command_target import CommandBot
from rag_gate.record.http_target import HttpBot
from rag_gate.record.python_target import PythonBot
from rag_gate.record.question import Stage
from rag_gate.record.secrets import Secrets

Bot = PythonBot | HttpBot | CommandBot


def build_bot(config: TargetConfig, folder: Path, environ: Mapping[str, str], secrets: Secrets) -> Bot:
    """Return the bot of the settings; nothing is asked yet.

    Args:
        config: which bot.
        folder: where the settings stand.
        environ: environment variables.
        secrets: what no message may show.

    Raises:
        ConfigError: if it cannot be imported, has no address, or is no program.
    """
    if config.python is not None:
        return PythonBot(config.python, folder, secrets)
    if config.http is not None:
        return HttpBot(config.http, secrets, config.concurrency, config.timeout_s)
    if config.command is None:
        raise AssertionError("the settings name one of the three")
    return CommandBot(config.command, folder, environ, secrets, config.concurrency)


def refuse_impossible(bot: Bot, stage: Stage) -> None:
    """Refuse to freeze one half of a bot that cannot do the other half alone.

    Raises:
        ConfigError: that says what the bot lacks.
    """
    if stage == "generation" and not bot.takes_contexts:
        raise ConfigError(
            "--freeze-retrieval: the bot takes no recorded results; give python.answer a parameter 'contexts' (or name "
            "retriever and generator apart), or put {contexts} into http.body"
        )
