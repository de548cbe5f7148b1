"""One simulated comparison of each kind: which rules raised an alarm."""

from random import Random

from rag_gate.regression import judge_metrics
from rag_gate.regression.escalation import needs_escalation, pool
from simulation.generators import GENERATORS, ScorePair
from simulation.rules import (
    STRICT,
    judge_loosely,
    metric_inputs,
    plain_alarms,
    with_verdict,
)
from simulation.scenarios import SCENARIOS, Scenario

Seen = dict[str, bool]
Drops = dict[str, float]


def draw(rng: Random, n: int, scenario: Scenario, drops: Drops) -> dict[str, list[ScorePair]]:
    """Draw n cases for every metric; ``drops`` are true drops of the mean."""
    return {
        name: [generate(rng, scenario, drops.get(name, 0.0)) for _ in range(n)]
        for name, generate in GENERATORS.items()
    }


def false_alarm(rng: Random, n: int, scenario: str) -> Seen:
    """Tell which rules raise an alarm on any metric though nothing got worse."""
    pairs = draw(rng, n, SCENARIOS[scenario], {})
    inputs = metric_inputs(pairs)
    strict = judge_metrics(inputs, STRICT)
    return {
        "plain": bool(plain_alarms(pairs)),
        "holm05": strict.overall == "regressed",
        "holm10": judge_loosely(strict, inputs).overall == "regressed",
        "inconclusive05": strict.overall == "inconclusive",
    }


def detection(rng: Random, n: int, metric: str, drop: float) -> Seen:
    """Tell which rules catch the true drop of one metric, within a harmless change."""
    pairs = draw(rng, n, SCENARIOS["neutral"], {metric: drop})
    inputs = metric_inputs(pairs)
    strict = judge_metrics(inputs, STRICT)
    loose = judge_loosely(strict, inputs)
    return {
        "plain": metric in plain_alarms(pairs),
        "holm05": metric in with_verdict(strict, "regressed"),
        "holm10": metric in with_verdict(loose, "regressed"),
        "inconclusive05": metric in with_verdict(strict, "inconclusive"),
    }


def two_stage(rng: Random, core: int, whole: int, drops: Drops) -> Seen:
    """Judge the core cases, and all cases only where the core was not sure."""
    first = draw(rng, core, SCENARIOS["neutral"], drops)
    inputs = metric_inputs(first)
    outcome = judge_metrics(inputs, STRICT)
    flagged = needs_escalation(outcome)
    seen = {
        "plain": bool(plain_alarms(first)),
        "core": outcome.overall == "regressed",
        "escalated": bool(flagged),
    }
    flagged_only = outcome
    if flagged:
        rest = draw(rng, whole - core, SCENARIOS["neutral"], drops)
        everything = metric_inputs({name: [*first[name], *rest[name]] for name in first})
        outcome = judge_metrics(pool(inputs, everything), STRICT)
        flagged_only = judge_metrics(pool(inputs, {name: everything[name] for name in flagged}), STRICT)
    return seen | {
        "two_stage": outcome.overall == "regressed",
        "unsure": outcome.overall == "inconclusive",
        "flagged_only": flagged_only.overall == "regressed",
    }
