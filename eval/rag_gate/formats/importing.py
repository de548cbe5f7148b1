"""Entries of other tools become a golden set and a run: ids, checks, and files that are whole or not there."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from rag_gate.errors import InputError
from rag_gate.files import atomic_writer, canonical_json
from rag_gate.formats.entry import Entry, Given
from rag_gate.formats.likely import likely_format
from rag_gate.formats.registry import Part
from rag_gate.records.golden import GoldenCase
from rag_gate.records.problems import validation_problems
from rag_gate.records.run import parse_run_record
from rag_gate.text import counted, normalise, quoted

Reader = Callable[[Given], Iterator[Entry]]
_UNSAID = "no gold ids and"


class Outputs(NamedTuple):
    """Where to write: None = not asked for."""

    golden: Path | None = None
    run: Path | None = None


class Naming(NamedTuple):
    """How cases get their ids, and what is said for them.

    Attributes:
        known: normalised question -> ids, of a golden set that is there already; None = no such set.
        answerable: say of each case without gold ids that it can be answered.
    """

    known: Mapping[str, Sequence[str]] | None = None
    answerable: bool = False


def import_entries(given: Given, reader: Reader, outputs: Outputs, naming: Naming) -> list[str]:
    """Read everything, check everything, then write; returns what there is to say.

    Raises:
        InputError: naming file and line, for a row that cannot be taken; nothing was written then.
    """
    named = list(_named(given, reader, naming))
    if not named:
        raise given.wrong(str(given.path), "holds no case")
    if outputs.run:
        _note_lists(given, named)
    asked: list[tuple[Part, Path]] = []
    asked += [("golden", outputs.golden)] if outputs.golden else []
    asked += [("run", outputs.run)] if outputs.run else []
    lines = {part: list(_checked(given, part, named, naming)) for part, _ in asked}
    with ExitStack() as writers:  # both files or none
        for part, path in asked:
            writers.enter_context(atomic_writer(path)).writelines(lines[part])
    wrote = [f"wrote {path} ({counted(len(lines[part]), 'case')})" for part, path in asked]
    return [*given.said(), *wrote]


def _note_lists(given: Given, named: list[tuple[str, Entry]]) -> None:
    """Note where there are answers and nothing retrieved.

    Raises:
        InputError: if no row has results, and the file is another tool's: they stand under other keys.
    """
    recorded = [entry.run for _, entry in named if entry.run and "error" not in entry.run]
    bare = sum("retrieved" not in run for run in recorded)
    if bare and bare == len(recorded) and likely_format(given.path) not in {None, given.kind.name}:
        raise given.wrong(str(given.path), "holds answers without results")
    if bare:
        given.notes["an answer without results: retrieval cannot be measured there"] += bare


def question_id(question: str) -> str:
    """Return an id that stands for a question, whatever its width forms and spacing."""
    return f"q-{hashlib.sha256(normalise(question).encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _named(given: Given, reader: Reader, naming: Naming) -> Iterator[tuple[str, Entry]]:
    """Give each entry its id."""
    used: dict[str, str] = {}
    made: Counter[str] = Counter()
    for entry in reader(given):
        name = _known_id(given, entry, naming)
        if name is None and entry.question is not None:
            base = question_id(entry.question)
            made[base] += 1
            name = base if made[base] == 1 else f"{base}-{made[base]}"
            if made[base] > 1:
                given.notes["the question was asked before; its id has a number at the end"] += 1
        if name is None:
            raise given.wrong(entry.where, "has neither an id nor a question")
        if name in used:
            raise InputError(
                f"{entry.where}: question_id '{name}' was already used at {used[name]}; keep one"
            )
        used[name] = entry.where
        yield name, entry


def _known_id(given: Given, entry: Entry, naming: Naming) -> str | None:
    """Return the id that the entry has, or that its question has in the golden set."""
    if entry.question_id is not None or naming.known is None or entry.question is None:
        return entry.question_id
    ids = naming.known.get(normalise(entry.question), ())
    if len(ids) > 1:
        raise InputError(
            f"{entry.where}: its question stands in {len(ids)} cases of the golden set "
            f"({', '.join(ids[:3])}); give the rows question ids"
        )
    if not ids:
        given.notes["its question is not in the golden set; its id is made from the question"] += 1
    return ids[0] if ids else None


def _checked(given: Given, part: Part, named: list[tuple[str, Entry]], naming: Naming) -> Iterator[bytes]:
    """Yield the lines of one output, each known to be read again."""
    if not any(getattr(entry, part) for _, entry in named):
        what = "a golden set" if part == "golden" else "a run"
        raise given.wrong(str(given.path), f"holds nothing for {what}, leave out --{part}")
    problems: list[str] = []
    for name, entry in named:
        try:
            row = _golden_row(name, entry, naming) if part == "golden" else _run_row(name, entry)
            yield canonical_json(row).encode() + b"\n"
        except ValidationError as error:
            problems += [_advised(line) for line in validation_problems(error, entry.where)]
        except ValueError as error:  # NaN deep inside metadata, broken text, or a check of the run record
            problems.append(f"{entry.where}: {error}")
    if problems:
        raise InputError.of(problems)


def _golden_row(name: str, entry: Entry, naming: Naming) -> dict[str, Any]:
    row: dict[str, Any] = {"question_id": name, **entry.golden}
    if entry.question is not None:
        row["question"] = entry.question
    gold = any(row.get(key) for key in ("relevant_doc_ids", "evidence", "evidence_groups"))
    if naming.answerable and not gold:
        row.setdefault("answerable", True)
    GoldenCase.model_validate(row)
    return row


def _run_row(name: str, entry: Entry) -> dict[str, Any]:
    if not entry.run:
        raise ValueError("holds neither results nor an answer; a case that was not run needs its error")
    row = {"question_id": name, **entry.run}
    parse_run_record(row, name)
    return row


def _advised(line: str) -> str:
    """Say what else can be done about a case without gold ids."""
    return (
        f"{line}; or say --answerable if every case without gold ids has an answer"
        if _UNSAID in line
        else line
    )


def known_questions(cases: Mapping[str, GoldenCase], source: str) -> dict[str, list[str]]:
    """Return normalised question -> ids of a golden set.

    Raises:
        InputError: if no case has a question.
    """
    known: dict[str, list[str]] = defaultdict(list)
    for key, case in cases.items():
        if case.question is not None:
            known[normalise(case.question)].append(key)
    if not known:
        raise InputError(f"{source}: has no questions, so rows cannot be matched by {quoted('question')}")
    return known
