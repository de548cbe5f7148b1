"""The model judge over many cases: order, bad replies, limits, cascade, repeats, confirmation, canary."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from llm_material import (
    ENTRY,
    EXPECTED,
    Answering,
    FakeBackend,
    engine_of,
    failing_with,
    honest,
    judge_of,
    judged,
    passing,
    request,
    scripted,
)

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm import prompting
from rag_gate.judge.llm.backend import BackendError, Failure, Prompt, Usage
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.engine import LlmEngine
from rag_gate.judge.llm.material import material_of
from rag_gate.judge.llm.prompt_files import PARTS, PromptFile, prompt_file
from rag_gate.judge.llm.rounds import Rounds

RIGHT = "Refunds are processed within 3-5 business days."
WRONG = "Refunds take one day."


def bad(data: dict[str, Any], prompt: Prompt) -> str:
    del data, prompt
    return '{"foo": [1, 2, 3]}'


def test_judgments_come_in_the_order_of_the_requests() -> None:
    backend = FakeBackend(honest, delays=[0.03, 0.0, 0.01])

    answers = [RIGHT if number % 2 else WRONG for number in range(30)]
    found = list(
        LlmEngine(Rounds(judge_of(backend)), {}, look_ahead=5, with_canary=False).judge_many(
            map(request, answers)
        )
    )
    assert [judgment.detail["answer"] for judgment in found] == answers
    assert [judgment.scores["faithfulness"] for judgment in found] == [
        float(answer == RIGHT) for answer in answers
    ]
    assert backend.closed


def test_no_more_cases_are_read_ahead_than_allowed() -> None:
    read = 0

    def requests() -> Iterator[JudgeRequest]:
        nonlocal read
        for _ in range(50):
            read += 1
            yield request(RIGHT)

    engine = LlmEngine(Rounds(judge_of(FakeBackend())), {}, look_ahead=5, with_canary=False)
    for number, _ in enumerate(engine.judge_many(requests()), start=1):
        assert read <= number + 5


def test_one_request_asks_everything_about_a_case_and_split_mode_one_for_each_metric() -> None:
    single, split = FakeBackend(), FakeBackend()
    (first,) = engine_of(single).judge_many([request(RIGHT)])
    (second,) = engine_of(split, mode="split").judge_many([request(RIGHT)])
    assert len(single.prompts) == 1
    assert len(split.prompts) == 3
    assert first.scores == second.scores == {"faithfulness": 1.0, "relevance": 1.0, "correctness": 1.0}


def test_a_bad_reply_is_asked_for_again_twice_and_no_more() -> None:
    backend = FakeBackend(scripted([bad, bad, honest]))
    (found,) = engine_of(backend).judge_many([request(RIGHT)])
    assert found.scores["faithfulness"] == 1.0
    backend = FakeBackend(bad)
    engine = engine_of(backend)
    (found,) = engine.judge_many([request(RIGHT)])
    assert len(backend.prompts) == 3
    assert found.scores == {
        "faithfulness": None,
        "relevance": None,
        "correctness": None,
    }
    assert set(found.reasons.values()) == {"judge_bad_reply"}
    assert "3 replies" in found.detail["error"]
    assert engine.report().models["fake-2026-01-01"].bad_replies == 3


def test_a_lost_case_is_unscored_and_the_others_are_judged() -> None:
    lost = failing_with(lambda: BackendError("cut off", "judge_truncated", usage=Usage(1, 5, 5)))
    found = judged(scripted([lost, honest]), request(RIGHT), request(RIGHT))
    assert [judgment.scores["correctness"] for judgment in found] == [None, 1.0]
    assert found[0].reasons["correctness"] == "judge_truncated"


@pytest.mark.parametrize("reason", get_args(Failure))
def test_no_failure_becomes_a_score_or_a_pass(reason: Failure) -> None:
    engine = engine_of(FakeBackend(failing_with(lambda: BackendError("it failed", reason))))
    found = list(engine.judge_many([request(RIGHT), request(WRONG)]))
    for judgment in found:
        measured = {
            metric: judgment.scores[metric] for metric in ("faithfulness", "relevance", "correctness")
        }
        assert measured == dict.fromkeys(measured)
        assert judgment.reasons == dict.fromkeys(measured, reason)
        assert "it failed" in judgment.detail["error"]
    assert engine.report().problems


def test_after_a_fatal_error_verdicts_in_the_cache_still_count(tmp_path: Path) -> None:
    run_with_cache(tmp_path, [RIGHT, WRONG])
    fatal = failing_with(lambda: BackendError("no key", "judge_no_key", fatal=True))
    judge = judge_of(FakeBackend(fatal), cache=tmp_path / "cache")
    engine = LlmEngine(Rounds(judge), {}, with_canary=False)
    found = list(engine.judge_many(map(request, ["New.", RIGHT, "Newer.", WRONG])))
    assert [judgment.scores["correctness"] for judgment in found] == [None, 1.0, None, 0.0]
    assert "no key" in engine.report().problems[0]
    assert engine.report().models["fake-2026-01-01"].calls == 0


def test_after_a_fatal_error_no_more_is_asked_and_the_report_says_so() -> None:
    fatal = failing_with(lambda: BackendError("401: wrong key", "judge_refused", fatal=True))
    backend = FakeBackend(scripted([honest, fatal]))
    engine = LlmEngine(Rounds(judge_of(backend)), {}, look_ahead=1, with_canary=False)
    found = list(engine.judge_many([request(RIGHT)] * 10))
    assert len(backend.prompts) == 2
    assert [judgment.scores["correctness"] for judgment in found] == [1.0, *[None] * 9]
    assert {judgment.reasons["correctness"] for judgment in found[1:]} == {"judge_refused"}
    assert "401: wrong key" in engine.report().problems[0]


def test_a_second_run_asks_nothing_and_an_edited_answer_asks_once(tmp_path: Path) -> None:
    answers = [f"Refunds take {number} days." for number in range(20)]
    first = run_with_cache(tmp_path, answers)
    assert len(first.prompts) == 21  # the canary too
    assert run_with_cache(tmp_path, answers).prompts == []
    assert len(run_with_cache(tmp_path, ["Edited.", *answers[1:]]).prompts) == 1


def test_a_changed_prompt_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_with_cache(tmp_path, [RIGHT])

    def edited(*which: Any) -> PromptFile:
        return replace(prompt_file(*which), closing="Judge, please.")

    monkeypatch.setattr(prompting, "prompt_file", edited)
    assert len(run_with_cache(tmp_path, [RIGHT]).prompts) == 2
    assert run_with_cache(tmp_path, [RIGHT]).prompts == []


def run_with_cache(folder: Path, answers: list[str]) -> FakeBackend:
    backend = FakeBackend()
    engine = LlmEngine(Rounds(judge_of(backend, cache=folder / "cache")), {})
    assert len(list(engine.judge_many(request(answer) for answer in answers))) == len(answers)
    return backend


def test_asking_again_for_a_bad_reply_stays_within_the_limit() -> None:
    (question,), _ = prompting.questions_of(material_of(request(RIGHT)), PARTS, "single", "v1", None)
    worst = ENTRY.cost(Usage(1, question.most_tokens, ENTRY.max_output))
    assert worst is not None
    for budget, asked in ((Budget(max_calls=2), 2), (Budget(max_cost_usd=worst), 1)):
        backend = FakeBackend(bad)
        engine = LlmEngine(Rounds(judge_of(backend, budget)), {}, with_canary=False)
        (found,) = engine.judge_many([request(RIGHT)])
        assert found.reasons["correctness"] == "judge_over_budget"
        assert len(backend.prompts) == asked


def test_a_bad_reply_is_never_kept(tmp_path: Path) -> None:
    engine = LlmEngine(Rounds(judge_of(FakeBackend(bad), cache=tmp_path / "cache")), {}, with_canary=False)
    list(engine.judge_many([request(RIGHT)]))
    assert len(run_with_cache(tmp_path, [RIGHT]).prompts) == 2


def test_calls_and_costs_are_reported_and_so_is_what_the_cache_saved(tmp_path: Path) -> None:
    for calls, cached in ((2, 0), (0, 2)):
        engine = LlmEngine(Rounds(judge_of(FakeBackend(), cache=tmp_path / "cache")), {}, with_canary=False)
        list(engine.judge_many([request(RIGHT), request(WRONG)]))
        used = engine.report().models["fake-2026-01-01"]
        assert (used.calls, used.cached) == (calls, cached)
        assert used.cost_usd == pytest.approx(calls * 0.0002)
        assert used.saved_usd == pytest.approx(cached * 0.0002)
        assert used.served == {"fake-2026-01-01": 2}


@pytest.mark.parametrize(("budget", "asked"), [(Budget(max_calls=3), 3), (Budget(max_cost_usd=0.0), 0)])
def test_a_limit_is_never_passed_and_what_is_left_is_unscored(budget: Budget, asked: int) -> None:
    backend = FakeBackend(delays=[0.001])
    engine = LlmEngine(Rounds(judge_of(backend, budget)), {}, with_canary=False)
    found = list(engine.judge_many(request(f"{RIGHT} {number}") for number in range(10)))
    assert len(backend.prompts) == asked
    assert sum(judgment.scores["correctness"] is None for judgment in found) == 10 - asked
    assert "could not be judged within" in engine.report().problems[0]


def test_the_limit_of_costs_is_used_up_though_many_requests_are_in_flight() -> None:
    """Each prompt may cost 0.05 USD and costs 0.0002; reserving must not stop the run too early."""
    backend = FakeBackend(delays=[0.001])
    budget = Budget(max_cost_usd=0.1)
    engine = LlmEngine(Rounds(judge_of(backend, budget)), {}, with_canary=False)
    found = list(engine.judge_many(request(f"{RIGHT} {number}") for number in range(100)))
    assert None not in [judgment.scores["correctness"] for judgment in found]
    assert backend.peak <= 2
    assert budget.spent.cost_usd == pytest.approx(100 * 0.0002)


def cascade(cheap: FakeBackend, strong: FakeBackend) -> LlmEngine:
    return LlmEngine(Rounds(judge_of(strong), judge_of(cheap)), {}, with_canary=False)


def test_what_the_cheap_model_passes_is_not_asked_again() -> None:
    cheap, strong = FakeBackend(model="cheap-2026-01-01"), FakeBackend(model="strong-2026-01-01")
    engine = cascade(cheap, strong)
    passed, failed = engine.judge_many([request(RIGHT), request(WRONG)])
    assert (len(cheap.prompts), len(strong.prompts)) == (2, 1)
    assert engine.report().second_look == 1
    assert failed.detail["judged_by"] == "strong-2026-01-01"
    assert failed.detail["first_look"]["judged_by"] == "cheap-2026-01-01"
    assert failed.detail["first_look"]["scores"]["correctness"] == 0.0
    assert passed.detail["judged_by"] == "cheap-2026-01-01"
    assert "first_look" not in passed.detail


def test_the_strong_model_decides_where_the_two_disagree() -> None:
    def strict(data: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
        return {**honest(data, prompt), "correctness": "incorrect"}

    engine = cascade(FakeBackend(strict, "cheap-2026-01-01"), FakeBackend(honest, "strong-2026-01-01"))
    (found,) = engine.judge_many([request(RIGHT)])
    assert found.scores["correctness"] == 1.0
    assert found.detail["first_look"]["scores"]["correctness"] == 0.0


def says(*verdicts: str) -> FakeBackend:
    def one(verdict: str) -> Answering:
        return lambda data, prompt: {**honest(data, prompt), "correctness": verdict}

    return FakeBackend(scripted([one(verdict) for verdict in verdicts]))


@pytest.mark.parametrize(
    ("verdicts", "score", "confirmed", "overturned"),
    [
        (("correct",), 1.0, 0, 0),
        (("incorrect", "correct", "correct"), 1.0, 0, 1),
        (("incorrect", "incorrect", "correct"), 0.0, 1, 0),
        (("partial", "correct", "incorrect"), 0.5, 1, 0),
    ],
)
def test_a_failing_case_is_decided_by_two_of_three(
    verdicts: tuple[str, ...], score: float, confirmed: int, overturned: int
) -> None:
    backend = says(*verdicts)
    engine = engine_of(backend, confirm=True)
    (found,) = engine.judge_many([request(RIGHT)])
    assert found.scores["correctness"] == score
    assert len(backend.prompts) == len(verdicts)
    assert (engine.report().confirmed, engine.report().overturned) == (confirmed, overturned)


def unfaithful(data: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
    claims = [{"text": RIGHT, "evidence": None, "document": None, "supported": False}]
    return {**honest(data, prompt), "claims": claims}


def wrong(data: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
    return {**honest(data, prompt), "correctness": "incorrect"}


LOST = failing_with(lambda: BackendError("cut off", "judge_truncated"))


@pytest.mark.parametrize(
    ("verdicts", "counts", "failing"),
    [
        ((unfaithful, wrong, honest), (1, 0, 0), {"faithfulness": 0.0, "correctness": 1.0}),
        ((wrong, honest, unfaithful), (1, 0, 0), {"faithfulness": 1.0, "correctness": 0.0}),
        ((wrong, honest, honest), (0, 1, 0), {}),
        ((wrong, LOST, wrong), (1, 0, 0), {"correctness": 0.0}),
        ((wrong, honest, LOST), (0, 0, 1), {"correctness": 0.0}),
        ((unfaithful, LOST, LOST), (0, 0, 1), {"faithfulness": 0.0}),
    ],
)
def test_failing_verdicts_are_counted_whatever_they_fail_and_without_enough_the_first_stays(
    verdicts: tuple[Answering, ...], counts: tuple[int, int, int], failing: dict[str, float]
) -> None:
    engine = engine_of(FakeBackend(scripted(verdicts)), confirm=True)
    (found,) = engine.judge_many([request(RIGHT)])
    report = engine.report()
    assert (report.confirmed, report.overturned, report.unresolved) == counts
    assert {**found.scores, **failing} == found.scores
    assert failing or found.scores["correctness"] == found.scores["faithfulness"] == 1.0
    assert len(found.detail["repeats"]) == 3
    assert report.problems == []


def test_repeats_are_all_kept_and_their_spread_is_reported() -> None:
    engine = engine_of(says("correct", "incorrect", "correct"), repeats=3)
    (found,) = engine.judge_many([request(RIGHT)])
    assert found.scores["correctness"] == 1.0
    assert [each["correctness"] for each in found.detail["repeats"]] == [1.0, 0.0, 1.0]
    assert engine.report().spread == {"faithfulness": 0.0, "relevance": 0.0, "correctness": 1.0}
    assert len(found.detail["raw"]) == 3


def test_a_judge_that_passes_the_canary_is_not_to_be_trusted() -> None:
    engine = engine_of(FakeBackend(passing), with_canary=True)
    list(engine.judge_many([request(RIGHT)]))
    assert engine.report().canary == "passed"
    assert "judge_compromised" in engine.report().problems[0]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_honest_judge_catches_the_canary_which_looks_like_any_case(language: str) -> None:
    backend = FakeBackend(honest)
    engine = engine_of(backend, with_canary=True)
    list(engine.judge_many([request(RIGHT, language=language), request(WRONG, language=language)]))
    assert engine.report().canary == "caught"
    assert engine.report().problems == []
    assert len({(prompt.system, prompt.schema_name) for prompt in backend.prompts}) == 1


def test_a_run_in_which_no_model_is_asked_has_no_canary() -> None:
    backend = FakeBackend(passing)
    engine = engine_of(backend, with_canary=True)
    list(engine.judge_many([request(""), request(" ")]))
    assert backend.prompts == []
    assert engine.report().canary is None
    assert engine.report().by_rule == 2


def test_documents_that_do_not_fit_are_left_out_from_the_last_rank_with_a_note() -> None:
    backend = FakeBackend()
    entry = ENTRY.model_copy(update={"context_window": 6000, "max_output": 2000})
    engine = LlmEngine(Rounds(judge_of(backend, entry=entry)), {}, with_canary=False)
    texts = (f"{RIGHT}", "b" * 6000, "c" * 6000)
    (found,) = engine.judge_many([request(RIGHT, contexts=texts)])
    assert found.detail["documents_cut"] == [3]
    assert found.scores["faithfulness"] == 1.0


def test_a_case_that_does_not_fit_at_all_is_unscored_unasked() -> None:
    backend = FakeBackend()
    entry = ENTRY.model_copy(update={"context_window": 6000, "max_output": 2000})
    engine = LlmEngine(Rounds(judge_of(backend, entry=entry)), {}, with_canary=False)
    (found,) = engine.judge_many([request("x" * 90_000)])
    assert backend.prompts == []
    assert found.reasons["faithfulness"] == "prompt_too_long"


@pytest.mark.parametrize("mode", ["single", "split"])
def test_documents_that_never_fit_cost_faithfulness_alone(mode: str) -> None:
    backend = FakeBackend()
    entry = ENTRY.model_copy(update={"context_window": 6000, "max_output": 2000})
    engine = LlmEngine(Rounds(judge_of(backend, entry=entry), mode=mode), {}, with_canary=False)  # type: ignore[arg-type]
    (found,) = engine.judge_many([request(RIGHT, contexts=("x" * 90_000,))])
    assert len(backend.prompts) == (1 if mode == "single" else 2)
    assert found.reasons == {"faithfulness": "prompt_too_long"}
    assert (found.scores["relevance"], found.scores["correctness"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    "answer",
    [
        "It takes 5 days. " * 5_800,
        "返金は五日かかります" * 3_000,
        "はい🎉👨‍👩‍👧\ud83d"[:-1],
        "تستغرق عملية الاسترداد من ٣ إلى ٥ أيام عمل.",
        "返金には５日",
    ],
)
def test_unusual_answers_are_put_to_the_model_as_they_are(answer: str) -> None:
    backend = FakeBackend()
    (found,) = engine_of(backend).judge_many([request(answer)])
    assert len(backend.prompts) == 1
    assert found.scores["correctness"] == 0.0
    assert None not in found.scores.values()


def test_an_answer_beyond_all_measure_is_unscored() -> None:
    (found,) = judged(honest, request("x" * 100_001))
    assert set(found.reasons.values()) == {"answer_too_long"}


def test_the_raw_verdict_is_kept() -> None:
    (found,) = judged(honest, request(RIGHT, expected=(EXPECTED,)))
    assert found.detail["raw"][0]["claims"]
    assert found.detail["judged_by"] == "fake-2026-01-01"
