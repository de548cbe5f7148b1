"""The commands that decide and show: check, report."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from rag_gate.cli_support import emit, say, say_written
from rag_gate.config import load_config, load_tolerances, shipped_tolerances
from rag_gate.config_models import Config, Tolerances
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import canonical_json, is_absent, refuse_overwriting, write_text
from rag_gate.measures import measure_of
from rag_gate.records.baseline import Baseline
from rag_gate.records.partial import StageName
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict

if TYPE_CHECKING:
    from rag_gate.report.reporter import Format


@dataclass(frozen=True)
class CheckFiles:
    """What check and promote read.

    Attributes:
        rejudge: measure the baseline's kept run again where it had been measured otherwise.
        without: stages that were left out on purpose; their metrics do not decide.
    """

    results: Path
    config: Path | None = None
    baseline: Path | None = None
    tolerances: Path | None = None
    rejudge: bool = False
    without: frozenset[StageName] = frozenset()


Flat = dict[str, float | None]


class Decided(NamedTuple):
    """A verdict, the results it is about, and the baseline they were compared with, measured again if asked."""

    verdict: Verdict
    results: Results | Flat
    baseline: Baseline | Flat | None


def run_check(
    files: CheckFiles,
    output: Path | None,
    *,
    strict: bool,
    explain: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> Decided:
    """Decide, write the verdict with more notices, print these and the numbers behind metrics."""
    target = verdict_path(files.results, output)
    refuse_overwriting(target, files.results, files.config, files.baseline, files.tolerances)
    decided = decide(files, strict=strict, explain=explain)
    verdict = decided.verdict.model_copy(update={"notices": [*notices, *decided.verdict.notices]})
    write_text(target, verdict.model_dump_json(indent=1) + "\n")
    say([*verdict.problems[1:], *verdict.notices])
    return Decided(verdict, decided.results, decided.baseline)


def close(decided: Decided, written: Sequence[Path], *, as_json: bool) -> NoReturn:
    """Print the verdict for people on stderr and for programs on stdout, and leave with its exit code.

    Args:
        decided: the verdict and what it is about.
        written: the files to name.
        as_json: print the JSON also where stdout is a terminal.
    """
    from rag_gate.closing import show_verdict

    verdict = decided.verdict
    if as_json or not sys.stdout.isatty():
        summary = {
            "passed": verdict.passed,
            "regressions": [row.model_dump() for row in verdict.regressions],
            "improvements": [row.model_dump() for row in verdict.improvements],
            "summary": verdict.summary,
        }
        emit(canonical_json(summary))
    show_verdict(decided.results, verdict, written)
    sys.exit(verdict.exit_code)


def verdict_path(results: Path, output: Path | None) -> Path:
    """Return where the verdict goes: beside the results unless the user says otherwise."""
    return output or results.with_name("verdict.json")


def decide(files: CheckFiles, *, strict: bool, compare: bool = True, explain: Sequence[str] = ()) -> Decided:
    """Check results, against their baseline unless they shall stand alone; nothing is written."""
    from rag_gate.baseline import load_baseline, load_results
    from rag_gate.history import history_path, read_history, trend
    from rag_gate.regression.check import Rules, check

    config = load_config(files.config) if files.config else Config()
    table = load_tolerances(files.tolerances) if files.tolerances else config.tolerances
    path = (files.baseline or config.baseline) if compare else None
    results = load_results(files.results)
    if path is not None and path != files.baseline and is_absent(path):
        say([f"{path}: no such file, so nothing is compared; promote once, or check the path"])
        path = None
    baseline = load_baseline(path) if path is not None else None
    baseline, again = _rejudged(files, path, baseline, results)
    shipped = shipped_tolerances() if table is None else {}
    rules = Rules(
        user=None if table is None else _measured(table, files.without),
        shipped=_measured(shipped, files.without),
        gate=config.gate,
        strict=strict,
    )
    verdict = check(results, baseline, rules)
    past = trend(read_history(history_path(path)), verdict.metrics) if path is not None else {}
    verdict = verdict.model_copy(update={"notices": [*again, *verdict.notices], "trend": past})
    if explain:
        from rag_gate.regression.explain import explanations
        from rag_gate.regression.sides import Sides

        say(explanations(explain, verdict, Sides(results, baseline), rules))
    return Decided(verdict, results, baseline)


def _measured(table: Tolerances, without: frozenset[StageName]) -> Tolerances:
    """Return the tolerances of metrics whose stage was not left out."""
    return {
        name: entry
        for name, entry in table.items()
        if (measure := measure_of(name)) is None or measure.stage not in without
    }


def _rejudged(
    files: CheckFiles, path: Path | None, baseline: Baseline | Flat | None, results: Results | Flat
) -> tuple[Baseline | Flat | None, list[str]]:
    if not files.rejudge or path is None:
        return baseline, []
    if files.config is None:
        raise ConfigError("--rejudge: needs the golden set and the judge's settings; name them with --config")
    if not isinstance(baseline, Baseline) or not isinstance(results, Results):
        raise NotJudgedError(
            "--rejudge: a flat table holds no answers; it needs results of rag-gate merge and a promoted baseline"
        )
    from rag_gate.rejudging import rejudged
    from rag_gate.stage_options import Source

    return rejudged(baseline, path, results, Source.from_config(files.config, None, results.dataset.tier))


def run_report(
    results_path: Path, verdict_path: Path, config: Path | None, output: Path | None, form: "Format"
) -> None:
    """Write the report from results and verdict."""
    from rag_gate.baseline import load_results
    from rag_gate.masking import start_masking
    from rag_gate.records.own import read_own
    from rag_gate.report.origin import now
    from rag_gate.report.reporter import Reporter

    target = output or Path("report.json" if form == "json" else "comment.md")
    refuse_overwriting(target, results_path, verdict_path, config)
    settings = load_config(config) if config else Config()
    start_masking(settings.safety.personal_data, settings.safety.secrets)
    reporter = Reporter.of(settings.report, now(config, results_path))
    verdict = read_own(verdict_path, Verdict, "verdict", "rag-gate check")
    write_text(target, reporter.text(load_results(results_path), verdict, form))
    say_written(target)
