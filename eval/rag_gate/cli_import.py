"""The commands below import: files of other tools."""

from pathlib import Path

import click

from rag_gate.cli_options import FILE
from rag_gate.cli_support import GateGroup


@click.group(cls=GateGroup, name="import")
def import_() -> None:
    """Turn other tools' files into golden sets and runs."""


@import_.command(name="trec-qrels")
@click.argument("source", type=FILE)
@click.argument("output", type=FILE)
def trec_qrels(source: Path, output: Path) -> None:
    """Turn TREC qrels (query iteration document grade) into a golden set.

    Example: rag-gate import trec-qrels qrels.txt golden.jsonl
    """
    from rag_gate.stage_commands import run_import_qrels

    run_import_qrels(source, output)


@import_.command(name="trec-run")
@click.argument("source", type=FILE)
@click.argument("output", type=FILE)
def trec_run(source: Path, output: Path) -> None:
    """Turn a TREC run (query Q0 document rank score tag) into a recorded run.

    Example: rag-gate import trec-run run.txt run.jsonl
    """
    from rag_gate.stage_commands import run_import_run

    run_import_run(source, output)
