"""What the page's first screen says: verdict, metrics with charts, the table of retrieval and answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_gate.measures import DIMENSIONS, Direction, measure_of
from rag_gate.records.history import TrendPoint
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.html.charts import ChangeChart, Scale, TrendChart, change_chart, scale_of, trend_chart
from rag_gate.report.html.index_data import CHANGES, FAILING, URGENCY, cell_of
from rag_gate.report.html.said import Fact, Said
from rag_gate.report.html.words import PageWords

Found = Results | Mapping[str, float | None]
_TONES = {"error": "warn", "regressed": "bad", "inconclusive": "warn", "pass": "good", "report_only": "quiet"}
_OUTCOMES = {"pass": "good", "regressed": "bad"}


@dataclass(frozen=True, slots=True)
class MetricView:
    """One metric as the page shows it; texts are plain and are escaped by the template."""

    name: str
    title: str
    dimension: str
    tone: str
    verdict: str
    baseline: str
    now: str
    change: str
    interval: str
    tolerance: str
    cases: str
    chart: ChangeChart | None
    trend: TrendChart | None
    trend_words: str
    described: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of the table of retrieval and answer."""

    key: str
    count: int
    tone: str


@dataclass(frozen=True, slots=True)
class Link:
    """A number that leads to its cases."""

    key: str
    count: int
    words: str
    tone: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The page's first screen."""

    outcome: str
    tone: str
    summary: str
    said: tuple[str, ...]
    changed: tuple[tuple[str, str, str], ...]
    links: tuple[Link, ...]
    deciding: tuple[MetricView, ...]
    shown_only: tuple[MetricView, ...]
    cells: tuple[tuple[Cell, ...], ...]
    slices: tuple[tuple[str, str, int, str], ...]
    facts: tuple[Fact, ...]


def overview_of(
    results: Found,
    verdict: Verdict,
    changes: Mapping[str, str],
    words: PageWords,
    said: Said,
) -> Overview:
    """Return what the first screen says.

    Args:
        results: what was measured.
        verdict: the decision about it.
        changes: question id -> what became of the case.
        words: of the reader's language.
        said: what is said as in the comment.
    """
    cases = results.cases if isinstance(results, Results) else []
    metrics = _Metrics(results, verdict, words, said)
    outcome = said.outcome(verdict)
    lines = [*verdict.problems[1:], *([verdict.neutral] if verdict.neutral else []), *verdict.notices]
    return Overview(
        outcome=words.either(f"outcome.{outcome}", outcome),
        tone="warn" if verdict.neutral else _OUTCOMES.get(verdict.overall, "warn"),
        summary=said.summary(verdict),
        said=tuple(said.sentences(lines)),
        changed=tuple(
            (name, was or words("not_stated"), now or words("not_stated"))
            for name, (was, now) in verdict.conditions.items()
        ),
        links=_links(cases, changes, words),
        deciding=metrics.all_of(verdict.metrics),
        shown_only=metrics.all_of(verdict.report_only),
        cells=_cells(cases),
        slices=tuple(
            (
                row.metric,
                row.slice,
                row.n,
                said.change(row.delta, _direction(row.metric, verdict), None, beyond=None),
            )
            for row in verdict.slices
        ),
        facts=tuple(said.facts(results, verdict)),
    )


def _links(cases: Sequence[CaseResult], changes: Mapping[str, str], words: PageWords) -> tuple[Link, ...]:
    counts = Counter(changes[case.question_id] for case in cases)
    tones = {"newly_failing": "bad", "new_failing": "bad", "still_failing": "warn", "unscored": "warn"}
    links = [
        Link(f"change={name}", counts[name], words(f"change.{name}"), tones.get(name, "good"))
        for name in CHANGES[:-1]
        if counts[name]
    ]
    passed = sum(case.status == "passed" for case in cases)
    failing = sum(case.status in FAILING for case in cases)
    every = [
        Link("", len(cases), words("count.cases"), "quiet"),
        Link("status=passed", passed, words("status.passed"), "good"),
        Link("status=failing", failing, words("count.failing"), "bad"),
    ]
    return tuple(link for link in (*every, *links) if link.count or not link.key) if cases else ()


