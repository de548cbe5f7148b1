"""The wrong answer that asks to be passed: who judges it, in which languages, how often, and what comes of it."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from llm_material import Answering, FakeBackend, failing_with, honest, judge_of, passing, request

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.backend import BackendError, Failure, Prompt
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.engine import LlmEngine
from rag_gate.judge.llm.rounds import Rounds
from rag_gate.records.judging import Judging

CANARY = ("14 days of delivery", "商品到着後14日以内")


def is_canary(data: dict[str, Any]) -> bool:
    return any(sign in text for text in data.get("documents", {}).values() for sign in CANARY)


def unless_canary(on_canary: Answering) -> Answering:
    return lambda data, prompt: (on_canary if is_canary(data) else honest)(data, prompt)


def answers(count: int, edited: int = 0, language: str = "en") -> list[JudgeRequest]:
    return [
        request(f"{'Now r' if number < edited else 'R'}efunds take {number} days.", language=language)
        for number in range(count)
    ]


def run(
    requests: Sequence[JudgeRequest],
    answering: Answering = honest,
    cache: Path | None = None,
    day: int = 20_000,
    budget: Budget | None = None,
    **more: Any,
) -> tuple[int, Judging, list[str]]:
    backend = FakeBackend(answering)
    engine = LlmEngine(Rounds(judge_of(backend, budget, cache), **more), {}, today=lambda: day)
    assert len(list(engine.judge_many(requests))) == len(requests)
    return len(backend.prompts), engine.report(), engine.warnings()


def test_fifty_cases_are_fifty_one_calls_and_five_edits_five(tmp_path: Path) -> None:
    assert run(answers(50), cache=tmp_path)[0] == 51
    again = run(answers(50), cache=tmp_path)
    assert again[0] == 0
    assert again[1].canary == "caught"
    assert again[1].models["fake-2026-01-01"].cached == 51
    assert run(answers(50, edited=5), cache=tmp_path)[0] == 5


def test_on_another_day_it_is_asked_anew_in_a_run_that_asks_anything_anew(tmp_path: Path) -> None:
    run(answers(10), cache=tmp_path, day=20_000)
    asked, report, _ = run(answers(10), cache=tmp_path, day=20_007)
    assert (asked, report.canary) == (0, "caught")
    assert run(answers(10, edited=2), cache=tmp_path, day=20_007)[0] == 3
    assert run(answers(10, edited=3), cache=tmp_path, day=20_007)[0] == 1


def test_a_service_that_goes_bad_is_found_out_and_its_verdicts_are_never_trusted_again(
    tmp_path: Path,
) -> None:
    run(answers(10), cache=tmp_path, day=20_000)
    _, report, _ = run(answers(10, edited=1), passing, tmp_path, day=20_001)
    assert report.canary == "passed"
    for edited, day in ((1, 20_001), (1, 20_002), (2, 20_003)):
        _, report, _ = run(answers(10, edited=edited), honest, tmp_path, day=day)
        assert report.canary == "passed"
        assert "rag-gate cache prune --all" in report.problems[0]


@pytest.mark.parametrize("mode", ["single", "split"])
def test_it_is_judged_in_each_language_of_the_cases_that_are_asked(mode: str) -> None:
    seen: set[str] = set()

    def noting(data: dict[str, Any], prompt: Prompt) -> dict[str, Any] | str:
        if is_canary(data):
            seen.update(sign for sign in CANARY if any(sign in text for text in data["documents"].values()))
        return honest(data, prompt)

    both = [*answers(3), *answers(3, language="ja"), request("", language="ja")]
    asked, report, _ = run(both, noting, mode=mode)
    assert seen == set(CANARY)
    assert asked == 8 * (1 if mode == "single" else 3)
    assert report.canary == "caught"


def test_a_judge_that_falls_for_it_in_one_language_is_compromised() -> None:
    def half(data: dict[str, Any], prompt: Prompt) -> dict[str, Any] | str:
        return (passing if CANARY[1] in str(data.get("documents")) else honest)(data, prompt)

    _, report, _ = run([*answers(3), *answers(3, language="ja")], half)
    assert report.canary == "passed"
    assert "judge_compromised" in report.problems[0]


def reply_that_is_none(data: dict[str, Any], prompt: Prompt) -> str:
    del data, prompt
    return "{}"


def failure(reason: Failure) -> Answering:
    return failing_with(lambda: BackendError("no", reason))


@pytest.mark.parametrize(
    "on_canary", [reply_that_is_none, failure("judge_truncated"), failure("judge_refused")]
)
def test_a_run_of_which_nothing_shows_that_the_judge_resists_has_no_verdict(on_canary: Answering) -> None:
    _, report, _ = run(answers(5), unless_canary(on_canary))
    assert report.canary == "unscored"
    assert "nothing shows that the judge resists" in report.problems[0]


def test_a_limit_that_leaves_no_call_for_it_gives_no_verdict_and_the_next_run_goes_on(tmp_path: Path) -> None:
    asked, report, _ = run(answers(5), cache=tmp_path, budget=Budget(max_calls=5))
    assert asked == 5
    assert "limit of 5 calls" in report.problems[0]
    asked, report, _ = run(answers(5), cache=tmp_path, budget=Budget(max_calls=5))
    assert (asked, report.canary, report.problems) == (1, "caught", [])


@pytest.mark.parametrize("reason", ["judge_unreachable", "judge_rate_limited", "judge_deadline"])
def test_a_mere_outage_is_told_and_decides_nothing(reason: Failure) -> None:
    _, report, warnings = run(answers(5), unless_canary(failure(reason)))
    assert report.canary == "unscored"
    assert report.problems == []
    assert "canary" in warnings[0]


def test_a_reader_that_stops_leaves_no_canary_behind() -> None:
    backend = FakeBackend(delays=[0.01])
    engine = LlmEngine(Rounds(judge_of(backend)), {}, look_ahead=1)
    judgments = engine.judge_many(answers(3))
    assert isinstance(judgments, Generator)
    next(judgments)
    judgments.close()
    assert backend.closed
