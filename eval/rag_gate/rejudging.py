"""Measure a baseline's kept run as this run was measured, so that both sides have one judge."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.baseline import baseline_case, retrieval_case, shown_mean
from rag_gate.cli_support import say
from rag_gate.dataset.kept_run import require_kept
from rag_gate.errors import NotJudgedError
from rag_gate.judge.spent import Spent
from rag_gate.measures import measure_of
from rag_gate.measuring import measure
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.results import Results
from rag_gate.regression.likeness import measured_otherwise
from rag_gate.regression.rebase import rebased
from rag_gate.regression.sentences import named
from rag_gate.stage_options import Source


def rejudged(baseline: Baseline, path: Path, results: Results, source: Source) -> tuple[Baseline, list[str]]:
    """Return a baseline as the settings measure it now, and what that changed, in sentences.

    The stored run is measured in every stage, since a status depends on all of them; nothing is written.
    A case that is not in the golden set any more, or was edited, loses its scores: it has no partner.

    Args:
        baseline: what is compared with.
        path: where it stands; the copy of its run stands beside it.
        results: the run that is judged.
        source: golden set and settings of that run.

    Raises:
        NotJudgedError: if the baseline keeps no run, or its run could not be measured.
        InputError: if the copy is gone or was changed.
    """
    moved = _moved_stages(baseline, results)
    if not moved or not _has_common_case(baseline, results):
        return baseline, []
    if baseline.kept_run is None and not baseline.stages.keys() & set(moved):
        return baseline, []
    if baseline.kept_run is None:
        raise NotJudgedError(
            f"{path}: keeps no answers that could be judged again; promote a run of the present judge "
            "(rag-gate promote --reason ...)"
        )
    kept = require_kept(path, baseline.kept_run)
    say([f"measuring the baseline's run again ({kept.name}): {', '.join(moved)} differ from this run's"])
    with TemporaryDirectory(prefix="rag-gate-") as folder:
        # The limits of a run hold for both of its sides together.
        same = replace(source, run=str(kept), tier=results.dataset.tier)
        again = measure(same, Path(folder), Spent.of(results.judging))
    _refuse_unmeasured(baseline, again, moved)
    found = _joined(baseline, again, moved)
    if baseline.anchor is not None:
        anchor = rebased(baseline.anchor, baseline, found, moved)
        found = found.model_copy(update={"anchor": anchor})
    return found, [*_sentences(baseline, found, moved), *_cost(again)]


def _refuse_unmeasured(baseline: Baseline, again: Results, moved: Collection[str]) -> None:
    """Refuse a baseline of which nothing can be known now: what has no partner would pass without a word.

    Raises:
        NotJudgedError: if the judge failed, or a metric has lost its mean.
    """
    problems = again.judging.problems if again.judging else []
    lost = [
        name
        for name, mean in baseline.metrics.items()
        if mean is not None
        and (measure := measure_of(name)) is not None
        and measure.stage in moved
        and name in again.metrics
        and again.metrics[name].mean is None
        and again.metrics[name].n_unscored
    ]
    problems = [*problems, *([f"{named(lost)}: no case has a score"] if lost else [])]
    if problems:
        raise NotJudgedError(
            f"the baseline's stored answers could not be judged again: {'; '.join(problems)}"
        )


def _cost(again: Results) -> Iterator[str]:
    for name, use in (again.judging.models if again.judging else {}).items():
        cost = "" if use.cost_usd is None else f", {use.cost_usd:.4f} USD"
        yield f"judging the baseline's answers took {use.calls} calls to {name}{cost}; {use.cached} were cached"


def _has_common_case(baseline: Baseline, results: Results) -> bool:
    now = {case.question_id: case.fingerprint for case in results.cases}
    return any(now.get(case.question_id) == case.fingerprint for case in baseline.cases)


def _moved_stages(baseline: Baseline, results: Results) -> list[str]:
    """Return the stages that the two sides measured otherwise, or that only this run measured."""
    return [
        stage
        for stage, now in results.stages.items()
        if (then := baseline.stages.get(stage)) is None or measured_otherwise(then, now)
    ]


def _joined(baseline: Baseline, again: Results, moved: Collection[str]) -> Baseline:
    """Return the baseline as it is measured now; what only another judge measured has no mean any more."""
    gone = {name for name in baseline.metrics if (known := measure_of(name)) and known.stage in moved}
    whole = {case.question_id: baseline_case(case) for case in again.cases}
    ranked = {row.question_id: retrieval_case(row) for row in again.extended_retrieval}
    return baseline.model_copy(
        update={
            "stages": {**baseline.stages, **again.stages},
            "metrics": {**baseline.metrics, **dict.fromkeys(gone), **again.scores},
            "cases": [_case(case, whole, ranked) for case in baseline.cases],
            "extended_retrieval": [_case(case, whole, ranked) for case in baseline.extended_retrieval],
        }
    )


def _case(
    case: BaselineCase, whole: Mapping[str, BaselineCase], ranked: Mapping[str, BaselineCase]
) -> BaselineCase:
    """Return a case as it is measured now; what was not measured again has no scores."""
    found = whole.get(case.question_id) or ranked.get(case.question_id)
    if found is None or found.fingerprint != case.fingerprint:
        return case.model_copy(update={"scores": {}})
    if case.question_id in whole:
        return found
    kept = ("scores", "retrieval_ok", "retrieved_fp", "top_score")
    return case.model_copy(update={name: getattr(found, name) for name in kept})


def _sentences(before: Baseline, after: Baseline, moved: list[str]) -> Iterator[str]:
    names = [name for name in after.metrics if (known := measure_of(name)) and known.stage in moved]
    changes = [
        f"{name} {shown_mean(before.metrics.get(name))} -> {shown_mean(after.metrics[name])}"
        for name in names
        if before.metrics.get(name) != after.metrics[name]
    ]
    judges = ", ".join(
        f"{stage} by {after.stages[stage].name} {after.stages[stage].version}"
        for stage in after.stages
        if stage in moved
    )
    effect = f"; it moved {', '.join(changes)}" if changes else "; no mean moved"
    yield f"the baseline's stored answers were measured again as this run was ({judges}){effect}"
