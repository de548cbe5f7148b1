"""The commands about production, as users start them, on the example bot's own traffic."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, new_process, rag_gate, start

EXAMPLE = ROOT / "examples" / "support-bot"
BASELINE = EXAMPLE / "runs" / "current.jsonl"
MISMATCH = "the embedding model was changed without re-indexing"


@pytest.fixture(scope="module")
def mismatched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record the bot whose questions are asked in another vocabulary than its index has."""
    path = tmp_path_factory.mktemp("runs") / "log.jsonl"
    change = EXAMPLE / "changes" / "index-mismatch.yml"
    ended = start(sys.executable, EXAMPLE / "record.py", "--bot", change, "--output", path)
    assert ended.code == 0, ended.err
    return path


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "monitor.json").read_text(encoding="utf-8"))
    return found


def verdicts(folder: Path) -> dict[str, str]:
    return {row["signal"]: row["verdict"] for row in report(folder)["drifts"]}


def test_the_same_traffic_passes(tmp_path: Path) -> None:
    ended = rag_gate("monitor", BASELINE, "--baseline", BASELINE, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out) == {
        "overall": "pass",
        "summary": "pass: no signal got worse beyond its tolerance (of 4 signals compared)",
    }
    assert report(tmp_path)["causes"] == []


def test_an_index_that_no_longer_fits_regresses_and_is_named_as_the_likely_cause(
    mismatched: Path, tmp_path: Path
) -> None:
    ended = rag_gate("monitor", mismatched, "--baseline", BASELINE, cwd=tmp_path)
    assert ended.code == 1
    assert MISMATCH in ended.err
    assert "empty retrievals" in ended.err
    assert "0.0% -> 54.4%: REGRESSED (+54.4 points, tolerance 5 points, p < 0.001)" in ended.err
    assert {name for name, verdict in verdicts(tmp_path).items() if verdict == "regressed"} == {
        "empty_rate",
        "similarity",
        "citation_rate",
    }
    (cause,) = report(tmp_path)["causes"]
    assert (cause["name"], cause["certain"]) == ("index_mismatch", False)


def test_the_gates_comment_names_it_too(mismatched: Path, tmp_path: Path) -> None:
    config = EXAMPLE / "rag-gate.yml"
    ended = rag_gate("run", "--config", config, "--run", mismatched, "--output", tmp_path, cwd=tmp_path)
    assert ended.code == 1
    causes = json.loads((tmp_path / "verdict.json").read_text(encoding="utf-8"))["likely_causes"]
    assert any(
        "nothing was retrieved for 136 of 250 cases" in cause and MISMATCH in cause for cause in causes
    )
    comment = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert "Likely cause" in comment
    assert MISMATCH in comment


def test_two_embedding_models_in_the_log_are_a_certain_cause(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in BASELINE.read_text(encoding="utf-8").splitlines()]
    models = {"index_embedding_model": "embed-1", "query_embedding_model": "embed-2"}
    log = written(tmp_path / "log.jsonl", [{**row, **models} for row in rows])
    ended = rag_gate("monitor", log, cwd=tmp_path)
    assert ended.code == 0
    assert (
        "the index was made with the embedding model 'embed-1', and questions are embedded with 'embed-2'"
        in ended.err
    )


def test_a_compressed_log_and_the_report_of_an_earlier_one_do_as_well(
    mismatched: Path, tmp_path: Path
) -> None:
    first = rag_gate("monitor", BASELINE, "--output", "good.json", cwd=tmp_path)
    assert first.code == 0
    assert json.loads(first.out)["overall"] == "not_compared"
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(mismatched.read_bytes()))
    ended = rag_gate("monitor", packed, "--baseline", "good.json", cwd=tmp_path)
    assert ended.code == 1
    assert MISMATCH in ended.err


