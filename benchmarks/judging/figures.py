"""All figures of one set of rows, as they are stored."""

from collections.abc import Sequence
from typing import Any

from judging.answers import correctness, edits, refusals, relevance, swapped
from judging.grounding import EARLIER, Grounded, grounding, macro
from judging.rows import Row


def figures_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Measure every task of the rows."""
    tasks = {
        task: [row for row in rows if row.task == task] for task in dict.fromkeys(row.task for row in rows)
    }
    grounded = grounding(tasks["grounded"])
    inside, outside = macro(grounded)
    mean = {
        "dataset": "mean of all",
        "right": sum(one.right for one in grounded.values()),
        "wrong": sum(one.wrong for one in grounded.values()),
        "earlier": _rounded(sum(EARLIER[name] for name in grounded) / len(grounded)),
        "area": _rounded(inside.value),
        "area_error": _rounded(inside.error),
        "left_out": _rounded(outside.value),
        "left_out_error": _rounded(outside.error),
        "balanced": _rounded(sum(one.balanced.value for one in grounded.values()) / len(grounded)),
        "balanced_error": _rounded(
            sum(one.balanced.error**2 for one in grounded.values()) ** 0.5 / len(grounded)
        ),
    }
    return {
        "grounding": [*(_grounded(name, one) for name, one in grounded.items()), mean],
        "edits": edits(tasks["synth"]),
        "swapped": swapped(tasks["qa"]),
        "correctness": correctness(tasks["correctness"]),
        "relevance": relevance(tasks["relevance"]),
        "refusals": refusals(tasks["relevance"]),
    }


def _grounded(name: str, one: Grounded) -> dict[str, Any]:
    high, high_right, low, low_right = one.decided
    return {
        "dataset": name,
        "right": one.right,
        "wrong": one.wrong,
        "earlier": EARLIER[name],
        "area": _rounded(one.fitted.value),
        "area_error": _rounded(one.fitted.error),
        "left_out": _rounded(one.left_out.value),
        "left_out_error": _rounded(one.left_out.error),
        "below_earlier": round(one.below_earlier(name), 2),
        "balanced": _rounded(one.balanced.value),
        "balanced_error": _rounded(one.balanced.error),
        "high": high,
        "high_right": high_right,
        "low": low,
        "low_right": low_right,
    }


def _rounded(value: float) -> float:
    return round(value, 4)
