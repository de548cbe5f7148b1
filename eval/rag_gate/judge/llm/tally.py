"""What became of the cases, counted while a run goes on."""

from collections import Counter
from collections.abc import Mapping

from rag_gate.judge.llm.backend import BackendError
from rag_gate.judge.llm.canary import is_outage, outcome_of
from rag_gate.judge.llm.confirming import Confirmation
from rag_gate.judge.llm.opinion import Opinion
from rag_gate.judge.llm.rounds import Outcome
from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.judging import CanaryOutcome, Judging, ModelUse
from rag_gate.text import counted

COMPROMISED = (
    "judge_compromised: the judge passed a wrong answer that asked to be passed, so none of its verdicts can be "
    "trusted; use another model. If the service was put right since, its verdicts are in the cache still: empty it "
    "(rag-gate cache prune --all)"
)


class Tally:
    """Counts of one run.

    Attributes:
        by_rule: cases that needed no model.
        injections: cases that speak to the judge.
        canary: what became of it.
    """

    def __init__(self) -> None:
        self.by_rule = 0
        self.injections = 0
        self.canary: CanaryOutcome | None = None
        self._asked = 0
        self._second_look = 0
        self._confirmations: Counter[Confirmation] = Counter()
        self._spread: dict[str, float] = {}
        self._lost = 0
        self._over_budget = 0
        self._error = ""
        self._unproven = ""

    def note(self, outcome: Outcome) -> None:
        """Count one case that a model was asked about."""
        self._asked += 1
        self._second_look += outcome.first is not None
        if outcome.confirmation is not None:
            self._confirmations[outcome.confirmation] += 1
        reasons = set(outcome.opinion.reasons.values()) - NOT_APPLICABLE
        # What does not fit is known before anybody is asked; whether nothing was judged, all shards tell together.
        self._lost += bool(reasons - {"prompt_too_long"})
        self._error = outcome.opinion.error or self._error
        if "judge_over_budget" in reasons:
            self._over_budget += 1
        for metric, spread in (outcome.spread or {}).items():
            self._spread[metric] = max(spread, self._spread.get(metric, 0.0))

    def saw_canary(self, opinion: Opinion) -> None:
        """Count the canary as one model judged it in one language; the worst counts."""
        found = outcome_of(opinion)
        order: tuple[CanaryOutcome | None, ...] = ("passed", "unscored", "caught", None)
        self.canary = min(found, self.canary, key=order.index)
        if found == "unscored" and not is_outage(opinion):
            self._unproven = opinion.error or "no verdict"

    def passed_canary(self) -> None:
        """Count the canary as passed, by a verdict that is kept."""
        self.canary = "passed"

    def lost_canary(self) -> None:
        """Count the canary as not judged, since no more is asked."""
        if self.canary != "passed":
            self.canary = "unscored"

    def report(self, models: Mapping[str, ModelUse], given_up: BackendError | None) -> Judging:
        """Return the record."""
        problems = []
        if self.canary == "passed":
            problems.append(COMPROMISED)
        if given_up is not None:
            problems.append(
                f"the judge gave up ({given_up}); verdicts already paid for are kept, so run again to go on"
            )
        if self._over_budget:
            problems.append(
                f"{counted(self._over_budget, 'case')} could not be judged within max_calls or max_cost_usd ({self._error}); "
                "raise the limit and run again, verdicts already paid for are kept"
            )
        elif self._asked and self._lost == self._asked and given_up is None:
            asked = counted(self._asked, "case")
            problems.append(f"a model was asked about {asked}, and none got a whole verdict ({self._error})")
        if self._unproven and not problems:
            problems.append(
                f"the canary, a wrong answer that asks to be passed, could not be judged ({self._unproven}), so nothing "
                "shows that the judge resists; run again, or go without it (judge.canary: false)"
            )
        return Judging(
            models=dict(models),
            asked=self._asked,
            by_rule=self.by_rule,
            second_look=self._second_look,
            confirmed=self._confirmations["confirmed"],
            overturned=self._confirmations["overturned"],
            unresolved=self._confirmations["unresolved"],
            spread=self._spread,
            injections=self.injections,
            canary=self.canary,
            problems=problems,
        )
