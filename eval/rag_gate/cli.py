"""The commands: declared here, done elsewhere. Modules are imported when a command runs."""

from pathlib import Path
from typing import Any, Literal

import click

from rag_gate import __version__
from rag_gate.cli_cache import cache
from rag_gate.cli_calibrate import calibrate
from rag_gate.cli_curation import split, stats, validate
from rag_gate.cli_export import export
from rag_gate.cli_github import ci, comment, init
from rag_gate.cli_import import import_
from rag_gate.cli_judge import judge_options
from rag_gate.cli_monitor import harvest, monitor
from rag_gate.cli_options import FILE, with_config, with_manners, with_output, with_rejudge, with_stage
from rag_gate.cli_record import record
from rag_gate.cli_support import GateGroup

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=GateGroup, context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="rag-gate")
def main() -> None:
    """Tell whether a change makes a RAG chatbot worse: where, for which questions, and how sure that is.

    Exit codes: 0 pass, 1 regression, 2 usage or bad input, 3 could not be judged, 4 inconclusive under
    --strict.
    """


@main.command()
@click.option(
    "--config",
    type=FILE,
    default="rag-gate.yml",
    show_default=True,
    help="The settings, with dataset and run.",
)
@click.option("--run", "run_file", help="Recorded run to use instead of the one in the settings.")
@click.option("--tier", type=click.Choice(["core", "extended"]), help="core cases only, or all.")
@click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False), help="Folder of the written files."
)
@with_rejudge
@click.option("--strict", is_flag=True, help="Exit 4 when the result is inconclusive.")
@with_manners
def run(run_file: str | None, config: Path, *, strict: bool, as_json: bool, **overrides: Any) -> None:  # noqa: ANN401 - as read
    """Do everything: evaluate, merge, check and write the comment.

    Where the settings name a bot (target) and no run, the bot is asked first.

    Example: rag-gate run --config rag-gate.yml
    """
    from rag_gate.gate_commands import close
    from rag_gate.pipeline import Overrides, run_all

    decided, written = run_all(config, Overrides(run=run_file, **overrides), strict=strict)
    close(decided, written, as_json=as_json)


main.add_command(record)


@main.command()
@with_stage("retrieval")
@click.option("--k-values", metavar="K,K,...", help="Cut-offs (default: 3,5,10).")
@click.option("--unit", type=click.Choice(["auto", "chunk", "document"]), help="What gold ids name.")
@click.option("--k-counts", type=click.Choice(["slots", "documents"]), help="What k counts in document unit.")
@click.option("--document-id-regex", help="First group = document id of a result id, such as '^(.+)#'.")
@click.option("--min-grade", type=int, help="Lowest grade that is relevant (default: 1).")
@click.option("--success", type=click.Choice(["all", "any", "groups"]), help="When retrieval succeeded.")
@click.option(
    "--success-k", type=int, help="Among the first how many results (default: 5, or the largest k)."
)
def retrieval(**options: Any) -> None:  # noqa: ANN401 - one keyword per option
    """Score retrieval of a recorded run. Needs no network and no model.

    Example: rag-gate retrieval --dataset golden.jsonl --run run.jsonl --k-values 3,5,10 --output r.json
    """
    from rag_gate.stage_commands import run_retrieval

    run_retrieval(options)


@main.command()
@with_stage("judge")
@judge_options
def judge(**options: Any) -> None:  # noqa: ANN401 - one keyword per option
    """Judge the recorded answers: grounding and correctness.

    Example: rag-gate judge --dataset golden.jsonl --run run.jsonl --output j.json
    """
    from rag_gate.stage_commands import run_judge

    run_judge(options)


@main.command()
@with_stage("safety")
def safety(**options: Any) -> None:  # noqa: ANN401 - one keyword per option
    """Check the answers: forbidden statements, refusals, citations.

    Example: rag-gate safety --dataset golden.jsonl --run run.jsonl --output s.json
    """
    from rag_gate.stage_commands import run_safety

    run_safety(options)


@main.command()
@click.argument("partials", nargs=-1, required=True, type=FILE)
@with_config
@click.option(
    "--stages", metavar="STAGE,...", help="Stages that must be there (default: all that the settings use)."
)
@with_output("eval_results.json")
def merge(partials: tuple[Path, ...], config: Path | None, stages: str | None, output: Path) -> None:
    """Join the files of all stages and shards; none may be missing.

    Example: rag-gate merge r.json j.json s.json --output eval_results.json
    """
    from rag_gate.stage_commands import run_merge

    run_merge(partials, config, stages, output)


