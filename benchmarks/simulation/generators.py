"""Pairs of scores (then, now) of one case, per metric.

Every number here is an assumption about how the scores of a RAG bot vary; docs/explanation/how-sure-the-gate-is.md
names them. Metrics are drawn independently of each other. A drop comes from a few cases that lose much.
"""

from collections.abc import Callable
from random import Random

from simulation.scenarios import Scenario

ScorePair = tuple[float, float]
Generator = Callable[[Random, Scenario, float], ScorePair]

FOUND = 0.88
RANKS = (0.645, 0.13, 0.06, 0.03, 0.015, 0.01, 0.01, 0.01, 0.01, 0.01, 0.07)
"""Share of the gold documents at ranks 1 to 10; the last: not among them."""
CUT = 5
NOWHERE = len(RANKS) - 1
FOUND_VALUE = sum(share / (rank + 1) for rank, share in enumerate(RANKS[:CUT])) / FOUND
LOST_VALUE = sum(share / (rank + 1) for rank, share in enumerate(RANKS[CUT:NOWHERE], CUT)) / (1 - FOUND)

EASY, EASY_SUPPORT, HARD_SUPPORT = 0.8, (60.0, 1.0), (4.0, 2.5)
MEAN_CLAIMS, LEAST_CLAIMS, MOST_CLAIMS = 4.5, 2, 10
SEEN_IF_SUPPORTED, SEEN_IF_NOT = 0.97, 0.10
BAD_ANSWER = 0.4
MEAN_SUPPORT = EASY * 60 / 61 + (1 - EASY) * 4 / 6.5
BAD_ANSWER_LOSS = (SEEN_IF_SUPPORTED - SEEN_IF_NOT) * MEAN_SUPPORT * (1 - BAD_ANSWER)

RELEVANCE, CASE_SPREAD, ANSWER_SPREAD, JUDGE_SPREAD = 0.857, 0.14, 0.035, 0.025
MISSED_POINT = 0.5

CITED, CITES = 0.82, (0.71, 0.156)


def recall(rng: Random, scenario: Scenario, drop: float) -> ScorePair:
    """Draw a case with one gold document, found or not."""
    before = rng.random() < FOUND
    after = _still_found(rng, scenario, found=before)
    if after and rng.random() < drop / FOUND:
        after = False
    return float(before), float(after)


def mrr(rng: Random, scenario: Scenario, drop: float) -> ScorePair:
    """Draw 1 / rank of one gold document."""
    before = _rank(rng, 0, len(RANKS))
    after = _moved(rng, before) if rng.random() < scenario.rank_moves else before
    found = after < CUT
    still = _still_found(rng, scenario, found=found)
    if still and rng.random() < drop / (FOUND * (FOUND_VALUE - LOST_VALUE)):
        still = False
    if still != found:
        after = _rank(rng, 0, CUT) if still else _rank(rng, CUT, len(RANKS))
    return _reciprocal(before), _reciprocal(after)


def faithfulness(rng: Random, scenario: Scenario, drop: float) -> ScorePair:
    """Draw supported claims / claims as an imperfect judge sees them."""
    support = _support(rng)
    claims = _claims(rng, support)
    before = _judged(rng, claims)
    if rng.random() < scenario.new_difficulty:
        support = _support(rng)
    if rng.random() < scenario.reworded:
        claims = _claims(rng, support)
    if rng.random() < drop / BAD_ANSWER_LOSS:
        claims = _claims(rng, support * BAD_ANSWER)
    return before, _judged(rng, claims)


def relevance(rng: Random, scenario: Scenario, drop: float) -> ScorePair:
    """Draw a judge's mark in steps of 0.1."""
    level = rng.gauss(RELEVANCE, CASE_SPREAD)
    answer = rng.gauss(level, ANSWER_SPREAD)
    before = _mark(rng, answer)
    if rng.random() < scenario.new_difficulty:
        level = rng.gauss(RELEVANCE, CASE_SPREAD)
    if rng.random() < scenario.reworded:
        answer = rng.gauss(level, ANSWER_SPREAD)
    if rng.random() < drop / MISSED_POINT:
        answer = min(answer, 1.0) - MISSED_POINT
    return before, _mark(rng, answer)


def citation_rate(rng: Random, scenario: Scenario, drop: float) -> ScorePair:
    """Draw whether an answer cites a source; some questions invite it more than others."""
    habit = rng.betavariate(*CITES)
    before = after = rng.random() < habit
    if rng.random() < scenario.new_difficulty:
        habit = rng.betavariate(*CITES)
    if rng.random() < scenario.reworded:
        after = rng.random() < habit
    if after and rng.random() < drop / CITED:
        after = False
    return float(before), float(after)


GENERATORS: dict[str, Generator] = {
    "recall@5": recall,
    "mrr": mrr,
    "faithfulness": faithfulness,
    "relevance": relevance,
    "citation_rate": citation_rate,
}


def _still_found(rng: Random, scenario: Scenario, *, found: bool) -> bool:
    share = FOUND if found else 1 - FOUND
    return found != (rng.random() < scenario.retrieval_flips / share)


def _rank(rng: Random, first: int, end: int) -> int:
    return rng.choices(range(first, end), RANKS[first:end])[0]


def _moved(rng: Random, rank: int) -> int:
    """Move by one rank so that the shares of all ranks stay as they are (Metropolis)."""
    target = rank + rng.choice((-1, 1))
    if not 0 <= target <= NOWHERE:
        return rank
    return target if rng.random() < RANKS[target] / RANKS[rank] else rank


def _reciprocal(rank: int) -> float:
    return 0.0 if rank == NOWHERE else 1 / (rank + 1)


def _support(rng: Random) -> float:
    return rng.betavariate(*(EASY_SUPPORT if rng.random() < EASY else HARD_SUPPORT))


def _claims(rng: Random, support: float) -> list[bool]:
    """Draw two claims, and further ones with a Poisson number, each supported or not."""
    number, waited = LEAST_CLAIMS, rng.expovariate(MEAN_CLAIMS - LEAST_CLAIMS)
    while waited < 1 and number < MOST_CLAIMS:
        number += 1
        waited += rng.expovariate(MEAN_CLAIMS - LEAST_CLAIMS)
    return [rng.random() < support for _ in range(number)]


def _judged(rng: Random, claims: list[bool]) -> float:
    seen = sum(rng.random() < (SEEN_IF_SUPPORTED if claim else SEEN_IF_NOT) for claim in claims)
    return seen / len(claims)


def _mark(rng: Random, answer: float) -> float:
    return round(10 * min(1.0, max(0.0, answer + rng.gauss(0, JUDGE_SPREAD)))) / 10
