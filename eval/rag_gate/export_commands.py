"""The commands below export: our files in, another tool's form out."""

from collections.abc import Callable
from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.exports import ragas, table, trec
from rag_gate.files import refuse_overwriting


def run_export_qrels(dataset: str, output: Path) -> None:
    """Write TREC qrels."""
    refuse_overwriting(output, dataset)
    say(trec.export_qrels(dataset, output))


def run_export_run(run: str, output: Path) -> None:
    """Write a TREC run."""
    refuse_overwriting(output, run)
    say(trec.export_run(run, output))


def run_export_ragas(dataset: str, run: str | None, output: Path) -> None:
    """Write samples of ragas."""
    _with_run(ragas.export_ragas, dataset, run, output)


def run_export_csv(dataset: str, run: str | None, output: Path) -> None:
    """Write a table for spreadsheets."""
    _with_run(table.export_csv, dataset, run, output)


def _with_run(
    export: Callable[[str, str | None, Path], list[str]], dataset: str, run: str | None, output: Path
) -> None:
    refuse_overwriting(output, dataset, run)
    say(export(dataset, run, output))
