"""What the regression check works on: plain data, no files."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from rag_gate.errors import ConfigError
from rag_gate.records.verdict import Direction, Kind

Score = float | Sequence[float | None] | None


@dataclass(frozen=True, slots=True)
class CaseScoreIn:
    """One case's score for one metric.

    Attributes:
        fp: fingerprint of the case's content; pairs need the same on both sides.
        score: a number, its repeats, or None where it was not scored. NaN and infinity count as not scored.
        cluster: name shared by cases that depend on each other.
        slices: value per slice key, for example ``{"category": "faq"}``.
    """

    fp: str
    score: Score
    cluster: str | None = None
    slices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


CaseMap = Mapping[str, CaseScoreIn]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A metric known by its mean only, as in a flat ``{metric: score}`` file."""

    value: float | None


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """How one metric is judged.

    Attributes:
        kind: ``soft`` (compared with the baseline), ``zero_tolerance`` (every case must score 1) or
            ``report_only`` (shown, never decides).
        direction: whether higher or lower scores are better.
        tolerance: largest allowed drop of the mean, >= 0; needed by ``soft``.
        floor: worst allowed mean of all current cases (a ceiling where lower is better).
        cluster: whether cases of one cluster count as one independent unit.
        max_unscored: cases of a zero-tolerance metric that may be unscored.

    Raises:
        ConfigError: if a number is not usable.
    """

    kind: Kind = "soft"
    direction: Direction = "higher"
    tolerance: float | None = None
    floor: float | None = None
    cluster: bool = False
    max_unscored: int = 0

    def __post_init__(self) -> None:
        if self.tolerance is None:
            if self.kind == "soft":
                raise ConfigError("tolerance: missing for a soft metric; set the largest drop you allow")
        elif not math.isfinite(self.tolerance) or self.tolerance < 0:
            raise ConfigError(f"tolerance: {self.tolerance} is not a number from 0 upwards")
        if self.floor is not None and not math.isfinite(self.floor):
            raise ConfigError(f"floor: {self.floor} is not a finite number")
        if self.max_unscored < 0:
            raise ConfigError(f"max_unscored: {self.max_unscored} is below 0")


@dataclass(frozen=True, slots=True)
class MetricInput:
    """One metric's rule and its scores.

    Attributes:
        spec: how it is judged.
        base: baseline cases, a baseline mean, or None where the baseline does not know the metric.
        current: the run's cases, its mean, or None where the run lacks the metric.
    """

    spec: MetricSpec
    base: CaseMap | Aggregate | None
    current: CaseMap | Aggregate | None


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Settings common to all metrics.

    Attributes:
        alpha: accepted chance of a false alarm, over all soft metrics together, in (0, 1).
        correction: ``holm`` for that, ``none`` for alpha per metric.
        min_pairs: fewer independent units than this get the note ``underpowered``.
        max_missing: share of paired cases that may lack a current score, in [0, 1].
        power: reliability asked for in the detectable effect, in (0, 1).

    Raises:
        ConfigError: if a value is outside its range.
    """

    alpha: float = 0.05
    correction: Literal["holm", "none"] = "holm"
    min_pairs: int = 20
    max_missing: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        problems = [
            f"{name}: {value} is not between 0 and 1"
            for name, value in (("alpha", self.alpha), ("power", self.power))
            if not 0 < value < 1
        ]
        if not 0 <= self.max_missing <= 1:
            problems.append(f"max_missing: {self.max_missing} is not from 0 to 1")
        if self.min_pairs < 0:
            problems.append(f"min_pairs: {self.min_pairs} is below 0")
        if problems:
            raise ConfigError(*problems)
