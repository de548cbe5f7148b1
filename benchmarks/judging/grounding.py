"""Grounding: how well the support score tells supported answers from others, dataset by dataset."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judging.accuracy import Measured, area, area_error, balanced
from judging.fitting import Fitted
from judging.rows import Row
from judging.table import fitted, left_out, measured
from rag_gate.judge.model import Model
from rag_gate.judge.numbers import missing_values
from rag_gate.judge.support import SUPPORTED_FROM, UNSUPPORTED_BELOW

#: Areas measured before this judge was made, on 260 + 260 rows (BEGIN CMU 56 + 272, TC 74 + 307, WiCE full
#: 226 + 294, oracle 224 + 296, FaithBench 230 + 290, JHARS 472 + 48, JaFaithSum 285 + 235, JNLI 203 + 317):
#: a monotone logistic model on nine lexical features, with the dataset's family left out of the fit.
EARLIER = {
    "begin_wow": 0.928,
    "begin_cmu": 0.969,
    "begin_tc": 0.951,
    "wice_full": 0.684,
    "wice_oracle": 0.731,
    "expertqa": 0.594,
    "faithbench": 0.573,
    "jhars": 0.896,
    "jafaithsum": 0.763,
    "jnli": 0.688,
    "jsick": 0.852,
}
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class Grounded:
    """Figures of one dataset.

    Attributes:
        right: supported rows.
        wrong: other rows.
        fitted: area with the weights that were fitted on the dataset, too (where its licence allows).
        left_out: area with weights from other families only.
        balanced: balanced accuracy of left-out scores from 0.5.
        decided: left-out verdicts: called supported, of these supported; called unsupported, of these not.
    """

    right: int
    wrong: int
    fitted: Measured
    left_out: Measured
    balanced: Measured
    decided: tuple[int, int, int, int]

    def below_earlier(self, dataset: str) -> float:
        """Return how many standard errors the left-out area is below the earlier figure (negative: above)."""
        earlier = EARLIER[dataset]
        return (earlier - self.left_out.value) / area_error(earlier, self.right, self.wrong)


def grounding(rows: Sequence[Row]) -> dict[str, Grounded]:
    """Measure every dataset of the grounded rows."""
    features = [measured(row) for row in rows]
    flagged = [bool(missing_values(row.answer, [*row.contexts, row.question])) for row in rows]
    everything = fitted(rows, features)
    of = left_out(rows, features)
    found = {}
    for name in dict.fromkeys(row.dataset for row in rows):
        own = [at for at, row in enumerate(rows) if row.dataset == name]
        labels = [rows[at].right for at in own]
        score = _scorer(features, flagged)
        inside = [score(at, everything) for at in own]
        outside = [score(at, of(rows[at])) for at in own]
        found[name] = Grounded(
            sum(labels),
            len(labels) - sum(labels),
            area(labels, inside),
            area(labels, outside),
            balanced(labels, [chance >= _MIDDLE for chance in outside]),
            _decided(labels, outside),
        )
    return found


def _decided(labels: Sequence[bool], scores: Sequence[float]) -> tuple[int, int, int, int]:
    high = [label for label, score in zip(labels, scores, strict=True) if score >= SUPPORTED_FROM]
    low = [label for label, score in zip(labels, scores, strict=True) if score < UNSUPPORTED_BELOW]
    return len(high), sum(high), len(low), len(low) - sum(low)


def _scorer(features: Sequence[Sequence[float]], flagged: Sequence[bool]) -> Callable[[int, Fitted], float]:
    """Return the judge's own rule: the model's chance, lowered for a value that no context states."""

    def score(at: int, found: Fitted) -> float:
        chance = Model(found.bias, found.weights, "").chance(features[at])
        return chance * UNSUPPORTED_BELOW if flagged[at] else chance

    return score


def macro(found: dict[str, Grounded]) -> tuple[Measured, Measured]:
    """Return the mean areas over the datasets, fitted and left out."""
    sides = ([row.fitted for row in found.values()], [row.left_out for row in found.values()])
    means = [
        Measured(
            sum(one.value for one in side) / len(side), sum(one.error**2 for one in side) ** 0.5 / len(side)
        )
        for side in sides
    ]
    return means[0], means[1]
