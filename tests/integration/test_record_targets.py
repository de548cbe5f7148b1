"""Whatever kind of bot is asked, the record is the same."""

import json
import sys
from pathlib import Path

import pytest
from cli_runner import rag_gate
from record_material import EXAMPLE, golden, program, rows, served_example, settings

QUESTIONS = {"q2": "返品は？", "q1": "When do I get my refund?"}
PYTHON = f"""
python:
  answer: support_bot.serving:ask
  manifest: support_bot.serving:manifest
  path: {EXAMPLE}
latency: false
"""
HTTP = """
http:
  url: ${BOT_URL}/ask
  manifest_url: ${BOT_URL}/manifest
concurrency: 4
latency: false
"""
COMMAND = f"""
command:
  argv: [{sys.executable}, -m, support_bot.serving]
  manifest: true
concurrency: 2
latency: false
"""


def test_the_example_served_in_three_ways_gives_the_same_bytes(tmp_path: Path) -> None:
    recorded = {}
    facts = {}
    with served_example() as url:
        for name, target in (("python", PYTHON), ("http", HTTP), ("command", COMMAND)):
            folder = tmp_path / name
            folder.mkdir()
            (folder / "golden.jsonl").write_bytes((EXAMPLE / "golden.jsonl").read_bytes())
            config = settings(folder, target)
            env = {"BOT_URL": url, "PYTHONPATH": f"{EXAMPLE.parents[1] / 'eval'}:{EXAMPLE}"}
            ended = rag_gate("record", "--config", config, "--tier", "extended", env=env)
            assert ended.code == 0, ended.err
            assert "250 of 250 cases answered" in ended.err
            recorded[name] = (folder / "run.jsonl").read_bytes()
            facts[name] = json.loads((folder / "run.meta.json").read_bytes())
            assert not (folder / "run.jsonl.journal").exists()
            assert url not in ended.err
            assert url.encode() not in recorded[name]
    assert recorded["python"] == recorded["http"] == recorded["command"]
    assert recorded["python"] == (EXAMPLE / "runs" / "current.jsonl").read_bytes()
    assert len({table.pop("target_config") for table in facts.values()}) == 3
    assert facts["python"] == facts["http"] == facts["command"]


@pytest.mark.parametrize(
    "target",
    [
        "python: {answer: 'bot:answer'}",
        "python: {answer: 'bot:later'}",
        "python: {answer: 'bot:with_contexts'}",
        "python: {retriever: 'bot:retrieve', generator: 'bot:generate'}",
        program("session"),
        program("per_case"),
    ],
)
def test_every_kind_of_bot_is_recorded_in_the_order_of_the_golden_set(target: str, tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    ended = rag_gate("record", "--config", settings(tmp_path, target))

    assert ended.code == 0, ended.err
    found = rows(tmp_path / "run.jsonl")
    assert list(found) == ["q2", "q1"]
    assert found["q2"]["retrieved"] == [{"id": "d1", "text": "about 返品は？", "score": 0.5}]
    assert found["q2"]["answer"].startswith("re: 返品は？")
    assert 0 <= found["q2"]["latency_ms"]["total"] < 60_000
    assert (list(found["q2"]["latency_ms"]) == ["retrieval", "generation", "total"]) == (
        "retriever" in target
    )


@pytest.mark.parametrize(
    "target",
    [
        "python: {answer: 'bot:with_contexts'}",
        "python: {retriever: 'bot:retrieve', generator: 'bot:generate'}",
        program("session"),
    ],
)
def test_an_answer_from_frozen_results_is_made_from_the_recorded_ones(target: str, tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    old = [{"id": "old-1", "text": "t", "score": 2.0}, {"id": "old-2"}]
    frozen = tmp_path / "before.jsonl"
    frozen.write_text(
        json.dumps({"manifest": {"corpus_id": "old corpus", "model": "old model"}})
        + "\n"
        + "".join(
            json.dumps({"question_id": key, "retrieved": old, "answer": "x"}) + "\n" for key in QUESTIONS
        ),
        encoding="utf-8",
    )
    config = settings(tmp_path, f"{target}\nmanifest: {{model: new model, corpus_id: new corpus}}")
    ended = rag_gate("record", "--config", config, "--freeze-retrieval", frozen)

    assert ended.code == 0, ended.err
    found = rows(tmp_path / "run.jsonl")
    assert found["q1"]["retrieved"] == old
    assert found["q1"]["answer"] == "re: When do I get my refund? from old-1,old-2"
    facts = json.loads((tmp_path / "run.meta.json").read_bytes())
    assert (facts["corpus_id"], facts["model"]) == ("old corpus", "new model")
    assert len(facts["frozen_retrieval"]) == 32


def test_a_bot_that_ignores_the_frozen_results_is_an_error(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a", "q2": "b"})
    frozen = tmp_path / "before.jsonl"
    frozen.write_text('{"question_id": "q1", "retrieved": ["old"]}\n', encoding="utf-8")
    (tmp_path / "deaf.py").write_text(
        "def answer(question, contexts=None):\n    return {'retrieved': ['new'], 'answer': 'x'}\n"
    )
    ended = rag_gate(
        "record",
        "--config",
        settings(tmp_path, "python: {answer: 'deaf:answer'}"),
        "--freeze-retrieval",
        frozen,
    )

    assert ended.code == 3
    found = rows(tmp_path / "run.jsonl")
    assert "its own results" in found["q1"]["error"]
    assert "no usable results" in found["q2"]["error"]


def test_a_bot_that_takes_no_results_cannot_be_frozen(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a"})
    (tmp_path / "before.jsonl").write_text('{"question_id": "q1", "retrieved": ["old"]}\n', encoding="utf-8")
    for target in ("python: {answer: 'bot:answer'}", "http: {url: 'http://127.0.0.1:9/'}"):
        config = settings(tmp_path, target)
        ended = rag_gate("record", "--config", config, "--freeze-retrieval", tmp_path / "before.jsonl")
        assert ended.code == 2
        assert "takes no recorded results" in ended.err


def test_results_alone_are_recorded_anew_and_old_answers_are_marked(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    before = tmp_path / "before.jsonl"
    before.write_text(
        '{"question_id": "q1", "retrieved": ["old"], "answer": "old answer", "citations": ["old"]}\n',
        encoding="utf-8",
    )
    (tmp_path / "half.py").write_text(
        "def retrieve(question):\n    return ['new']\n\ndef generate(question, contexts):\n    raise SystemExit('paid')\n"
    )
    target = "python: {retriever: 'half:retrieve', generator: 'half:generate'}\nlatency: false"
    ended = rag_gate("record", "--config", settings(tmp_path, target), "--freeze-answers", before)

    assert ended.code == 0, ended.err
    found = rows(tmp_path / "run.jsonl")
    facts = json.loads((tmp_path / "run.meta.json").read_bytes())
    assert found["q1"] == {
        "question_id": "q1",
        "retrieved": [{"id": "new"}],
        "answer": "old answer",
        "answer_from": facts["frozen_answers"][:12],
        "citations": ["old"],
    }
    assert found["q2"] == {"question_id": "q2", "retrieved": [{"id": "new"}]}
