"""What is wrong with a tolerance, and which one fits the noise."""

from math import ceil
from typing import Literal

from rag_gate.calibrate.noise import Noise
from rag_gate.statistics import to_lattice

Lint = Literal["narrower_than_noise", "below_one_case", "blind", "too_few_cases", "no_noise", "shifted"]

_BLIND = 4.0
_QUIET = 1.645
_STEPS = 1_000
_RELIABLE = 0.84
_SLACK = 1e-9


def proposed_tolerance(noise: Noise, current: float) -> float:
    """Return the smallest tolerance that noise alone exceeds in at most about 5 % of comparisons.

    ``max(1 / n, 1.645 SE)``, rounded up to three decimals: 1.645 standard errors is the one-sided 95 %
    point of a mean difference between identical runs, and below 1 / n a single lost case is too many.
    Where nothing varied between the runs there is no noise to go by, and the current tolerance stays.
    """
    if noise.se == 0:
        return current
    return ceil(max(1 / noise.n_pairs, _QUIET * noise.se) * _STEPS - _SLACK) / _STEPS


def caught_reliably(noise: Noise, tolerance: float) -> float:
    """Return the true drop that is beyond the tolerance in 80 % of comparisons: tolerance + 0.84 SE.

    A true drop exactly as large as the tolerance is beyond it in half of them. To have a drop x beyond it
    in 80 %, the tolerance must be x - 0.84 SE.
    """
    return tolerance + _RELIABLE * noise.se


def lints(noise: Noise, tolerance: float, min_pairs: int) -> list[Lint]:
    """Return what speaks against a tolerance, or against this calibration.

    - ``narrower_than_noise``: below 1 standard error, identical runs are beyond it in every sixth comparison;
    - ``below_one_case``: below 1 / n, one lost case of 0 or 1 is beyond it;
    - ``blind``: above 4 standard errors (and above the proposal), it lets through what the cases could show;
    - ``too_few_cases``: fewer units than ``gate.min_pairs``;
    - ``no_noise``: nothing varied between the runs, so that nothing is known about noise;
    - ``shifted``: two runs differ by more than noise of single cases explains, so something else than
      chance differed between them, and the figures here are too rosy.
    """
    t, se = to_lattice(tolerance), to_lattice(noise.se)
    found: dict[Lint, bool] = {
        "narrower_than_noise": t < se,
        "below_one_case": t < to_lattice(1 / noise.n_pairs),
        "blind": 0 < se * _BLIND < t and t > to_lattice(proposed_tolerance(noise, tolerance)),
        "too_few_cases": noise.n_units < min_pairs,
        "no_noise": noise.flip_rate == 0,
        "shifted": noise.shifted,
    }
    return [code for code, holds in found.items() if holds]
