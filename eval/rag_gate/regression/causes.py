"""What of a run's retrieval differs from the baseline's run, and so can be why something got worse; it never decides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import NOTHING_RETRIEVED
from rag_gate.regression.comparability import embedding_mismatch
from rag_gate.regression.sides import Sides
from rag_gate.statistics import kolmogorov_smirnov, sign_flip
from rag_gate.wording.causes import INDEX_MISMATCH

#: Chance, at most, that the same retriever gives such a difference.
_ALPHA_EMPTY = 0.05
_ALPHA_SCORES = 0.01
_FEWEST = 5
_Pair = tuple[BaselineCase, CaseResult]


@dataclass(frozen=True)
class Cause:
    """One difference.

    Attributes:
        sentence: what differs, with the numbers.
        is_noticed: whether it is a notice anyway.
    """

    sentence: str
    is_noticed: bool = False


def likely_causes(sides: Sides) -> list[Cause]:
    """Return the differences, the most telling first.

    An index that was built with another embedding model than the queries use; more cases for which nothing was retrieved;
    other similarities of the first results. Compared are the cases that both runs executed.
    """
    if not isinstance(sides.current, Results):
        return []
    mismatch = embedding_mismatch(sides.current)
    found = [Cause(mismatch, is_noticed=True)] if mismatch else []
    if isinstance(sides.baseline, Baseline):
        pairs = list(_pairs(sides))
        found += [Cause(sentence) for sentence in (*_more_empty(pairs), *_other_scores(pairs))]
    return found


def said_of(causes: Sequence[Cause], *, is_worse: bool) -> list[str]:
    """Return the causes as notices, but for those that are one anyway."""
    start = "likely cause: " if is_worse else ""
    return [f"{start}{cause.sentence}" for cause in causes if not cause.is_noticed]


def _pairs(sides: Sides) -> Iterator[_Pair]:
    before = {case.question_id: case for case in sides.baseline_rows()}
    for now in sides.current_rows:
        then = before.get(now.question_id)
        if (
            then is not None
            and then.fingerprint == now.fingerprint
            and then.retrieved_fp
            and now.retrieved_fp
        ):
            yield then, now


def _more_empty(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Compare how often nothing was retrieved, by the exact test of McNemar."""
    flips = [
        (then.retrieved_fp == NOTHING_RETRIEVED) - (now.retrieved_fp == NOTHING_RETRIEVED)
        for then, now in pairs
    ]
    chance = sign_flip(flips).p
    if sum(flips) >= 0 or chance > _ALPHA_EMPTY:
        return
    was = sum(then.retrieved_fp == NOTHING_RETRIEVED for then, _ in pairs)
    yield (
        f"nothing was retrieved for {was - sum(flips)} of {len(pairs)} cases, in the baseline's run for {was} (chance "
        f"alone: p = {chance:.2g}); perhaps {INDEX_MISMATCH}"
    )


def _other_scores(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Compare the distributions of the first results' similarity."""
    known = [
        (then.top_score, score)
        for then, now in pairs
        if then.top_score is not None
        and (score := now.detail.get("retrieval", {}).get("top_score")) is not None
    ]
    if len(known) < _FEWEST:
        return
    before, after = [then for then, _ in known], [now for _, now in known]
    test = kolmogorov_smirnov(before, after)
    if test.p > _ALPHA_SCORES:
        return
    yield (
        f"other similarities of the first results: median {median(before):.4g} -> {median(after):.4g} ({len(known)} cases, "
        f"Kolmogorov-Smirnov D = {test.distance:.2f}, p = {test.p:.1g}); embedding model, index or scale is another"
    )
