"""Ask one model one question: from the cache, or within the budget; a bad reply is asked for again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Reply
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.ledger import Ledger
from rag_gate.judge.llm.models import ModelEntry
from rag_gate.judge.llm.prompting import Question
from rag_gate.judge.llm.replies import BadReplyError, ModelVerdict, read_reply

#: A reply that is not what was asked for is asked for again so many times.
RE_ASKS = 2


class Replies(Protocol):
    """Where replies are kept between runs."""

    def get(self, key: str) -> Reply | None:
        """Return a kept reply."""
        ...

    def put(self, key: str, reply: Reply, model: str | None = None) -> None:
        """Keep a reply that was used."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checked verdict, and the reply it was read from."""

    verdict: ModelVerdict
    reply: Reply


@dataclass(slots=True)
class ModelJudge:
    """One model, with what it may cost and what it has cost.

    Attributes:
        name: of the model.
        entry: its row in the map of models.
        backend: the service.
        budget: shared by all models of a run.
        cache: kept replies; None for none.
        key_of: returns what the reply to a prompt is kept under: (identity, prompt, repeat).
        attempts: requests that the backend may send and pay for one prompt.
        checks_nonce: False for recorded replies, which repeat the nonce of their own request.
        ledger: its account.
    """

    name: str
    entry: ModelEntry
    backend: Backend
    budget: Budget
    cache: Replies | None
    key_of: Callable[[Prompt, int], str]
    attempts: int = 1
    checks_nonce: bool = True
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        """Open the account."""
        self.ledger = Ledger(self.entry)

    @property
    def room(self) -> int:
        """Tokens that a prompt may have."""
        return self.entry.context_window - self.entry.max_output

    def kept(self, question: Question, repeat: int) -> Verdict | None:
        """Return the verdict from the cache, if there is a usable one."""
        reply = self.cache.get(self.key_of(question.prompt, repeat)) if self.cache else None
        if reply is None:
            return None
        try:
            return Verdict(read_reply(reply.text, question.parts, None), reply)
        except BadReplyError:  # kept by a version that read replies otherwise
            return None

    async def ask(self, question: Question, repeat: int = 0) -> Verdict:
        """Return the model's verdict.

        Args:
            question: what is asked.
            repeat: which of several askings of the same question.

        Raises:
            BackendError: if none can be had; ``judge_bad_reply`` after a reply and two more that were all unusable.
        """
        kept = self.kept(question, repeat)
        if kept is not None:
            self.ledger.use(kept.reply, kept=True)
            return kept
        problem = ""
        for _ in range(1 + RE_ASKS):
            reply = await self._paid(question)
            try:
                nonce = question.nonce if self.checks_nonce else None
                verdict = read_reply(reply.text, question.parts, nonce)
            except BadReplyError as error:
                self.ledger.bad_replies += 1
                problem = str(error)
                continue
            if self.cache is not None:
                self.cache.put(self.key_of(question.prompt, repeat), reply, self.name)
            self.ledger.use(reply, kept=False)
            return Verdict(verdict, reply)
        raise BackendError(f"{problem} ({1 + RE_ASKS} replies)", "judge_bad_reply")

    async def _paid(self, question: Question) -> Reply:
        async with self.budget.reserve(self.entry, question.most_tokens, self.attempts) as spending:
            try:
                reply = await self.backend.complete(question.prompt)
            except BackendError as error:
                spending.usage = error.usage
                raise
            else:
                spending.usage = reply.usage
                return reply
            finally:
                self.ledger.book(spending.usage)
