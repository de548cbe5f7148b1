"""The command that asks the bot, declared."""

from pathlib import Path
from typing import Any

import click

from rag_gate.cli_options import FILE
from rag_gate.cli_support import GateCommand


@click.command(cls=GateCommand)
@click.option(
    "--config",
    type=FILE,
    default="rag-gate.yml",
    show_default=True,
    help="The settings, with dataset and target.",
)
@click.option("--tier", type=click.Choice(["core", "extended"]), help="core cases only, or all.")
@click.option(
    "--output",
    type=FILE,
    help="The run to write, *.jsonl (default: the settings' run, else run.jsonl in output).",
)
@click.option("--meta", multiple=True, metavar="KEY=VALUE", help="A fact for the manifest; may be repeated.")
@click.option(
    "--freeze-retrieval", type=FILE, metavar="RUN", help="Let the bot answer from this run's results."
)
@click.option(
    "--freeze-answers", type=FILE, metavar="RUN", help="Record results only; keep this run's answers."
)
@click.option("--retry-errors", is_flag=True, help="Ask the cases again that were recorded with an error.")
@click.option("--restart", is_flag=True, help="Record all cases anew, whatever an earlier call recorded.")
def record(config: Path, tier: str | None, output: Path | None, **wishes: Any) -> None:  # noqa: ANN401 - as read
    """Ask the bot every question of the golden set, and write the run. A stopped recording is continued.

    Example: rag-gate record --config rag-gate.yml --meta model=gpt-4o-2024-11-20
    """
    from rag_gate.record.job import Wishes
    from rag_gate.record_command import run_record

    run_record(config, tier, output, Wishes(**wishes))
