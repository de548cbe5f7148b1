"""The surroundings of the process of ragas: no key, no telemetry, nothing of the user's folders."""

import site
import sys
from collections.abc import Mapping
from pathlib import Path

import rag_gate

_KEPT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LC_CTYPE")
# Our own code is the one that runs here; all else is what the interpreter has, which may be another one.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rag_gate.judge.ragas.worker import main; "
    "del sys.path[0]; main()"
)


def command_of(python: Path | None) -> list[str]:
    """Return the command that starts the worker."""
    package = Path(rag_gate.__file__).resolve().parents[1]
    return [str(python or sys.executable), "-P", "-W", "ignore", "-c", _START, str(package)]


def environment_of(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return the worker's environment.

    Args:
        environ: ours; only what starts programs is passed on.
        home: an empty folder that stands for the user's.
    """
    kept = {name: environ[name] for name in _KEPT if name in environ}
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HF_HOME"), str(home))
    silent = {
        "RAGAS_DO_NOT_TRACK": "true",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "LANGCHAIN_TRACING_V2": "false",
        "LANGSMITH_TRACING": "false",
    }
    own = {"PYTHONUTF8": "1", "PYTHONUSERBASE": site.getuserbase()}
    return {**kept, **folders, **silent, **own}
