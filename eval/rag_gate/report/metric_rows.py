"""Rows for metrics: the deciding ones with their verdict in words, and all of them with denominators."""

from collections.abc import Mapping
from decimal import Decimal

from rag_gate.measures import DIMENSIONS, measure_of
from rag_gate.records.partial import MetricSummary
from rag_gate.records.results import Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.numbers import change, exact, interval, number, p_value
from rag_gate.report.rows import Listing, MetricRow, PowerRow, ScoreRow, SliceRow
from rag_gate.report.words import DECISIONS, NOTES, REASONS, dimension_of, unit_of
from rag_gate.text import counted

Flat = Mapping[str, float | None]
_URGENCY = ("error", "regressed", "inconclusive", "pass", "report_only")
_NOT_MEASURED = Markdown("not measured")
_NONE = Markdown("none")
_NOT_USED = Markdown("not used")


def deciding(verdict: Verdict) -> Listing[MetricRow]:
    """Return the metrics that decide, the worst verdict first."""
    ordered = sorted(verdict.metrics, key=lambda name: (_URGENCY.index(verdict.metrics[name].verdict),))
    rows = [_deciding(name, verdict.metrics[name], verdict.alpha) for name in ordered]
    if verdict.cases.lost_must_pass:
        rows.insert(0, _must_pass(len(verdict.cases.lost_must_pass)))
    return Listing(tuple(rows), len(rows))


def _must_pass(lost: int) -> MetricRow:
    return MetricRow(
        name="must_pass",
        dimension=Markdown("single cases"),
        baseline=_NOT_USED,
        now=_NOT_USED,
        change=Markdown("not compared"),
        tolerance=Markdown("no lost case"),
        cases=Markdown(f"{lost} lost"),
        verdict=Markdown(f"{DECISIONS['regressed']}: cases fail that must pass"),
    )


def _deciding(name: str, found: MetricVerdict, alpha: float) -> MetricRow:
    return MetricRow(
        name=name,
        dimension=dimension_of(name),
        baseline=_baseline(name, found),
        now=_now(name, found),
        change=_change(found),
        tolerance=_tolerance(found),
        cases=_cases(found),
        verdict=_verdict(found, alpha),
    )


def _baseline(name: str, found: MetricVerdict) -> Markdown:
    if found.mean_base is not None:
        return number(found.mean_base, unit_of(name))
    return _NOT_USED if found.kind == "zero_tolerance" else _NONE


def _now(name: str, found: MetricVerdict) -> Markdown:
    unit, over_all = unit_of(name), found.mean_current_all
    compared = over_all if found.mean_current is None else found.mean_current
    if compared is None or over_all is None:
        return _NOT_MEASURED if compared is None else number(compared, unit)
    floor, below = found.floor, "below_floor" in found.reasons
    if floor is None:
        return number(compared, unit)

    def agrees(shown: Decimal) -> bool:
        limit = Decimal(repr(floor))
        return (shown < limit if found.direction == "higher" else shown > limit) == below

    whole = number(over_all, unit, agrees)
    return whole if compared == over_all else Markdown(f"{number(compared, unit)} (all cases {whole})")


def _change(found: MetricVerdict) -> Markdown:
    if found.delta is None:
        return Markdown("not compared")
    moved = change(found.delta, found.direction, found.tolerance, beyond=found.beyond)
    if found.ci_low is None or found.ci_high is None:
        return moved
    return Markdown(f"{moved} ({interval(found.ci_low, found.ci_high, found.direction)})")


def _tolerance(found: MetricVerdict) -> Markdown:
    if found.kind == "zero_tolerance":
        return Markdown("no failing case")
    word = "floor" if found.direction == "higher" else "ceiling"
    floor = "" if found.floor is None else f"{word} {exact(found.floor)}"
    drop = "" if found.tolerance is None else str(exact(found.tolerance))
    return Markdown(", ".join(part for part in (drop, floor) if part) or _NONE)


