"""What calibrate found, as lines for people."""

from collections.abc import Iterator, Sequence

from rag_gate.calibrate.models import Calibration, MetricNoise
from rag_gate.records.agreement import Agreement, Estimate

_HEADS = (
    "metric",
    "cases",
    "changed",
    "noise SD",
    "SE",
    "tolerance",
    "alarm: mean",
    "gate",
    "finds 80 %",
    "proposed",
)


def noise_lines(found: Calibration) -> Iterator[str]:
    """Yield the table of noise, what speaks against each tolerance, and the chance of a false alarm."""
    shown = {name: row for name, row in found.metrics.items() if row.kind != "report_only"}
    yield from _aligned([_HEADS, *(_noise_row(name, row) for name, row in shown.items())])
    if len(shown) < len(found.metrics):
        yield f"{len(found.metrics) - len(shown)} metrics that do not gate stand in the file only"
    for name, row in found.metrics.items():
        for code in row.lints:
            yield f"{name}: {code}: {_WORDS[code]}"
    yield (
        f"identical runs: {_percent(found.family_false_alarm_naive)} would fail by the mean alone, "
        f"{_percent(found.family_false_alarm_gate)} by the gate (alpha {found.alpha:g}, {found.resamples} resamples)"
    )
    yield from found.notices


_WORDS = {
    "narrower_than_noise": "the tolerance is below 1 SE: one identical run in six or more is beyond it",
    "below_one_case": "the tolerance is below 1 / cases: a single lost case is beyond it",
    "blind": "the tolerance is above 4 SE: a smaller one would not cry wolf and would see more",
    "too_few_cases": "too few cases to judge (gate.min_pairs); add cases",
    "no_noise": "nothing varied between the runs, so the noise is not known; was the bot really asked again?",
    "shifted": "two of the runs differ by more than chance; something else than the bot's noise changed",
}


def _noise_row(name: str, row: MetricNoise) -> tuple[str, ...]:
    return (
        name,
        f"{row.n_pairs:g}",
        _percent(row.flip_rate),
        f"{row.sd0:.3f}",
        f"{row.se:.4f}",
        _plain(row.tolerance),
        _percent(row.false_alarm_naive),
        _percent(row.false_alarm_gate),
        "-" if row.detectable is None else f"{row.detectable:.3f}",
        _plain(row.proposed),
    )


def agreement_lines(found: Agreement) -> Iterator[str]:
    """Yield the agreement with people, and the corrected mean."""
    rows = [("agreement", "value", "95 % interval", "cases")]
    titles = ("sensitivity", "specificity", "balanced_accuracy", "auc", "kappa")
    rows.extend(_estimate_row(title, getattr(found, title)) for title in titles)
    yield from _aligned(rows)
    if found.correction is not None:
        correction = found.correction
        yield f"mean of {found.metric} by the judge: {found.judge_mean:.3f}"
        yield from _aligned(
            [
                _estimate_row("true mean, labels alone", correction.labels_only),
                _estimate_row("true mean, labels and judge", correction.prediction_powered),
            ]
        )
        yield f"the second is {'worth it' if correction.worth_it else 'not worth it'}: {correction.reason}"
    for count, what in (
        (len(found.unscored), "have no score"),
        (len(found.unknown), "are not in the results"),
    ):
        if count:
            yield f"{count} labelled cases {what} and are left out"
    yield from found.notices


def _estimate_row(title: str, found: Estimate) -> tuple[str, str, str, str]:
    if found.value is None:
        return (title, "-", "-", str(found.n))
    return (title, f"{found.value:.3f}", f"{found.low:.3f} to {found.high:.3f}", str(found.n))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
