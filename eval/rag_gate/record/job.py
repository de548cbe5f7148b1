"""One recording, put together: which cases, which bot, what is known of both."""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_gate import __version__
from rag_gate.config_target import TargetConfig
from rag_gate.dataset import GoldenSet
from rag_gate.dataset.order import in_file_order
from rag_gate.errors import ConfigError, InputError, NotJudgedError
from rag_gate.files import atomic_writer, fingerprint, write_text
from rag_gate.record.asking import Asker
from rag_gate.record.build import build_bot, refuse_impossible
from rag_gate.record.frozen import OtherRun
from rag_gate.record.http_target import HttpBot
from rag_gate.record.identity import CodeState, code_state, questions_fingerprint, target_fingerprint
from rag_gate.record.journal import Journal, journal_path, row_bytes
from rag_gate.record.manifest import OF_ANSWERS, OF_RETRIEVAL, build_manifest, parse_meta
from rag_gate.record.mapping import Mapper
from rag_gate.record.question import Question, Stage
from rag_gate.record.recorder import Recorded, Recorder, row_of
from rag_gate.record.reply import Replies
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import TargetError
from rag_gate.records.run import RunManifest

#: Is called with how many more cases have ended.
Tick = Callable[[int], object]


@dataclass(frozen=True)
class Wishes:
    """What the command line says.

    Attributes:
        meta: ``key=value`` facts for the manifest.
        freeze_retrieval: run whose results are answered from.
        freeze_answers: run whose answers are kept, so that only results are recorded.
        restart: record all cases anew.
        retry_errors: ask again what was recorded with an error.
    """

    meta: tuple[str, ...] = ()
    freeze_retrieval: Path | None = None
    freeze_answers: Path | None = None
    restart: bool = False
    retry_errors: bool = False


@dataclass(frozen=True)
class Place:
    """Where things stand.

    Attributes:
        folder: of the settings; the bot's paths are relative to it.
        run: the file to write; its manifest and its journal stand beside it.
        written: folder of other results, whose changes are none of the bot's code.
    """

    folder: Path
    run: Path
    written: Path

    @property
    def manifest(self) -> Path:
        """The run's manifest."""
        return self.run.with_suffix(".meta.json")

    @property
    def journal(self) -> Path:
        """What was recorded so far."""
        return journal_path(self.run)


