"""Limits are hard: whatever is in flight, unknown, repeated or shared, no limit is ever passed."""

import asyncio
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_material import ENTRY, FakeBackend, judge_of, request

from rag_gate.judge.llm.backend import BackendError, Prompt, Reply, Usage
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.engine import LlmEngine
from rag_gate.judge.llm.models import ModelEntry, Price
from rag_gate.judge.llm.rounds import Rounds
from rag_gate.judge.spent import Spent

FREE = ModelEntry(prompt="v1", price=Price(input=0, output=0))
WORST = ENTRY.at_most(Usage(uncounted=1), 1_000_000)


class Silent(FakeBackend):
    """Does not tell what its replies cost."""

    async def complete(self, prompt: Prompt) -> Reply:
        reply = await super().complete(prompt)
        return Reply(reply.text, Usage(1, uncounted=1), reply.served_model)


def judge_all(
    backend: FakeBackend, budget: Budget, cases: int = 40, entry: ModelEntry = ENTRY
) -> tuple[LlmEngine, int]:
    """Judge cases; return the engine and how many got a verdict."""
    engine = LlmEngine(Rounds(judge_of(backend, budget, entry=entry)), {}, with_canary=False)
    found = list(engine.judge_many(request(f"Refunds take {number} days.") for number in range(cases)))
    return engine, sum(judgment.scores["correctness"] is not None for judgment in found)


@pytest.mark.parametrize("max_cost_usd", [None, 0.05, 0.2, 0.6, 100.0])
@pytest.mark.parametrize("max_calls", [0, 1, 5, 39])
def test_a_limit_of_calls_holds_beside_a_limit_of_costs(max_calls: int, max_cost_usd: float | None) -> None:
    backend = FakeBackend(delays=[0.001, 0.0, 0.003])
    engine, judged = judge_all(backend, Budget(max_calls, max_cost_usd))
    assert len(backend.prompts) == judged <= max_calls
    assert "could not be judged within" in engine.report().problems[0]


@given(
    st.integers(0, 12),
    st.floats(0, 0.4),
    st.lists(st.sampled_from([0.0, 0.001, 0.002]), min_size=1, max_size=4),
)
@settings(max_examples=25, deadline=None)
def test_no_limit_is_ever_passed(max_calls: int, max_cost_usd: float, delays: list[float]) -> None:
    for backend in (FakeBackend(delays=delays), Silent(delays=delays)):
        budget = Budget(max_calls, max_cost_usd)
        judge_all(backend, budget, cases=12)
        assert len(backend.prompts) == budget.spent.calls <= max_calls
        assert budget.spent.cost_usd <= max_cost_usd


def test_what_a_reply_does_not_tell_counts_at_its_worst_and_its_cost_is_not_known() -> None:
    backend = Silent()
    engine, judged = judge_all(backend, Budget(max_cost_usd=0.6))
    used = engine.report().models["fake-2026-01-01"]
    assert 0 < judged < 15
    assert (used.cost_usd, used.uncounted) == (None, judged)
    assert used.at_most_usd is not None
    assert used.at_most_usd <= 0.6 < used.at_most_usd * (judged + 1) / judged


def test_what_is_free_is_free_whatever_a_reply_tells() -> None:
    engine, judged = judge_all(Silent(), Budget(max_cost_usd=0.0), entry=FREE)
    assert judged == 40
    assert engine.report().models["fake-2026-01-01"].cost_usd == 0


def test_one_account_holds_for_all_judges_that_share_it() -> None:
    spent = Spent()
    backends = [FakeBackend(delays=[0.001]) for _ in range(3)]
    reports = [judge_all(backend, Budget(50, 1.0, spent), cases=20)[0].report() for backend in backends]
    assert [len(backend.prompts) for backend in backends] == [20, 20, 10]
    assert spent.calls == 50
    assert spent.cost_usd == pytest.approx(50 * 0.0002)
    parts = [Spent.of(report) for report in reports]
    assert sum(part.calls for part in parts) == spent.calls
    assert sum(part.cost_usd for part in parts) == pytest.approx(spent.cost_usd)
    assert Spent.of(None) == Spent()


@pytest.mark.parametrize(("max_cost_usd", "allowed"), [(None, 9), (3.5 * WORST, 3), (WORST, 1)])
def test_a_repeat_of_a_request_that_may_be_charged_needs_room_of_its_own(
    max_cost_usd: float | None, allowed: int
) -> None:
    async def main() -> None:
        budget = Budget(max_cost_usd=max_cost_usd)
        async with budget.reserve(ENTRY, 1_000_000) as spending:
            for sent in range(allowed):
                spending.admit(sent)
            spending.usage = Usage(allowed, uncounted=allowed)
            if max_cost_usd is not None:
                with pytest.raises(BackendError, match="the next call could cost"):
                    spending.admit(allowed)
        assert budget.spent.cost_usd == pytest.approx(allowed * WORST)
        if max_cost_usd is not None:
            assert budget.spent.cost_usd <= max_cost_usd

    asyncio.run(main())


def test_repeats_that_cost_nothing_need_no_further_room() -> None:
    async def main() -> None:
        budget = Budget(max_cost_usd=WORST)
        async with budget.reserve(ENTRY, 1_000_000) as spending:
            for _ in range(5):
                spending.admit(0)
            spending.usage = Usage(5)
        assert budget.spent.cost_usd == 0

    asyncio.run(main())


def test_a_prompt_that_was_cancelled_counts_at_its_worst() -> None:
    async def main() -> None:
        budget = Budget(max_cost_usd=2 * WORST)

        async def asked() -> None:
            async with budget.reserve(ENTRY, 1_000_000):
                await asyncio.Event().wait()

        task = asyncio.create_task(asked())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert budget.spent.cost_usd == pytest.approx(WORST)

    asyncio.run(main())


class Queueing(FakeBackend):
    """Sends two requests at a time, as a client with `concurrency: 2` does; each is admitted when its turn comes."""

    def __init__(self) -> None:
        super().__init__(delays=itertools.repeat(0.05, 1000))  # type: ignore[arg-type]
        self.sent = 0
        self._slots = asyncio.Semaphore(2)

    async def complete(self, prompt: Prompt) -> Reply:
        async with self._slots:
            prompt.admit(0)
            self.sent += 1
            return await super().complete(prompt)


def test_a_reader_that_stops_ends_the_buying_and_what_is_in_flight_is_kept() -> None:
    kept: list[str] = []

    class Keeping:
        def get(self, key: str) -> None:
            del key

        def put(self, key: str, reply: Reply, model: str | None = None) -> None:
            del reply, model
            kept.append(key)

    backend = Queueing()
    judge = judge_of(backend)
    judge.cache = Keeping()
    engine = LlmEngine(Rounds(judge), {}, with_canary=False)
    judgments = engine.judge_many(request(f"Refunds take {number} days.") for number in range(60))
    next(judgments)
    sent = backend.sent
    judgments.close()  # type: ignore[attr-defined]
    assert backend.sent <= sent + 2
    assert len(kept) == backend.sent
    assert backend.closed
