"""The true mean of all cases, from a few human labels and the judge's scores of the rest."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from rag_gate.calibrate.agreement import CONFIDENCE, Measured
from rag_gate.statistics import Interval, mean, standard_deviation, t_quantile

_FEWEST = 2
#: With fewer labels the spread of the judge's errors is itself a guess.
_ENOUGH = 20


class Corrected(NamedTuple):
    """The two estimates, and whether the judge helped."""

    labels_only: Measured
    prediction_powered: Measured
    worth_it: bool
    reason: str


def corrected_mean(
    labels: Sequence[float], judged: Sequence[float], unlabelled: Sequence[float]
) -> Corrected | None:
    """Estimate the true mean with and without the judge.

    Prediction-powered inference (Angelopoulos et al. 2023): the judge's mean over the unlabelled cases,
    plus the mean of (label - judge) over the labelled ones; variance ``var(judge) / N + var(label -
    judge) / m``. Unbiased whatever the judge's errors are, if the labelled cases are a random sample. Both
    intervals use Student's t with m - 1 degrees of freedom, so the narrower one has the smaller error.

    Args:
        labels: human labels, 0 or 1.
        judged: the judge's scores of the same cases.
        unlabelled: the judge's scores of all other cases.

    Returns:
        None below two labelled or two unlabelled cases.
    """
    errors = [label - score for label, score in zip(labels, judged, strict=True)]
    if len(labels) < _FEWEST or len(unlabelled) < _FEWEST:
        return None
    m = len(labels)
    wide = t_quantile((1 + CONFIDENCE) / 2, m - 1)
    alone = standard_deviation(labels) / sqrt(m)
    together = sqrt(
        standard_deviation(unlabelled) ** 2 / len(unlabelled) + standard_deviation(errors) ** 2 / m
    )
    worth_it, reason = _worth(alone, together, errors)
    return Corrected(
        labels_only=_measured(mean(labels), wide * alone),
        prediction_powered=_measured(mean(unlabelled) + mean(errors), wide * together),
        worth_it=worth_it,
        reason=reason,
    )


def _worth(alone: float, together: float, errors: Sequence[float]) -> tuple[bool, str]:
    if len(errors) < _ENOUGH:
        return False, f"fewer than {_ENOUGH} labels do not show how the judge errs; label more cases"
    if not any(errors):
        return (
            False,
            "judge and people agree on every labelled case, so how far it errs elsewhere is not known",
        )
    if together < alone:
        return True, "its interval is narrower than that of the labels alone"
    return False, "its interval is not narrower than that of the labels alone; label more cases or use these"


def _measured(value: float, half: float) -> Measured:
    value = min(1.0, max(0.0, value))
    return Measured(value, Interval(max(0.0, value - half), min(1.0, value + half)))
