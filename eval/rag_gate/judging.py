"""Add up what the shards of a model judge cost and how they went."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from rag_gate.late import Late
from rag_gate.reasons import is_open
from rag_gate.records.judging import CanaryOutcome, Judging, ModelUse
from rag_gate.records.partial import MetricSummary
from rag_gate.text import counted

#: What follows an asked-for name that has no date, where a service names the version that it ran.
_DATED = Late(r"-20[0-9]{2}-?[01][0-9]-?[0-3][0-9]\Z")
_HAS_DATE = Late(r"(?<![0-9])20[0-9]{2}-?[01][0-9]-?[0-3][0-9](?![0-9])")
_MOST_NAMES = 3
#: The worst first.
_CANARY: tuple[CanaryOutcome | None, ...] = ("passed", "unscored", "caught", None)


def other_models(asked: str, served: Iterable[str]) -> list[str]:
    """Return what a service says it ran beside what was asked for: the first few names, and how many more.

    Beside the same name only one with a date stands for the same model, where the name that was asked for has none: a
    part of a name is another model.
    """
    others = sorted(name for name in served if not _is_model(asked.casefold(), name.casefold()))
    more = len(others) - _MOST_NAMES
    return [*others[:_MOST_NAMES], *([f"{more} more"] if more > 0 else [])]


def _is_model(asked: str, served: str) -> bool:
    if asked == served:
        return True
    added = served.removeprefix(asked) if served.startswith(asked) else ""
    return bool(_DATED.match(added)) and not _HAS_DATE.search(asked)


def never_judged(metrics: Mapping[str, MetricSummary]) -> list[str]:
    """Return a sentence for each metric that a model was to measure and that has a score in no case.

    Args:
        metrics: of the judge, over all shards.
    """
    found = []
    for name, summary in sorted(metrics.items()):
        lost = {reason: count for reason, count in summary.reasons.items() if is_open(reason)}
        if summary.n_scored == 0 and lost and set(lost) != {"undecided"}:
            why = ", ".join(f"{reason}: {count}" for reason, count in sorted(lost.items()))
            cases = counted(sum(lost.values()), "case")
            found.append(f"{name} was to be judged in {cases}, and none got a verdict ({why})")
    return found


def joined_judging(parts: Iterable[Judging | None]) -> Judging | None:
    """Return the sum over shards; None where no model judged."""
    known = [part for part in parts if part is not None]
    if len(known) <= 1:
        return known[0] if known else None
    return Judging(
        models=_models(known),
        asked=sum(part.asked for part in known),
        by_rule=sum(part.by_rule for part in known),
        second_look=sum(part.second_look for part in known),
        confirmed=sum(part.confirmed for part in known),
        overturned=sum(part.overturned for part in known),
        unresolved=sum(part.unresolved for part in known),
        spread=_largest([part.spread for part in known]),
        injections=sum(part.injections for part in known),
        canary=min((part.canary for part in known), key=_CANARY.index),
        problems=list(dict.fromkeys(problem for part in known for problem in part.problems)),
    )


def _models(parts: Sequence[Judging]) -> dict[str, ModelUse]:
    names = list(dict.fromkeys(name for part in parts for name in part.models))
    return {name: _used([part.models[name] for part in parts if name in part.models]) for name in names}


def _used(uses: Sequence[ModelUse]) -> ModelUse:
    served: Counter[str] = Counter()
    for use in uses:
        served.update(use.served)
    return ModelUse(
        prompt=uses[0].prompt,
        calls=sum(use.calls for use in uses),
        requests=sum(use.requests for use in uses),
        cached=sum(use.cached for use in uses),
        bad_replies=sum(use.bad_replies for use in uses),
        prompt_tokens=sum(use.prompt_tokens for use in uses),
        completion_tokens=sum(use.completion_tokens for use in uses),
        uncounted=sum(use.uncounted for use in uses),
        at_most_usd=_known_sum(uses, lambda use: use.at_most_usd),
        cost_usd=_known_sum(uses, lambda use: use.cost_usd),
        saved_usd=_known_sum(uses, lambda use: use.saved_usd),
        served=dict(sorted(served.items())),
    )


def _known_sum(uses: Iterable[ModelUse], amount: Callable[[ModelUse], float | None]) -> float | None:
    """Add amounts; what is unknown for one is unknown for all."""
    total = 0.0
    for use in uses:
        found = amount(use)
        if found is None:
            return None
        total += found
    return total


def _largest(spreads: Iterable[dict[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for spread in spreads:
        for metric, value in spread.items():
            found[metric] = max(value, found.get(metric, 0.0))
    return found
