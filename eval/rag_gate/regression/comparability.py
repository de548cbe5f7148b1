"""Whether results and baseline may be compared at all; what differed between the two runs."""

from collections.abc import Mapping
from typing import Any

from rag_gate.measures import measure_of
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.regression.inputs import MetricSpec
from rag_gate.regression.sides import Sides

#: Cut-offs do not change a metric of another cut-off; each metric names its own.
_HARMLESS = frozenset({"k_values"})
_CONDITIONS = (
    "model",
    "prompt_version",
    "index_embedding_model",
    "query_embedding_model",
    "corpus_id",
    "chunking_id",
    "k",
)


def comparison_problems(sides: Sides, specs: Mapping[str, MetricSpec], min_overlap: float) -> list[str]:
    """Return why the two cannot be compared, one sentence each; empty means they can.

    Different settings of an evaluator make its metrics incomparable; so does a golden set of which too
    little is left.
    """
    current, baseline = sides.current, sides.baseline
    if not isinstance(current, Results) or not isinstance(baseline, Baseline) or not baseline.cases:
        return []
    problems = _evaluator_problems(current, baseline, specs)
    base = {case.question_id: case.fingerprint for case in sides.baseline_cases()}
    now = {case.question_id: case.fingerprint for case in current.cases}
    kept = sum(now.get(key) == value for key, value in base.items())
    if base and kept < min_overlap * len(base):
        problems.append(
            f"only {kept} of the baseline's {len(base)} cases are still in the golden set unchanged, less than "
            f"{100 * min_overlap:g} %; promote a new baseline for the new set (rag-gate promote --reason ...)"
        )
    return problems


def _evaluator_problems(current: Results, baseline: Baseline, specs: Mapping[str, MetricSpec]) -> list[str]:
    problems = []
    for stage, now in current.stages.items():
        then = baseline.stages.get(stage)
        gates = [name for name in specs if (measure := measure_of(name)) and measure.stage == stage]
        if then is None or then.fingerprint == now.fingerprint or not gates:
            continue
        if (then.name, then.version) != (now.name, now.version):
            differing = [f"{then.name} {then.version} -> {now.name} {now.version}"]
        else:
            differing = _differences(then.settings, now.settings)
        if differing:
            problems.append(
                f"stage '{stage}' was measured otherwise in the baseline ({'; '.join(differing)}), so "
                f"{', '.join(gates)} cannot be compared; measure both alike, or promote a new baseline"
            )
    return problems


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


def changed_conditions(sides: Sides) -> dict[str, tuple[str | None, str | None]]:
    """Return condition -> (baseline's run, this run) where both runs state it and differ."""
    current, baseline = sides.current, sides.baseline
    if not isinstance(current, Results) or not isinstance(baseline, Baseline) or baseline.run is None:
        return {}
    then, now = baseline.run.manifest, current.run.manifest
    if then is None or now is None:
        return {}
    pairs = {key: (getattr(then, key), getattr(now, key)) for key in _CONDITIONS}
    extra = sorted((then.model_extra or {}).keys() | (now.model_extra or {}).keys())
    pairs |= {key: ((then.model_extra or {}).get(key), (now.model_extra or {}).get(key)) for key in extra}
    return {key: (_shown(a), _shown(b)) for key, (a, b) in pairs.items() if a != b}


def embedding_mismatch(current: Results) -> str | None:
    """Return a sentence if the index and the queries of this run used different embedding models."""
    manifest = current.run.manifest
    if manifest is None or not manifest.index_embedding_model or not manifest.query_embedding_model:
        return None
    if manifest.index_embedding_model == manifest.query_embedding_model:
        return None
    return (
        f"the index was built with embedding model {manifest.index_embedding_model} and queried with "
        f"{manifest.query_embedding_model}; re-index, or retrieval finds nothing useful"
    )


def _shown(value: object) -> str | None:
    return None if value is None else str(value)[:200]
