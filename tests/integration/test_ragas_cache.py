"""Scores of ragas are kept by what each metric reads, of whom it was asked, and how."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from ragas_material import FakeModel, FakeRagas, asked, settings_of

from rag_gate.judge.cache import EntryCache
from rag_gate.judge.ragas.settings import RAGAS_METRICS

ALL = settings_of(RAGAS_METRICS)


def opened(folder: Path) -> EntryCache:
    return EntryCache(folder, "ragas")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    FakeRagas(cache=opened(tmp_path), settings=ALL).all(asked())
    return tmp_path


def test_a_second_run_starts_nothing_and_finds_the_same(folder: Path) -> None:
    cache = opened(folder)
    engine = FakeRagas(cache=cache, settings=ALL)
    engine.command = ["/nonexistent"]
    (found,) = engine.all(asked())
    assert found.scores["answer_relevancy"] == 0.25
    assert (cache.counters.hits, cache.counters.misses, engine.usage.requests) == (4, 0, 0)


def test_a_new_answer_asks_only_what_reads_the_answer(folder: Path) -> None:
    engine = FakeRagas(cache=opened(folder), settings=ALL)
    engine.all(asked("10日です。"))
    assert [prompt.user.split("|")[0] for prompt in engine.model.prompts] == ["faithfulness"]
    assert len(engine.embedder.prompts) == 1


def test_new_documents_ask_only_what_reads_documents(folder: Path) -> None:
    engine = FakeRagas(cache=opened(folder), settings=ALL)
    engine.all(asked(contexts=("別の文書。",)))
    names = sorted(prompt.user.split("|")[0] for prompt in engine.model.prompts)
    assert names == ["context_precision", "context_recall", "faithfulness"]
    assert engine.embedder.prompts == []


def test_another_model_or_other_prompts_are_asked_anew(folder: Path, tmp_path: Path) -> None:
    other = FakeRagas(FakeModel(name="judge-2"), cache=opened(folder), settings=ALL)
    other.all(asked())
    assert len(other.model.prompts) == 3
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "faithfulness_x_japanese.json").write_text("{}")
    adapted = settings_of(RAGAS_METRICS, japanese_prompts=tmp_path / "prompts")
    engine = FakeRagas(cache=opened(folder), settings=adapted)
    engine.all(asked())
    assert len(engine.model.prompts) == 3
    assert engine.settings["prompts"] != FakeRagas(settings=ALL).settings["prompts"]


@pytest.mark.parametrize("answer", ["nan", "two", "raises", "dies"])
def test_no_failure_is_kept(tmp_path: Path, answer: str) -> None:
    for _ in range(2):
        cache = opened(tmp_path)
        FakeRagas(cache=cache).all(asked(answer))
        assert (cache.counters.hits, cache.counters.stored) == (0, 0)


def test_scores_paid_for_are_kept_when_ragas_dies(tmp_path: Path) -> None:
    settings = settings_of()
    object.__setattr__(settings.judge, "concurrency", 1)
    FakeRagas(cache=opened(tmp_path), settings=settings).all(
        asked("a"), asked("b"), asked("c"), asked("dies")
    )
    cache = opened(tmp_path)
    FakeRagas(cache=cache, settings=settings).all(asked("a"), asked("b"))
    assert cache.counters.hits == 2


def test_a_score_out_of_age_is_asked_anew(folder: Path) -> None:
    cache = EntryCache(folder, "ragas", timedelta(days=30), now=lambda: time.time() + 31 * 86_400)
    engine = FakeRagas(cache=cache, settings=ALL)
    engine.all(asked())
    assert (cache.counters.expired, len(engine.model.prompts)) == (4, 3)
