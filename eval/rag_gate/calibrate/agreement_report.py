"""From labels and results to the file about a judge's agreement."""

from collections.abc import Mapping

from rag_gate.calibrate.agreement import Measured, balanced_accuracy, confusion, kappa, share
from rag_gate.calibrate.auc import auc
from rag_gate.calibrate.prediction_powered import corrected_mean
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.records.agreement import Agreement, Correction, Estimate, JudgeIdentity
from rag_gate.records.results import Results
from rag_gate.statistics import mean

#: From this score on the judge says "right".
THRESHOLD = 0.5
_FEW = 20


def agreement(results: Results, labels: Mapping[str, bool], metric: str) -> Agreement:
    """Compare a judge's scores with people's labels.

    Args:
        results: of merge, with the judge's scores.
        labels: question id -> people say "right".
        metric: which score of the judge.

    Raises:
        InputError: if the results do not have the metric.
        NotJudgedError: if no labelled case has a score.
    """
    scores = _scores(results, metric)
    known = {case.question_id for case in results.cases}
    both = sorted(labels.keys() & scores.keys())
    if not both:
        raise NotJudgedError(
            f"calibrate judge: none of the {len(labels)} labelled cases has a score of {metric}; check the question ids"
        )
    people, judged = [labels[key] for key in both], [scores[key] for key in both]
    counts = confusion(people, [score >= THRESHOLD for score in judged])
    right, wrong = counts.true_positive + counts.false_negative, counts.true_negative + counts.false_positive
    rest = [score for key, score in sorted(scores.items()) if key not in labels]
    return Agreement(
        judge=_identity(results),
        metric=metric,
        threshold=THRESHOLD,
        counts=counts._asdict(),
        unscored=tuple(sorted((labels.keys() & known) - scores.keys())),
        unknown=tuple(sorted(labels.keys() - known)),
        judge_mean=mean(list(scores.values())),
        sensitivity=_estimate(share(counts.true_positive, right), right),
        specificity=_estimate(share(counts.true_negative, wrong), wrong),
        balanced_accuracy=_estimate(balanced_accuracy(counts), counts.n),
        auc=_estimate(auc(people, judged), counts.n),
        kappa=_estimate(kappa(counts), counts.n),
        correction=_correction(people, judged, rest),
        notices=_notices(right, wrong),
    )


def _identity(results: Results) -> JudgeIdentity | None:
    judge = results.stages.get("judge")
    if judge is None:
        return None
    return JudgeIdentity(name=judge.name, version=judge.version, fingerprint=judge.fingerprint)


def _scores(results: Results, metric: str) -> dict[str, float]:
    measured = [name for name, value in results.scores.items() if value is not None]
    if metric not in measured:
        raise InputError(
            f"--metric: the results have no scores of '{metric}'; they have {', '.join(measured) or 'none'}"
        )
    return {
        case.question_id: score for case in results.cases if (score := case.scores.get(metric)) is not None
    }


def _estimate(found: Measured | None, n: int) -> Estimate:
    if found is None:
        return Estimate(value=None, n=n)
    return Estimate(value=found.value, low=found.interval.low, high=found.interval.high, n=n)


def _correction(people: list[bool], judged: list[float], rest: list[float]) -> Correction | None:
    found = corrected_mean([float(label) for label in people], judged, rest)
    if found is None:
        return None
    return Correction(
        labels_only=_estimate(found.labels_only, len(people)),
        prediction_powered=_estimate(found.prediction_powered, len(people) + len(rest)),
        worth_it=found.worth_it,
        reason=found.reason,
    )


def _notices(right: int, wrong: int) -> tuple[str, ...]:
    return tuple(
        f"only {count} labelled cases are {word}; label at least {_FEW} of each kind to know the judge's errors there"
        for word, count in (("right", right), ("wrong", wrong))
        if count < _FEW
    )
