import json
from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.calls.process import TooLongError, run_program
from rag_gate.calls.quoting import Quoter
from rag_gate.files import fingerprint
from rag_gate.judge.llm.backend import Prompt, Reply
from rag_gate.judge.llm.clients.asking import Asking
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.reply_text import UNCOUNTED, json_object, model_name, only_object, usage_of
from rag_gate.judge.llm.clients.settings import BackendSettings

_MOST_OUTPUT = 2_000_000
_MOST_COMPLAINT = 4_000


class CommandBackend:
    """A program that reads one prompt as JSON and writes one reply as JSON.

    It gets ``{"system", "user", "schema", "model"}`` on its standard input and writes ``{"text", "usage", "model"}``,
    of which ``text`` is needed. It is not given a shell.

    Args:
        settings: program, limits and deadlines.
        environ: the program's environment; its values are not shown in messages.
    """

    def __init__(self, settings: BackendSettings, environ: Mapping[str, str]) -> None:
        self.identity: Mapping[str, Any] = {
            "provider": settings.provider,
            "endpoint": command_identity(settings.command),
            "model": settings.model,
        }
        self._argv = settings.command
        self._model = settings.model
        self._environ = environ
        secrets = [value for name, value in environ.items() if _looks_secret(name)]
        self._quote = Quoter(secrets)
        self._quote_model = Quoter(secret for secret in secrets if secret not in settings.model)
        self._asking = Asking(settings)

    async def complete(self, prompt: Prompt) -> Reply:
        """Ask one prompt.

        Raises:
            BackendError: if no whole reply came.
        """
        return await self._asking.ask(prompt, self._attempt)

    async def aclose(self) -> None:
        """Nothing is kept open between prompts."""

    async def _attempt(self, prompt: Prompt) -> Answer:
        asked = {"system": prompt.system, "user": prompt.user, "schema": prompt.schema, "model": self._model}
        given = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
        try:
            ended = await run_program(self._argv, given, self._environ, _MOST_OUTPUT, _MOST_COMPLAINT)
        except TooLongError:
            message = f"the judge's command writes more than {_MOST_OUTPUT:,} bytes"
            raise AttemptError(message, "judge_bad_reply", then="stop", usage=UNCOUNTED) from None
        except OSError as error:
            message = f"the judge's command cannot be started ({error.strerror})"
            raise AttemptError(message, "judge_unreachable", then="stop_all") from None
        if ended.code != 0:
            said = self._quote(ended.err.decode("utf-8", "replace"))
            message = f"the judge's command ends with exit code {ended.code}" + (f": {said}" if said else "")
            raise AttemptError(message, "judge_unreachable", usage=UNCOUNTED)
        return _answer(ended.out).named(self._quote_model)


def command_identity(command: Sequence[str]) -> str:
    """Return what stands for a program and its arguments."""
    return fingerprint(list(command))[:16]


def _answer(out: bytes) -> Answer:
    reply = json_object(out.strip())
    if reply is None or not isinstance(reply.get("text"), str):
        message = 'the judge\'s command writes no JSON object with "text"'
        raise AttemptError(message, "judge_bad_reply", usage=UNCOUNTED)
    usage = usage_of(reply.get("usage"), ("prompt_tokens",), "completion_tokens")
    return Answer(only_object(reply["text"], usage), usage, model_name(reply.get("model")))


def _looks_secret(name: str) -> bool:
    return any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"))
