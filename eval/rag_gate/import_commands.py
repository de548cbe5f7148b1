"""The commands below import: another tool's file in, a golden set and a run out."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_gate.cli_support import say
from rag_gate.dataset import load_golden
from rag_gate.errors import ConfigError, InputError
from rag_gate.files import refuse_overwriting
from rag_gate.formats.entry import Given
from rag_gate.formats.importing import Naming, Outputs, import_entries, known_questions
from rag_gate.formats.likely import likely_format
from rag_gate.formats.readers import READERS
from rag_gate.formats.registry import PLACES, Format
from rag_gate.text import counted


def run_import(kind: Format, source: Path, options: Mapping[str, Any]) -> None:
    """Import a file of a format; nothing is written if a row cannot be taken.

    Raises:
        ConfigError: if no output is named.
    """
    outputs = Outputs(options.get("golden"), options.get("run"))
    if outputs == Outputs():
        raise ConfigError(
            f"import {kind.name}: say where to write: {' or '.join(f'--{part}' for part in kind.gives)}"
        )
    if outputs.golden is not None and outputs.run is not None and _is_same(outputs.golden, outputs.run):
        raise ConfigError("--golden and --run: name two files")
    dataset = options.get("dataset")
    for path in outputs:
        if path is not None:
            parts = [inner for inner in source.rglob("*") if inner.is_file()] if source.is_dir() else []
            refuse_overwriting(path, source, dataset, *parts)
    known = known_questions(load_golden(dataset, "extended").cases, dataset) if dataset else None
    choices = {each.name: options[each.name.replace("-", "_")] for each in kind.choices}
    chosen = {name: value for name, value in choices.items() if value is not None}
    given = Given(kind, source, chosen, _places(options.get("at") or ()))
    naming = Naming(known, answerable=bool(options.get("answerable")))
    try:
        said = import_entries(given, READERS[kind.name], outputs, naming)
    except InputError as error:
        likely = likely_format(source)
        if likely in {None, kind.name}:
            raise
        hint = f"{source}: looks like a file of another tool; try: rag-gate import {likely}"
        raise InputError.of([*error.problems, hint]) from None
    say(said)


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _places(pairs: Sequence[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        part, mark, place = pair.partition("=")
        if not mark or not place or part not in PLACES:
            raise ConfigError(
                f"--at: must be PART=PLACE with PART one of {', '.join(PLACES)}, found '{pair}'"
            )
        found[part] = place
    return found


def run_import_qrels(source: Path, output: Path) -> None:
    """Import TREC qrels."""
    from rag_gate.formats.trec import import_qrels

    refuse_overwriting(output, source)
    say([f"wrote {output} ({counted(import_qrels(source, output).cases, 'case')})"])


def run_import_run(source: Path, output: Path) -> None:
    """Import a TREC run."""
    from rag_gate.formats.trec import import_run

    refuse_overwriting(output, source)
    found = import_run(source, output)
    if found.tied:
        say(
            [
                f"{counted(found.tied, 'case has', 'cases have')} tied scores; they were put in order of falling document id"
            ]
        )
    say([f"wrote {output} ({counted(found.cases, 'case')})"])
