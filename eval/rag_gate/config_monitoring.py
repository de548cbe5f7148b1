"""Settings of monitoring in production: what counts as a citation or a hedge, and how far traffic may drift."""

from typing import Annotated

from pydantic import Field, field_validator

from rag_gate.config_base import NoFlag, PositiveInt, Settings, Share
from rag_gate.records.pattern import compile_pattern

#: ISO 639-1; ``*`` stands for every language that has no entry of its own, ``und`` for what could not be told.
Language = Annotated[str, Field(pattern=r"^(?:\*|und|[a-z]{2,3})$")]
Category = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Phrase = Annotated[str, Field(min_length=1, max_length=100)]
_MOST_CATEGORIES = 20
CATEGORIES = ("wrong", "unsupported", "incomplete", "irrelevant", "unsafe", "other")


class DriftConfig(Settings):
    """How far `rag-gate monitor` lets production differ from the baseline.

    Attributes:
        empty_rate: largest rise of the share of requests for which nothing was retrieved.
        citation_rate: largest drop of the share of answers with a citation.
        hedging_rate: largest rise of the share of answers that hedge.
        similarity: largest shift of the best scores towards lower values: distance of the two distribution
            functions (Kolmogorov-Smirnov), 0 to 1.
        latency: largest rise of the 95th percentile of each stage's latency, as a share: 0.25 = a quarter slower.
        alpha: accepted chance of one false alarm or more among all comparisons.
        min_requests: with fewer requests in the logs, or fewer in the baseline, nothing is compared.
        max_bad_lines: largest share of lines that cannot be read; more, and there is no verdict.
    """

    empty_rate: Share = 0.05
    citation_rate: Share = 0.05
    hedging_rate: Share = 0.10
    similarity: Share = 0.20
    latency: Annotated[float, Field(ge=0), NoFlag] = 0.25
    alpha: Annotated[float, Field(gt=0, lt=0.5), NoFlag] = 0.05
    min_requests: PositiveInt = 30
    max_bad_lines: Share = 0.01


class MonitoringConfig(Settings):
    """Quality signals of requests in production.

    Attributes:
        citation_markers: language -> regular expressions; a match is a citation in an answer of that language.
            ``"*"`` stands for all languages without an entry. Left out: the usual markers of all languages.
        hedging: language -> phrases with which an answer says that it is not sure, in the place of the usual ones
            of that language.
        feedback_categories: the values of the label ``category`` of thumbs-down; every other value counts as
            ``other``.
        drift: how far production may differ from the baseline, see below.
    """

    citation_markers: dict[Language, tuple[str, ...]] = Field(default_factory=dict)
    hedging: dict[Language, tuple[Phrase, ...]] = Field(default_factory=dict)
    feedback_categories: Annotated[tuple[Category, ...], Field(min_length=1, max_length=_MOST_CATEGORIES)] = (
        CATEGORIES
    )
    drift: DriftConfig = DriftConfig()

    @field_validator("citation_markers")
    @classmethod
    def _usable(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for pattern in (pattern for patterns in value.values() for pattern in patterns):
            compile_pattern(pattern)
        return value
