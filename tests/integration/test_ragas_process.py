"""ragas in its own process: what it measures comes back, whatever it does is told, and nothing of ours is in it."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from ragas_material import PYTHON, FakeModel, FakeRagas, asked, settings_of

from rag_gate.config_judge import JudgeConfig, RagasConfig
from rag_gate.errors import ConfigError, MissingExtraError
from rag_gate.judge.engine import CaseJudgment
from rag_gate.judge.llm.backend import Failure, Usage
from rag_gate.judge.llm.build import chosen_models
from rag_gate.judge.ragas.build import ragas_judge, ragas_settings
from rag_gate.judge.ragas.settings import RAGAS_METRICS, RagasSettings

PAID = "; scores already paid for are kept, so run again to go on"


def outcome(found: CaseJudgment, metric: str = "faithfulness") -> tuple[float | None, str | None, str]:
    return found.scores[metric], found.reasons.get(metric), found.detail.get("errors", {}).get(metric, "")


def test_all_metrics_are_measured_in_the_order_of_the_cases() -> None:
    engine = FakeRagas(settings=settings_of(RAGAS_METRICS))
    found = engine.all(*(asked(f"回答{n}", f"q{n}") for n in range(20)))
    assert [item.detail["answer"] for item in found] == [f"回答{n}" for n in range(20)]
    assert all(
        item.scores
        == {"faithfulness": 0.5, "answer_relevancy": 0.25, "context_precision": 0.5, "context_recall": 0.5}
        for item in found
    )
    assert engine.usage == Usage(80, 8000, 800)
    assert (engine.model.closed, engine.embedder.closed) == (1, 1)


def test_prompts_and_texts_arrive_as_they_are() -> None:
    engine = FakeRagas()
    engine.all(asked('「5営業日」\n\u2028 \U0001f600 \\ "x"'))
    (prompt,) = engine.model.prompts
    assert "返金は5営業日以内に処理されます。" in prompt.user
    assert repr('「5営業日」\n\u2028 \U0001f600 \\ "x"') in prompt.user
    assert (prompt.schema_name, prompt.schema) == ("Score", {"type": "object"})
    assert len(prompt.key) == 32


def test_what_ragas_prints_does_no_harm() -> None:
    (found,) = FakeRagas().all(asked("prints"))
    assert found.scores == {"faithfulness": 0.5}


@pytest.mark.parametrize(
    ("answer", "reason", "says"),
    [
        ("nan", "judge_bad_reply", "(NaN)"),
        ("two", "judge_bad_reply", "ragas says 2.0"),
        ("raises", "judge_error", "ZeroDivisionError: ragas has a bug"),
    ],
)
def test_what_is_no_score_is_unscored_and_the_other_cases_are_measured(
    answer: str, reason: str, says: str
) -> None:
    bad, good = FakeRagas().all(asked(answer), asked())
    assert outcome(bad)[:2] == (None, reason)
    assert says in outcome(bad)[2]
    assert outcome(good) == (0.5, None, "")


@pytest.mark.parametrize(("answer", "score"), [("near one", 1.0), ("far", 0.0)])
def test_scores_lie_between_0_and_1(answer: str, score: float) -> None:
    assert outcome(FakeRagas().all(asked(answer))[0]) == (score, None, "")


@pytest.mark.parametrize(
    "reason",
    ["judge_refused", "judge_unreachable", "judge_rate_limited", "judge_truncated", "judge_deadline"],
)
def test_a_failure_of_the_model_is_told_apart(reason: Failure) -> None:
    engine = FakeRagas(FakeModel(reason))
    found = engine.all(asked(), asked("b"))
    assert [outcome(item) for item in found] == [(None, reason, "the service answers 401")] * 2
    assert len(engine.model.prompts) == engine.usage.requests == 2


def test_a_model_that_refuses_everything_is_asked_once() -> None:
    engine = FakeRagas(FakeModel("judge_refused", fatal=True), settings=settings_of(RAGAS_METRICS))
    found = engine.all(*(asked(f"回答{n}") for n in range(40)))
    assert {outcome(item)[:2] for item in found} == {(None, "judge_refused")}
    assert all(item.scores["answer_relevancy"] == 0.25 for item in found)
    assert len(engine.model.prompts) == engine.usage.requests - len(engine.embedder.prompts) == 1


@pytest.mark.parametrize(
    ("model", "answers", "problems"),
    [
        (FakeModel(), ("a", "nan", "raises"), []),
        (FakeModel("judge_rate_limited"), ("a", "b"), ["ragas could not measure faithfulness in any case (the service answers 401)"]),
        (
            FakeModel("judge_refused", fatal=True),
            ("a", "b"),
            ["ragas gave up (the service answers 401)" + PAID],
        ),
        (
            FakeModel(),
            ("dies",),
            ["ragas gave up (the process of ragas ended with 7: MemoryError: gone)" + PAID],
        ),
    ],
)  # fmt: skip
def test_a_run_that_is_incomplete_says_so(
    model: FakeModel, answers: tuple[str, ...], problems: list[str]
) -> None:
    engine = FakeRagas(model)
    engine.all(*(asked(answer) for answer in answers), asked("分かりません。"))
    assert engine.problems == problems
    assert engine.asked == len(answers)


def one_at_a_time() -> RagasSettings:
    settings = settings_of()
    object.__setattr__(settings.judge, "concurrency", 1)
    return settings


def test_what_was_measured_before_ragas_died_stays() -> None:
    found = FakeRagas(settings=one_at_a_time()).all(
        asked(), asked("b"), asked("c"), asked("dies"), *(asked(f"回答{n}") for n in range(20))
    )
    assert [outcome(item)[0] for item in found[:2]] == [0.5, 0.5]
    for item in found[3:]:
        score, reason, says = outcome(item)
        assert (score, reason) == (None, "judge_error")
        assert says == "the process of ragas ended with 7: MemoryError: gone"


def test_a_line_that_ragas_may_not_write_ends_it() -> None:
    (found,) = FakeRagas().all(asked("babbles"))
    assert outcome(found) == (None, "judge_error", "the process of ragas wrote what it may not")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_ragas_that_hangs_is_ended_with_its_children_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag_gate.judge.ragas.session._GRACE_S", 0.5)
    engine = FakeRagas(settings=settings_of(start_s=5, deadline_s=0.5))
    begun = time.monotonic()
    found = engine.all(asked("blocks"), asked())
    assert time.monotonic() - begun < 20
    assert outcome(found[0]) == (None, "judge_deadline", "ragas did not end within 6 s")
    child = int(next(prompt for prompt in engine.model.prompts if prompt.schema_name == "Pid").user)
    until = time.monotonic() + 5
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(child)


def test_ragas_that_does_not_start_is_not_waited_for() -> None:
    engine = FakeRagas(settings=settings_of(start_s=0.5))
    engine.command = [sys.executable, "-c", "import time; time.sleep(600)"]
    (found,) = engine.all(asked())
    assert outcome(found) == (None, "judge_error", "ragas did not start within 0.5 s")


def test_the_process_has_no_key_no_telemetry_and_an_empty_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:secret@proxy")
    monkeypatch.setenv("GITHUB_TOKEN", "ghs-secret")
    engine = FakeRagas()
    engine.all(asked("environ"))
    said = next(prompt.user for prompt in engine.model.prompts if prompt.schema_name == "Environ")
    found = json.loads(said)
    assert "secret" not in said
    assert found["RAGAS_DO_NOT_TRACK"] == "true"
    assert found["cwd"] == found["HOME"] == found["TMPDIR"]
    assert not Path(found["HOME"]).exists()


def test_the_environment_is_a_list_of_what_is_passed_on() -> None:
    from rag_gate.judge.ragas.isolation import environment_of

    given = {"PATH": "/bin", "OPENAI_API_KEY": "sk", "HOME": "/root", "LANG": "C", "ANYTHING": "else"}
    found = environment_of(given, Path("/empty"))
    assert found["PATH"] == "/bin"
    assert found["RAGAS_DO_NOT_TRACK"] == "true"
    assert {found[name] for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HOME")} == {"/empty"}
    assert "sk" not in found.values()
    assert "else" not in found.values()


def test_nothing_is_left_in_the_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    FakeRagas().all(asked("prints"))
    assert list(tmp_path.iterdir()) == []


def test_the_process_ends_when_its_parent_is_gone() -> None:
    engine = FakeRagas()
    job: dict[str, Any] = {"metrics": ["faithfulness"], "japanese_prompts": None, "parallel": 1}
    row = {"sample": {"response": "b", "user_input": "q"}, "japanese": False, "metrics": ["faithfulness"]}
    with subprocess.Popen(engine.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps({**job, "rows": [row]}) + "\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline()) == {"type": "ready", "version": "0.4.3"}
        assert json.loads(worker.stdout.readline())["type"] == "ask"
        worker.stdin.close()
        assert worker.wait(timeout=20) == 1


def config_of(**ragas: Any) -> JudgeConfig:
    given = {"metrics": ("faithfulness",), **ragas}
    return JudgeConfig(engine="ragas", model="gpt-4o-2024-11-20", ragas=RagasConfig(**given))


def test_without_ragas_one_line_says_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match=r'pip install "rag-gate\[ragas\]"'):
        ragas_judge(config_of(), {"OPENAI_API_KEY": "sk"})


def test_another_interpreter_without_ragas_is_noticed_too() -> None:
    engine = ragas_judge(config_of(python=PYTHON), {"OPENAI_API_KEY": "sk"})
    with pytest.raises(MissingExtraError, match=r'pip install "rag-gate\[ragas\]"'):
        list(engine.judge_many([asked()]))


def test_another_version_of_ragas_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"ragas 0\.3\.9 is installed, 0\.4\.3 is needed"):
        FakeRagas(version="0.3.9").all(asked())


def test_a_missing_key_is_noticed_before_anything_starts() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        ragas_judge(config_of(python=PYTHON), {})


def test_embeddings_are_asked_of_the_judge_s_service_with_its_key() -> None:
    config = config_of(embedding_model="e").model_copy(
        update={"base_url": "https://models.example/v1", "api_key_env": "JUDGE_KEY"}
    )
    found = ragas_settings(config, chosen_models(config)[0]).embeddings
    assert found is not None
    assert (found.model, found.base_url, found.api_key_env) == ("e", "https://models.example/v1", "JUDGE_KEY")


def test_the_key_of_another_wire_format_is_not_sent_with_embeddings() -> None:
    config = config_of(embedding_model="e").model_copy(
        update={"model": "claude-sonnet-5", "api_key_env": "CLAUDE_KEY", "base_url": "https://claude.example"}
    )
    found = ragas_settings(config, chosen_models(config)[0]).embeddings
    assert found is not None
    assert (found.provider, found.base_url, found.api_key_env) == ("openai", None, None)


def test_what_ragas_cost_is_told() -> None:
    engine = ragas_judge(config_of(python=PYTHON), {"OPENAI_API_KEY": "sk"})
    engine.usage = Usage(10, 1_000_000, 100_000)
    (used,) = engine.report().models.values()
    assert (used.prompt, used.requests, used.cost_usd) == ("ragas 0.4.3", 10, 3.5)


def test_where_nothing_is_to_be_asked_nothing_starts() -> None:
    engine = FakeRagas()
    engine.command = ["/nonexistent"]
    (found,) = engine.all(asked("分かりません。"))
    assert outcome(found) == (None, "refusal", "")


def test_rows_in_japanese_use_the_prompts_adapted_to_it(tmp_path: Path) -> None:
    engine = FakeRagas(settings=settings_of(japanese_prompts=tmp_path))
    engine.all(
        asked(),
        asked("Five days.", question="How long does a refund take?"),
        asked("Five days.", question="How long?", language="ja"),
    )
    folders = [prompt.user.split("|")[1] for prompt in engine.model.prompts]
    assert sorted(folders) == sorted([str(tmp_path), "None", str(tmp_path)])
