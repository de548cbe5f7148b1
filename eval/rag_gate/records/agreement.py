"""The file that tells how far a judge agrees with people."""

from typing import Literal

from pydantic import Field

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord


class Estimate(OwnRecord):
    """A value with its 95 % interval and the number of cases behind it; null where it cannot be computed."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int


class Correction(OwnRecord):
    """The true mean of all cases, from the labelled ones with and without the judge's help.

    Attributes:
        labels_only: mean of the labels.
        prediction_powered: mean of the judge, put right by its errors on the labelled cases.
        worth_it: whether the second interval is narrower and can be trusted.
        reason: why it is or is not.
    """

    labels_only: Estimate
    prediction_powered: Estimate
    worth_it: bool
    reason: str


class JudgeIdentity(OwnRecord):
    """Which judge was compared with people: name, version and fingerprint as its results state them."""

    name: str
    version: str
    fingerprint: str


class Agreement(OwnRecord):
    """How far a judge agrees with people.

    Attributes:
        judge: whose scores were compared; null in files of an earlier state.
        threshold: from which score on the judge says "right".
        counts: true_positive, false_negative, true_negative, false_positive; positive = people say "right".
        unscored: labelled cases that the judge gave no score.
        unknown: labelled ids that the results do not have.
        judge_mean: the judge's mean over all cases.
        sensitivity: share of the right answers that the judge calls right.
        specificity: share of the wrong answers that the judge calls wrong.
        balanced_accuracy: mean of the two.
        auc: chance that a right answer has a higher score than a wrong one, ties half.
        kappa: Cohen's kappa.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["agreement"] = "agreement"
    judge: JudgeIdentity | None = None
    metric: str
    threshold: float
    counts: dict[str, int]
    unscored: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    judge_mean: float
    sensitivity: Estimate
    specificity: Estimate
    balanced_accuracy: Estimate
    auc: Estimate
    kappa: Estimate
    correction: Correction | None = Field(default=None, description="null without unlabelled cases")
    notices: tuple[str, ...] = ()
