"""The files that a run leaves, and those that an earlier run, or a commit, left in their place."""

from pathlib import Path

from rag_gate.measures import STAGES

_DECIDED = ("results.json", "verdict.json", "comment.md", "report.html")
_MEASURED = tuple(f"{stage}.json" for stage in STAGES)


def remove_older(folder: Path, *, measured_here: bool) -> None:
    """Remove what stands where this run writes: a committed file must not pass for a result.

    Args:
        folder: where this run writes.
        measured_here: whether it writes a file for each stage; where it joins such files, they may be what is joined.
    """
    for name in _names(measured_here=measured_here):
        (folder / name).unlink(missing_ok=True)


def written_files(folder: Path, *, measured_here: bool) -> list[Path]:
    """Return what this run has written."""
    return [folder / name for name in _names(measured_here=measured_here) if (folder / name).is_file()]


def _names(*, measured_here: bool) -> tuple[str, ...]:
    return (*_DECIDED, *_MEASURED) if measured_here else _DECIDED
