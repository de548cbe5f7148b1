"""What a run will cost, told before anything is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from rag_gate.config_judge import JudgeConfig
from rag_gate.dataset import GoldenSet, open_run
from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import Usage
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.build import Chosen, chosen_models, model_judge, reply_cache
from rag_gate.judge.llm.canary import PARTS_OF_CANARY, canary
from rag_gate.judge.llm.canary_watch import CanaryWatch, utc_day
from rag_gate.judge.llm.case import Case
from rag_gate.judge.llm.material import Material, estimated_tokens
from rag_gate.judge.llm.prompt_files import Language, Part
from rag_gate.judge.llm.prompting import questions_of
from rag_gate.judge.requests import request_of
from rag_gate.text import counted

#: Tokens of a reply: each word of the answer comes back as a claim and about as many as evidence, and a frame.
_FRAME, _TIMES_ANSWER = 80, 2
_CONFIRMATIONS = 2


@dataclass(slots=True)
class TierEstimate:
    """What the cases of one tier cost with one model.

    Attributes:
        cases: in the tier and in the run.
        by_rule: cases that need no model.
        cached: prompts whose verdict is kept already.
        calls: prompts to put to the model.
        prompt_tokens: of those, estimated.
        completion_tokens: of their replies, estimated.
        cost_usd: of both; null where no price is known.
    """

    cases: int = 0
    by_rule: int = 0
    cached: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(slots=True)
class Estimate:
    """What a run costs.

    Attributes:
        model: the judge.
        at_most: whether this is an upper bound: behind a cheap model, or with ``confirm``, the judge is asked less.
        tiers: tier -> what its cases cost; ``canary`` stands for itself.
    """

    model: str
    at_most: bool
    tiers: dict[str, TierEstimate] = field(default_factory=dict)

    def words(self) -> list[str]:
        """Return a line for each tier, and one for their sum."""
        lines = [self._line(name, tier) for name, tier in self.tiers.items()]
        return [*lines, self._line("together", self._total())]

    def _total(self) -> TierEstimate:
        rows = [asdict(tier) for tier in self.tiers.values()]
        costs = [row.pop("cost_usd") for row in rows]
        added = {key: sum(row[key] for row in rows) for key in (rows[0] if rows else {})}
        return TierEstimate(**added, cost_usd=None if None in costs else sum(costs))

    def _line(self, name: str, tier: TierEstimate) -> str:
        calls = f"{'at most' if self.at_most else 'about'} {counted(tier.calls, 'call')}"
        if name != "canary":
            calls = f"{counted(tier.cases, 'case')} ({tier.by_rule} without a model), {calls}"
        cost = "no price is known" if tier.cost_usd is None else f"{tier.cost_usd:.4f} USD"
        return (
            f"{self.model}, {name}: {calls} ({counted(tier.cached, 'verdict')} in the cache), "
            f"{tier.prompt_tokens} + {tier.completion_tokens} tokens, {cost}"
        )


def estimate(
    golden: GoldenSet, run_source: str | None, config: JudgeConfig, environ: Mapping[str, str]
) -> list[Estimate]:
    """Return what judging a run costs with each model of the settings, the cheap one first.

    Nothing is asked, and no key is needed. The first verdict of each case is estimated; what bad replies and retries
    cost is not.

    Raises:
        ConfigError: if a model may not judge.
        InputError: if the run cannot be read.
    """
    strong, cheap = chosen_models(config)
    cache = reply_cache(config, environ)
    cases = list(_cases(golden, run_source))
    found = []
    for chosen in (cheap, strong):
        if chosen is not None:
            judge = model_judge(chosen, config, environ, Budget(), cache)
            found.append(
                _of_model(judge, chosen, cases, config, second=chosen is strong and cheap is not None)
            )
    return found


def _cases(golden: GoldenSet, run_source: str | None) -> Iterable[tuple[str, Case]]:
    for joined in open_run(golden, run_source):
        request = request_of(joined)
        if isinstance(request, JudgeRequest):
            yield joined.case.tier, Case.of(request)


def _of_model(
    judge: ModelJudge, chosen: Chosen, cases: Iterable[tuple[str, Case]], config: JudgeConfig, *, second: bool
) -> Estimate:
    confirms = config.confirm and (second or config.cascade is None)
    found = Estimate(chosen.name, at_most=second or confirms)
    repeats = config.repeats + (_CONFIRMATIONS if confirms else 0)
    languages: dict[Language, None] = {}
    for tier_name, case in cases:
        tier = found.tiers.setdefault(tier_name, TierEstimate())
        tier.cases += 1
        if case.decided.ask:
            languages[case.material.language] = None
            _count(tier, judge, case.material, case.decided.ask, config, range(repeats))
        else:
            tier.by_rule += 1
    if config.canary and languages:
        anew = any(tier.calls for tier in found.tiers.values())
        extra = found.tiers.setdefault("canary", TierEstimate())
        for language in languages:
            day = CanaryWatch(judge, config.mode).last(language, only_today=anew)
            _count(
                extra, judge, canary(language), PARTS_OF_CANARY, config, [utc_day() if day is None else day]
            )
    for tier in found.tiers.values():
        tier.cost_usd = chosen.entry.cost(Usage(0, tier.prompt_tokens, tier.completion_tokens))
    return found


def _count(
    tier: TierEstimate,
    judge: ModelJudge,
    material: Material,
    parts: tuple[Part, ...],
    config: JudgeConfig,
    repeats: Iterable[int],
) -> None:
    questions, _ = questions_of(material, parts, config.mode, judge.entry.prompt, judge.room)
    for question in questions:
        for repeat in repeats:
            if judge.kept(question, repeat) is not None:
                tier.cached += 1
                continue
            tier.calls += 1
            tier.prompt_tokens += question.tokens
            tier.completion_tokens += _FRAME + _TIMES_ANSWER * estimated_tokens(material.answer)
