"""From labelled rows to the shipped table of weights, bit for bit the same each time."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path

from judging.fitting import Fitted, fit
from judging.rows import Row
from rag_gate.judge.evidence import Evidence
from rag_gate.judge.features import NAMES, compare
from rag_gate.judge.numbers import extract_values
from rag_gate.judge.terms import content_terms

RIDGE = 0.1
_DECIMALS = 4
#: Features of a claim of which no context holds a single unit.
_NOTHING = tuple(1.0 if name == "agreement" else 0.0 for name in NAMES)


def measured(row: Row) -> tuple[float, ...]:
    """Return the features of a row's answer, taken as one claim."""
    evidence = Evidence(row.contexts, also_known=row.question)
    terms = content_terms(row.answer)
    window = evidence.best_window(terms)
    if window is None:
        return _NOTHING
    values = [value for value in extract_values(row.answer) if value.firm]
    return compare(row.answer, terms, values, evidence, window).features.values()


def fitted(rows: Sequence[Row], features: Sequence[Sequence[float]]) -> Fitted:
    """Fit on every row whose licence allows it; each label of each family counts the same.

    The features are fitted in units of their standard deviation, so that the penalty treats them alike,
    and the weights are given for the features as they are, rounded to four decimals.
    """
    used = [at for at, row in enumerate(rows) if not row.only_evaluate]
    counts = Counter((rows[at].family, rows[at].right) for at in used)
    shares = [1 / counts[rows[at].family, rows[at].right] for at in used]
    columns = list(zip(*(features[at] for at in used), strict=True))
    scales = [_deviation(column) or 1.0 for column in columns]
    scaled = [[value / scale for value, scale in zip(features[at], scales, strict=True)] for at in used]
    found = fit(scaled, [rows[at].right for at in used], shares, RIDGE)
    weights = (weight / scale for weight, scale in zip(found.weights, scales, strict=True))
    return Fitted(round(found.bias, _DECIMALS), tuple(round(weight, _DECIMALS) for weight in weights))


def _deviation(column: Sequence[float]) -> float:
    middle = sum(column) / len(column)
    return sqrt(sum((value - middle) ** 2 for value in column) / len(column))


def left_out(rows: Sequence[Row], features: Sequence[Sequence[float]]) -> Callable[[Row], Fitted]:
    """Return a function that gives, for a row, the fit on the rows of all other families."""
    known: dict[str, Fitted] = {}

    def of(row: Row) -> Fitted:
        if row.family not in known:
            kept = [at for at, other in enumerate(rows) if other.family != row.family]
            known[row.family] = fitted([rows[at] for at in kept], [features[at] for at in kept])
        return known[row.family]

    return of


def table(found: Fitted) -> str:
    """Return the text of the shipped table."""
    weights = dict(zip(NAMES, found.weights, strict=True))
    return json.dumps({"schema_version": 1, "bias": found.bias, "weights": weights}, indent=2) + "\n"


def manifest(rows: Sequence[Row], files: Sequence[Path]) -> str:
    """Return what the weights were fitted on: per dataset licence, sources, counts and a hash of its rows."""
    datasets: dict[str, dict[str, object]] = {}
    for name in sorted({row.dataset for row in rows if not row.only_evaluate}):
        own = [row for row in rows if row.dataset == name]
        ids = "\n".join(sorted(f"{row.id}\t{row.answer}" for row in own))
        datasets[name] = {
            "family": own[0].family,
            "licence": own[0].licence,
            "sources": sorted({row.source.partition(":")[2].partition(":")[0] for row in own}),
            "rows": len(own),
            "supported": sum(row.right for row in own),
            "sha256": hashlib.sha256(ids.encode()).hexdigest(),
        }
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return json.dumps({"files": digests, "datasets": datasets}, indent=2, ensure_ascii=False) + "\n"
