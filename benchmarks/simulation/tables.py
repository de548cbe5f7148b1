"""The figures as Markdown tables, for the screen and for the page."""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

from simulation.scenarios import SCENARIOS

Row = Mapping[str, Any]
Figures = Mapping[str, Any]
_RULES = {"plain": "plain", "holm05": "rag-gate, `alpha` 0.05", "holm10": "rag-gate, `alpha` 0.10"}
_BEGIN, _END = "<!-- figures: {name} -->\n", "<!-- end -->"


def error_of(rate: float, replications: int) -> float:
    """Return the Monte-Carlo standard error of a rate, which is above 0 also where the rate is 0 or 1."""
    shrunk = (rate * replications + 1) / (replications + 2)
    return sqrt(shrunk * (1 - shrunk) / replications)


def false_alarms(rows: Sequence[Row]) -> str:
    """Return the table: alarms though nothing got worse."""
    sizes = sorted({row["n"] for row in rows})
    found = {(row["scenario"], row["n"]): row for row in rows}
    lines = [
        [scenario.title, words, *(_rate(found[name, n], rule) for n in sizes)]
        for name, scenario in SCENARIOS.items()
        for rule, words in _RULES.items()
    ]
    return _table(["Change", "Rule", *_sizes(sizes)], lines)


def detection(rows: Sequence[Row]) -> str:
    """Return the table: what is caught of a true drop."""
    sizes = sorted({row["n"] for row in rows})
    found = {(row["drop"], row["n"]): row for row in rows}
    rules = {**_RULES, "inconclusive05": "inconclusive, `alpha` 0.05"}
    lines = [
        [f"{drop:.2f}", words, *(_rate(found[drop, n], rule) for n in sizes)]
        for drop in sorted({row["drop"] for row in rows})
        for rule, words in rules.items()
    ]
    return _table(["True drop", "Rule", *_sizes(sizes)], lines)


def two_stage(rows: Sequence[Row]) -> str:
    """Return the table: core first, all cases where it is not sure."""
    columns = {
        "plain": "plain, core",
        "core": "rag-gate, core",
        "escalated": "second stage needed",
        "two_stage": "regressed after two stages",
        "unsure": "still inconclusive",
        "flagged_only": "second stage for the flagged metrics only",
    }
    lines = [[_drop(row["drop"]), *(_rate(row, name) for name in columns)] for row in rows]
    return _table(["One metric's true drop", *columns.values()], lines)


def drift(rows: Sequence[Row]) -> str:
    """Return the table: a little worse with each merge."""
    columns = {
        "rolling_plain": "plain, rolling",
        "rolling": "rag-gate, rolling",
        "anchored_plain": "plain, anchored",
        "anchored": "rag-gate, anchored",
    }
    lines = [[_drop(row["drop"], 3), str(row["n"]), *(_chain(row, name) for name in columns)] for row in rows]
    return _table(["Drop per merge", "Cases", *columns.values()], lines)


TABLES: dict[str, Callable[[Sequence[Row]], str]] = {
    "false_alarms": false_alarms,
    "detection": detection,
    "two_stage": two_stage,
    "drift": drift,
}


def filled(page: str, figures: Figures) -> str:
    """Return the page with the tables between its markers made of the figures.

    Raises:
        ValueError: if the page lacks the marker of a table.
    """
    for name, table in TABLES.items():
        before, found, after = page.partition(_BEGIN.format(name=name))
        if not found:
            raise ValueError(f"the page has no place for the table {name}")
        page = f"{before}{found}{table(figures[name])}{_END}{after.partition(_END)[2]}"
    return page


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _sizes(sizes: Sequence[int]) -> list[str]:
    return [f"{sizes[0]} cases", *map(str, sizes[1:])]


def _drop(drop: float, digits: int = 2) -> str:
    return f"{drop:.{digits}f}" if drop else "none"


def _rate(row: Row, name: str) -> str:
    rate = row[name]
    return f"{100 * rate:.1f} ± {100 * error_of(rate, row['replications']):.1f} %"


def _chain(row: Row, name: str) -> str:
    if row[f"{name}_merge"] is None:
        return _rate(row, name)
    return f"{_rate(row, name)}, merge {row[f'{name}_merge']}, lost {row[f'{name}_lost']:.3f}"
