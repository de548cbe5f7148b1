"""The commands below import: files of other tools."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rag_gate.cli_options import FILE
from rag_gate.cli_support import GateCommand, GateGroup
from rag_gate.formats.registry import FORMATS, PLACES, Format

_SOURCE = click.Path(path_type=Path)


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
    from rag_gate.import_commands import run_import_qrels

    run_import_qrels(source, output)


@import_.command(name="trec-run")
@click.argument("source", type=FILE)
@click.argument("output", type=FILE)
def trec_run(source: Path, output: Path) -> None:
    """Turn a TREC run (query Q0 document rank score tag) into a recorded run.

    Example: rag-gate import trec-run run.txt run.jsonl
    """
    from rag_gate.import_commands import run_import_run

    run_import_run(source, output)


def _command(kind: Format) -> click.Command:
    """Return the command of one format."""
    wanted = " ".join(f"--{part} {part}.jsonl" for part in kind.gives)
    what = " and ".join("a golden set" if part == "golden" else "a recorded run" for part in kind.gives)
    example = (
        "beir/scifact"
        if kind.name == "beir"
        else "results.csv"
        if kind.name == "open-rag-eval"
        else "results.json"
    )
    text = f"Turn {kind.reads} into {what}.\n\nExample: rag-gate import {kind.name} {example} {wanted}"
    parts: list[click.Parameter] = [click.Argument(["source"], type=_SOURCE)]
    parts += [_output(part) for part in kind.gives]
    if "golden" in kind.gives:
        words = "Say that every case without gold ids has an answer."
        parts.append(click.Option(["--answerable"], is_flag=True, help=words))
    if kind.name != "beir":
        words = (
            "Golden set that is there already: rows without an id get the id of the case with their question."
        )
        parts.append(click.Option(["--dataset"], help=words))
    if kind.names:
        words = f"Where a part stands, as JMESPath; may be repeated. PART is one of {', '.join(PLACES)}."
        parts.append(click.Option(["--at"], multiple=True, metavar="PART=PLACE", help=words))
    parts += [click.Option([f"--{choice.name}"], help=choice.help) for choice in kind.choices]
    return GateCommand(kind.name, params=parts, help=text, callback=_callback(kind))


def _output(part: str) -> click.Option:
    help_text = (
        "The golden set to write (JSONL)." if part == "golden" else "The recorded run to write (JSONL)."
    )
    return click.Option([f"--{part}"], type=FILE, help=help_text)


def _callback(kind: Format) -> Callable[..., None]:
    def start(source: Path, **options: Any) -> None:  # noqa: ANN401 - one keyword per option
        from rag_gate.import_commands import run_import

        run_import(kind, source, options)

    return start


for _format in FORMATS:
    import_.add_command(_command(_format))
