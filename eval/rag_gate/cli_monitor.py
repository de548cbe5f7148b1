"""The commands about production, declared."""

from pathlib import Path

import click

from rag_gate.cli_options import FILE, with_config, with_output
from rag_gate.cli_support import GateCommand

_LOGS = click.argument("logs", nargs=-1, required=True, type=click.Path(allow_dash=True))


@click.command(cls=GateCommand)
@_LOGS
@with_config
@click.option(
    "--baseline",
    type=FILE,
    help="What to compare with: the report of an earlier log, a recorded run (.jsonl), or a baseline with its kept run.",
)
@with_output("monitor.json")
@click.option("--strict", is_flag=True, help="Exit 4 when the result is inconclusive.")
def monitor(
    logs: tuple[str, ...], config: Path | None, baseline: Path | None, output: Path, *, strict: bool
) -> None:
    """Measure quality signals in request logs (JSONL, also gzip, - for stdin) and compare them with a baseline.

    Example: rag-gate monitor logs.jsonl --baseline runs/baseline.jsonl
    """
    from rag_gate.monitor_commands import run_monitor

    run_monitor(logs, config, baseline, output, strict=strict)


@click.command(cls=GateCommand)
@_LOGS
@with_config
@click.option(
    "--dataset", help="The golden set; what it asks already is left out (default: of the settings)."
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Largest number of candidates.",
)
@with_output("candidates.jsonl")
def harvest(logs: tuple[str, ...], config: Path | None, dataset: str | None, output: Path, most: int) -> None:
    """Propose golden cases from logs: bad feedback first, then odd signals. Personal data and secrets are masked.

    A person must label the candidates; until then a golden set that holds them is refused.

    Example: rag-gate harvest logs.jsonl --dataset golden.jsonl --output candidates.jsonl
    """
    from rag_gate.monitor_commands import run_harvest

    run_harvest(logs, config, dataset, output, most)
