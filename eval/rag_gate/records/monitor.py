"""What ``rag-gate monitor`` writes: the signals of a log, and how they differ from a baseline's."""

from typing import Annotated, Literal

from pydantic import Field

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.partial import Count

Signal = Literal[
    "empty_rate",
    "similarity",
    "citation_rate",
    "hedging_rate",
    "retrieval_latency",
    "generation_latency",
    "total_latency",
]
DriftVerdict = Literal["pass", "regressed", "inconclusive", "not_compared"]
Overall = Literal["pass", "regressed", "inconclusive", "not_compared"]
CauseName = Literal[
    "embedding_models_differ", "index_mismatch", "model_changed", "traffic_changed", "slow_stage"
]
#: How often each bin of a sketch was met: pairs of bin and count, in order of the values.
Bins = list[tuple[int, Annotated[int, Field(ge=1)]]]


class Signals(OwnRecord):
    """The signals of all requests of a log.

    Attributes:
        requests: requests that were read; errors are not among them.
        errors: requests that failed in the bot.
        bad_lines: lines that could not be read.
        retrievals: requests in which something was looked for.
        empty: retrievals that found nothing.
        answers: answers of which it is known whether they cite.
        cited: answers with a citation.
        hedge_known: answers of which it is known whether they hedge.
        hedging: answers that hedge.
        thumbs_down: category -> how many answers were marked as bad.
        languages: language -> answers.
        top_similarity: sketch of the best scores.
        latency_ms: stage -> sketch of its milliseconds.
        conditions: what the bot was made with (model, prompt version, embedding models) -> values met, most
            frequent first.
    """

    requests: Count = 0
    errors: Count = 0
    bad_lines: Count = 0
    retrievals: Count = 0
    empty: Count = 0
    answers: Count = 0
    cited: Count = 0
    hedge_known: Count = 0
    hedging: Count = 0
    thumbs_down: dict[str, Count] = Field(default_factory=dict)
    languages: dict[str, Count] = Field(default_factory=dict)
    top_similarity: Bins = Field(default_factory=list)
    latency_ms: dict[str, Bins] = Field(default_factory=dict)
    conditions: dict[str, list[str]] = Field(default_factory=dict)


class Drift(OwnRecord):
    """One signal of the log beside the baseline's.

    Attributes:
        signal: which.
        verdict: ``regressed`` = beyond the tolerance and not by chance; ``inconclusive`` = beyond it, and chance
            could do that; ``not_compared`` = one side has too little.
        baseline: a share, the median of the best scores, or the 95th percentile in milliseconds.
        now: the same in the log.
        change: ``now - baseline``; of the similarity the shift towards lower values (0 to 1), of a latency the share by
            which it rose.
        tolerance: largest change for the worse that passes.
        p: adjusted chance of such a change for the worse, or a larger one, when nothing changed (Holm, all signals together).
        interval: 95 % confidence interval of the change of a share.
        reason: why it was not compared.
    """

    signal: Signal
    verdict: DriftVerdict
    baseline: float | None = None
    now: float | None = None
    change: float | None = None
    tolerance: float | None = None
    p: float | None = None
    interval: tuple[float, float] | None = None
    reason: str | None = None


class Cause(OwnRecord):
    """What the signs point to; certain only where the log itself says so."""

    name: CauseName
    certain: bool
    text: str


class MonitorReport(OwnRecord):
    """The file of ``rag-gate monitor``; its ``observed`` can be the baseline of later logs."""

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["monitor"] = "monitor"
    overall: Overall
    summary: str
    observed: Signals
    drifts: list[Drift] = Field(default_factory=list)
    causes: list[Cause] = Field(default_factory=list)
