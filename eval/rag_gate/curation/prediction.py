"""How well a core tier tells what the whole set would: measured on recorded runs."""

import math
import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import correlation
from tempfile import TemporaryDirectory
from typing import Any

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.partials import read_partial
from rag_gate.records.base import OwnRecord
from rag_gate.retrieval import evaluate_retrieval

_SHOWN = ("recall@5", "mrr", "ndcg@10", "answer_match")
_DRAWS = 200
#: With two runs a correlation is always 1 or -1.
_LEAST_RUNS = 3
Scores = Mapping[str, Mapping[str, float]]


class Prediction(OwnRecord):
    """One metric over some runs.

    Attributes:
        metric: which one.
        whole: its mean over all cases, a run each.
        core: its mean over the core tier, a run each.
        mean_abs_difference: of the two, over the runs.
        chance: the same for core tiers of this size drawn by lot, on average: what a choice without strata would do.
        correlation: of the two over the runs (Pearson), null with fewer than three runs or without any difference.
    """

    metric: str
    whole: tuple[float, ...]
    core: tuple[float, ...]
    mean_abs_difference: float
    chance: float
    correlation: float | None


def predict(dataset: str, core: Collection[str], runs: Sequence[str], seed: int) -> list[Prediction]:
    """Measure each run on the whole set, and compare with its core tier.

    Raises:
        InputError: if a run cannot be read or holds none of the cases.
    """
    scores = [_scores(dataset, run) for run in runs]
    return [found for metric in _SHOWN if (found := _of_metric(metric, scores, core, seed)) is not None]


def _scores(dataset: str, run: str) -> dict[str, dict[str, float]]:
    """Return metric -> case -> score of one run."""
    with TemporaryDirectory(prefix="rag-gate-split-") as folder:
        output = Path(folder) / "retrieval.json"
        evaluate_retrieval(load_golden(dataset, "extended"), run, RetrievalConfig(), output)
        partial = read_partial(output)
    return {
        metric: {
            case.question_id: score
            for case in partial.cases
            if (score := case.scores.get(metric)) is not None
        }
        for metric in _SHOWN
    }


def _of_metric(metric: str, scores: Sequence[Scores], core: Collection[str], seed: int) -> Prediction | None:
    every = [run[metric] for run in scores]
    if not all(any(key in core for key in run) for run in every):
        return None
    whole, small = [_mean(run, run) for run in every], [_mean(run, core) for run in every]
    draws = random.Random(seed)  # noqa: S311 - a comparison by lot, not a secret
    ids = sorted({key for run in every for key in run})
    size = sum(key in core for key in ids)
    lots = [set(draws.sample(ids, size)) for _ in range(_DRAWS)]
    chance = [_difference(whole, [_mean(run, lot) for run in every]) for lot in lots if _covers(every, lot)]
    return Prediction(
        metric=metric,
        whole=tuple(whole),
        core=tuple(small),
        mean_abs_difference=_difference(whole, small),
        chance=math.fsum(chance) / len(chance) if chance else 0.0,
        correlation=_correlation(whole, small),
    )


def _covers(runs: Sequence[Mapping[str, float]], lot: Collection[str]) -> bool:
    return all(any(key in lot for key in run) for run in runs)


def _mean(scores: Mapping[str, float], chosen: Collection[str]) -> float:
    values = [score for key, score in scores.items() if key in chosen]
    return math.fsum(values) / len(values)


def _difference(left: Sequence[float], right: Sequence[float]) -> float:
    return math.fsum(abs(one - other) for one, other in zip(left, right, strict=True)) / len(left)


def _correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    if len(left) < _LEAST_RUNS or len(set(left)) == 1 or len(set(right)) == 1:
        return None
    return correlation(left, right)


def lines(found: Sequence[Prediction], runs: int) -> list[str]:
    """Return the comparison as lines for people."""
    shown: list[Any] = []
    for each in found:
        close = f"core differs from the whole by {each.mean_abs_difference:.3f} on average over {runs} runs"
        lot = f"cores drawn by lot by {each.chance:.3f}"
        same = "" if each.correlation is None else f"; correlation over the runs {each.correlation:.2f}"
        shown.append(f"{each.metric}: {close}, {lot}{same}")
    return shown
