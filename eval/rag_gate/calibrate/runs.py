"""Which results may be calibrated together: the same golden set, measured alike, of the same commit."""

from collections.abc import Sequence
from pathlib import Path

from rag_gate.baseline import load_results
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.records.results import Results
from rag_gate.records.run import RunManifest

_FEWEST = 2


def load_runs(paths: Sequence[Path]) -> list[Results]:
    """Read the results of runs of one commit.

    Raises:
        InputError: fewer than two files, a file named twice, or one that is no results file with cases.
        NotJudgedError: different golden sets, evaluators, settings or conditions.
    """
    if len(paths) < _FEWEST:
        raise InputError("calibrate noise: needs the results of two or more runs of the same commit")
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise InputError(f"{path}: is named twice; record the unchanged bot again and give both results")
        seen.add(path.resolve())
    runs = [load_cases(path) for path in paths]
    problems = [
        problem
        for path, run in zip(paths[1:], runs[1:], strict=True)
        for problem in _differences(f"{paths[0]} and {path}", runs[0], run)
    ]
    if problems:
        raise NotJudgedError.of(problems)
    return runs


def load_cases(path: Path) -> Results:
    """Read results that hold cases.

    Raises:
        InputError: if the file is none, or a flat table of means.
    """
    found = load_results(path)
    if not isinstance(found, Results):
        raise InputError(f"{path}: is a flat table of means; give the results of rag-gate merge")
    return found


def _differences(which: str, first: Results, other: Results) -> list[str]:
    problems = []
    if first.dataset != other.dataset:
        problems.append(
            f"{which}: measured on different golden sets (fingerprints {first.dataset.fingerprint[:12]} and "
            f"{other.dataset.fingerprint[:12]}, tiers {first.dataset.tier} and {other.dataset.tier}); "
            "run both on the same set"
        )
    prints = [{stage: found.fingerprint for stage, found in run.stages.items()} for run in (first, other)]
    stages = sorted(
        stage for stage in {**prints[0], **prints[1]} if prints[0].get(stage) != prints[1].get(stage)
    )
    if stages:
        problems.append(
            f"{which}: stage {', '.join(stages)} was measured by another evaluator or with other settings; "
            "measure both alike"
        )
    return problems + _conditions(which, first.run.manifest, other.run.manifest)


def _conditions(which: str, first: RunManifest | None, other: RunManifest | None) -> list[str]:
    """Compare what both manifests state; keys of the user's own, such as a time, may differ."""
    both = [
        (name, getattr(first, name, None), getattr(other, name, None)) for name in RunManifest.model_fields
    ]
    return [
        f"{which}: {name} differs ({one} and {two}); noise can only be seen between runs of the same bot"
        for name, one, two in both
        if None not in (one, two) and one != two
    ]