def test_a_promoted_baseline_with_its_kept_run_does_as_well(mismatched: Path, tmp_path: Path) -> None:
    config = tmp_path / "rag-gate.yml"
    config.write_text(
        f"dataset: {EXAMPLE / 'golden.jsonl'}\nrun: {BASELINE}\noutput: out\nbaseline: baseline.json\n"
        "retrieval: {unit: document}\n",
        encoding="utf-8",
    )
    assert rag_gate("run", "--config", config, cwd=tmp_path).code in (0, 3)
    promoted = rag_gate(
        "promote", "out/results.json", "--config", config, "--reason", "first", "--yes", cwd=tmp_path
    )
    assert promoted.code == 0, promoted.err
    ended = rag_gate("monitor", mismatched, "--baseline", "baseline.json", cwd=tmp_path)
    assert ended.code == 1, ended.err
    assert MISMATCH in ended.err


def test_a_baseline_without_answers_is_refused_with_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "flat.json").write_text('{"citation_rate": 0.8}', encoding="utf-8")
    ended = rag_gate("monitor", BASELINE, "--baseline", "flat.json", cwd=tmp_path)
    assert ended.code == 2
    assert "flat.json: holds no answers" in ended.err
    assert "rag-gate monitor --output" in ended.err


def lines(count: int, **row: Any) -> list[dict[str, Any]]:
    return [{"retrieval_count": 1, "has_citation": True, **row} for _ in range(count)]


