import shutil
from collections.abc import Mapping

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import Backend
from rag_gate.judge.llm.clients.anthropic_wire import AnthropicWire
from rag_gate.judge.llm.clients.command import CommandBackend
from rag_gate.judge.llm.clients.endpoint import endpoint_of
from rag_gate.judge.llm.clients.http_backend import HttpBackend
from rag_gate.judge.llm.clients.openai_wire import OpenAiWire
from rag_gate.judge.llm.clients.replay import ReplayBackend
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.llm.clients.wire import Wire


def backend_of(settings: BackendSettings, environ: Mapping[str, str]) -> Backend:
    """Return the model that the settings describe; nothing is asked yet.

    Args:
        settings: which model, and the limits.
        environ: environment variables, the only place where keys come from.

    Raises:
        ConfigError: if a setting or a key is missing or wrong.
        InputError: if a recording cannot be read.
    """
    if settings.provider == "replay":
        if settings.recording is None:
            raise ConfigError("judge: provider replay needs recording, a file of recorded replies")
        return ReplayBackend(settings.recording, settings.model)
    if settings.provider == "command":
        return CommandBackend(_startable(settings, environ), environ)
    build = OpenAiWire if settings.provider == "openai" else AnthropicWire
    wire: Wire = build(settings.model, settings.request_options, settings.max_output_tokens)
    return HttpBackend(settings, endpoint_of(settings, environ, wire.path), wire)


def _startable(settings: BackendSettings, environ: Mapping[str, str]) -> BackendSettings:
    if not settings.command:
        raise ConfigError("judge: provider command needs command, a list of a program and its arguments")
    if shutil.which(settings.command[0], path=environ.get("PATH")) is None:
        raise ConfigError(
            f"judge: command: no program {settings.command[0]!r} is found; check the name and PATH"
        )
    return settings