class Job:
    """One recording.

    Args:
        golden: the cases.
        target: the bot.
        place: where things stand.
        wishes: what the command line says.
        environ: environment variables.

    Attributes:
        questions: the cases in the order of the golden set's file.

    Raises:
        RagGateError: if a case has no question, or the bot cannot be asked.
    """

    def __init__(
        self,
        golden: GoldenSet,
        target: TargetConfig,
        place: Place,
        wishes: Wishes,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        if wishes.retry_errors and not place.journal.is_file():
            raise ConfigError(
                f"--retry-errors: {place.run} has no journal of a recording with errors beside it"
            )
        self._place, self._target, self._wishes = place, target, wishes
        self._secrets = Secrets(environ)
        self._contexts = OtherRun.read(golden, wishes.freeze_retrieval) if wishes.freeze_retrieval else None
        self._answers = OtherRun.read(golden, wishes.freeze_answers) if wishes.freeze_answers else None
        stage: Stage = "generation" if self._contexts else "retrieval" if self._answers else "all"
        self._replies = Replies(Mapper(target.reply), self._secrets, latency=target.latency)
        self.questions = _questions(golden, stage, target.seed)
        self._bot = build_bot(target, place.folder, environ, self._secrets)
        refuse_impossible(self._bot, stage)
        ours = (place.run, place.manifest, place.journal, place.written)
        # A bot behind HTTP is not made of the code that lies here.
        self._code = CodeState() if isinstance(self._bot, HttpBot) else code_state(place.folder, ours)
        self._meta = parse_meta(wishes.meta)

    async def record(self, tick: Tick) -> Recorded:
        """Ask all cases and write run and manifest; the journal stays where a case is without an answer.

        Raises:
            InputError: if the journal is of another recording.
            NotJudgedError: if the bot does not say its manifest.
        """
        try:
            said = await self._bot_manifest()
            identity = self._identity(said)
            manifest = self._manifest(said, identity)
            wishes = self._wishes
            journal = Journal(
                self._place.journal, identity, restart=wishes.restart, continue_ended=wishes.retry_errors
            )
            with closing(journal):
                found = await self._recorded(journal, tick)
                self._write(found, manifest)
                if found.errors and not found.open:
                    journal.end()
        finally:
            await self._bot.aclose()
        if not found.errors and not found.open:
            self._place.journal.unlink(missing_ok=True)
        return found

    async def _recorded(self, journal: Journal, tick: Tick) -> Recorded:
        target = self._target
        asker = Asker(self._bot, self._replies, target)
        recorder = Recorder(
            asker,
            journal,
            target.concurrency,
            target.deadline_s,
            contexts=self._contexts,
            answers=self._answers,
        )
        if self._contexts is None and len(journal.rows) < len(self.questions):
            await asyncio.gather(*map(asker.ask, self.questions[: target.warmup]))
        return await recorder.record(self.questions, tick, retry_errors=self._wishes.retry_errors)

    async def _bot_manifest(self) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(self._target.timeout_s):
                return await self._bot.manifest()
        except TimeoutError:
            why = f"no whole reply within {self._target.timeout_s:g} s"
        except TargetError as error:
            why = str(error)
        raise NotJudgedError(f"record: the bot does not say its manifest: {why}; is it running?")

    def _identity(self, said: Mapping[str, Any]) -> dict[str, str | None]:
        address = self._bot.identity if isinstance(self._bot, HttpBot) else None
        return {
            "rag_gate": __version__,
            "dataset": questions_fingerprint(self.questions),
            "target": target_fingerprint(self._target, address),
            "code": self._code.fingerprint,
            "bot": fingerprint(dict(said)),
            "frozen_retrieval": self._contexts.fingerprint if self._contexts else None,
            "frozen_answers": self._answers.fingerprint if self._answers else None,
        }

    def _manifest(self, said: Mapping[str, Any], identity: Mapping[str, str | None]) -> RunManifest:
        own = {
            "seed": self._target.seed,
            "target_config": identity["target"],
            "frozen_retrieval": identity["frozen_retrieval"],
            "frozen_answers": identity["frozen_answers"],
            **(self._contexts.facts(OF_RETRIEVAL) if self._contexts else {}),
            **(self._answers.facts(OF_ANSWERS) if self._answers else {}),
        }
        stated = (
            ("the bot's manifest", said),
            ("target.manifest", self._target.manifest),
            ("--meta", self._meta),
        )
        return build_manifest(stated, own, self._code, self._secrets)

    def _write(self, found: Recorded, manifest: RunManifest) -> None:
        """Write manifest and run, each in one piece."""
        write_text(self._place.manifest, manifest.model_dump_json(indent=2, exclude_none=True) + "\n")
        with atomic_writer(self._place.run) as out:
            for question in self.questions:
                out.write(row_bytes(row_of(question, found)))


def _questions(golden: GoldenSet, stage: Stage, seed: int | None) -> list[Question]:
    """Return the cases in the order of the golden set's file.

    Raises:
        InputError: if one has no question.
    """
    cases = [golden.cases[key] for key in in_file_order(golden)]
    without = [case.question_id for case in cases if not (case.question or "").strip()]
    if without:
        more = f" (and {len(without) - 1} more)" if len(without) > 1 else ""
        raise InputError(
            f"{golden.source}: case '{without[0]}'{more} has no question, so nothing can be asked; add it"
        )
    return [Question.of(case, stage, seed) for case in cases]