def test_a_few_bad_lines_are_named_and_too_many_leave_no_verdict(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", lines(199))
    with log.open("a", encoding="utf-8") as handle:
        handle.write("{broken\n")
    ended = rag_gate("monitor", log, cwd=tmp_path)
    assert ended.code == 0
    assert f"{log}:200: is not valid JSON" in ended.err
    assert report(tmp_path)["observed"]["bad_lines"] == 1
    with log.open("a", encoding="utf-8") as handle:
        handle.write("{broken\n" * 2)
    (tmp_path / "monitor.json").unlink()
    ended = rag_gate("monitor", log, cwd=tmp_path)
    assert ended.code == 3
    assert "3 of 202 lines (1.5%) cannot be read, more than the 1.0%" in ended.err
    assert not (tmp_path / "monitor.json").exists()


def test_too_few_requests_leave_no_verdict(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", lines(10))
    ended = rag_gate("monitor", log, "--baseline", BASELINE, cwd=tmp_path)
    assert ended.code == 3
    assert "empty_rate: the log has only 10 values; 30 are needed" in ended.err


def test_no_request_at_all_leaves_no_verdict(tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", [{"request_id": "r", "feedback": "down"}])
    ended = rag_gate("monitor", log, cwd=tmp_path)
    assert ended.code == 3
    assert "the logs hold no request" in ended.err


def test_what_chance_could_do_is_inconclusive_and_fails_only_when_strict(tmp_path: Path) -> None:
    before = written(tmp_path / "before.jsonl", lines(100) + lines(2, retrieval_count=0))
    now = written(tmp_path / "now.jsonl", lines(36) + lines(3, retrieval_count=0))
    arguments = ("monitor", now, "--baseline", before)
    assert rag_gate(*arguments, cwd=tmp_path).code == 0
    assert report(tmp_path)["overall"] == "inconclusive"
    assert rag_gate(*arguments, "--strict", cwd=tmp_path).code == 4


def test_the_settings_say_what_counts_and_how_much_may_change(mismatched: Path, tmp_path: Path) -> None:
    config = tmp_path / "rag-gate.yml"
    config.write_text(
        "monitoring:\n"
        "  citation_markers: {'*': ['no such marker']}\n"
        "  drift: {empty_rate: 1.0, similarity: 1.0, citation_rate: 1.0}\n",
        encoding="utf-8",
    )
    ended = rag_gate("monitor", mismatched, "--baseline", BASELINE, "--config", config, cwd=tmp_path)
    assert ended.code == 0, ended.err


def test_a_report_is_not_written_over_its_log(tmp_path: Path) -> None:
    log = written(tmp_path / "monitor.json", lines(1))
    ended = rag_gate("monitor", log, cwd=tmp_path)
    assert ended.code == 2
    assert "is an input of this command" in ended.err


TRAFFIC: list[dict[str, Any]] = [
    {"request_id": "1", "question": "返品の期限は何日ですか", "retrieved": [], "answer": "分かりません。"},
    {"request_id": "2", "question": "メールは taro.yamada@sakura-shop.jp です。解約したい", "retrieved": [{"id": "d", "score": 0.9}], "answer": "taro.yamada@sakura-shop.jp 様、手順は次のとおりです。 [1]"},
    {"request_id": "2", "feedback": "down", "feedback_category": "wrong"},
    {"request_id": "3", "question": "ポイントの有効期限は?", "retrieved": [], "answer": "1年です [1]"},
    {"request_id": "4", "question": "ポイントの有効期限は？", "retrieved": [], "answer": "1年です [1]"},
    {"request_id": "5", "question": "送料はいくらですか", "retrieved": [{"id": "e", "score": 0.9}], "answer": "500円です [1]"},
    {"request_id": "6", "retrieved": [], "answer": "x"},
]  # fmt: skip


def harvested(folder: Path, rows: list[dict[str, Any]], *options: str) -> tuple[list[dict[str, Any]], str]:
    golden = [
        {"question_id": "g1", "question": "返品の期限は何日ですか?", "answerable": False},
        {"question_id": "g2", "question": "支払い方法", "answerable": False},
    ]
    written(folder / "golden.jsonl", golden)
    log = written(folder / "log.jsonl", rows)
    ended = rag_gate("harvest", log, "--dataset", "golden.jsonl", *options, cwd=folder)
    assert ended.code == 0, ended.err
    text = (folder / "candidates.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()], ended.err


def test_candidates_are_ordered_masked_and_not_yet_in_the_golden_set(tmp_path: Path) -> None:
    found, told = harvested(tmp_path, TRAFFIC)
    assert [row["question"] for row in found] == [
        "メールは [EMAIL] です。解約したい",
        "ポイントの有効期限は?",
    ]
    assert found[0]["candidate"] == {
        "reasons": ["thumbs_down"],
        "asked": 1,
        "feedback_category": "wrong",
        "answer": "[EMAIL] 様、手順は次のとおりです。 [1]",
        "retrieved": ["d"],
    }
    assert (found[1]["candidate"]["reasons"], found[1]["candidate"]["asked"]) == (["nothing_retrieved"], 2)
    assert (found[0]["language"], found[0]["tier"], found[0]["tags"]) == ("ja", "extended", ["harvested"])
    assert "taro" not in (tmp_path / "candidates.jsonl").read_text(encoding="utf-8")
    assert "2 candidates of 3 odd questions; 1 odd request without a usable question" in told


def test_no_more_candidates_than_asked_for(tmp_path: Path) -> None:
    found, _ = harvested(tmp_path, TRAFFIC, "--max", "1")
    assert len(found) == 1


def test_a_candidate_must_be_labelled_before_a_golden_set_takes_it(tmp_path: Path) -> None:
    found, _ = harvested(tmp_path, TRAFFIC)
    run = written(
        tmp_path / "run.jsonl", [{"question_id": row["question_id"], "retrieved": ["d"]} for row in found]
    )
    raw = written(tmp_path / "raw.jsonl", found)
    ended = rag_gate("retrieval", "--dataset", raw, "--run", run, "--tier", "extended", cwd=tmp_path)
    assert ended.code == 2
    assert "raw.jsonl:1" in ended.err
    labelled = [{**row, "relevant_doc_ids": ["d"], "expected_answer": "x"} for row in found]
    ended = rag_gate(
        "retrieval",
        "--dataset",
        written(tmp_path / "labelled.jsonl", labelled),
        "--run",
        run,
        "--tier",
        "extended",
        cwd=tmp_path,
    )
    assert ended.code == 0, ended.err


def test_a_log_without_questions_yields_no_candidates_and_says_what_to_log(tmp_path: Path) -> None:
    written(tmp_path / "golden.jsonl", [{"question_id": "g", "question": "q", "answerable": False}])
    log = written(tmp_path / "log.jsonl", [{"retrieval_count": 0}] * 5)
    ended = new_process("harvest", log, "--dataset", "golden.jsonl", cwd=tmp_path)
    assert ended.code == 2
    assert (
        "5 odd requests, and no line holds its question (of at most 4,000 characters); log the texts"
        in ended.err
    )


def test_a_golden_set_must_be_named(tmp_path: Path) -> None:
    ended = rag_gate("harvest", BASELINE, cwd=tmp_path)
    assert ended.code == 2
    assert "no golden set is named" in ended.err