def _cases(found: MetricVerdict) -> Markdown:
    if found.kind == "zero_tolerance" and found.n_current is not None:
        bad = [(len(found.failing), "failing"), (len(found.unscored), "unscored")]
        more = "".join(f", {count} {word}" for count, word in bad if count)
        return Markdown(counted(found.n_current, "case") + more)
    if not found.n_pairs:
        return Markdown("mean only" if found.n_current is None else counted(found.n_current, "case"))
    clusters = f" in {counted(found.n_units or 0, 'group')}" if found.n_units != found.n_pairs else ""
    lost = f", {len(found.missing_current)} unscored" if found.missing_current else ""
    moved = f": {found.wins or 0} better, {found.losses or 0} worse"
    if not found.wins and not found.losses:
        moved = ", none changed" if found.ties else ""
    return Markdown(counted(found.n_pairs, "pair") + clusters + moved + lost)


def _verdict(found: MetricVerdict, alpha: float) -> Markdown:
    reasons = [REASONS[code] for code in found.reasons if code in REASONS]
    if "below_floor" in found.reasons and found.direction == "lower":
        reasons = ["above its ceiling"]
    if found.beyond and found.p_adj is not None:
        reasons.append(p_value(found.p_adj, alpha))
    said = [*reasons, *(NOTES[code] for code in found.notes if code in NOTES)]
    word = DECISIONS[found.verdict]
    if found.verdict == "pass" and "no_baseline" in found.reasons:
        word = Markdown("not compared")
    return Markdown(f"{word}: {', '.join(said)}" if said else word)


def all_scores(results: Results | Flat, verdict: Verdict) -> Listing[ScoreRow]:
    """Return every measured metric in the order of dimensions, deciding or not."""
    names = list(results.metrics if isinstance(results, Results) else results)
    names += [name for name in (*verdict.metrics, *verdict.report_only) if name not in names]
    names.sort(key=_dimension_order)
    rows = tuple(_score(name, results, verdict) for name in names)
    return Listing(rows, len(rows))


def _dimension_order(name: str) -> int:
    measure = measure_of(name)
    return DIMENSIONS.index(measure.dimension) if measure else len(DIMENSIONS)


def _score(name: str, results: Results | Flat, verdict: Verdict) -> ScoreRow:
    found = verdict.metrics.get(name) or verdict.report_only.get(name)
    if isinstance(results, Results):
        summary = results.metrics.get(name) or MetricSummary(mean=None, n_scored=0)
        value, scored = summary.mean, str(summary.n_scored)
        without = [
            (summary.n_unscored, "unscored"),
            (summary.n_missing, "missing"),
            (summary.n_excluded, "not applicable"),
        ]
    else:
        value, scored, without = results.get(name), "mean only", []
    return ScoreRow(
        name=name,
        dimension=dimension_of(name),
        role=Markdown("decides" if name in verdict.metrics else "shown only"),
        baseline=_NONE if found is None else _baseline(name, found),
        now=_NOT_MEASURED if value is None else number(value, unit_of(name)),
        scored=Markdown(scored),
        not_scored=Markdown(", ".join(f"{count} {word}" for count, word in without if count) or _NONE),
    )


def slice_rows(verdict: Verdict) -> Listing[SliceRow]:
    """Return the slices in which a metric fell."""
    rows = []
    for found in verdict.slices:
        decided = verdict.metrics.get(found.metric)
        direction = decided.direction if decided else "higher"
        tolerance = decided.tolerance if decided else None
        moved = change(found.delta, direction, tolerance, beyond=True)
        rows.append(SliceRow(found.metric, found.slice, found.n, moved, p_value(found.p_bh, 1.0)))
    return Listing(tuple(rows), len(rows))


def power_rows(verdict: Verdict) -> Listing[PowerRow]:
    """Return which drop each deciding metric fails reliably with its number of pairs."""
    rows = tuple(
        PowerRow(name, found.n_pairs or 0, number(found.detectable, unit_of(name)))
        for name, found in verdict.metrics.items()
        if found.detectable is not None
    )
    return Listing(rows, len(rows))
