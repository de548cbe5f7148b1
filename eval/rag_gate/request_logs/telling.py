"""The report in words, for a terminal or a log."""

from collections.abc import Iterator

from rag_gate.records.monitor import Drift, MonitorReport, Signals
from rag_gate.request_logs.comparing import NEITHER
from rag_gate.request_logs.sketch import Sketch
from rag_gate.text import counted

_NAMES = {
    "empty_rate": "empty retrievals",
    "similarity": "best scores (median)",
    "citation_rate": "answers with a citation",
    "hedging_rate": "answers that hedge",
    "retrieval_latency": "retrieval, 95th percentile",
    "generation_latency": "generation, 95th percentile",
    "total_latency": "total latency, 95th percentile",
}
_WORDS = {
    "pass": "pass",
    "regressed": "REGRESSED",
    "inconclusive": "inconclusive",
    "not_compared": "not compared",
}
_WIDTH = max(map(len, _NAMES.values()))


def lines(report: MonitorReport) -> Iterator[str]:
    """Yield the lines: what was seen, signal by signal, and what that points to."""
    yield from _seen(report.observed)
    yield from (_line(drift) for drift in report.drifts if drift.reason != NEITHER)
    yield report.summary
    for cause in report.causes:
        yield cause.text


def _seen(seen: Signals) -> Iterator[str]:
    more = f", {counted(seen.errors, 'error')}" if seen.errors else ""
    bad = f", {counted(seen.bad_lines, 'line')} left out" if seen.bad_lines else ""
    down = f", {sum(seen.thumbs_down.values())} marked as bad" if seen.thumbs_down else ""
    yield f"{counted(seen.requests, 'request')}{more}{down}{bad}"
    if seen.languages:
        total = sum(seen.languages.values())
        shares = [f"{language} {count / total:.0%}" for language, count in list(seen.languages.items())[:5]]
        yield f"languages: {', '.join(shares)}"
    for stage, bins in seen.latency_ms.items():
        sketch = Sketch(bins)
        shown = [
            f"{name} {sketch.quantile(q) or 0:.0f} ms"
            for name, q in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
        ]
        yield f"latency of {stage}: {', '.join(shown)}"


def _line(drift: Drift) -> str:
    name = _NAMES[drift.signal].ljust(_WIDTH)
    if drift.verdict == "not_compared" or drift.change is None:
        return f"{name}  not compared: {drift.reason}"
    chance = "" if drift.p is None else f", p {'< 0.001' if drift.p < 0.001 else f'= {drift.p:.3f}'}"  # noqa: PLR2004 - as in the gate
    shown = f"{_value(drift, drift.baseline)} -> {_value(drift, drift.now)}"
    return f"{name}  {shown}: {_WORDS[drift.verdict]} ({_change(drift)}, tolerance {_limit(drift)}{chance})"


def _value(drift: Drift, value: float | None) -> str:
    if drift.signal.endswith("_latency"):
        return f"{value or 0:.0f} ms"
    return f"{value or 0:.4g}" if drift.signal == "similarity" else f"{value or 0:.1%}"


def _change(drift: Drift) -> str:
    change = drift.change or 0.0
    if drift.signal == "similarity":
        return f"shift towards lower scores {change:.2f}"
    return f"{change:+.0%}" if drift.signal.endswith("_latency") else f"{change * 100:+.1f} points"


def _limit(drift: Drift) -> str:
    limit = drift.tolerance or 0.0
    if drift.signal == "similarity":
        return f"{limit:g}"
    return f"{limit:.0%}" if drift.signal.endswith("_latency") else f"{limit * 100:g} points"
