"""All ranking metrics of one case in one pass over its results."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import GoldenSet
from rag_gate.metrics import Grades, Ranked, discount, first_ranks, ideal_gain

RANKED = ("recall", "hit", "precision", "mrr", "ndcg", "judged", "complete")


def ranked_names(golden: GoldenSet, k_values: Sequence[int]) -> list[str]:
    """Return the metrics that compare ids; coverage only where some case states evidence groups."""
    grouped = ("coverage",) if any(case.evidence_groups for case in golden.cases.values()) else ()
    return [*(f"{name}@{k}" for k in k_values for name in (*RANKED, *grouped)), "mrr", "map"]


def evidence_names(golden: GoldenSet, k_values: Sequence[int]) -> list[str]:
    """Return the metrics of evidence containment, none where no case states a passage."""
    return [f"evidence@{k}" for k in k_values] if any(case.evidence for case in golden.cases.values()) else []


class _Names(NamedTuple):
    """The metric names of one cut-off, put together once and not for each case."""

    k: int
    recall: str
    hit: str
    precision: str
    mrr: str
    ndcg: str
    judged: str
    complete: str
    coverage: str


@lru_cache(maxsize=8)
def _names(k_values: tuple[int, ...]) -> tuple[_Names, ...]:
    return tuple(_Names(k, *(f"{name}@{k}" for name in (*RANKED, "coverage"))) for k in k_values)


def rank_scores(
    ranked: Ranked, grades: Grades, groups: Sequence[set[str]], config: RetrievalConfig
) -> tuple[dict[str, float], dict[str, int | None]]:
    """Score one ranked list; equal to the single functions of ``rag_gate.metrics``.

    Args:
        ranked: ids in rank order.
        grades: gold id -> grade, at least one of them relevant.
        groups: evidence groups; empty means that each relevant id is a group of its own.
        config: cut-offs and lowest relevant grade.

    Returns:
        The scores, and for each relevant id and each member of a group its rank or None, in order of id.
    """
    first = first_ranks(ranked, grades)
    judged = list(first.values())
    top = ranked[: config.k_values[-1]]
    if len(set(top)) < len(top):
        judged = [rank for rank, item in enumerate(top, start=1) if item in grades]
    ranks = [rank for item, rank in first.items() if grades[item] >= config.min_grade]
    wanted = {item for item, grade in grades.items() if grade >= config.min_grade}
    total = len(wanted)
    gains = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    gained = [(rank, grades[item] * discount(rank)) for item, rank in first.items() if grades[item] > 0]
    first_of_group = [min(first.get(item, len(ranked) + 1) for item in group) for group in groups]
    best = 1.0 / ranks[0] if ranks else 0.0
    scores: dict[str, float] = {}
    for names in _names(config.k_values):
        k = names.k
        count, shown = bisect_right(ranks, k), min(k, len(ranked))
        scores[names.recall] = count / total
        scores[names.hit] = 1.0 if count else 0.0
        scores[names.precision] = count / k
        scores[names.mrr] = best if count else 0.0
        scores[names.ndcg] = fsum([gain for rank, gain in gained if rank <= k]) / ideal_gain(gains, k)
        scores[names.judged] = bisect_right(judged, k) / shown if shown else 0.0
        found, needed = count, total
        if groups:
            found, needed = sum(rank <= shown for rank in first_of_group), len(groups)
            scores[names.coverage] = found / needed
        scores[names.complete] = 1.0 if found == needed else 0.0
    scores["mrr"] = best
    scores["map"] = fsum(n / rank for n, rank in enumerate(ranks, start=1)) / total
    return scores, {item: first.get(item) for item in sorted(wanted.union(*groups))}


def evidence_scores(ranks: Sequence[int | None], k_values: Sequence[int]) -> dict[str, float]:
    """Return evidence@k from the rank of the chunk that holds each passage."""
    return {
        f"evidence@{k}": sum(rank is not None and rank <= k for rank in ranks) / len(ranks) for k in k_values
    }


def retrieval_ok(
    gold_ranks: Mapping[str, int | None],
    groups: Sequence[set[str]],
    passages: Sequence[int | None] | None,
    config: RetrievalConfig,
) -> bool:
    """Apply the success rule.

    Args:
        gold_ranks: gold id -> rank or None, as from ``rank_scores``.
        groups: evidence groups, may be empty.
        passages: ranks of the chunks that hold the evidence passages; None = not stated or not to count.
        config: the rule and its k.
    """
    k = config.success_k
    if passages is not None and not all(rank is not None and rank <= k for rank in passages):
        return False
    if not gold_ranks:
        return True
    within = {item for item, rank in gold_ranks.items() if rank is not None and rank <= k}
    if config.success.rule == "any":
        return bool(within)
    if groups:
        return all(not within.isdisjoint(group) for group in groups)
    return len(within) == len(gold_ranks)


def settings_of(config: RetrievalConfig, unit: str) -> dict[str, Any]:
    """Return every setting that can move a score, for the evaluator's fingerprint."""
    return {
        **config.model_dump(mode="json", exclude={"unit", "success"}),
        "unit": unit,
        "success": {**config.success.model_dump(), "k": config.success_k},
        "gain": "linear",
        "order": "list",
    }
