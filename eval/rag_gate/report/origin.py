"""Where a report comes from, beyond what results and verdict say."""

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a reader needs to find the run again.

    Attributes:
        config: path of the settings, as the commands in the report name it.
        results: path of the results, likewise.
        run: path of the recorded run, likewise; None = the one in the settings.
        today: the day of the report, to tell the baseline's age; None = it is not told.
        head: the commit that was judged; None = as the run itself states it.
        run_url: page of the workflow run.
    """

    config: str = "rag-gate.yml"
    results: str = "eval_results/results.json"
    run: str | None = None
    today: date | None = None
    head: str | None = None
    run_url: str | None = None


def now(
    config: Path | None,
    results: Path,
    *,
    run: str | None = None,
    head: str | None = None,
    run_url: str | None = None,
) -> Origin:
    """Return the origin of a report that is made today (UTC)."""
    return Origin(
        config="rag-gate.yml" if config is None else _shown(config),
        results=_shown(results),
        run=None if run is None else _shown(Path(run)),
        today=datetime.now(UTC).date(),
        head=head,
        run_url=run_url,
    )


def _shown(path: Path) -> str:
    """Return a path relative to where the command runs; of one that lies elsewhere only the name is anybody's business."""
    whole = Path(os.path.realpath(path))
    here = Path(os.path.realpath(Path.cwd()))
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else path.name
