"""The history beside a baseline: one line per promotion, never rewritten."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from rag_gate.errors import InputError
from rag_gate.files import beside, canonical_json, iter_lines
from rag_gate.measures import is_possible, measure_of
from rag_gate.records.baseline import Provenance
from rag_gate.records.history import HistoryRow, MetricHistory, TrendPoint
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sides import measured_rows, score_map
from rag_gate.statistics import standard_deviation

_POINTS = 8
#: A share of cases that may lack a score in one run and not in another.
_FEW = 0.1


def history_path(baseline: Path) -> Path:
    """Return ``baseline.history.jsonl`` for ``baseline.json``; beside the file that a link points to."""
    return beside(baseline, "history.jsonl")


def history_row(
    results: Results, verdict: Verdict, provenance: Provenance, *, new_anchor: bool
) -> HistoryRow:
    """Return what the history keeps of a promotion."""
    judge = results.stages.get("judge")
    return HistoryRow(
        promoted_at=provenance.promoted_at,
        promoted_by=provenance.promoted_by,
        commit=provenance.commit,
        reason=provenance.reason,
        verdict=provenance.verdict,
        tier=results.dataset.tier,
        dataset=results.dataset.fingerprint,
        run=results.run.fingerprint,
        judge=judge.fingerprint if judge else None,
        stages={stage: evaluator.fingerprint for stage, evaluator in results.stages.items()},
        new_anchor=new_anchor,
        metrics={
            name: _metric(name, results)
            for name in results.metrics
            if name in verdict.metrics and verdict.metrics[name].kind != "report_only"
        },
    )


def _metric(name: str, results: Results) -> MetricHistory:
    scores = [case.score for case in score_map(name, measured_rows(results)).values()]
    values = [score for score in scores if isinstance(score, float)]
    found = results.metrics[name]
    return MetricHistory(
        mean=found.mean, n=found.n_scored, sd=standard_deviation(values) if len(values) > 1 else None
    )


def read_history(path: Path) -> list[HistoryRow]:
    """Return the promotions, oldest first; a line that was cut off, or is of another kind, is left out."""
    if not path.is_file():
        return []
    rows = []
    for _, line in iter_lines(path):
        try:
            rows.append(HistoryRow.model_validate_json(line))
        except ValidationError:
            continue  # a promotion that was killed leaves such a line; it never decides anything
    return rows


def trend(rows: Sequence[HistoryRow], metrics: Iterable[str]) -> dict[str, list[TrendPoint]]:
    """Return metric -> its promoted means, oldest first, as far back as they were measured alike.

    The last promotions of the same tier count, as long as the metric's stage was measured with the same
    settings; a metric with fewer than two of them has no trend.
    """
    found = {}
    for name in metrics:
        points = [_point(row, rows[-1], name) for row in _measured_alike(rows, name)]
        if len(points) > 1:
            found[name] = points
    return found


def _measured_alike(rows: Sequence[HistoryRow], name: str) -> list[HistoryRow]:
    measure, chosen = measure_of(name), []
    stage = measure.stage if measure is not None else None
    for row in reversed(rows):
        if row.tier != rows[-1].tier or _measured_by(row, stage) != _measured_by(rows[-1], stage):
            break
        mean = row.metrics[name].mean if name in row.metrics else None
        if mean is not None and is_possible(name, mean):
            chosen.append(row)
    return chosen[:_POINTS][::-1]


def _measured_by(row: HistoryRow, stage: str | None) -> str | None:
    if stage is None:
        return None
    return row.stages.get(stage, row.judge if stage == "judge" else None)


def _point(row: HistoryRow, last: HistoryRow, name: str) -> TrendPoint:
    metric, latest = row.metrics[name], last.metrics.get(name, row.metrics[name])
    return TrendPoint.model_validate(
        {
            "promoted_at": row.promoted_at,
            "commit": row.commit,
            "tier": row.tier,
            "mean": metric.mean,
            "n": metric.n,
            "sd": metric.sd,
            "other_cases": row.dataset != last.dataset or abs(metric.n - latest.n) > _FEW * latest.n,
        }
    )


def refuse_unusable(path: Path) -> None:
    """Find out before anything is written that the history cannot be.

    Raises:
        InputError: if something stands there that no line can be added to.
    """
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        raise InputError(f"{path}: no line can be added to it; make it a file that can be written")


def append_history(path: Path, row: HistoryRow) -> None:
    """Add one whole line and wait until it is stored; a line that was cut off before stays alone.

    Raises:
        InputError: if it cannot be written; the baseline is there already.
    """
    line = canonical_json(row.model_dump(mode="json")).encode("utf-8", "backslashreplace") + b"\n"
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
