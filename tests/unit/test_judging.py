"""What judging cost: added up over shards, shown in the comment."""

import pytest

from rag_gate.judging import joined_judging, never_judged, other_models
from rag_gate.records.judging import Judging, ModelUse
from rag_gate.records.partial import MetricSummary
from rag_gate.report.judging import judging_facts, judging_line


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


def test_the_line_in_the_comment_counts_second_looks_and_confirmations() -> None:
    judging = Judging(
        models={"strong": ModelUse(prompt="v1", calls=1), "cheap": ModelUse(prompt="v2", cached=3)},
        asked=4, second_look=1, confirmed=2, overturned=1,
    )  # fmt: skip
    assert judging_line(judging) == (
        "Judge: cheap (prompts v2), then strong (prompts v1); 1 call, 3 from the cache; cost not known; "
        "1 of 4 cases judged again by the stronger model; 2 failures confirmed, 1 overturned by two of three verdicts"
    )
    assert judging_line(None) is None


def test_a_service_that_says_it_ran_another_model_is_shown() -> None:
    use = ModelUse(prompt="v1", calls=1, served={"m": 1, "other": 1})
    facts = {fact.name: fact.value for fact in judging_facts(Judging(models={"m": use}))}
    assert facts["It says that it is"] == "other"


@pytest.mark.parametrize(
    ("asked", "served", "others"),
    [
        ("big-2026-05-01", ["big-2026-05-01", "BIG-2026-05-01"], []),
        ("claude-sonnet-5", ["claude-sonnet-5-20260201", "claude-sonnet-5-2026-02-01"], []),
        ("big-2026-05-01", ["evil-big-2026-05-01-distilled"], ["evil-big-2026-05-01-distilled"]),
        ("big-2026-05-01", ["big-2026-05-01-20270101"], ["big-2026-05-01-20270101"]),
        ("big-2026-05-01", ["big-2026-05-0", "big", ""], ["", "big", "big-2026-05-0"]),
        ("big-2026-05-01", ["evil/big-2026-05-01"], ["evil/big-2026-05-01"]),
        ("claude-sonnet-5", ["claude-sonnet-5-mini"], ["claude-sonnet-5-mini"]),
        ("claude-sonnet-5", ["claude-sonnet-5-5-20260201"], ["claude-sonnet-5-5-20260201"]),
        ("m", [f"x{number}" for number in range(9)], ["x0", "x1", "x2", "6 more"]),
    ],
)
def test_a_model_that_was_not_asked_for_is_another(asked: str, served: list[str], others: list[str]) -> None:
    assert other_models(asked, served) == others


def test_the_line_in_the_comment_says_which_model_ran() -> None:
    use = ModelUse(prompt="v1", calls=1, served={"evil-m-distilled": 1})
    line = judging_line(Judging(models={"m": use}))
    assert line is not None
    assert line.startswith("Judge: m (prompts v1; the service says it ran evil-m-distilled); 1 call")


def test_a_cost_that_is_not_known_is_shown_with_what_it_can_be_at_most() -> None:
    use = ModelUse(prompt="v1", calls=1, uncounted=1, at_most_usd=1.64)
    facts = {fact.name: fact.value for fact in judging_facts(Judging(models={"m": use}))}
    assert facts["Its cost"] == "cost not known, at most 1.6400 USD"


@pytest.mark.parametrize(("confirmed", "words"), [(1, "1 failure confirmed"), (2, "2 failures confirmed")])
def test_one_failure_is_not_several(confirmed: int, words: str) -> None:
    line = judging_line(Judging(models={"m": ModelUse(prompt="v1")}, confirmed=confirmed))
    assert line is not None
    assert words in line


@pytest.mark.parametrize(
    ("scored", "reasons", "said"),
    [
        (0, {"prompt_too_long": 3}, "3 cases, and none got a verdict (prompt_too_long: 3)"),
        (0, {"judge_refused": 1, "refusal": 5}, "1 case, and none got a verdict (judge_refused: 1)"),
        (
            0,
            {"judge_refused": 1, "undecided": 2},
            "3 cases, and none got a verdict (judge_refused: 1, undecided: 2)",
        ),
        (1, {"prompt_too_long": 3}, None),
        (0, {"undecided": 3}, None),
        (0, {"refusal": 3, "no_claims": 1}, None),
        (0, {}, None),
    ],
)
def test_a_metric_without_any_verdict_is_told(scored: int, reasons: dict[str, int], said: str | None) -> None:
    found = never_judged({"relevance": MetricSummary(mean=None, n_scored=scored, reasons=reasons)})
    assert found == ([] if said is None else [f"relevance was to be judged in {said}"])
