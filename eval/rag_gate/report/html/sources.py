"""What the page is made from: results and verdict, and the texts where they are at hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rag_gate.dataset import GoldenSet, JoinedRun, load_golden, open_run
from rag_gate.dataset.kept_run import require_kept
from rag_gate.errors import InputError
from rag_gate.records.baseline import Baseline, BaselineCase
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import RunRecord
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.sides import Sides

Flat = Mapping[str, float | None]


@dataclass(frozen=True)
class PageSources:
    """Where the page's texts come from.

    Attributes:
        results: what was measured.
        verdict: the decision about it.
        baseline: what it was compared with.
        baseline_path: where that stands; its kept run stands beside it.
        dataset: the golden set; None = not known.
        run: the recorded run; None = the golden rows hold the results, or it is not known.
    """

    results: Results | Flat
    verdict: Verdict
    baseline: Baseline | Flat | None = None
    baseline_path: Path | None = None
    dataset: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class Texts:
    """The texts of the cases, as far as they are at hand.

    Attributes:
        golden: question id -> golden case, of cases that are still what was measured.
        now: question id -> what this run recorded.
        then: question id -> what the baseline's run recorded.
        cases_then: question id -> the baseline's scores, as far as they can be compared.
        lacking: keys of words that say which texts are not at hand, and why.
    """

    golden: Mapping[str, GoldenCase] = field(default_factory=dict)
    now: Mapping[str, RunRecord] = field(default_factory=dict)
    then: Mapping[str, RunRecord] = field(default_factory=dict)
    cases_then: Mapping[str, BaselineCase] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()


def read_texts(sources: PageSources) -> Texts:
    """Read golden set, run and the baseline's run; what is not at hand, or is another one, is said.

    Raises:
        InputError: if a file that is there cannot be read.
    """
    baseline = sources.baseline if isinstance(sources.baseline, Baseline) else None
    rows = [*baseline.cases, *baseline.extended_retrieval] if baseline else []
    then = {row.question_id: row for row in _comparable(rows, sources)}
    if not isinstance(sources.results, Results):
        return Texts(cases_then=then)
    if sources.dataset is None:
        return Texts(cases_then=then, lacking=("lacking.dataset",))
    golden = load_golden(sources.dataset, "extended")
    measured = {row.question_id: row.fingerprint for row in _measured(sources.results)}
    same = {key: case for key, case in golden.cases.items() if measured.get(key) == golden.fingerprints[key]}
    now, lacking = _recorded_now(golden, sources)
    before, lacking_then = _recorded_then(golden, baseline, sources.baseline_path)
    lost = () if same.keys() >= measured.keys() else ("lacking.cases",)
    return Texts(same, now, before, then, (*lost, *lacking, *lacking_then))


def _comparable(rows: list[BaselineCase], sources: PageSources) -> list[BaselineCase]:
    """Return the baseline's cases without the scores that were measured otherwise: no difference says anything."""
    sides = Sides(sources.results, sources.baseline)
    unlike = {name for name in {name for row in rows for name in row.scores} if sides.unlike.has(name)}
    if not unlike:
        return rows
    return [
        row.model_copy(update={"scores": {key: row.scores[key] for key in row.scores.keys() - unlike}})
        for row in rows
    ]


def _measured(results: Results) -> list[CaseResult | CaseScore]:
    return [*results.cases, *results.extended_retrieval]


def _recorded_now(golden: GoldenSet, sources: PageSources) -> tuple[Mapping[str, RunRecord], tuple[str, ...]]:
    results = sources.results
    if not isinstance(results, Results) or (sources.run is None and not golden.run_rows):
        return {}, ("lacking.run",)
    if sources.run is not None and not Path(sources.run).exists():
        return {}, ("lacking.run",)
    run = open_run(golden, sources.run)
    found = _records(run)
    return (found, ()) if run.info().fingerprint == results.run.fingerprint else ({}, ("lacking.other_run",))


def _recorded_then(
    golden: GoldenSet, baseline: Baseline | None, path: Path | None
) -> tuple[Mapping[str, RunRecord], tuple[str, ...]]:
    if baseline is None or path is None:
        return {}, ("lacking.baseline",)
    if baseline.kept_run is None:
        return {}, ("lacking.kept_run",)
    try:
        return _records(open_run(golden, str(require_kept(path, baseline.kept_run)))), ()
    except InputError:
        return {}, ("lacking.kept_run",)


def _records(run: JoinedRun) -> dict[str, RunRecord]:
    return {joined.case.question_id: joined.record for joined in run if joined.record is not None}
