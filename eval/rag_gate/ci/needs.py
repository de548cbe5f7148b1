"""What a settings file needs beyond the small set of packages: asked before anything large is installed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from rag_gate.ci.commenting import open_github
from rag_gate.ci.pulls import completed, pull_of
from rag_gate.cli_support import emit, say
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.dataset.rows import needs_library
from rag_gate.errors import NotJudgedError, RagGateError
from rag_gate.files import canonical_json
from rag_gate.github.base_commit import open_base, repository_root
from rag_gate.github.client import GitHub
from rag_gate.github.commit_files import TreeFiles
from rag_gate.github.event import Context, read_context
from rag_gate.github.overlay import Overlay
from rag_gate.github.trusted import Given, trusted_rules

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
    locks: set[str] = set()
    is_model = False
    for config in _settings(path):
        locks |= set(locks_needed(config))
        is_model = is_model or config.judge.engine not in _OFFLINE
    emit(canonical_json({"locks": sorted(locks), "model_judge": is_model}))


def locks_needed(config: Config) -> list[str]:
    """Return the locks to install on top of the small one."""
    sources = [config.dataset, *([str(config.run)] if config.run else [])]
    tables = [_TABLES] if any(needs_library(source) for source in sources if source) else []
    engine = _LOCK_OF_ENGINE.get(config.judge.engine)
    return [*tables, *([engine] if engine else [])]


def _settings(path: Path) -> Iterator[Config]:
    """Yield the settings in the work tree, and those of the base commit while the files that they name are there."""
    with suppress(RagGateError):  # the gate's own run says what is wrong with them
        yield load_config(path)
    with TemporaryDirectory(prefix="rag-gate-needs-") as folder:
        try:
            found = _of_base(path, Path(folder))
        except RagGateError as error:
            say([f"what the base commit's settings need is not known: {error.problems[0]}"])
            return
        if found is not None:
            yield found


def _of_base(path: Path, folder: Path) -> Config | None:
    """Return the settings that decide about a pull request; None where there is none, or they are the work tree's.

    A clone of depth one does not hold them; then GitHub is asked, as the gate itself does.
    """
    environ = os.environ
    if not environ.get("GITHUB_EVENT_PATH"):
        return None
    context = read_context(environ)
    with open_github(context, environ) as github:
        found = _about(context, github)
        if not found.is_proposed:
            return None
        root = repository_root(path.parent)
        overlay = Overlay(folder, root, open_base(found, root, github), TreeFiles(root))
        rules = trusted_rules(Given(path), overlay)
    return None if rules is None else rules.config


def _about(context: Context, github: GitHub | None) -> Context:
    """Return the context with the pull request that the event is about."""
    if context.event != "workflow_run":
        return completed(context, github)
    found = None if github is None else pull_of(context, github)
    if found is None:
        raise NotJudgedError("no open pull request has the commit of that run as its newest one")
    return found
