"""What the model judge was and what it cost, for readers."""

from decimal import ROUND_UP, Decimal

from rag_gate.judging import other_models
from rag_gate.records.judging import Judging, ModelUse
from rag_gate.report.rows import Fact
from rag_gate.report.words import IN_ENGLISH, Words

_CENT_OF_CENT = Decimal("0.0001")


def judging_line(judging: Judging | None, words: Words = IN_ENGLISH) -> str | None:
    """Return one line about the judge and its cost; None where no model judged. It is escaped where it is written."""
    if judging is None or not judging.models:
        return None
    named = [_named(name, use, words) for name, use in reversed(judging.models.items())]
    uses = list(judging.models.values())
    calls = words("judging.calls", n=sum(use.calls for use in uses))
    said = [
        words.plain("judging.judge", models=words("judging.then").join(named)),
        words.plain("judging.of_which", calls=calls, n=sum(use.cached for use in uses)),
        _costs(uses, words),
    ]
    if len(uses) > 1:
        said.append(words.plain("judging.second_look", count=judging.second_look, n=judging.asked))
    if judging.confirmed or judging.overturned or judging.unresolved:
        said.append(_confirmations(judging, words))
    return words("judging.join").join(said)


def _confirmations(judging: Judging, words: Words) -> str:
    line = words.plain("judging.confirmed", n=judging.confirmed, overturned=judging.overturned)
    return line + (words.plain("judging.unresolved", n=judging.unresolved) if judging.unresolved else "")


def judging_facts(judging: Judging | None, words: Words = IN_ENGLISH) -> list[Fact]:
    """Return what is known about judging, a row for each."""
    if judging is None:
        return []
    rows = [fact for name, use in judging.models.items() for fact in _used(name, use, words)]
    by_model = words.plain("fact.judged.value", asked=judging.asked, by_rule=judging.by_rule)
    rows.append(Fact(words("fact.judged"), by_model))
    if judging.spread:
        spread = ", ".join(f"{metric} {value:.3f}" for metric, value in sorted(judging.spread.items()))
        rows.append(Fact(words("fact.spread"), spread))
    if judging.injections:
        rows.append(Fact(words("fact.injections"), str(judging.injections)))
    if judging.canary:
        rows.append(Fact(words("fact.canary"), words(f"canary.{judging.canary}")))
    return rows


def _used(name: str, use: ModelUse, words: Words) -> list[Fact]:
    bad = words.plain("fact.bad_replies", n=use.bad_replies) if use.bad_replies else ""
    requests = words.plain("fact.requests", n=use.requests)
    calls = words.plain("fact.calls.value", n=use.calls, requests=requests + bad, cached=use.cached)
    rows = [
        Fact(words("fact.judge"), words.plain("fact.judge.value", model=name, prompts=use.prompt)),
        Fact(words("fact.calls"), calls),
        Fact(words("fact.tokens"), f"{use.prompt_tokens} + {use.completion_tokens}"),
        Fact(words("fact.cost"), _costs([use], words)),
    ]
    others = ", ".join(other_models(name, use.served))
    return [*rows, Fact(words("fact.served"), others)] if others else rows


def _named(name: str, use: ModelUse, words: Words) -> str:
    """Name a model as it was asked for, and what the service ran in its place."""
    others = ", ".join(other_models(name, use.served))
    ran = words.plain("judging.ran", models=others) if others else ""
    return words.plain("judging.model", model=name, prompts=use.prompt, ran=ran)


def _costs(uses: list[ModelUse], words: Words) -> str:
    costs = [use.cost_usd for use in uses]
    if any(cost is None for cost in costs):
        most = [use.at_most_usd for use in uses if use.at_most_usd is not None]
        known = len(most) == len(uses)
        return words.plain("cost.at_most", usd=_usd(sum(most))) if known else words.plain("cost.unknown")
    saved = sum(use.saved_usd or 0.0 for use in uses)
    line = words.plain("cost.known", usd=_usd(sum(cost or 0.0 for cost in costs)))
    return line + (words.plain("cost.saved", usd=_usd(saved)) if saved else "")


def _usd(amount: float) -> str:
    """Round up, so that nothing that was paid is shown as 0."""
    return f"{Decimal(repr(amount)).quantize(_CENT_OF_CENT, ROUND_UP):f}"
