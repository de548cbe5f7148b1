"""What the model judge was and what it cost, for readers."""

from decimal import ROUND_UP, Decimal

from rag_gate.judging import other_models
from rag_gate.records.judging import Judging, ModelUse
from rag_gate.report.rows import Fact
from rag_gate.text import counted

_CANARY = {
    "caught": "caught: a wrong answer that asks to be passed was not",
    "passed": "PASSED: a wrong answer that asks to be passed was",
    "unscored": "not judged",
}
_CENT_OF_CENT = Decimal("0.0001")


def judging_line(judging: Judging | None) -> str | None:
    """Return one line about the judge and its cost; None where no model judged. It is escaped where it is written."""
    if judging is None or not judging.models:
        return None
    models = ", then ".join(_named(name, use) for name, use in reversed(judging.models.items()))
    uses = list(judging.models.values())
    said = [
        f"Judge: {models}",
        f"{counted(sum(use.calls for use in uses), 'call')}, {sum(use.cached for use in uses)} from the cache",
        _costs(uses),
    ]
    if len(uses) > 1:
        said.append(
            f"{judging.second_look} of {counted(judging.asked, 'case')} judged again by the stronger model"
        )
    if judging.confirmed or judging.overturned or judging.unresolved:
        said.append(_confirmations(judging))
    return "; ".join(said)


def _confirmations(judging: Judging) -> str:
    line = f"{counted(judging.confirmed, 'failure')} confirmed, {judging.overturned} overturned by two of three verdicts"
    return (
        f"{line}, {judging.unresolved} left as they were for want of verdicts" if judging.unresolved else line
    )


def judging_facts(judging: Judging | None) -> list[Fact]:
    """Return what is known about judging, a row for each."""
    if judging is None:
        return []
    rows = [fact for name, use in judging.models.items() for fact in _used(name, use)]
    rows.append(Fact("Cases judged by a model", f"{judging.asked}; {judging.by_rule} decided by rule"))
    if judging.spread:
        spread = ", ".join(f"{metric} {value:.3f}" for metric, value in sorted(judging.spread.items()))
        rows.append(Fact("Largest difference between repeated verdicts", spread))
    if judging.injections:
        rows.append(Fact("Cases whose texts speak to the judge", str(judging.injections)))
    if judging.canary:
        rows.append(Fact("Canary", _CANARY[judging.canary]))
    return rows


def _used(name: str, use: ModelUse) -> list[Fact]:
    bad = f", {counted(use.bad_replies, 'unusable reply', 'unusable replies')}" if use.bad_replies else ""
    rows = [
        Fact("Judge", f"{name}, prompts {use.prompt}"),
        Fact(
            "Its calls", f"{use.calls} ({counted(use.requests, 'request')}{bad}), {use.cached} from the cache"
        ),
        Fact("Its tokens", f"{use.prompt_tokens} + {use.completion_tokens}"),
        Fact("Its cost", _costs([use])),
    ]
    others = ", ".join(other_models(name, use.served))
    return [*rows, Fact("It says that it is", others)] if others else rows


def _named(name: str, use: ModelUse) -> str:
    """Name a model as it was asked for, and what the service ran in its place."""
    others = ", ".join(other_models(name, use.served))
    ran = f"; the service says it ran {others}" if others else ""
    return f"{name} (prompts {use.prompt}{ran})"


def _costs(uses: list[ModelUse]) -> str:
    costs = [use.cost_usd for use in uses]
    if any(cost is None for cost in costs):
        most = [use.at_most_usd for use in uses if use.at_most_usd is not None]
        return (
            f"cost not known, at most {_usd(sum(most))} USD" if len(most) == len(uses) else "cost not known"
        )
    saved = sum(use.saved_usd or 0.0 for use in uses)
    line = f"{_usd(sum(cost or 0.0 for cost in costs))} USD"
    return f"{line} (the cache saved {_usd(saved)} USD)" if saved else line


def _usd(amount: float) -> str:
    """Round up, so that nothing that was paid is shown as 0."""
    return f"{Decimal(repr(amount)).quantize(_CENT_OF_CENT, ROUND_UP):f}"
