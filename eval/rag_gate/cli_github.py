"""The commands for GitHub Actions: ci, comment, init."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import click

from rag_gate.cli_options import FILE, Function
from rag_gate.cli_support import GateCommand

_MODES = ("auto", "run", "merge", "comment", "plan")
_ENV = "RAG_GATE_"


class _Blank(click.Option):
    """An option whose variable counts as absent when it is empty, as an unset input of an action is."""

    def value_from_envvar(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as in click
        """Return the variable's value, None where it is blank."""
        found = self.resolve_envvar_value(ctx)
        if found is None or not found.strip():
            return None
        return super().value_from_envvar(ctx)


def _option(name: str, **settings: Any) -> Callable[[Function], Function]:  # noqa: ANN401 - as click.option
    variable = f"{_ENV}{name.upper().replace('-', '_')}"
    return click.option(f"--{name}", envvar=variable, show_envvar=True, cls=_Blank, **settings)


@click.command(cls=GateCommand)
@_option("config", type=FILE, default="rag-gate.yml", show_default=True, help="The settings.")
@_option("mode", type=click.Choice(_MODES), default="auto", show_default=True, help="What to do.")
@_option(
    "tier",
    type=click.Choice(["auto", "core", "extended"]),
    default="auto",
    help="Which cases; auto = by event.",
)
@_option("results", help="Files or folders of measured shards, one a line; for comment, an archive.")
@_option("baseline", type=FILE, help="What to compare with (default: the one in the settings).")
@_option("shard", metavar="INDEX/TOTAL", help="Measure one part of the cases; for plan, how many parts.")
@_option(
    "fail-on",
    type=click.Choice(["regression", "inconclusive", "never"]),
    default="regression",
    show_default=True,
    help="What fails the check.",
)
@_option(
    "on-error",
    type=click.Choice(["fail", "neutral"]),
    default="fail",
    show_default=True,
    help="What a run does that could not be judged.",
)
@_option(
    "on-missing-secret",
    type=click.Choice(["neutral", "fail", "skip"]),
    default="neutral",
    show_default=True,
    help="What happens without the judge's key, as on forks: measure the rest, fail, or measure nothing.",
)
@_option(
    "comment",
    type=click.Choice(["always", "on-change", "on-failure", "never"]),
    default="always",
    show_default=True,
    help="When to comment on the pull request.",
)
@_option("comment-id", help="Name of the gate in the hidden marker, where one pull request has several.")
@_option("max-cost-usd", type=click.FloatRange(min=0), help="Limit of the judge's cost, in USD.")
@_option("output", type=click.Path(path_type=Path, file_okay=False), help="Folder of the written files.")
def ci(results: str | None, tier: Literal["auto", "core", "extended"], **options: Any) -> None:  # noqa: ANN401 - one keyword per option
    """Gate inside GitHub Actions: by the base commit's rules, with comment, summary, annotations, outputs.

    Leaves with 0 and the verdict's exit code in the output exit-code; without GITHUB_OUTPUT with the exit code itself.

    Example: rag-gate ci --config rag-gate.yml
    """
    import sys

    from rag_gate.ci.command import run_ci
    from rag_gate.ci.options import Options

    named = tuple(Path(line.strip()) for line in (results or "").splitlines() if line.strip())
    sys.exit(run_ci(Options(results=named, tier=None if tier == "auto" else tier, **options)))


@click.command(cls=GateCommand)
@click.argument("report", type=FILE)
@_option("comment-id", help="Name of the gate in the hidden marker (default: the report's own).")
def comment(report: Path, comment_id: str | None) -> None:
    """Post a report as the one comment of its gate on the pull request of the event; update it in place.

    A token that may only read is a warning: the report is in the summary of the run either way.

    Example: rag-gate comment comment.md
    """
    from rag_gate.ci.comment_command import run_comment

    run_comment(report, comment_id)


@click.command(cls=GateCommand)
@click.option("--github", is_flag=True, help="Write the workflow for GitHub Actions as well.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    show_default=True,
    help="Root of your repository.",
)
@click.option("--dataset", type=FILE, help="File of questions (default: the one that is found).")
@click.option(
    "--core-size",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="Cases of the core tier, which pull requests are measured on.",
)
@click.option(
    "--without-gold",
    type=click.Choice(["unanswerable", "answerable"]),
    help="What questions without gold ids are: a right bot declines, or they have an answer.",
)
@click.option(
    "--owner", metavar="@USER", help="Who must review changes of the rules; writes them into CODEOWNERS."
)
def init(folder: Path, owner: str | None, *, github: bool, force: bool, **wish: Any) -> None:  # noqa: ANN401 - as read
    """Look for questions and gold ids in your repository, and write golden set and settings for them.

    Reads CSV, JSONL and JSON with a column for the question and one for gold ids or the expected answer, under many names.
    Prints what to do next.

    Example: rag-gate init --github --owner @my-org/quality
    """
    from rag_gate.init_command import run_init
    from rag_gate.starting.command import Wish

    run_init(folder, Wish(**wish), owner, github=github, force=force)
