"""All ranking metrics of one case in one pass over its results."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any

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


@lru_cache(maxsize=8)
def _score_names(k_values: tuple[int, ...], *, grouped: bool) -> tuple[str, ...]:
    """Return the names in the order in which ``rank_scores`` measures; put together once, not per case."""
    families = (*RANKED, "coverage") if grouped else RANKED
    return (*(f"{family}@{k}" for k in k_values for family in families), "mrr", "map")


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
    gains = tuple(sorted([grade for grade in grades.values() if grade > 0], reverse=True))
    gained = [(rank, grades[item] * discount(rank)) for item, rank in first.items() if grades[item] > 0]
    first_of_group = [min(first.get(item, len(ranked) + 1) for item in group) for group in groups]
    best = 1.0 / ranks[0] if ranks else 0.0
    total, length = len(wanted), len(ranked)
    values: list[float] = []
    for k in config.k_values:
        count, shown = bisect_right(ranks, k), min(k, length)
        gain = 0.0
        if gained and gained[0][0] <= k:
            gain = fsum([gain for rank, gain in gained if rank <= k]) / ideal_gain(gains, k)
        known = bisect_right(judged, k) / shown if shown else 0.0
        covered, needed = count, total
        if groups:
            covered, needed = sum(rank <= shown for rank in first_of_group), len(groups)
        complete = 1.0 if covered == needed else 0.0
        # In the order of RANKED.
        values += (count / total, float(count > 0), count / k, best if count else 0.0, gain, known, complete)
        if groups:
            values.append(covered / needed)
    values += (best, fsum([n / rank for n, rank in enumerate(ranks, start=1)]) / total)
    names = _score_names(config.k_values, grouped=bool(groups))
    gold = sorted(wanted.union(*groups) if groups else wanted)
    return dict(zip(names, values, strict=True)), {item: first.get(item) for item in gold}


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
    if config.success.rule == "all" and not groups:
        return all(rank is not None and rank <= k for rank in gold_ranks.values())
    within = {item for item, rank in gold_ranks.items() if rank is not None and rank <= k}
    if config.success.rule == "any":
        return bool(within)
    return all(not within.isdisjoint(group) for group in groups)


def settings_of(config: RetrievalConfig, unit: str) -> dict[str, Any]:
    """Return every setting that can move a score, for the evaluator's fingerprint."""
    return {
        **config.model_dump(mode="json", exclude={"unit", "success"}),
        "unit": unit,
        "success": {**config.success.model_dump(), "k": config.success_k},
        "gain": "linear",
        "order": "list",
    }
