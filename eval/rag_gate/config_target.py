"""The part ``target`` of rag-gate.yml: how the bot is asked. Every option is documented where it is declared."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from rag_gate.config_base import Flag, NoFlag, PositiveInt, Settings
from rag_gate.late import Late

_OBJECT = Late(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_VARIABLE = Late(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
#: A header that by its name holds a credential.
CREDENTIAL = Late(r"auth|cookie|key|token|secret|password|credential", re.IGNORECASE)
_HEADER = Late(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def _named(value: str) -> str:
    if not _OBJECT.fullmatch(value):
        raise ValueError("must be module:name, such as my_bot.chat:answer")
    return value


def _headers(value: dict[str, str]) -> dict[str, str]:
    for name, text in value.items():
        if not _HEADER.fullmatch(name) or not text.isprintable():
            raise ValueError("holds a name or a value that no header can have")
        if CREDENTIAL.search(name) and not _VARIABLE.search(text):
            raise ValueError(
                f"{name} holds a credential; keep it in the environment and write ${{NAME}} in its place"
            )
    return value


_Object = Annotated[str, AfterValidator(_named)]
_Seconds = Annotated[float, Field(gt=0, le=604_800), NoFlag]
_Expression = Annotated[str, Field(min_length=1, max_length=1_000)]


class PythonTarget(Settings):
    """A bot that is imported. Callables may be ``async``; they get the question as their first argument.

    Attributes:
        answer: ``module:callable`` that returns the whole reply: a table with ``retrieved`` and ``answer``, or an object
            with such attributes. It also gets ``question_id``, ``contexts``, ``language``, ``tenant``, ``seed`` and
            ``stage`` where it has parameters of these names.
        retriever: ``module:callable`` that returns the list of results; together with ``generator``, in place of
            ``answer``.
        generator: ``module:callable`` that gets question and results and returns the answer, as text or as a table.
        manifest: ``module:name`` of a table, or of a callable that returns one: what the answers are made with.
        path: folder that modules are looked for in first.
    """

    answer: _Object | None = None
    retriever: _Object | None = None
    generator: _Object | None = None
    manifest: _Object | None = None
    path: Path = Path()

    @model_validator(mode="after")
    def _whole_or_apart(self) -> "PythonTarget":
        if (self.retriever is None) != (self.generator is None) or (self.answer is None) == (
            self.retriever is None
        ):
            raise ValueError("give either 'answer', or 'retriever' and 'generator'")
        return self


class HttpTarget(Settings):
    """A bot behind HTTP. ``${NAME}`` stands for an environment variable in ``url``, ``headers``, ``query`` and ``body``.

    Attributes:
        url: its address, never printed; redirects are not followed.
        method: ``GET``, ``POST`` or ``PUT``.
        headers: further headers; a credential comes from the environment (``Bearer ${BOT_TOKEN}``).
        query: parameters of the address.
        body: JSON to send with ``POST`` and ``PUT``. In ``query`` and ``body``, ``{question}``, ``{question_id}``,
            ``{contexts}``, ``{language}``, ``{tenant}``, ``{seed}`` and ``{stage}`` stand for the case's values; one that
            is a whole text is replaced by the value itself.
        manifest_url: address that returns the bot's manifest as JSON, asked with the same headers.
    """

    url: Annotated[str, Field(min_length=1, repr=False)]
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: Annotated[dict[str, str], AfterValidator(_headers), Field(repr=False)] = Field(
        default_factory=dict
    )
    query: dict[str, str] = Field(default_factory=dict, repr=False)
    body: dict[str, Any] = Field(default={"question": "{question}"}, repr=False)
    manifest_url: str | None = Field(default=None, min_length=1, repr=False)


class CommandTarget(Settings):
    """A bot that is a program: one JSON line in, one JSON line out. It is not given a shell, and runs in the settings' folder.

    Attributes:
        argv: program and arguments.
        mode: ``session`` (the program stays and answers line by line, one program per worker) or ``per_case`` (a new
            program for each case).
        manifest: whether the program answers the line ``{"manifest": true}`` with a table.
    """

    argv: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1, repr=False)]
    mode: Literal["session", "per_case"] = "session"
    manifest: Flag = False


class ReplyMapping(Settings):
    """Where things stand in the bot's reply: JMESPath expressions. By default the names that a recorded run has.

    Attributes:
        answer: the answer's text.
        retrieved: the list of results in rank order.
        id: of a result; these five look into one entry of that list.
        doc_id: of a result, its document.
        text: of a result.
        score: of a result, its similarity.
        metadata: of a result, a table.
        citations: ids that the bot says it cites.
        usage: tokens, a number or a table.
        latency_ms: milliseconds, a number or a table of stages.
        error: what says that there is no answer.
    """

    answer: _Expression | None = None
    retrieved: _Expression | None = None
    id: _Expression | None = None
    doc_id: _Expression | None = None
    text: _Expression | None = None
    score: _Expression | None = None
    metadata: _Expression | None = None
    citations: _Expression | None = None
    usage: _Expression | None = None
    latency_ms: _Expression | None = None
    error: _Expression | None = None


class TargetConfig(Settings):
    """The bot, for ``rag-gate record``; exactly one of ``python``, ``http`` and ``command``.

    Attributes:
        python: a bot that is imported, see below.
        http: a bot behind HTTP, see below.
        command: a bot that is a program, see below.
        reply: where things stand in the reply, see below.
        concurrency: cases in work at a time, at most.
        requests_per_minute: in any 60 seconds, at most; null = no limit.
        timeout_s: limit of one try, in seconds; a case beyond it is recorded with an error.
        deadline_s: limit of the whole recording, in seconds; what is left then is asked by the next call.
        max_attempts: tries per case, at most; only what never reached the bot, or broke off, is tried again.
        warmup: questions that are asked first, and not recorded.
        seed: is handed to the bot, and stated in the manifest.
        latency: record how long each case took; false gives the same bytes for the same answers.
        manifest: further facts for the manifest, as a table; they win over the bot's own.
    """

    python: PythonTarget | None = None
    http: HttpTarget | None = None
    command: CommandTarget | None = None
    reply: ReplyMapping = ReplyMapping()
    concurrency: Annotated[int, Field(ge=1, le=256, strict=True)] = 8
    requests_per_minute: PositiveInt | None = None
    timeout_s: _Seconds = 60
    deadline_s: _Seconds = 3600
    max_attempts: Annotated[int, Field(ge=1, le=10, strict=True)] = 3
    warmup: Annotated[int, Field(ge=0, le=100, strict=True)] = 0
    seed: Annotated[int, Field(strict=True)] | None = None
    latency: Flag = True
    manifest: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one(self) -> "TargetConfig":
        if sum(given is not None for given in (self.python, self.http, self.command)) != 1:
            raise ValueError("name exactly one of python, http and command")
        return self
