"""What was measured otherwise in the baseline: no change of such a metric says anything about the bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_gate.measures import measure_of
from rag_gate.records.baseline import Baseline
from rag_gate.records.partial import Evaluator
from rag_gate.records.results import Results

#: Cut-offs do not change a metric of another cut-off, each metric names its own; what is known of a judge changes none.
_HARMLESS = frozenset({"k_values", "calibrated", "ruled_by"})


def measured_otherwise(then: Evaluator, now: Evaluator) -> list[str]:
    """Return in what two evaluators differ that can move a score; empty means that they measure alike."""
    if (then.name, then.version) != (now.name, now.version):
        return [f"{then.name} {then.version} -> {now.name} {now.version}"]
    return _differences(then.settings, now.settings)


@dataclass(frozen=True, slots=True)
class Unlike:
    """In what a run was measured otherwise than its baseline; true where it was.

    Attributes:
        stages: stage -> what differs in how it was measured.
        chunks: in what chunk ids stand for other texts, where gold ids name chunks.
    """

    stages: Mapping[str, Sequence[str]] = field(default_factory=dict)
    chunks: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.stages or self.chunks)

    def has(self, name: str) -> bool:
        """Tell whether a metric was measured otherwise."""
        measure = measure_of(name)
        return (measure is not None and measure.stage in self.stages) or (
            bool(self.chunks) and looks_for_ids(name)
        )

    def said(self) -> str:
        """Return everything that differs."""
        stages = (f"{stage}: {'; '.join(differing)}" for stage, differing in self.stages.items())
        return ", ".join([*stages, *self.chunks])


def unlike(current: Results, baseline: Baseline) -> Unlike:
    """Return in what a run was measured otherwise than its baseline."""
    stages = {
        stage: measured_otherwise(then, now)
        for stage, now in current.stages.items()
        if (then := baseline.stages.get(stage)) is not None
    }
    differing: dict[str, list[str]] = {stage: found for stage, found in stages.items() if found}
    return Unlike(differing, _other_chunks(current, baseline))


def _other_chunks(current: Results, baseline: Baseline) -> list[str]:
    stage = current.stages.get("retrieval")
    then, now = baseline.run.manifest if baseline.run else None, current.run.manifest
    if stage is None or stage.settings.get("unit") != "chunk" or then is None or now is None:
        return []
    stated = {key: (getattr(then, key), getattr(now, key)) for key in ("chunking_id", "corpus_id")}
    return [
        f"{key} {before} -> {after}"
        for key, (before, after) in stated.items()
        if before != after and None not in (before, after)
    ]


def looks_for_ids(name: str) -> bool:
    """Tell whether a metric compares ids; evidence is looked for in the texts."""
    measure = measure_of(name)
    return measure is not None and measure.dimension == "retrieval" and measure.name != "evidence"


def _differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    keys = sorted((then.keys() | now.keys()) - _HARMLESS)
    return [
        f"{key}: {_setting(then.get(key))} -> {_setting(now.get(key))}"
        for key in keys
        if then.get(key) != now.get(key)
    ]


def _setting(value: object) -> str:
    """Return a setting as it stands in the settings file, without what is not set."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_setting(item)}" for key, item in value.items() if item is not None)
    return "not set" if value is None else str(value)
