"""The command ``record``: ask the bot of the settings, and write the run and its manifest."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout, suppress
from pathlib import Path

import click

from rag_gate.cli_support import say
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import refuse_overwriting
from rag_gate.record.job import Job, Place, Tick, Wishes
from rag_gate.record.recorder import Recorded
from rag_gate.stage_options import Source
from rag_gate.text import counted

_SHOWN = 5


def run_record(config: Path, tier: str | None, output: Path | None, wishes: Wishes) -> None:
    """Record a run.

    Raises:
        ConfigError: if the settings name no bot, or one that cannot be asked.
        NotJudgedError: if cases are left that the next call asks; the run is written with their errors.
    """
    source = Source.from_config(config, None, tier)
    found = record_into(source, config, output or source.config.recorded_run, wishes)
    if found.open:
        why = f": {found.stopped}" if found.stopped else ""
        raise NotJudgedError(
            f"record: {counted(len(found.open), 'case is', 'cases are')} without an answer{why}; the same command asks "
            "only these again"
        )
    if len(found.errors) == len(found.rows):
        raise NotJudgedError("record: no case was answered; the errors above say why")


def record_into(source: Source, config_path: Path, path: Path, wishes: Wishes) -> Recorded:
    """Record a run into a file, its manifest beside it, and say what became of it.

    Raises:
        ConfigError: if the settings name no bot, or one that cannot be asked.
        InputError: if the journal is of another recording.
        NotJudgedError: if the bot does not say its manifest.
    """
    target = source.config.target
    if target is None:
        raise ConfigError(f"{config_path}: names no bot to ask; say under 'target' how it is called")
    if wishes.freeze_retrieval and wishes.freeze_answers:
        raise ConfigError(
            "--freeze-retrieval and --freeze-answers: nothing is left to record; give one of them"
        )
    if path.suffix.lower() not in {".jsonl", ".ndjson"}:
        raise ConfigError(f"{path}: a run is written as JSON lines; name a file that ends in .jsonl")
    refuse_overwriting(path, source.dataset, config_path, wishes.freeze_retrieval, wishes.freeze_answers)
    place = Place(config_path.parent, path, source.config.output)
    golden = source.golden()
    try:
        with _kept_apart():
            job = Job(golden, target, place, wishes)
            with _progress(len(job.questions)) as tick:
                found = asyncio.run(job.record(tick))
    except KeyboardInterrupt:
        if place.journal.is_file():
            say([f"stopped; what was recorded is in {place.journal}, and the same command continues"])
        raise
    say(_lines(place, found, len(job.questions)))
    return found


@contextmanager
def _kept_apart() -> Iterator[None]:
    """Run a bot in this process: what it or its programs print is no output of ours, and the current folder stays."""
    sys.stdout.flush()
    with ExitStack() as stack:
        stack.enter_context(chdir("."))
        with suppress(OSError):  # closed by whoever started us
            out = os.dup(1)
            stack.callback(os.close, out)
            stack.callback(os.dup2, out, 1)
            os.dup2(2, 1)
        stream = stack.enter_context(
            os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        )
        stack.enter_context(redirect_stdout(stream))
        yield


@contextmanager
def _progress(total: int) -> Iterator[Tick]:
    """Show a bar on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=total, label="cases", file=sys.stderr) as shown:
        yield shown.update


def _lines(place: Place, found: Recorded, total: int) -> list[str]:
    lines = []
    if found.before:
        lines.append(f"{counted(found.before, 'case')} had been recorded before, and not asked again")
    lines += [f"case {key}: {error}" for key, error in found.errors[:_SHOWN]]
    if len(found.errors) > _SHOWN:
        more = counted(len(found.errors) - _SHOWN, "more case")
        lines.append(f"... and {more} with an error, see {place.run}")
    if found.errors and not found.open:
        lines.append("--retry-errors asks these cases again; without it, the next recording is a new one")
    answered = len(found.rows) - len(found.errors)
    return [
        *lines,
        f"wrote {place.run} ({answered} of {counted(total, 'case')} answered) and {place.manifest}",
    ]
