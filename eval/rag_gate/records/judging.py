"""What judging cost and how it went: stands in the judge's partial, in the results, and is shown in the comment."""

from typing import Annotated, Literal

from pydantic import Field

from rag_gate.records.base import OwnRecord

_Count = Annotated[int, Field(ge=0)]
_Usd = Annotated[float, Field(ge=0)]
CanaryOutcome = Literal["caught", "passed", "unscored"]


class ModelUse(OwnRecord):
    """What one model was used for.

    Attributes:
        prompt: version of its prompts.
        calls: prompts put to it, the ones asked again included.
        requests: requests sent for them, repeats after errors included.
        cached: verdicts found in the cache.
        bad_replies: replies that were paid for and thrown away.
        prompt_tokens: as the service counted them.
        completion_tokens: as the service counted them.
        uncounted: requests that may have been charged for, and whose tokens the service did not tell.
        cost_usd: null where no price is known, or tokens are uncounted.
        at_most_usd: the most that it can have cost: what ``max_cost_usd`` limits; null where no price is known.
        saved_usd: what the verdicts from the cache had cost; null as ``cost_usd``.
        served: name that the service gave to what it ran -> verdicts.
    """

    prompt: str
    calls: _Count = 0
    requests: _Count = 0
    cached: _Count = 0
    bad_replies: _Count = 0
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    uncounted: _Count = 0
    cost_usd: _Usd | None = None
    at_most_usd: _Usd | None = None
    saved_usd: _Usd | None = None
    served: dict[str, _Count] = Field(default_factory=dict)


class Judging(OwnRecord):
    """How one judge, or all its shards, went.

    Attributes:
        models: model -> what it was used for; the deciding one first.
        asked: cases that a model judged.
        by_rule: cases that needed no model.
        second_look: cases that the cheap model of a cascade failed or was unsure about, so that the strong one decided.
        confirmed: failing cases that failed again in two of three verdicts.
        overturned: failing cases that two of three verdicts passed.
        unresolved: failing cases for which neither could be had; they stay failing.
        spread: metric -> largest difference between repeated verdicts about one case.
        injections: cases whose answer or documents speak to the judge.
        canary: what became of the case with a wrong answer that asks to be passed; null where none was asked.
        problems: why the run is incomplete or not to be trusted, in sentences; empty where it is.
    """

    models: dict[str, ModelUse] = Field(default_factory=dict)
    asked: _Count = 0
    by_rule: _Count = 0
    second_look: _Count = 0
    confirmed: _Count = 0
    overturned: _Count = 0
    unresolved: _Count = 0
    spread: dict[str, float] = Field(default_factory=dict)
    injections: _Count = 0
    canary: CanaryOutcome | None = None
    problems: list[str] = Field(default_factory=list)
