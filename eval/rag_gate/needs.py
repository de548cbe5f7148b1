"""What a settings file needs beyond the small set of packages: asked before anything large is installed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from rag_gate.cli_support import emit
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.dataset.rows import needs_library
from rag_gate.errors import RagGateError
from rag_gate.files import canonical_json
from rag_gate.git import read_git
from rag_gate.github.base_commit import repository_root
from rag_gate.github.commit_files import merge_parents

#: Judges that ask no model, so that there is nothing to keep for the next run.
_OFFLINE: frozenset[str] = frozenset({"lexical", "none"})
#: Engine of the judge -> lock file with its packages (requirements/NAME.txt).
_LOCK_OF_ENGINE: Mapping[str, str] = MappingProxyType({"ragas": "ragas"})
#: The lock with the ``datasets`` library.
_TABLES = "core"


def run_needs(path: Path) -> None:
    """Print what the settings need, as JSON.

    Those of a pull request's base commit count as well, since they decide. Settings that cannot be read need
    nothing more to be refused.
    """
    found = list(_settings(path))
    locks = {lock for config in found for lock in locks_needed(config)}
    is_model = any(config.judge.engine not in _OFFLINE for config in found)
    emit(canonical_json({"locks": sorted(locks), "model_judge": is_model}))


def locks_needed(config: Config) -> list[str]:
    """Return the locks to install on top of the small one."""
    sources = [config.dataset, *([str(config.run)] if config.run else [])]
    tables = [_TABLES] if any(needs_library(source) for source in sources if source) else []
    engine = _LOCK_OF_ENGINE.get(config.judge.engine)
    return [*tables, *([engine] if engine else [])]


def _settings(path: Path) -> Iterator[Config]:
    with TemporaryDirectory(prefix="rag-gate-needs-") as folder:
        for file in (path, _of_base(path, Path(folder))):
            try:
                if file is not None:
                    yield load_config(file)
            except RagGateError:
                continue


def _of_base(path: Path, folder: Path) -> Path | None:
    """Write the settings of the commit that a pull request is merged into; None where they are not at hand."""
    root, whole = repository_root(path.parent), path.resolve()
    parents = merge_parents(root)
    if parents is None or not whole.is_relative_to(root):
        return None
    text = read_git(root, "cat-file", "blob", f"{parents.base}:{whole.relative_to(root).as_posix()}")
    if text is None:
        return None
    target = folder / path.name
    target.write_bytes(text)
    return target
