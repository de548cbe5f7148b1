"""The geometry of the page's charts: numbers for a template that draws SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_gate.records.history import TrendPoint
from rag_gate.records.verdict import MetricVerdict

WIDTH, HEIGHT = 210, 30
TREND_WIDTH, TREND_HEIGHT = 90, 30
_MARGIN = 7
_LEAST = 0.02
_MIDDLE = 2


@dataclass(frozen=True, slots=True)
class Scale:
    """Changes from ``low`` (worse) to ``high`` (better) on the width of a chart."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return where a change stands, in pixels from the left."""
        share = (value - self.low) / (self.high - self.low)
        return round(_MARGIN + share * (WIDTH - 2 * _MARGIN), 1)


@dataclass(frozen=True, slots=True)
class ChangeChart:
    """One metric's change since the baseline, worse to the left.

    Attributes:
        zero: where "as the baseline" stands.
        band: left edge and width of the changes that the tolerance allows; None without a tolerance.
        low: left end of the interval; None without one.
        high: right end.
        now: where this run stands.
    """

    zero: float
    band: tuple[float, float] | None
    low: float | None
    high: float | None
    now: float


@dataclass(frozen=True, slots=True)
class TrendChart:
    """Means of past promotions and this run's, left to right.

    Attributes:
        dots: the promotions; the third value tells that these were other cases.
        now: this run; None where it has no mean, or is of another tier.
    """

    dots: tuple[tuple[float, float, bool], ...]
    now: tuple[float, float] | None

    @property
    def line(self) -> str:
        """The points of the line, as SVG writes them."""
        last = [self.now] if self.now else []
        return " ".join(f"{x},{y}" for x, y in (*(dot[:2] for dot in self.dots), *last))


def scale_of(found: Iterable[MetricVerdict]) -> Scale | None:
    """Return one scale for metrics of one unit; None where no metric was compared."""
    shown = [one for one in found if one.delta is not None]
    ends = [value for one in shown for value in (one.delta, one.ci_low, one.ci_high) if value is not None]
    ends += [-one.tolerance for one in shown if one.tolerance is not None]
    if not ends:
        return None
    low, high = min([*ends, 0.0]), max([*ends, 0.0])
    room = max((high - low) * 0.05, _LEAST)
    return Scale(low - room, high + room)


def change_chart(found: MetricVerdict, scale: Scale | None) -> ChangeChart | None:
    """Return the chart of one metric, None where nothing was compared."""
    if found.delta is None or scale is None:
        return None
    zero = scale.x(0.0)
    band = None
    if found.tolerance is not None:
        left = scale.x(-found.tolerance)
        band = (left, round(max(zero - left, 1.0), 1))
    whole = found.ci_low is not None and found.ci_high is not None
    return ChangeChart(
        zero=zero,
        band=band,
        low=scale.x(found.ci_low) if whole and found.ci_low is not None else None,
        high=scale.x(found.ci_high) if whole and found.ci_high is not None else None,
        now=scale.x(found.delta),
    )


def trend_chart(points: Sequence[TrendPoint], now: float | None) -> TrendChart | None:
    """Return the chart of a metric's history, None where there is none."""
    if not points:
        return None
    values = [point.mean for point in points] + ([now] if now is not None else [])
    low, high = min(values), max(values)
    room = max(_LEAST - (high - low), 0.0) / _MIDDLE
    low, high = low - room, high + room
    step = (TREND_WIDTH - 2 * _MARGIN) / max(len(values) - 1, 1)

    def place(at: int, value: float) -> tuple[float, float]:
        share = (value - low) / (high - low)
        return round(_MARGIN + at * step, 1), round(TREND_HEIGHT - 5 - share * (TREND_HEIGHT - 10), 1)

    dots = tuple((*place(at, point.mean), point.other_cases) for at, point in enumerate(points))
    last = place(len(points), now) if now is not None else None
    return TrendChart(dots, last)