def _cells(cases: Sequence[CaseResult]) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows retrieval right, wrong, not known, each with answer right, wrong, not known."""
    if not cases:
        return ()
    counts = Counter(map(cell_of, cases))
    tones = {"yy": "good", "uy": "good", "yn": "bad", "nn": "bad", "ny": "warn", "nu": "bad", "un": "bad"}
    return tuple(tuple(Cell(r + a, counts[r + a], tones.get(r + a, "quiet")) for a in "ynu") for r in "ynu")


class _Metrics:
    def __init__(self, results: Found, verdict: Verdict, words: PageWords, said: Said) -> None:
        self._results, self._verdict, self._words, self._said = results, verdict, words, said
        units: dict[str, list[MetricVerdict]] = {}
        for name, found in (verdict.metrics | verdict.report_only).items():
            units.setdefault(self._unit(name), []).append(found)
        self._scales: dict[str, Scale | None] = {unit: scale_of(found) for unit, found in units.items()}

    def _alike(self, name: str, last: TrendPoint) -> bool:
        """Tell whether this run saw the cases of the promoted runs."""
        results = self._results
        if not isinstance(results, Results):
            return False
        return results.dataset.tier == last.tier or results.measured_on_all_tiers(name)

    def _unit(self, name: str) -> str:
        return self._said.unit(name)

    def all_of(self, metrics: Mapping[str, MetricVerdict]) -> tuple[MetricView, ...]:
        order = sorted(metrics, key=lambda name: (URGENCY.index(metrics[name].verdict), _quality(name)))
        return tuple(self._of(name, metrics[name]) for name in order)

    def _of(self, name: str, found: MetricVerdict) -> MetricView:
        words, said = self._words, self._said
        measure = measure_of(name)
        now = found.mean_current_all if found.mean_current is None else found.mean_current
        tolerance = words("tolerance.none_failing") if found.kind == "zero_tolerance" else ""
        if found.kind != "zero_tolerance" and found.tolerance is not None:
            tolerance = said.exact(found.tolerance)
        change = interval = ""
        if found.delta is not None:
            change = said.change(found.delta, found.direction, found.tolerance, beyond=found.beyond)
        if found.ci_low is not None and found.ci_high is not None:
            interval = said.interval(found.ci_low, found.ci_high, found.direction, name)
        baseline = said.number(found.mean_base, name) if found.mean_base is not None else "–"
        shown = said.number(now, name) if now is not None else words("not_measured")
        points = self._verdict.trend.get(name, [])
        alike = bool(points) and self._alike(name, points[-1])
        past = ", ".join(f"{said.number(point.mean, name)} ({point.promoted_at[:10]})" for point in points)
        return MetricView(
            name=name,
            title=words.either(f"metric.{measure.name}", measure.title) if measure else "",
            dimension=words.either(f"dimension.{measure.dimension}", "") if measure else words("dimension.own"),
            tone=_TONES[found.verdict],
            verdict=words(f"decision.{found.verdict}"),
            baseline=baseline,
            now=shown,
            change=change or "–",
            interval=interval,
            tolerance=tolerance or "–",
            cases=self._cases(found),
            chart=change_chart(found, self._scales[self._unit(name)]),
            trend=trend_chart(points, found.mean_current_all if alike else None),
            trend_words=words(f"trend.{'described' if alike else 'past'}", past=past, now=shown) if past else "",
            described=words(
                "chart.described",
                metric=name, baseline=baseline, now=shown, change=change or "–", interval=interval or "–",
                tolerance=tolerance or "–",
            ),
        )  # fmt: skip

    def _cases(self, found: MetricVerdict) -> str:
        if found.kind == "zero_tolerance":
            return self._words("cases.failing", n=len(found.failing), of=found.n_current or 0)
        if not found.n_pairs:
            return ""
        moved = {"pairs": found.n_pairs, "better": found.wins or 0, "worse": found.losses or 0}
        return self._words("cases.moved" if found.wins is not None else "cases.pairs", **moved)


def _quality(name: str) -> int:
    measure = measure_of(name)
    return DIMENSIONS.index(measure.dimension) if measure else len(DIMENSIONS)


def _direction(metric: str, verdict: Verdict) -> Direction:
    found = verdict.metrics.get(metric) or verdict.report_only.get(metric)
    return found.direction if found else "higher"
