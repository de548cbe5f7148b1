from collections.abc import Mapping
from typing import Any

from rag_gate.calls.http import Received
from rag_gate.calls.quoting import Quoter
from rag_gate.judge.llm.backend import BackendError, Prompt, Reply
from rag_gate.judge.llm.clients.asking import Asking
from rag_gate.judge.llm.clients.attempt import Answer, AttemptError
from rag_gate.judge.llm.clients.endpoint import Endpoint
from rag_gate.judge.llm.clients.http_status import Complaint, complaint_of, failure, is_ok
from rag_gate.judge.llm.clients.reply_text import UNCOUNTED, json_object
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.llm.clients.transport import Transport
from rag_gate.judge.llm.clients.wire import Wire
from rag_gate.late import Late

_ERRORS = range(400, 600)
_SERVER_ERROR = 500
_PLAIN_TYPE = Late(r"[a-z]{1,20}/[a-z0-9.+-]{1,40}")


class HttpBackend:
    """A model behind HTTP.

    Args:
        settings: limits and deadlines.
        endpoint: where the service is.
        wire: how it is spoken to.
        asking: what bounds the requests; by default made from the settings.
    """

    def __init__(
        self, settings: BackendSettings, endpoint: Endpoint, wire: Wire, asking: Asking | None = None
    ) -> None:
        self.identity: Mapping[str, Any] = {
            "provider": settings.provider,
            "endpoint": endpoint.identity,
            "model": settings.model,
            "request_options": dict(settings.request_options),
            "max_output_tokens": settings.max_output_tokens,
        }
        self._wire = wire
        self._form = 0
        self._key_variable = endpoint.key_variable
        self._no_key = endpoint.no_key
        secrets = [secret.get_secret_value() for secret in endpoint.secrets]
        self._quote = Quoter(secrets)
        self._quote_model = Quoter(secret for secret in secrets if secret not in settings.model)
        self._transport = Transport(endpoint, settings.concurrency, settings.timeout_s)
        self._asking = asking or Asking(settings)

    @property
    def form(self) -> str:
        """How JSON is asked for: the strictest way that the service has not refused."""
        return self._wire.forms[self._form]

    async def complete(self, prompt: Prompt) -> Reply:
        """Ask one prompt.

        Raises:
            BackendError: if no whole reply came.
        """
        if self._no_key is not None:
            raise BackendError(self._no_key, "judge_no_key", fatal=True)
        self._transport.ready()
        return await self._asking.ask(prompt, self._attempt)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def _attempt(self, prompt: Prompt) -> Answer:
        form = self._form
        name = self._wire.forms[form]
        received = await self._transport.post(self._wire.body(prompt, name))
        body = json_object(received.body)
        if not is_ok(received.status):
            raise self._failure(complaint_of(received.status, received.headers, body), form)
        if body is None or not received.says_json:
            raise AttemptError(_not_json(received), "judge_bad_reply", usage=UNCOUNTED)
        if isinstance(body.get("error"), Mapping):  # some gateways wrap a failure in a 200
            raise self._failure(complaint_of(_status_in(body), received.headers, body), form)
        answer = self._wire.answer(body, name)
        return answer.named(self._quote_model)

    def _failure(self, complaint: Complaint, form: int) -> AttemptError:
        """Return what an error reply means, having moved to the next form if that is what it means."""
        error = failure(complaint, self._quote(complaint.words), self._key_variable)
        if error.then != "step_down":
            return error
        if form + 1 >= len(self._wire.forms):
            return AttemptError(str(error), error.reason, then="stop_all")
        self._form = max(self._form, form + 1)  # others may have moved on meanwhile
        return error


def _not_json(received: Received) -> str:
    if not received.body.strip():
        return "the service's reply is empty"
    kind = received.media_type
    shown = f" ({kind})" if _PLAIN_TYPE.fullmatch(kind) else ""
    return f"the service's reply is not a JSON object{shown}"


def _status_in(body: Mapping[str, Any]) -> int:
    """Return the status that an error in a 200 states; a failed server where it states none."""
    code = body["error"].get("code")
    return code if isinstance(code, int) and code in _ERRORS else _SERVER_ERROR
