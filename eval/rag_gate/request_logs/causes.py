"""What the changes of the signals point to, so that nobody has to start from a number."""

from collections.abc import Iterator, Mapping, Sequence

from rag_gate.records.monitor import Cause, Drift, Signal, Signals
from rag_gate.text import quoted
from rag_gate.wording.causes import INDEX_MISMATCH

#: So much of the answers in a language that was rarer before, and the questions are others.
_NEW_SHARE = 0.2


def causes(baseline: Signals, now: Signals, drifts: Sequence[Drift]) -> list[Cause]:
    """Return what may be behind the changes, the surest first."""
    bad = {drift.signal for drift in drifts if drift.verdict == "regressed"}
    found = [
        *_embeddings(now),
        *_index(bad),
        *_changed(baseline, now),
        *(_traffic(baseline, now) if bad else ()),
        *_slow(bad),
    ]
    return sorted(found, key=lambda cause: not cause.certain)


def _embeddings(now: Signals) -> Iterator[Cause]:
    index, query = (now.conditions.get(f"{side}_embedding_model", []) for side in ("index", "query"))
    if index and query and set(index) != set(query):
        text = (
            f"Cause: the index was made with the embedding model {_listed(index)}, and questions are embedded with "
            f"{_listed(query)}. Index the documents again with the model that the questions use."
        )
        yield Cause(name="embedding_models_differ", certain=True, text=text)


def _index(bad: set[Signal]) -> Iterator[Cause]:
    if bad & {"empty_rate", "similarity"}:
        yield Cause(name="index_mismatch", certain=False, text=f"Likely cause: {INDEX_MISMATCH}.")


def _changed(baseline: Signals, now: Signals) -> Iterator[Cause]:
    """Name a model or prompt that is not the baseline's."""
    for name, called in (("model", "model"), ("prompt_version", "prompt version")):
        before, after = baseline.conditions.get(name, []), now.conditions.get(name, [])
        if before and after and set(before) != set(after):
            text = f"Changed since the baseline: the {called}, from {_listed(before)} to {_listed(after)}."
            yield Cause(name="model_changed", certain=True, text=text)


def _traffic(baseline: Signals, now: Signals) -> Iterator[Cause]:
    before, after = _shares(baseline.languages), _shares(now.languages)
    for language, share in after.items():
        if before and share - before.get(language, 0.0) > _NEW_SHARE:
            text = (
                f"Possible cause: other questions than in the baseline. Answers in '{language}' are {share:.0%} of all, "
                f"{before.get(language, 0.0):.0%} in the baseline."
            )
            yield Cause(name="traffic_changed", certain=False, text=text)


def _slow(bad: set[Signal]) -> Iterator[Cause]:
    stages: tuple[tuple[str, Signal], ...] = (
        ("retrieval", "retrieval_latency"),
        ("generation", "generation_latency"),
    )
    for stage, signal in stages:
        if {signal, "total_latency"} <= bad:
            yield Cause(name="slow_stage", certain=True, text=f"The slower stage is {stage}.")


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {language: count / total for language, count in counts.items()} if total else {}


def _listed(values: Sequence[str]) -> str:
    return ", ".join(map(quoted, values[:3])) + (" and others" if len(values) > 3 else "")  # noqa: PLR2004 - enough
