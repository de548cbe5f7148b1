"""Human labels: one JSON object per line with question_id, label and perhaps metric."""

from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import iter_lines, parse_json
from rag_gate.text import quoted

_LABELS: dict[object, bool] = {0: False, 1: True}  # true and false are equal to 1 and 0


def read_labels(path: Path, metric: str) -> dict[str, bool]:
    """Read the labels of one metric; a row that names no metric is for any. Other keys are ignored.

    Raises:
        InputError: one line per bad row: no object, no id, no label of 0 or 1, or a case labelled twice.
    """
    labels: dict[str, bool] = {}
    problems = []
    for number, line in iter_lines(path):
        where = f"{path}:{number}"
        row = parse_json(line, where)
        problem = _problem(row, metric, labels)
        if problem:
            problems.append(f"{where}: {problem}")
        elif _is_for(row, metric):
            labels[str(row["question_id"])] = _LABELS[row["label"]]
    if problems:
        raise InputError.of(problems)
    if not labels:
        raise InputError(
            f'{path}: holds no label for {metric}; rows are {{"question_id": "...", "label": 1}}'
        )
    return labels


def _is_for(row: dict[str, Any], metric: str) -> bool:
    return row.get("metric") in (None, metric)


def _problem(row: object, metric: str, labels: dict[str, bool]) -> str | None:
    if not isinstance(row, dict):
        return f"must be an object, found {type(row).__name__}"
    key, label = row.get("question_id"), row.get("label")
    if isinstance(key, bool) or not isinstance(key, str | int) or key == "":
        return "question_id: must be text or a whole number"
    if not isinstance(row.get("metric"), str | None):
        return "metric: must be the name of a metric"
    if _is_for(row, metric) and (not isinstance(label, int) or label not in _LABELS):
        return f"label: must be 0 or 1 (or false, true), found {quoted(str(label))}"
    if _is_for(row, metric) and str(key) in labels:
        return f"{quoted(str(key))} is labelled twice for {metric}; keep one row"
    return None
