"""Where the cache is: the setting, else RAG_GATE_CACHE_DIR, else the user's cache folder."""

import os
from collections.abc import Mapping
from pathlib import Path

from rag_gate.errors import ConfigError

VARIABLE = "RAG_GATE_CACHE_DIR"


def cache_folder(setting: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the cache; nothing is created.

    Raises:
        ConfigError: if the user has no home folder and nothing else says where.
    """
    if setting is not None:
        return setting
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    shared = Path(environ.get("XDG_CACHE_HOME", ""))
    if not shared.is_absolute():  # the XDG rules: a relative path is ignored
        home = Path(environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - Path.home() may raise
        if not home.is_absolute():
            raise ConfigError(f"no home folder to keep the cache in; set {VARIABLE} or judge.cache.path")
        shared = home / ".cache"
    return shared / "rag-gate" / "judge"
