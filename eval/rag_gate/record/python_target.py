"""A bot that is imported."""

import asyncio
import dataclasses
import importlib
import inspect
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_gate.config_target import PythonTarget
from rag_gate.errors import ConfigError
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import LARGEST_REPLY, Answered, TargetError
from rag_gate.record.wire import parse_reply

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class PythonBot:
    """Calls a bot in this process; a callable that is not ``async`` runs in a thread of its own.

    Args:
        config: which callables.
        folder: what the settings' path is relative to.
        secrets: what no message may show.

    Raises:
        ConfigError: if a callable cannot be imported.
    """

    def __init__(self, config: PythonTarget, folder: Path, secrets: Secrets) -> None:
        path = str((folder / config.path).resolve())
        if path not in sys.path:
            sys.path.insert(0, path)
        self._secrets = secrets
        self._answer = self._callable("answer", config.answer)
        self._retriever = self._callable("retriever", config.retriever)
        self._generator = self._callable("generator", config.generator)
        self._manifest = self._loaded("manifest", config.manifest) if config.manifest else {}

    @property
    def is_apart(self) -> bool:
        """Whether results and answer come from two callables."""
        return self._generator is not None

    @property
    def takes_contexts(self) -> bool:
        """Whether answers can be made from results that are given."""
        return self.is_apart or (self._answer is not None and "contexts" in _named(self._answer, 1))

    async def ask(self, question: Question) -> Answered:
        """Ask one question.

        Raises:
            TargetError: if a callable fails, or returns what is no JSON.
        """
        if self._answer is not None:
            return Answered(self._plain(await self._call(self._answer, (question.question,), question)))
        if self._retriever is None or self._generator is None:
            raise AssertionError("the settings name both or none")
        return await self._apart(self._retriever, self._generator, question)

    async def _apart(
        self, retriever: Callable[..., Any], generator: Callable[..., Any], question: Question
    ) -> Answered:
        content: dict[str, Any] = {}
        stages: dict[str, float] = {}
        found: Any = list(question.contexts or ())
        if question.contexts is None:
            started = time.perf_counter()
            found = self._plain(await self._call(retriever, (question.question,), question))
            stages["retrieval"] = 1000 * (time.perf_counter() - started)
            if not isinstance(found, list):
                raise TargetError(
                    f"the retriever must return a list of results, found {type(found).__name__}"
                )
            content["retrieved"] = found
        if question.stage == "retrieval":
            return Answered(content, stages)
        started = time.perf_counter()
        said = self._plain(await self._call(generator, (question.question, found), question))
        stages["generation"] = 1000 * (time.perf_counter() - started)
        if isinstance(said, str):
            said = {"answer": said}
        if not isinstance(said, dict):
            raise TargetError(f"the generator must return a text or a table, found {type(said).__name__}")
        return Answered({**said, **content}, stages)

    async def manifest(self) -> Mapping[str, Any]:
        """Return the table, or what the callable returns.

        Raises:
            TargetError: if it is no table.
        """
        value = self._manifest
        if callable(value):
            value = await self._run(value, (), {})
        found = self._plain(value)
        if not isinstance(found, dict):
            raise TargetError(f"python.manifest must be a table, found {type(found).__name__}")
        return found

    async def aclose(self) -> None:
        """Nothing is kept open."""

    async def _call(self, function: Callable[..., Any], args: Sequence[Any], question: Question) -> Any:  # noqa: ANN401
        named = _named(function, len(args))
        told = {name: value for name, value in _optional(question).items() if name in named}
        return await self._run(function, args, told)

    async def _run(self, function: Callable[..., Any], args: Sequence[Any], told: Mapping[str, Any]) -> Any:  # noqa: ANN401
        own = os.getpid()
        try:
            if _is_async(function):
                return await function(*args, **told)
            found = await _in_thread(lambda: function(*args, **told))
            return await found if inspect.isawaitable(found) else found
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():  # by us: the case's time is over
                raise
            raise self._raised(error) from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the bot raises is its reply
            raise self._raised(error) from None
        finally:
            _end_a_copy(own)

    def _raised(self, error: BaseException) -> TargetError:
        words = self._words(error)
        return TargetError(f"{type(error).__name__}{f': {words}' if words else ''}")

    def _words(self, error: BaseException) -> str:
        try:
            return self._secrets.quote(str(error))
        except Exception:  # noqa: BLE001 - the bot's own class may fail here as well
            return ""

    def _plain(self, value: Any) -> Any:  # noqa: ANN401 - as the bot returns it
        """Return what a reply would be after its way over a wire: the record must not depend on how a bot is asked."""
        try:
            data = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_as_json).encode()
        except Exception as error:  # noqa: BLE001 - the bot's own classes are asked for their contents
            raise TargetError(f"the reply is no JSON value ({self._words(error)})") from None
        if len(data) > LARGEST_REPLY:
            raise TargetError(f"the reply is larger than {LARGEST_REPLY:,} bytes")
        return parse_reply(data, "the reply", self._secrets)

    def _callable(self, key: str, name: str | None) -> Callable[..., Any] | None:
        if name is None:
            return None
        found = self._loaded(key, name)
        if not callable(found):
            raise ConfigError(f"target.python.{key}: {name} is no callable, but {type(found).__name__}")
        return found  # type: ignore[no-any-return]

    def _loaded(self, key: str, name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
        module, _, inner = name.partition(":")
        try:
            found: Any = importlib.import_module(module)
            for part in inner.split("."):
                found = getattr(found, part)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - importing runs the bot's code
            raise ConfigError(
                f"target.python.{key}: {name} cannot be imported ({type(error).__name__}: {self._words(error)}); "
                "check the name, python.path, and that the bot's packages are installed beside rag-gate"
            ) from None
        return found


def _optional(question: Question) -> dict[str, Any]:
    """Return what a callable may ask for by the names of its parameters; None where it is not known."""
    return {
        "question_id": question.question_id,
        "contexts": None if question.contexts is None else list(question.contexts),
        "language": question.language,
        "tenant": question.tenant,
        "seed": question.seed,
        "stage": question.stage,
    }


def _named(function: Callable[..., Any], positional: int) -> frozenset[str]:
    """Return the parameters that can be given by name, beyond those that are given by place."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin says nothing about itself
        return frozenset()
    by_place = [item.name for item in parameters if item.kind in _POSITIONAL][:positional]
    return frozenset(
        item.name
        for item in parameters
        if item.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        and item.name not in by_place
    )


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object that is called
    )


async def _in_thread(function: Callable[[], Any]) -> Any:  # noqa: ANN401 - as the bot returns it
    """Run a callable in a thread that nobody waits for at the end: one that hangs must not hold up the exit."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:  # noqa: ANN401
        if not done.done():  # else too late: the case has ended
            done.set_result((value, error))  # as a value: a future takes no StopIteration

    own = os.getpid()

    def work() -> None:
        value, failed = None, None
        try:
            value = function()
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits; also sys.exit() in a bot
            failed = error
        _end_a_copy(own)
        try:
            loop.call_soon_threadsafe(settle, value, failed)
        except RuntimeError:
            return  # the loop has ended meanwhile

    threading.Thread(target=work, name="rag-gate-record", daemon=True).start()
    value, failed = await done
    if failed is not None:
        raise failed if isinstance(failed, Exception) else SystemExit(failed)
    return value


def _end_a_copy(own: int) -> None:
    """End a process that the bot forked and let run on: it would record as well."""
    if os.getpid() != own:
        os._exit(1)


def _as_json(value: Any) -> Any:  # noqa: ANN401 - whatever json does not know
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
    for method in ("model_dump", "tolist", "_asdict"):
        plain = getattr(value, method, None)
        if callable(plain) and not isinstance(value, type):
            return plain()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    if hasattr(value, "__dict__") and not callable(value) and not inspect.ismodule(value):
        return {name: item for name, item in vars(value).items() if not name.startswith("_")}
    raise TypeError(f"{type(value).__name__} has no JSON form")
