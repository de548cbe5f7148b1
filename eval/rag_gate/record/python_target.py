"""A bot that is imported."""

import asyncio
import dataclasses
import importlib
import inspect
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_gate.config_target import PythonTarget
from rag_gate.errors import ConfigError, InputError
from rag_gate.files import parse_json
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import LARGEST_REPLY, Answered, TargetError

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
        try:
            if _is_async(function):
                return await function(*args, **told)
            found = await _in_thread(lambda: function(*args, **told))
            return await found if inspect.isawaitable(found) else found
        except Exception as error:  # noqa: BLE001 - whatever the bot raises is its reply
            words = self._secrets.quote(str(error))
            raise TargetError(f"{type(error).__name__}{f': {words}' if words else ''}") from None

    def _plain(self, value: Any) -> Any:  # noqa: ANN401 - as the bot returns it
        """Return what a reply would be after its way over a wire: the record must not depend on how a bot is asked."""
        try:
            data = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_as_json).encode()
        except (TypeError, ValueError, RecursionError) as error:
            words = self._secrets.quote(str(error))
            raise TargetError(f"the reply is no JSON value ({words})") from None
        if len(data) > LARGEST_REPLY:
            raise TargetError(f"the reply is larger than {LARGEST_REPLY:,} bytes")
        try:
            return parse_json(data, "reply")
        except InputError as error:
            raise TargetError(f"the reply is no JSON value ({self._secrets.quote(str(error))})") from None

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
        except Exception as error:  # noqa: BLE001 - importing runs the bot's code
            words = self._secrets.quote(str(error))
            raise ConfigError(
                f"target.python.{key}: {name} cannot be imported ({type(error).__name__}: {words}); "
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
        if done.done():
            return  # too late: the case has ended
        if error is None:
            done.set_result(value)
        else:
            done.set_exception(error)

    def work() -> None:
        value, failed = None, None
        try:
            value = function()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            failed = error
        except BaseException as error:  # noqa: BLE001 - such as sys.exit() in a bot
            failed = RuntimeError(f"{type(error).__name__} {error}".strip())
        try:
            loop.call_soon_threadsafe(settle, value, failed)
        except RuntimeError:
            return  # the loop has ended meanwhile

    threading.Thread(target=work, name="rag-gate-record", daemon=True).start()
    return await done


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
    raise TypeError(f"{type(value).__name__} has no JSON form")
