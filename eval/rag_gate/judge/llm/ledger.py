"""What one model was asked and what that cost, added up while a run goes on."""

from collections import Counter

from rag_gate.judge.llm.backend import Reply, Usage
from rag_gate.judge.llm.models import ModelEntry
from rag_gate.records.judging import ModelUse


class Ledger:
    """The account of one model.

    Attributes:
        calls: prompts put to it.
        cached: verdicts from the cache.
        bad_replies: replies thrown away.
    """

    def __init__(self, entry: ModelEntry) -> None:
        self._entry = entry
        self._spent = Usage()
        self._saved = Usage()
        self._served: Counter[str] = Counter()
        self.calls = 0
        self.cached = 0
        self.bad_replies = 0

    def book(self, usage: Usage) -> None:
        """Add what one prompt cost."""
        self.calls += 1
        self._spent += usage

    def use(self, reply: Reply, *, kept: bool) -> None:
        """Note a verdict that is used."""
        if kept:
            self.cached += 1
            self._saved += reply.usage
        if reply.served_model is not None:
            self._served[reply.served_model] += 1

    def warnings(self, name: str) -> list[str]:
        """Return a line if the service says that it ran another model than was asked for."""
        others = [served for served in self._served if name not in served]
        return [f"judge: {name} was asked, and the service says it ran {served}" for served in sorted(others)]

    def total(self) -> ModelUse:
        """Return the account."""
        return ModelUse(
            prompt=self._entry.prompt,
            calls=self.calls,
            requests=self._spent.requests,
            cached=self.cached,
            bad_replies=self.bad_replies,
            prompt_tokens=self._spent.prompt_tokens,
            completion_tokens=self._spent.completion_tokens,
            cost_usd=self._entry.cost(self._spent),
            saved_usd=self._entry.cost(self._saved),
            served=dict(sorted(self._served.items())),
        )
