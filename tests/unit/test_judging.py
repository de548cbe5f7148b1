"""What judging cost: added up over shards, shown in the comment."""

import pytest

from rag_gate.judging import joined_judging
from rag_gate.records.judging import Judging, ModelUse
from rag_gate.report.judging import judging_facts


def part(cost: float | None = 0.25, canary: str = "caught", **more: object) -> Judging:
    use = ModelUse(
        prompt="v1", calls=3, requests=4, cached=1, prompt_tokens=10, completion_tokens=5,
        cost_usd=cost, saved_usd=cost, served={"m": 3},
    )  # fmt: skip
    return Judging.model_validate({"models": {"m": use}, "asked": 4, "by_rule": 1, "canary": canary, **more})


def test_shards_are_added_up() -> None:
    parts = [part(spread={"relevance": 0.25}), None, part(spread={"relevance": 0.5}, unresolved=2)]
    found = joined_judging(parts)
    assert found is not None
    assert found.unresolved == 2
    assert (found.asked, found.by_rule, found.spread) == (8, 2, {"relevance": 0.5})
    used = found.models["m"]
    assert (used.calls, used.requests, used.cached, used.served) == (6, 8, 2, {"m": 6})
    assert used.cost_usd == 0.5


def test_a_cost_that_is_unknown_for_one_shard_is_unknown() -> None:
    found = joined_judging([part(), part(None)])
    assert found is not None
    assert found.models["m"].cost_usd is None


@pytest.mark.parametrize("outcome", ["passed", "unscored"])
def test_the_worst_canary_and_every_problem_count(outcome: str) -> None:
    found = joined_judging([part(problems=["a"]), part(canary=outcome, problems=["a", "b"])])
    assert found is not None
    assert (found.canary, found.problems) == (outcome, ["a", "b"])


def test_without_a_model_judge_there_is_nothing_to_add() -> None:
    assert joined_judging([None, None]) is None
    assert judging_facts(None) == []


def test_a_cost_is_rounded_up_and_never_shown_as_nothing() -> None:
    facts = {fact.name: fact.value for fact in judging_facts(part(0.000001))}
    assert facts["Its cost"] == "0.0001 USD (the cache saved 0.0001 USD)"
    assert facts["Its calls"] == "3 (4 requests), 1 from the cache"
    assert {fact.name: fact.value for fact in judging_facts(part(None))}["Its cost"] == "cost not known"


def test_a_service_that_says_it_ran_another_model_is_shown() -> None:
    use = ModelUse(prompt="v1", calls=1, served={"m": 1, "other": 1})
    facts = {fact.name: fact.value for fact in judging_facts(Judging(models={"m": use}))}
    assert facts["It says that it is"] == "other"
