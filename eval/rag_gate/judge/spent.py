"""What judging has cost so far: one account for all that shares a limit."""

from dataclasses import dataclass

from rag_gate.records.judging import Judging


@dataclass(slots=True)
class Spent:
    """An account.

    Attributes:
        calls: prompts put to models.
        cost_usd: USD; a request whose cost is not known is counted at the most that it can have cost.
    """

    calls: int = 0
    cost_usd: float = 0.0

    @classmethod
    def of(cls, judging: Judging | None) -> "Spent":
        """Return the account of what was judged before; that is nothing where no model judged."""
        uses = judging.models.values() if judging else ()
        return cls(sum(use.calls for use in uses), sum(use.at_most_usd or 0.0 for use in uses))
