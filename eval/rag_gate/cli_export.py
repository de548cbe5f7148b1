"""The commands below export: our files in other tools' forms."""

from pathlib import Path

import click

from rag_gate.cli_options import FILE
from rag_gate.cli_support import GateGroup


@click.group(cls=GateGroup)
def export() -> None:
    """Turn golden sets and runs into other tools' files."""


@export.command(name="trec-qrels")
@click.argument("dataset")
@click.argument("output", type=FILE)
def trec_qrels(dataset: str, output: Path) -> None:
    """Write the gold ids as TREC qrels.

    Example: rag-gate export trec-qrels golden.jsonl qrels.txt
    """
    from rag_gate.export_commands import run_export_qrels

    run_export_qrels(dataset, output)


@export.command(name="trec-run")
@click.argument("run")
@click.argument("output", type=FILE)
def trec_run(run: str, output: Path) -> None:
    """Write the results as a TREC run, in which trec_eval finds the same ranks.

    Example: rag-gate export trec-run run.jsonl run.txt
    """
    from rag_gate.export_commands import run_export_run

    run_export_run(run, output)


@export.command()
@click.argument("dataset")
@click.argument("output", type=FILE)
@click.option(
    "--run", help="Recorded run, for responses and contexts. Left out where golden rows hold results."
)
def ragas(dataset: str, output: Path, run: str | None) -> None:
    """Write one sample of ragas a case (JSONL).

    Example: rag-gate export ragas golden.jsonl samples.jsonl --run run.jsonl
    """
    from rag_gate.export_commands import run_export_ragas

    run_export_ragas(dataset, run, output)


@export.command()
@click.argument("dataset")
@click.argument("output", type=FILE)
@click.option("--run", help="Recorded run, for results and answers. Left out where golden rows hold results.")
def csv(dataset: str, output: Path, run: str | None) -> None:
    """Write a table for spreadsheets, one row a case; no cell is run as a formula.

    Example: rag-gate export csv golden.jsonl cases.csv --run run.jsonl
    """
    from rag_gate.export_commands import run_export_csv

    run_export_csv(dataset, run, output)