@main.command()
@click.argument("results", type=FILE)
@with_config
@click.option("--baseline", type=FILE, help="Promoted baseline, or a flat {metric: score} file.")
@click.option("--tolerances", type=FILE, help="Table of tolerances: metric -> largest drop.")
@with_rejudge
@click.option("--strict", is_flag=True, help="Exit 4 when the result is inconclusive.")
@click.option("--explain", multiple=True, metavar="METRIC,...", help="Print the numbers behind a verdict.")
@click.option("--output", type=FILE, help="The verdict to write (default: verdict.json beside the results).")
@with_manners
def check(
    output: Path | None,
    explain: tuple[str, ...],
    *,
    strict: bool,
    as_json: bool,
    **files: Any,  # noqa: ANN401 - as read
) -> None:
    """Compare results with the baseline and decide. Prints the summary, for programs as JSON.

    Example: rag-gate check eval_results.json --baseline baseline.json
    """
    from rag_gate.gate_commands import CheckFiles, close, run_check, verdict_path

    names = [name.strip() for names in explain for name in names.split(",") if name.strip()]
    read = CheckFiles(**files)
    decided = run_check(read, output, strict=strict, explain=names)
    close(decided, [verdict_path(read.results, output)], as_json=as_json)


@main.command()
@click.argument("results", type=FILE)
@click.argument("verdict", type=FILE)
@with_config
@click.option(
    "--format",
    "kind",
    type=click.Choice(["markdown", "html", "json", "junit", "sarif"]),
    default="markdown",
    show_default=True,
    help="The comment, the page, what the comment says as JSON, JUnit XML, or the safety findings for code scanning.",
)
@click.option("--run", "run_file", help="The run that was measured (default: the one in the settings).")
@click.option("--baseline", type=FILE, help="What it was compared with (default: the one in the settings).")
@click.option(
    "--output",
    type=FILE,
    help="The file (default: comment.md, report.html, report.json, junit.xml, safety.sarif).",
)
def report(
    results: Path,
    verdict: Path,
    config: Path | None,
    kind: Literal["markdown", "html", "json", "junit", "sarif"],
    output: Path | None,
    **inputs: Any,  # noqa: ANN401 - as read
) -> None:
    """Write the pull request comment, or the same for other readers, from results and verdict.

    The page shows the texts of the cases where --config names golden set, run and baseline.

    Example: rag-gate report eval_results.json verdict.json --output comment.md
    """
    from rag_gate.gate_commands import run_report
    from rag_gate.reporting import OUTPUTS, ReportInputs, run_format

    target = output or Path(OUTPUTS[kind])
    if kind == "markdown" or kind == "json":  # noqa: PLR1714 - so that its type is known
        run_report(results, verdict, config, target, kind)
    else:
        found = ReportInputs(results, verdict, config, inputs["run_file"], inputs["baseline"])
        run_format(found, kind, target)


@main.command()
@click.argument("results", type=FILE)
@with_config
@click.option("--baseline", type=FILE, help="The file to move (default: the one in the settings).")
@click.option("--tolerances", type=FILE, help="Table of tolerances: metric -> largest drop.")
@click.option("--reason", help="Why, in your words; it is kept in the baseline and its history.")
@click.option("--accept-regression", is_flag=True, help="Promote a run that got worse; needs --reason.")
@click.option("--new-anchor", is_flag=True, help="Measure slow decay from this run on; needs --reason.")
@click.option("--run", "run_file", help="The run that was measured (default: the one in the settings).")
@click.option(
    "--keep-answers/--no-keep-answers", default=True, help="Keep the run beside the baseline, for --rejudge."
)
@with_rejudge
@click.option("--yes", is_flag=True, help="Do not ask, even on a terminal.")
def promote(
    *,
    reason: str | None,
    accept_regression: bool,
    new_anchor: bool,
    run_file: str | None,
    keep_answers: bool,
    yes: bool,
    **files: Any,  # noqa: ANN401 - one keyword per file
) -> None:
    """Make results the baseline of later runs. Shows what changes, and asks on a terminal.

    Refuses what could not be judged or should not be the measure of later runs, each time with a code.

    Example: rag-gate promote eval_results.json --baseline baseline.json --reason "release 1.4"
    """
    from rag_gate.gate_commands import CheckFiles
    from rag_gate.promote_command import run_promote
    from rag_gate.promotion import Request

    request = Request(
        reason,
        accept_regression=accept_regression,
        new_anchor=new_anchor,
        run=run_file,
        keep_answers=keep_answers,
    )
    run_promote(CheckFiles(**files), request, yes=yes)


@main.command(hidden=True)
@click.option("--config", type=FILE, default="rag-gate.yml", show_default=True, help="The settings.")
def needs(config: Path) -> None:
    """Print which packages the settings need beyond the small set (for the action).

    Example: rag-gate needs --config rag-gate.yml
    """
    from rag_gate.ci.needs import run_needs

    run_needs(config)


main.add_command(calibrate)
main.add_command(cache)
main.add_command(import_)
main.add_command(export)
main.add_command(validate)
main.add_command(stats)
main.add_command(split)
main.add_command(monitor)
main.add_command(harvest)
main.add_command(ci)
main.add_command(comment)
main.add_command(init)
