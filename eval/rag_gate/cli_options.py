"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rag_gate.terminal.manners import be_quiet

Function = TypeVar("Function", bound=Callable[..., Any])
FILE = click.Path(path_type=Path, dir_okay=False)


def with_config(function: Function) -> Function:
    """Add the option that names the settings."""
    return click.option(
        "--config", type=FILE, help="rag-gate.yml with the settings; options given here win over it."
    )(function)


def with_output(name: str) -> Callable[[Function], Function]:
    """Add the option that names the file to write, by default ``name``."""
    return click.option("--output", type=FILE, default=name, show_default=True, help="The file to write.")


def with_rejudge(function: Function) -> Function:
    """Add the flag that brings both sides under one judge."""
    return click.option(
        "--rejudge",
        is_flag=True,
        help="Measure the baseline's kept answers again where its judge or settings were others.",
    )(function)


def with_manners(function: Function) -> Function:
    """Add the options about how much is printed, and for whom."""
    options = (
        click.option(
            "--quiet", "-q", is_flag=True, expose_value=False, callback=be_quiet, help="Print errors only."
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            help="Print the summary as JSON on a terminal, too; elsewhere it always is.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def with_stage(name: str) -> Callable[[Function], Function]:
    """Add the options that all three evaluators have."""

    def add(function: Function) -> Function:
        options = [
            with_config,
            click.option(
                "--dataset", help="Golden set: JSONL, JSON, CSV, Parquet, Arrow, a folder or a hub name."
            ),
            click.option("--run", "run_file", help="Recorded run. Left out where golden rows hold results."),
            click.option(
                "--tier",
                type=click.Choice(["core", "extended"]),
                help="core cases only, or all (default: core); retrieval takes all that the run holds.",
            ),
            click.option(
                "--shard", metavar="INDEX/TOTAL", help="Evaluate one part of the cases, such as 2/4."
            ),
            with_output(f"eval_results_{name}.json"),
        ]
        for option in reversed(options):
            function = option(function)
        return function

    return add
