"""What a settings file needs beyond the small set of packages: asked before anything large is installed."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rag_gate.cli_support import emit
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.dataset.rows import needs_library
from rag_gate.errors import RagGateError
from rag_gate.files import canonical_json

#: Judges that ask no model, so that there is nothing to keep for the next run.
_OFFLINE: frozenset[str] = frozenset({"lexical", "none"})
#: Engine of the judge -> lock file with its packages (requirements/NAME.txt).
_LOCK_OF_ENGINE: Mapping[str, str] = MappingProxyType({"ragas": "ragas"})
#: The lock with the ``datasets`` library.
_TABLES = "core"


def locks_needed(config: Config) -> list[str]:
    """Return the locks to install on top of the small one, smaller ones first."""
    sources = [config.dataset, *([str(config.run)] if config.run else [])]
    tables = [_TABLES] if any(needs_library(source) for source in sources if source) else []
    engine = _LOCK_OF_ENGINE.get(config.judge.engine)
    return [*tables, *([engine] if engine else [])]


def run_needs(path: Path) -> None:
    """Print what the settings need, as JSON; settings that cannot be read need nothing more to be refused."""
    try:
        config = load_config(path)
    except RagGateError:
        config = Config()
    emit(canonical_json({"locks": locks_needed(config), "model_judge": config.judge.engine not in _OFFLINE}))
