"""Whether results and baseline may be compared at all; what differed between the two runs."""

from collections.abc import Collection, Iterable, Mapping

from rag_gate.config_models import GateConfig
from rag_gate.measures import measure_of
from rag_gate.records.baseline import Baseline
from rag_gate.records.results import Results
from rag_gate.regression.frozen import other_results
from rag_gate.regression.inputs import MetricSpec
from rag_gate.regression.likeness import Unlike, looks_for_ids
from rag_gate.regression.sentences import named
from rag_gate.regression.sides import Sides, retrieval_failed

_NAMED = 10
_CONDITIONS = (
    "model",
    "prompt_version",
    "index_embedding_model",
    "query_embedding_model",
    "corpus_id",
    "chunking_id",
    "k",
    "seed",
    "target_config",
    "frozen_retrieval",
    "frozen_answers",
)
#: Stated by ``rag-gate record`` only: that one run was made otherwise is no change of the bot.
_IF_BOTH = frozenset({"seed", "target_config"})


def comparison_problems(sides: Sides, specs: Mapping[str, MetricSpec], gate: GateConfig) -> list[str]:
    """Return why the two cannot be compared, one sentence each; empty means they can.

    Different settings of an evaluator make its metrics incomparable; so do other chunks where gold ids name
    chunks, and a golden set of which too little is left, or of which failing cases were taken out.
    """
    frozen = other_results(sides) if gate.frozen_retrieval else []
    current, baseline = sides.current, sides.baseline
    if not isinstance(current, Results) or not isinstance(baseline, Baseline) or not baseline.cases:
        return frozen
    return [
        *_evaluator_problems(sides.unlike, specs),
        *_other_chunks(sides.unlike, specs),
        *_too_little_left(sides, gate.min_overlap),
        *_hidden_failures(sides, gate.removed_ok),
        *frozen,
    ]


def _too_little_left(sides: Sides, min_overlap: float) -> list[str]:
    base = {case.question_id: case.fingerprint for case in sides.baseline_rows()}
    now = {case.question_id: case.fingerprint for case in sides.current_rows}
    kept = sum(now.get(key) == value for key, value in base.items())
    if not base or kept >= min_overlap * len(base):
        return []
    return [
        (
            f"only {kept} of the baseline's {len(base)} cases are still in the golden set unchanged, less than "
            f"{100 * min_overlap:g} %; promote a new baseline for the new set (rag-gate promote --reason ...)"
        )
    ]


def _hidden_failures(sides: Sides, allowed: Collection[str]) -> list[str]:
    """Refuse that cases which failed in what this run measures are taken out without a word."""
    now = {case.question_id for case in sides.current_rows}
    failing = [
        case.question_id for case in sides.baseline_cases() if case.status not in {"passed", "unscored"}
    ]
    failing += [case.question_id for case in sides.baseline_rows() if retrieval_failed(case)]
    hidden = sorted(set(failing) - now - set(allowed))
    if not hidden:
        return []
    return [
        (
            f"removing cases that failed hides them: {named(hidden, _NAMED)}; put them back, or name them under "
            "gate.removed_ok in rag-gate.yml"
        )
    ]


def _other_chunks(unlike: Unlike, specs: Mapping[str, MetricSpec]) -> list[str]:
    """Refuse to compare ranks of gold chunks where chunk ids stand for other texts than they did."""
    gates = [name for name in specs if looks_for_ids(name)]
    if not gates or not unlike.chunks:
        return []
    return [
        (
            f"gold ids name chunks, and these are other chunks than the baseline's ({', '.join(unlike.chunks)}), so "
            f"{', '.join(gates)} cannot be compared; promote a new baseline, or let gold ids name documents "
            "(retrieval.unit: document)"
        )
    ]


def _evaluator_problems(unlike: Unlike, specs: Mapping[str, MetricSpec]) -> list[str]:
    problems = []
    for stage, differing in unlike.stages.items():
        gates = [name for name in specs if (measure := measure_of(name)) and measure.stage == stage]
        if gates:
            problems.append(
                f"stage '{stage}' was measured otherwise in the baseline ({'; '.join(differing)}), so "
                f"{', '.join(gates)} cannot be compared; measure both alike, or promote a new baseline"
            )
    return problems


def changed_conditions(sides: Sides) -> dict[str, tuple[str | None, str | None]]:
    """Return condition -> (baseline's run, this run) where both runs state it and differ."""
    current, baseline = sides.current, sides.baseline
    if not isinstance(current, Results) or not isinstance(baseline, Baseline):
        return {}
    return _stated(baseline, current, _CONDITIONS, extra=True)


def _stated(
    baseline: Baseline, current: Results, keys: Iterable[str], *, extra: bool = False
) -> dict[str, tuple[str | None, str | None]]:
    """Return what the two manifests state differently; nothing where one of them is missing."""
    then, now = baseline.run.manifest if baseline.run else None, current.run.manifest
    if then is None or now is None:
        return {}
    pairs = {key: (getattr(then, key), getattr(now, key)) for key in keys}
    if extra:
        old, new = then.model_extra or {}, now.model_extra or {}
        pairs |= {key: (old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys())}
    return {
        key: (_shown(a), _shown(b))
        for key, (a, b) in pairs.items()
        if a != b and not (key in _IF_BOTH and None in (a, b))
    }


def other_corpus(sides: Sides) -> str | None:
    """Return a sentence if the two runs state different corpora: then the documents can be what changed."""
    then, now = changed_conditions(sides).get("corpus_id", (None, None))
    if then is None or now is None:
        return None
    return f"the corpus is another one ({then} -> {now}): what changed can come from the documents alone"


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
