"""Which run is kept beside a baseline that is promoted, and which copies go."""

import time
from collections.abc import Callable
from pathlib import Path

from rag_gate.baseline import load_baseline
from rag_gate.cli_support import say
from rag_gate.dataset import load_golden
from rag_gate.dataset.kept_run import KeptRun, is_kept_copy, kept_path
from rag_gate.errors import RagGateError
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.stage_options import Source

_UNDER_WAY_S = 3600


def run_to_keep(results: Results, config: Path | None, run: str | None) -> KeptRun | None:
    """Return the run that was measured, to be copied; None, with a line that says why, where it is not at hand.

    Args:
        results: what is promoted.
        config: the settings, which name golden set and run.
        run: the run, where it is not the one in the settings.
    """
    if config is None:
        say(
            [
                "the run's answers are not kept, since no settings name it; with --config, --rejudge can use them"
            ]
        )
        return None
    try:
        found, name = _read(config, run)
    except RagGateError as error:
        say([f"the run's answers are not kept: {error.problems[0]}"])
        return None
    if found.run_fingerprint != results.run.fingerprint:
        say([f"the run's answers are not kept: {name} is not the run of these results; name that with --run"])
        return None
    return found


def _read(config: Path, run: str | None) -> tuple[KeptRun, str]:
    source = Source.from_config(config, run, "extended")
    golden = load_golden(source.dataset, "extended")
    asked = source.config.target is not None and not golden.run_rows
    name = source.run or (str(source.config.recorded_run) if asked else None)
    return KeptRun(golden, name), name or source.dataset


def write_kept(kept: KeptRun, path: Path, previous: str | None, write_baseline: Callable[[], None]) -> None:
    """Write the copy, then the baseline; without the baseline, a new copy is nobody's and goes again."""
    copy = kept.write(path)
    try:
        write_baseline()
    except BaseException:
        if previous != kept.fingerprint:
            copy.unlink(missing_ok=True)
        raise
    say([f"wrote {copy}"])


def remove_older(path: Path, previous: str | None, current: str | None) -> None:
    """Remove the copy that the baseline before had, and old ones that belong to none; what fails is said.

    A copy that is younger than an hour can belong to a promotion that is under way.
    """
    folder = kept_path(path, "").parent
    used = {kept_path(path, digest) for digest in (current, _kept_now(path)) if digest}
    for copy in sorted(folder.iterdir()):
        if not is_kept_copy(copy.resolve(), path) or copy in used:
            continue
        try:
            named = previous is not None and copy == kept_path(path, previous)
            if named or time.time() - copy.stat().st_mtime > _UNDER_WAY_S:
                copy.unlink()
        except OSError as error:
            say([f"{copy}: belongs to no baseline any more and cannot be removed ({error.strerror})"])


def _kept_now(path: Path) -> str | None:
    """Return the copy of the baseline that stands there now, which somebody else may have promoted."""
    found = load_baseline(path)
    return found.kept_run if isinstance(found, Baseline) else None
