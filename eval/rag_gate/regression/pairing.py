"""Which cases of two runs can be compared."""

import math
from dataclasses import dataclass

from rag_gate.regression.inputs import CaseMap, CaseScoreIn, Score
from rag_gate.statistics import mean


@dataclass(frozen=True, slots=True)
class Pair:
    """One case, with the same content and a score on both sides."""

    case_id: str
    base: float
    current: float
    case: CaseScoreIn


@dataclass(frozen=True, slots=True)
class Pairing:
    """Every case of two runs, sorted by id within its class.

    Attributes:
        pairs: usable pairs.
        added: ids only in the current run.
        removed: ids only in the baseline.
        edited: ids on both sides whose fingerprints differ.
        missing_current: ids with equal fingerprints and no current score.
        missing_base: ids with equal fingerprints and no baseline score; an id can be in both lists.
        lost_base_scores: baseline scores of ``missing_current``, where there are any.
    """

    pairs: tuple[Pair, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    missing_current: tuple[str, ...]
    missing_base: tuple[str, ...]
    lost_base_scores: tuple[float, ...]

    @property
    def missing_fraction(self) -> float | None:
        """Share of missing current scores among the pairs that could have been usable."""
        expected = len(self.pairs) + len(self.missing_current)
        return len(self.missing_current) / expected if expected else None


def score_of(score: Score) -> float | None:
    """Return the score as one finite number: the mean of the finite repeats, None where there are none."""
    if score is None:
        return None
    if isinstance(score, float):
        return score if math.isfinite(score) else None
    repeats = [score] if isinstance(score, (int, float)) else score
    finite = [float(value) for value in repeats if value is not None and math.isfinite(value)]
    return mean(finite) if finite else None


def pair_cases(base: CaseMap, current: CaseMap) -> Pairing:
    """Pair cases by id and fingerprint; the result does not depend on the order of either map."""
    edited, missing_current, missing_base = [], [], []
    pairs, lost = [], []
    for case_id in sorted(base.keys() & current.keys()):
        case = current[case_id]
        if base[case_id].fp != case.fp:
            edited.append(case_id)
            continue
        before, after = score_of(base[case_id].score), score_of(case.score)
        if before is not None and after is not None:
            pairs.append(Pair(case_id, before, after, case))
            continue
        if before is None:
            missing_base.append(case_id)
        if after is None:
            missing_current.append(case_id)
            lost.extend([] if before is None else [before])
    return Pairing(
        pairs=tuple(pairs),
        added=tuple(sorted(current.keys() - base.keys())),
        removed=tuple(sorted(base.keys() - current.keys())),
        edited=tuple(edited),
        missing_current=tuple(missing_current),
        missing_base=tuple(missing_base),
        lost_base_scores=tuple(lost),
    )
