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
from rag_gate.report.words import Words

Flat = Mapping[str, float | None]
_URGENCY = ("error", "regressed", "inconclusive", "pass", "report_only")


def dimension_of(metric: str, words: Words) -> Markdown:
    """Return the quality that a metric belongs to, ``own metric`` where the table does not know it."""
    measure = measure_of(metric)
    return words(f"dimension.{measure.dimension}" if measure else "dimension.own")


def unit_of(metric: str) -> str:
    """Return the unit in which a metric is shown."""
    measure = measure_of(metric)
    return measure.unit if measure else "share"


def is_share(metric: str) -> bool:
    """Tell whether a metric is known to lie between 0 and 1."""
    measure = measure_of(metric)
    return measure is not None and measure.unit == "share"


def deciding(verdict: Verdict, words: Words) -> Listing[MetricRow]:
    """Return the metrics that decide, the worst verdict first."""
    ordered = sorted(verdict.metrics, key=lambda name: (_URGENCY.index(verdict.metrics[name].verdict),))
    rows = [_deciding(name, verdict.metrics[name], verdict.alpha, words) for name in ordered]
    if verdict.cases.lost_must_pass:
        rows.insert(0, _must_pass(len(verdict.cases.lost_must_pass), words))
    return Listing(tuple(rows), len(rows))


def _must_pass(lost: int, words: Words) -> MetricRow:
    return MetricRow(
        name="must_pass",
        decision="regressed",
        dimension=words("dimension.single_cases"),
        baseline=words("value.not_used"),
        now=words("value.not_used"),
        change=words("value.not_compared"),
        tolerance=words("tolerance.no_lost_case"),
        cases=words("cases.lost", n=lost),
        verdict=words("decision.because", word=words("decision.regressed"), why=words("note.must_pass")),
    )


def _deciding(name: str, found: MetricVerdict, alpha: float, words: Words) -> MetricRow:
    return MetricRow(
        name=name,
        decision=found.verdict,
        dimension=dimension_of(name, words),
        baseline=_baseline(name, found, words),
        now=_now(name, found, words),
        change=_change(name, found, words),
        tolerance=_tolerance(found, words),
        cases=_cases(found, words),
        verdict=_verdict(found, alpha, words),
    )


def _baseline(name: str, found: MetricVerdict, words: Words) -> Markdown:
    if found.mean_base is not None:
        return number(found.mean_base, unit_of(name), words=words)
    return words("value.not_used" if found.kind == "zero_tolerance" else "value.none")


def _now(name: str, found: MetricVerdict, words: Words) -> Markdown:
    unit, over_all = unit_of(name), found.mean_current_all
    compared = over_all if found.mean_current is None else found.mean_current
    if compared is None:
        return words("value.not_measured")
    floor, below = found.floor, "below_floor" in found.reasons
    if over_all is None or floor is None:
        return number(compared, unit, words=words)

    def agrees(shown: Decimal) -> bool:
        limit = Decimal(repr(floor))
        return (shown < limit if found.direction == "higher" else shown > limit) == below

    whole = number(over_all, unit, agrees, words)
    if compared == over_all:
        return whole
    return words("value.of_all", value=number(compared, unit, words=words), all=whole)


def _change(name: str, found: MetricVerdict, words: Words) -> Markdown:
    if found.delta is None:
        return words("value.not_compared")
    moved = change(found.delta, found.direction, found.tolerance, beyond=found.beyond, words=words)
    if found.ci_low is None or found.ci_high is None:
        return moved
    between = interval(found.ci_low, found.ci_high, found.direction, words, of_share=is_share(name))
    return words("change.between", change=moved, interval=between)


def _tolerance(found: MetricVerdict, words: Words) -> Markdown:
    if found.kind == "zero_tolerance":
        return words("tolerance.no_failing_case")
    word = "tolerance.floor" if found.direction == "higher" else "tolerance.ceiling"
    parts = [] if found.tolerance is None else [exact(found.tolerance)]
    parts += [] if found.floor is None else [words(word, value=exact(found.floor))]
    return Markdown(words("list.comma").join(parts)) if parts else words("value.none")


