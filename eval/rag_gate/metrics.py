"""Ranking metrics: pure functions of a ranked list and its gold grades.

One definition throughout, that of trec_eval: a ranked list is a sequence of ids in rank order (never
re-sorted), a repeated id counts once, at its first slot, and the repetition is a slot without gain.
``grades`` maps gold ids to grades; a grade of at least ``min_grade`` (1) is relevant. nDCG has linear
gain and ignores ``min_grade``. All values lie in 0..1. Source of the formulas: Buckley & Voorhees,
"Retrieval System Evaluation", in TREC: Experiment and Evaluation in Information Retrieval, 2005;
nDCG: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002, with trec_eval's discount 1 / log2(rank + 1).
Sums are exact (math.fsum): equal on every version of Python, and a perfect list has nDCG 1.0 exactly.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import fsum, log2
from operator import mul

Ranked = Sequence[str | None]
Grades = Mapping[str, int]

_FEW = 8
_DISCOUNTS = [1.0 / log2(rank + 1) for rank in range(1, 1025)]


def discount(rank: int) -> float:
    """Return 1 / log2(rank + 1) for a rank counted from 1."""
    return _DISCOUNTS[rank - 1] if rank <= len(_DISCOUNTS) else 1.0 / log2(rank + 1)


def first_ranks(ranked: Ranked, gold: Collection[str]) -> dict[str, int]:
    """Return gold id -> rank (from 1) of its first slot, in rank order, for the ids that were found."""
    if len(gold) > _FEW:
        shown = set(ranked)
        gold = [item for item in gold if item in shown]
    ranks = []
    for item in gold:
        # Looking for a few ids is faster than hashing every id of the list.
        try:
            ranks.append((ranked.index(item) + 1, item))
        except ValueError:
            continue
    return {item: rank for rank, item in sorted(ranks)}


def relevant_ids(grades: Grades, min_grade: int = 1) -> set[str]:
    """Return the gold ids whose grade reaches ``min_grade``."""
    return {item for item, grade in grades.items() if grade >= min_grade}


def _relevant_ranks(ranked: Ranked, grades: Grades, min_grade: int) -> tuple[list[int], int]:
    relevant = relevant_ids(grades, min_grade)
    if not relevant:
        raise ValueError(
            "no relevant id: the value is not defined; leave the case out of the mean and count it"
        )
    return list(first_ranks(ranked, relevant).values()), len(relevant)


def recall_at_k(ranked: Ranked, grades: Grades, k: int, min_grade: int = 1) -> float:
    """Return relevant ids among the first k / all relevant ids.

    Not capped: with three relevant ids recall@1 is at most 1/3 (it is hit@1 that equals mrr@1).

    Raises:
        ValueError: if no id is relevant, or k < 1.
    """
    ranks, total = _relevant_ranks(ranked, grades, min_grade)
    return count_within(ranks, k) / total


def hit_at_k(ranked: Ranked, grades: Grades, k: int, min_grade: int = 1) -> float:
    """Return 1.0 if any relevant id is among the first k, else 0.0 (TREC calls it Success@k)."""
    ranks, _ = _relevant_ranks(ranked, grades, min_grade)
    return 1.0 if count_within(ranks, k) else 0.0


def precision_at_k(ranked: Ranked, grades: Grades, k: int, min_grade: int = 1) -> float:
    """Return distinct relevant ids among the first k / k, also when the list is shorter than k."""
    ranks, _ = _relevant_ranks(ranked, grades, min_grade)
    return count_within(ranks, k) / k


def reciprocal_rank(ranked: Ranked, grades: Grades, k: int | None = None, min_grade: int = 1) -> float:
    """Return 1 / rank of the first relevant id, 0.0 if none is found (among the first k if k is given)."""
    ranks, _ = _relevant_ranks(ranked, grades, min_grade)
    if k is not None and not count_within(ranks, k):
        return 0.0
    return 1.0 / ranks[0] if ranks else 0.0


def average_precision(ranked: Ranked, grades: Grades, k: int | None = None, min_grade: int = 1) -> float:
    """Return the precision at the rank of each relevant id found, summed, over all relevant ids."""
    ranks, total = _relevant_ranks(ranked, grades, min_grade)
    kept = ranks if k is None else ranks[: count_within(ranks, k)]
    return fsum(found / rank for found, rank in enumerate(kept, start=1)) / total


def ndcg_at_k(ranked: Ranked, grades: Grades, k: int | None = None) -> float:
    """Return the discounted gain of the first k over that of the best k gold ids (all if k is None).

    Gain is the grade (linear, not 2^grade - 1); grades below 1 gain nothing; the ideal list holds all
    gold ids, not only those retrieved.

    Raises:
        ValueError: if no id has a positive grade, or k < 1.
    """
    gains = tuple(sorted((grade for grade in grades.values() if grade > 0), reverse=True))
    if not gains:
        raise ValueError("no id has a positive grade: nDCG is not defined")
    found = first_ranks(ranked, {item for item, grade in grades.items() if grade > 0})
    return discounted_gain(found, grades, k) / ideal_gain(gains, k)


def discounted_gain(found: Mapping[str, int], grades: Grades, k: int | None) -> float:
    """Return the sum of grade x discount over found ids (id -> rank, in rank order) within k."""
    return fsum(grades[item] * discount(rank) for item, rank in found.items() if k is None or rank <= k)


@lru_cache(maxsize=1024)
def ideal_gain(gains: tuple[int, ...], k: int | None) -> float:
    """Return the discounted gain of the best list: gains in falling order, cut at k."""
    best = gains[:k]
    if len(best) <= len(_DISCOUNTS):
        return fsum(map(mul, best, _DISCOUNTS))
    return fsum(gain * discount(rank) for rank, gain in enumerate(best, start=1))


def judged_at_k(ranked: Ranked, grades: Grades, k: int) -> float:
    """Return the share of the first k results that the gold set has any grade for (0 or less included).

    The denominator is the number of results there are, at most k; an empty list has 0.0.
    """
    shown = ranked[: _checked(k)]
    return sum(item in grades for item in shown) / len(shown) if shown else 0.0


def coverage_at_k(ranked: Ranked, groups: Sequence[Collection[str]], k: int) -> float:
    """Return the share of groups with at least one member among the first k (subtopic recall).

    Raises:
        ValueError: if there is no group, or k < 1.
    """
    if not groups:
        raise ValueError("no evidence group: coverage is not defined")
    shown = set(ranked[: _checked(k)])
    return sum(not shown.isdisjoint(group) for group in groups) / len(groups)


def complete_at_k(ranked: Ranked, groups: Sequence[Collection[str]], k: int) -> float:
    """Return 1.0 if every group has a member among the first k, else 0.0."""
    return 1.0 if coverage_at_k(ranked, groups, k) == 1.0 else 0.0


def count_within(ranks: Sequence[int], k: int) -> int:
    """Return how many of the ascending ranks are at most k.

    Raises:
        ValueError: if k < 1.
    """
    return bisect_right(ranks, _checked(k))


def _checked(k: int) -> int:
    if k < 1:
        raise ValueError(f"k must be at least 1, found {k}")
    return k
