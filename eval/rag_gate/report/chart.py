"""A trend as a mermaid chart, which GitHub draws in the reader's own colours.

Everything in it is a number, a day or a word of ours: no text of others gets into its source.
"""

import re
from collections.abc import Sequence

from rag_gate.records.history import TrendPoint
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import Words

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_MARGIN = 0.15
#: The axis never shows less than this (of values above 1: than this part of them), or noise would look like a cliff.
_LEAST = 0.05


def chart(metric: str, points: Sequence[TrendPoint], now: float | None, words: Words) -> Markdown:
    """Return the source of a chart of the promoted means and, last, of this run.

    Args:
        metric: a name of letters, digits, ``_`` and ``@`` only.
        points: oldest first.
        now: this run's mean; None leaves it out.
        words: of the reader's language.
    """
    days = [f'"{_label(point.promoted_at, place)}"' for place, point in enumerate(points, start=1)]
    means = [point.mean for point in points]
    if now is not None:
        days.append(f'"{words("trend.now")}"')
        means.append(now)
    low, high = _range(means)
    return Markdown(
        "\n".join(
            (
                "xychart-beta",
                f'  title "{words("trend.title", metric=Markdown(metric))}"',
                f"  x-axis [{', '.join(days)}]",
                f'  y-axis "{metric}" {_plain(low)} --> {_plain(high)}',
                f"  line [{', '.join(map(_plain, means))}]",
            )
        )
    )


def _label(promoted_at: str, place: int) -> str:
    """Return the day; a promotion that states none has its number."""
    day = promoted_at[:10]
    return day if _DAY.match(day) else f"{place}."


def _plain(value: float) -> str:
    """Return a number without an exponent: mermaid knows none, and would show an error in the chart's place."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _range(means: Sequence[float]) -> tuple[float, float]:
    low, high = min(means), max(means)
    least = _LEAST * max(1.0, abs(low), abs(high))
    room = max((high - low) * _MARGIN, (least - (high - low)) / 2)
    bottom, top = low - room, high + room
    if low >= 0 and high <= 1:  # a share has no values beyond
        return max(0.0, bottom), min(1.0, top)
    return bottom, top