def _cases(found: MetricVerdict, words: Words) -> Markdown:
    if found.kind == "zero_tolerance" and found.n_current is not None:
        bad = (("cases.failing", len(found.failing)), ("cases.unscored", len(found.unscored)))
        parts = [words("cases", n=found.n_current), *(words(key, n=count) for key, count in bad if count)]
        return Markdown(words("list.comma").join(parts))
    if not found.n_pairs:
        return words("cases.mean_only") if found.n_current is None else words("cases", n=found.n_current)
    pairs = words("cases.pairs", n=found.n_pairs)
    if found.n_units != found.n_pairs:
        pairs = words("cases.clustered", pairs=pairs, groups=words("cases.groups", n=found.n_units or 0))
    if found.wins or found.losses:
        pairs = words("cases.moved", pairs=pairs, better=found.wins or 0, worse=found.losses or 0)
    elif found.ties:
        pairs = words("cases.unchanged", pairs=pairs)
    lost = [words("cases.unscored", n=len(found.missing_current))] if found.missing_current else []
    return Markdown(words("list.comma").join([pairs, *lost]))


def _verdict(found: MetricVerdict, alpha: float, words: Words) -> Markdown:
    reasons = [words(f"reason.{code}") for code in found.reasons if words.has(f"reason.{code}")]
    if "below_floor" in found.reasons and found.direction == "lower":
        reasons = [words("reason.above_ceiling")]
    if found.beyond and found.p_adj is not None:
        reasons.append(p_value(found.p_adj, alpha))
    said = [*reasons, *(words(f"note.{code}") for code in found.notes if words.has(f"note.{code}"))]
    word = words(f"decision.{found.verdict}")
    if found.verdict == "pass" and "no_baseline" in found.reasons:
        word = words("value.not_compared")
    if not said:
        return word
    return words("decision.because", word=word, why=Markdown(words("list.comma").join(said)))


def all_scores(results: Results | Flat, verdict: Verdict, words: Words) -> Listing[ScoreRow]:
    """Return every measured metric in the order of dimensions, deciding or not."""
    names = list(results.metrics if isinstance(results, Results) else results)
    names += [name for name in (*verdict.metrics, *verdict.report_only) if name not in names]
    names.sort(key=_dimension_order)
    rows = tuple(_score(name, results, verdict, words) for name in names)
    return Listing(rows, len(rows))


def _dimension_order(name: str) -> int:
    measure = measure_of(name)
    return DIMENSIONS.index(measure.dimension) if measure else len(DIMENSIONS)


def _score(name: str, results: Results | Flat, verdict: Verdict, words: Words) -> ScoreRow:
    found = verdict.metrics.get(name) or verdict.report_only.get(name)
    without: list[tuple[str, int]] = []
    if isinstance(results, Results):
        summary = results.metrics.get(name) or MetricSummary(mean=None, n_scored=0)
        value, scored = summary.mean, Markdown(summary.n_scored)
        without = [
            ("cases.unscored", summary.n_unscored),
            ("cases.missing", summary.n_missing),
            ("cases.not_applicable", summary.n_excluded),
        ]
    else:
        value, scored = results.get(name), words("cases.mean_only")
    parts = [words(key, n=count) for key, count in without if count]
    return ScoreRow(
        name=name,
        dimension=dimension_of(name, words),
        role=words("role.decides" if name in verdict.metrics else "role.shown"),
        baseline=words("value.none") if found is None else _baseline(name, found, words),
        now=words("value.not_measured") if value is None else number(value, unit_of(name), words=words),
        scored=scored,
        not_scored=Markdown(words("list.comma").join(parts)) if parts else words("value.none"),
    )


def slice_rows(verdict: Verdict, words: Words) -> Listing[SliceRow]:
    """Return the slices in which a metric fell."""
    rows = []
    for found in verdict.slices:
        decided = verdict.metrics.get(found.metric)
        direction = decided.direction if decided else "higher"
        tolerance = decided.tolerance if decided else None
        moved = change(found.delta, direction, tolerance, beyond=True, words=words)
        rows.append(SliceRow(found.metric, found.slice, found.n, moved, p_value(found.p_bh, 1.0)))
    return Listing(tuple(rows), len(rows))


def power_rows(verdict: Verdict, words: Words) -> Listing[PowerRow]:
    """Return which drop each deciding metric fails reliably with its number of pairs."""
    rows = tuple(
        PowerRow(name, found.n_pairs or 0, number(found.detectable, unit_of(name), words=words))
        for name, found in verdict.metrics.items()
        if found.detectable is not None
    )
    return Listing(rows, len(rows))
