"""A bot that is a program: one JSON line in, one JSON line out."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rag_gate.calls.process import TooLongError, run_program
from rag_gate.config_target import CommandTarget
from rag_gate.errors import ConfigError, InputError
from rag_gate.files import parse_json
from rag_gate.record.line_process import LineProcess
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import LARGEST_REPLY, Answered, TargetError

_MOST_COMPLAINT = 4_000


class CommandBot:
    """Asks programs; each has one question in work at a time.

    Args:
        config: which program.
        folder: where it runs.
        environ: its environment.
        secrets: what no message may show.
        workers: programs that run at a time, at most.

    Raises:
        ConfigError: if there is no such program.
    """

    #: Contexts stand in the line; whether the program reads them is seen by its results.
    takes_contexts = True

    def __init__(
        self, config: CommandTarget, folder: Path, environ: Mapping[str, str], secrets: Secrets, workers: int
    ) -> None:
        self._config = config
        self._folder = folder
        self._environ = environ
        self._secrets = secrets
        self._argv = (_program(config.argv[0], folder, environ), *config.argv[1:])
        self._processes = [LineProcess(self._argv, environ, folder) for _ in range(workers)]
        self._free: asyncio.Queue[LineProcess] | None = None

    async def ask(self, question: Question) -> Answered:
        """Ask one question.

        Raises:
            TargetError: if there is no usable reply.
        """
        content = await self._exchange(question.fields(), question.question_id)
        return Answered(content)

    async def manifest(self) -> Mapping[str, Any]:
        """Return what the program says about itself; empty where it is not asked.

        Raises:
            TargetError: if it says no table.
        """
        if not self._config.manifest:
            return {}
        found = await self._exchange({"manifest": True}, None)
        inner = found.get("manifest", found)
        if not isinstance(inner, dict):
            raise TargetError('the command must answer {"manifest": true} with a JSON object')
        return inner

    async def aclose(self) -> None:
        """End all programs."""
        await asyncio.gather(*(process.end(at_once=False) for process in self._processes))

    async def _exchange(self, fields: Mapping[str, Any], question_id: str | None) -> dict[str, Any]:
        line = json.dumps(fields, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        try:
            if self._config.mode == "per_case":
                return self._object(await self._once(line))
            async with self._process() as process:
                return await self._in_session(process, line, question_id)
        except OSError as error:
            raise TargetError(f"the command cannot be started ({error.strerror})", passing=True) from None

    async def _in_session(self, process: LineProcess, line: bytes, question_id: str | None) -> dict[str, Any]:
        try:
            found = self._object(await process.ask(line))
            _refuse_another(found.get("question_id"), question_id)
        except TargetError as error:
            # What else it writes could be taken for the answer to the next question.
            await process.end(at_once=True)
            raise TargetError(self._with_complaint(str(error), process.complaint)) from None
        else:
            return found

    async def _once(self, line: bytes) -> bytes:
        try:
            ended = await run_program(
                self._argv, line + b"\n", self._environ, LARGEST_REPLY, _MOST_COMPLAINT, self._folder
            )
        except TooLongError:
            raise TargetError(f"the reply is larger than {LARGEST_REPLY:,} bytes") from None
        if ended.code != 0:
            said = ended.err.decode("utf-8", "replace")
            raise TargetError(self._with_complaint(f"the command ended with exit code {ended.code}", said))
        return ended.out

    def _object(self, line: bytes) -> dict[str, Any]:
        try:
            found = parse_json(line.strip(), "the command's line")
        except InputError as error:
            raise TargetError(self._secrets.quote(error.problems[0].removesuffix("; fix the file"))) from None
        if not isinstance(found, dict):
            raise TargetError(f"the command's line must be a JSON object, found {type(found).__name__}")
        return found

    def _with_complaint(self, message: str, complaint: str) -> str:
        last = complaint.strip().splitlines()[-1:] or [""]
        said = self._secrets.quote(last[0])
        return f"{message} (it wrote: {said})" if said else message

    @asynccontextmanager
    async def _process(self) -> AsyncIterator[LineProcess]:
        if self._free is None:
            self._free = asyncio.Queue()
            for process in self._processes:
                self._free.put_nowait(process)
        process = await self._free.get()
        try:
            yield process
        finally:
            self._free.put_nowait(process)


def _refuse_another(said: object, asked: str | None) -> None:
    if said is not None and asked is not None and str(said) != asked:
        raise TargetError("the command answered another question than the one that was asked")


def _program(name: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Return the program's path; one with a folder in its name is relative to the settings.

    Raises:
        ConfigError: if there is none.
    """
    relative = "/" in name and not Path(name).is_absolute()
    found = shutil.which(str((folder / name).absolute()) if relative else name, path=environ.get("PATH"))
    if found is None:
        raise ConfigError(f"target.command.argv: no program {name!r} is found; check the name and PATH")
    return found
