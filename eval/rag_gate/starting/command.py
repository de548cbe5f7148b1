"""What init does with the questions that it finds: a golden set, settings, and what to do next."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rag_gate.cli_support import say
from rag_gate.errors import ConfigError, InputError
from rag_gate.files import canonical_json, write_text
from rag_gate.records.run import id_of
from rag_gate.starting.columns import folded, matched, meaningless
from rag_gate.starting.first_set import WithoutGold, first_set
from rag_gate.starting.looking import Seen, look, read_lines, recognised, shown, unread
from rag_gate.starting.settings import BOT, settings_text
from rag_gate.text import counted, quoted

SETTINGS = Path("rag-gate.yml")
_GOLDEN, _RUN = Path("golden.jsonl"), Path("run.jsonl")
_BOT_LINE = 'def answer(question): return {"retrieved": [{"id": "refunds", "text": "..."}], "answer": "..."}'
_MOST_UNREAD = 5
_SAMPLE = "question,expected_answer,relevant_doc_ids"
_SAMPLE_ROW = "When do I get my refund?,within 5 business days,refunds"


class Wish(NamedTuple):
    """What the user says.

    Attributes:
        dataset: the file of questions; None = look for one.
        core_size: how many cases the core tier shall have.
        without_gold: what rows without gold ids are.
    """

    dataset: Path | None = None
    core_size: int = 50
    without_gold: WithoutGold | None = None


def start(folder: Path, wish: Wish, *, force: bool) -> bool:
    """Write golden set and settings for the questions that are there; False if there are none.

    Raises:
        ConfigError: if there are several files of questions, or a file that would be written is there.
        InputError: with file and line, for rows that are no cases.
    """
    found = look(folder)
    golden = _questions(found, wish)
    if golden is None:
        return False
    kept = golden.kind == "golden" and golden.path.resolve() == (folder / _GOLDEN).resolve()
    rows = first_set(golden, wish.core_size, wish.without_gold, keep=kept)
    target = _GOLDEN if golden.kind == "golden" else _inside(golden.path, folder)
    run = _run_of(found, rows) if golden.kind == "golden" else None
    written = [*([folder / target] if golden.kind == "golden" else []), folder / SETTINGS]
    there = [str(path) for path in written if path.exists() and path != golden.path]
    if there and not force:
        raise ConfigError(f"{', '.join(there)}: is there already; say --force to write over it")
    if golden.kind == "golden":
        write_text(folder / target, "".join(f"{canonical_json(row)}\n" for row in rows))
        core = sum(row.get("tier", "core") == "core" for row in rows)
        say(
            [
                f"wrote {target}: {counted(len(rows), 'case')} from {golden.path}, {core} of them in the core tier",
                *([] if kept else _said_of([column for column in golden.columns if column])),
            ]
        )
    has_run = run is not None or golden.kind == "both"
    recorded = None if golden.kind == "both" else _inside(run.path, folder) if run else _RUN
    write_text(folder / SETTINGS, settings_text(target, recorded, rows, is_recorded=has_run))
    say([f"wrote {SETTINGS}"])
    say(_next(has_run=has_run))
    return True


def _said_of(columns: Sequence[str]) -> Iterator[str]:
    """Say what the columns were taken for, since another may have been meant."""
    taken = [f"{quoted(key)} as {name}" for key, name in matched(columns).items() if folded(key) != name]
    if taken:
        yield f"columns were read so: {', '.join(taken)}"
    left_out = meaningless(columns)
    if left_out:
        yield f"columns that mean nothing and were left out: {', '.join(left_out)}"


def _inside(path: Path, folder: Path) -> Path:
    """Return a path as the settings in the folder name it."""
    return Path(os.path.relpath(path, folder))


def nothing_found(folder: Path) -> InputError:
    """Return the error for a folder without questions; it shows what to write."""
    return InputError(
        *islice(unread(folder), _MOST_UNREAD),
        "no file of questions was found here or in the folders below; write one, such as questions.csv, name it with "
        "--dataset, or say --github for the workflow alone. Its first two lines may be:",
        f"  {_SAMPLE}",
        f"  {_SAMPLE_ROW}",
    )


def _questions(found: Sequence[Seen], wish: Wish) -> Seen | None:
    if wish.dataset is not None:
        seen = recognised(wish.dataset)
        if seen is None or seen.kind == "run":
            # Say what is wrong with it, if it cannot be read at all.
            columns = next((list(line.content) for line in read_lines(wish.dataset)), [])
            raise InputError(
                f"{wish.dataset}: needs columns for the question and for gold ids or the expected answer, found "
                f"{', '.join(columns) or 'none'}; name them like: {_SAMPLE}"
            )
        return seen
    candidates = [seen for seen in found if seen.kind != "run" and seen.path.name != _GOLDEN.name]
    candidates = candidates or [seen for seen in found if seen.kind != "run"]
    if len(candidates) > 1:
        raise ConfigError(f"several files hold questions ({shown(candidates)}); say which with --dataset")
    return candidates[0] if candidates else None


def _run_of(found: Sequence[Seen], rows: Sequence[Mapping[str, Any]]) -> Seen | None:
    """Return the run that belongs to the set: one whose question ids are in it."""
    ids = {str(row["question_id"]) for row in rows}
    for seen in found:
        if seen.kind == "run" and any(_id(line.content) in ids for line in read_lines(seen.path)):
            return seen
    return None


def _id(content: Mapping[str, Any]) -> str | None:
    try:
        return id_of(content)
    except ValueError:
        return None


def _next(*, has_run: bool) -> list[str]:
    """Return the advice; every command in it works as it is printed, in the folder of the settings."""
    lines = ["next, in this folder:"]
    if not has_run:
        lines += [
            f"  write {BOT} with a function that asks your bot, such as the next line (or say under target in {SETTINGS} how",
            "  it is asked over HTTP or as a program; rag-gate import --help lists what can be read instead):",
            f"    {_BOT_LINE}",
            "  rag-gate record",
        ]
    return [
        *lines,
        "  rag-gate validate",
        "  rag-gate run",
        "  when eval_results/comment.md says what you expect, these numbers become the measure of later runs:",
        f"  rag-gate promote eval_results/results.json --config {SETTINGS} --reason 'first baseline'",
    ]
