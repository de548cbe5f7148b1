"""The history beside a baseline: one line per promotion, never rewritten."""

import os
from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import canonical_json
from rag_gate.records.baseline import Provenance
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict


def history_path(baseline: Path) -> Path:
    """Return ``baseline.history.jsonl`` for ``baseline.json``."""
    return baseline.with_name(f"{baseline.stem}.history.jsonl")


def history_row(
    results: Results, verdict: Verdict, provenance: Provenance, *, new_anchor: bool
) -> dict[str, Any]:
    """Return what the history keeps of a promotion."""
    judge = results.stages.get("judge")
    return {
        "promoted_at": provenance.promoted_at,
        "promoted_by": provenance.promoted_by,
        "commit": provenance.commit,
        "reason": provenance.reason,
        "verdict": provenance.verdict,
        "tier": results.dataset.tier,
        "dataset": results.dataset.fingerprint,
        "run": results.run.fingerprint,
        "judge": judge.fingerprint if judge else None,
        "new_anchor": new_anchor,
        "metrics": {
            name: {"mean": found.mean, "n": found.n_scored}
            for name, found in results.metrics.items()
            if name in verdict.metrics and verdict.metrics[name].kind != "report_only"
        },
    }


def refuse_unusable(path: Path) -> None:
    """Find out before anything is written that the history cannot be.

    Raises:
        InputError: if something stands there that no line can be added to.
    """
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        raise InputError(f"{path}: no line can be added to it; make it a file that can be written")


def append_history(path: Path, row: dict[str, Any]) -> None:
    """Add one whole line and wait until it is stored; a line that was cut off before stays alone.

    Raises:
        InputError: if it cannot be written; the baseline is there already.
    """
    line = canonical_json(row).encode("utf-8", "backslashreplace") + b"\n"
    try:
        with path.open("ab+", buffering=0) as handle:
            if handle.seek(0, os.SEEK_END):
                handle.seek(-1, os.SEEK_END)
                line = line if handle.read(1) == b"\n" else b"\n" + line
            handle.write(line)
            os.fsync(handle.fileno())
    except OSError as error:
        raise InputError(
            f"{path}: the baseline was written, and its line could not be added here ({error.strerror})"
        ) from error
