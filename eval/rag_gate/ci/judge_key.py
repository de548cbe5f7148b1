"""Whether the judge of the settings needs a key that is not there."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rag_gate.config_models import Config

_ENGINES = frozenset({"llm", "ragas"})
_WITHOUT_KEY = frozenset({"command", "replay"})
_USUAL = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def missing_key(config: Config, environ: Mapping[str, str]) -> str | None:
    """Return the name of a variable that the judge needs and that is not set; None where nothing is missing."""
    return missing_key_of(config.judge.model_dump(), environ)


def missing_key_of(judge: Mapping[str, Any], environ: Mapping[str, str]) -> str | None:
    """Return the same for the part ``judge`` of the settings."""
    if judge.get("engine") not in _ENGINES:
        return None
    models = [judge, judge["cascade"]] if isinstance(judge.get("cascade"), Mapping) else [judge]
    names = (_variable(model, judge) for model in models)
    return next((name for name in names if name and not environ.get(name, "").strip()), None)


def _variable(model: Mapping[str, Any], judge: Mapping[str, Any]) -> str | None:
    provider = model.get("provider") or judge.get("provider")
    if provider in _WITHOUT_KEY:
        return None
    address = model.get("base_url") or judge.get("base_url")
    if address and (urlsplit(str(address)).hostname or "") in _LOCAL:
        return None
    named = model.get("api_key_env") if model.get("api_key_env") is not None else judge.get("api_key_env")
    if named is not None:
        return str(named) or None
    if address:
        return None  # no usual key is sent there; the judge says so
    if provider is None:
        provider = "anthropic" if str(model.get("model")).startswith("claude") else "openai"
    return _USUAL.get(str(provider))
