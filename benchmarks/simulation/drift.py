"""A bot that gets a little worse with every merge, checked against a rolling and an anchored baseline."""

from random import Random

from rag_gate.regression import judge_metrics
from simulation.generators import FOUND
from simulation.rules import STRICT, metric_input, plain_alarm

TOLERANCE = 0.03
MERGES = 60
NOISE = 0.0132
"""Chance that one case comes out wrong way round: the mean of 500 cases varies by 0.0051, of 50 by 0.016."""

FirstAlarm = dict[str, int | None]


def drift(rng: Random, n: int, step: float, merges: int = MERGES, noise: float = NOISE) -> FirstAlarm:
    """Return at which merge each baseline and rule first raises an alarm.

    The rolling baseline is the run before; the anchored one is the run before the first merge.
    """
    anchor = previous = _run(rng, n, 0.0, noise)
    first: FirstAlarm = dict.fromkeys(("rolling_plain", "rolling", "anchored_plain", "anchored"))
    for merge in range(1, merges + 1):
        current = _run(rng, n, merge * step, noise)
        for name, base in (("rolling", previous), ("anchored", anchor)):
            pairs = list(zip(base, current, strict=True))
            # Of scores 0 and 1 rag-gate fails nothing that the plain rule lets pass: only its alarms are judged.
            if first[name] is None and plain_alarm(pairs, TOLERANCE):
                first[f"{name}_plain"] = first[f"{name}_plain"] or merge
                if judge_metrics({"m": metric_input(pairs, TOLERANCE)}, STRICT).overall == "regressed":
                    first[name] = merge
        previous = current
    return first


def lost(n: int, step: float, merges: int) -> float:
    """Return by how much the true mean has fallen after so many merges."""
    return (_good(n, 0.0) - _good(n, merges * step)) / n


def _good(n: int, fallen: float) -> int:
    return max(0, round(FOUND * n) - round(fallen * n))


def _run(rng: Random, n: int, fallen: float, noise: float) -> list[float]:
    good = _good(n, fallen)
    return [float((number < good) != (rng.random() < noise)) for number in range(n)]
