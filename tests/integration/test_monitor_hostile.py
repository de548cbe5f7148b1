"""Logs and reports that nobody means well with: a verdict or a clear refusal, never a crash, and nothing private in what is written."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, rag_gate

PRIVATE = ("sato.hanako", "090-1234-5678", "4111", "ghp_")
KEY = "ghp_x7Kq2mZp9Rt4Wv1Ys8Lb3Nd6Fg5Hj0Qc2Te4"


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def requests(count: int, **more: Any) -> str:
    return lines(*({"request_id": f"r{n}", "answer": "Yes [1]", **more} for n in range(count)))


def harvest(folder: Path, log: str, *options: str, golden: str = "") -> tuple[list[dict[str, Any]], str]:
    (folder / "log.jsonl").write_text(log, encoding="utf-8")
    cases = golden or lines({"question_id": "g1", "question": "支払い方法", "answerable": False})
    (folder / "golden.jsonl").write_text(cases, encoding="utf-8")
    ended = rag_gate("harvest", "log.jsonl", "--dataset", "golden.jsonl", *options, cwd=folder)
    assert ended.code == 0, ended.err
    text = (folder / "candidates.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line], text


def test_private_data_is_masked_wherever_a_log_holds_it(tmp_path: Path) -> None:
    mail = "sato.hanako@sakura-shop.jp"
    log = lines(
        {
            "request_id": "a",
            "question": f"{mail} のカード 4111 1111 1111 1111 は?",
            "answer": f"090-1234-5678 へ。{KEY}",
            "retrieved": [{"id": mail}, {"id": f"note-{KEY}"}],
            "timestamp": mail,
            "feedback": "down",
            "feedback_category": f"{mail} was not amused",
        },
        {
            "request_id": "b",
            "question": "別の質問",
            "answer": "x",
            "contexts": ["佐藤花子さんの住所"],
            "feedback": "down",
        },
    )
    found, text = harvest(tmp_path, log)
    assert len(found) == 2
    assert not [part for part in (*PRIVATE, "佐藤", "住所", "amused") if part in text]
    assert {row["candidate"]["feedback_category"] for row in found} == {"other"}


def test_texts_of_any_size_make_small_candidates(tmp_path: Path) -> None:
    log = lines(
        {"request_id": "a", "question": "Q" * 1_000_000, "answer": "x", "feedback": "down"},
        {"request_id": "b", "question": "Why?", "answer": "A" * 1_000_000, "feedback": "down"},
    )
    found, text = harvest(tmp_path, log)
    assert [row["question"] for row in found] == ["Why?"]
    assert len(text) < 10_000


def test_markup_and_formulas_stay_data_on_one_line(tmp_path: Path) -> None:
    question = '=HYPERLINK("http://evil")\n| <img src=x onerror=alert(1)> ``` \u2028'
    log = lines({"request_id": "a", "question": question, "answer": "x", "feedback": "down"})
    found, text = harvest(tmp_path, log)
    assert found[0]["question"] == question
    assert text.count("\n") == 1


def test_a_complaint_without_an_id_is_not_that_of_others(tmp_path: Path) -> None:
    log = lines(
        {"request_id": "None", "feedback": "down"},
        {"question": "fine", "answer": "x [1]", "retrieved": [{"id": "a"}]},
    )
    assert harvest(tmp_path, log)[0] == []


def test_thousands_of_questions_of_one_template_are_told_apart_in_time(tmp_path: Path) -> None:
    golden = lines(
        *(
            {
                "question_id": f"g{n}",
                "question": f"How do I return product {n * 7919} in shop {n}?",
                "answerable": False,
            }
            for n in range(2000)
        )
    )
    log = lines(
        *(
            {
                "request_id": f"r{n}",
                "question": f"How do I return product {n * 7919} in shop {n}",
                "retrieved": [],
            }
            for n in range(2000)
        ),
        {"request_id": "new", "question": "Is there a museum nearby that opens on Mondays", "retrieved": []},
    )
    found, _ = harvest(tmp_path, log, golden=golden)
    assert [row["question"] for row in found] == ["Is there a museum nearby that opens on Mondays"]


def test_a_log_that_can_be_read_only_once_is_refused_by_harvest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "golden.jsonl").write_text(lines({"question_id": "g", "question": "x", "answerable": False}))
    for log in ("-", "pipe"):
        ended = rag_gate("harvest", log, "--dataset", "golden.jsonl", cwd=tmp_path)
        assert ended.code == 2
        assert f"{log}: logs are read twice" in ended.err


@pytest.mark.parametrize(
    "row",
    [
        b'{"answer": "a", "question": "q", "retrieved": [{"id": "x", "score": ' + b"9" * 400 + b"}]}",
        b'{"answer": "a", "error": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
        b'{"answer": "a", "retrieval_latency_ms": 1e999}',
        b'{"request_id": ' + b"9" * 9_000 + b', "error": "x"}',
        b"\xff\xfe\x00",
        b'{"answer": "\\ud800"}',
    ],
    ids=["number", "depth", "infinity", "id", "bytes", "surrogate"],
)
def test_one_hostile_line_neither_ends_nor_bends_the_rest(row: bytes, tmp_path: Path) -> None:
    usual = requests(200, question="q", retrieved=[{"id": "a", "score": 0.5}]).encode()
    (tmp_path / "log.jsonl").write_bytes(usual + row + b"\n" + usual)
    (tmp_path / "golden.jsonl").write_text(lines({"question_id": "g", "question": "x", "answerable": False}))
    ended = rag_gate("monitor", "log.jsonl", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert json.loads((tmp_path / "monitor.json").read_bytes())["observed"]["cited"] == 400
    ended = rag_gate("harvest", "log.jsonl", "--dataset", "golden.jsonl", cwd=tmp_path)
    assert ended.code == 0, ended.err


@pytest.mark.parametrize(
    ("part", "value"),
    [("top_similarity", [[10**9, 40]]), ("top_similarity", [[5, -1]]), ("cited", 10**6), ("requests", -1)],
)
def test_a_report_with_impossible_numbers_is_no_baseline(part: str, value: object, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(requests(50), encoding="utf-8")
    assert rag_gate("monitor", "log.jsonl", "--output", "before.json", cwd=tmp_path).code == 0
    report = json.loads((tmp_path / "before.json").read_bytes())
    report["observed"][part] = value
    (tmp_path / "before.json").write_text(json.dumps(report), encoding="utf-8")
    ended = rag_gate("monitor", "log.jsonl", "--baseline", "before.json", cwd=tmp_path)
    assert ended.code == 2
    assert "before.json: is not a usable monitor file" in ended.err


def test_a_flat_baseline_and_one_without_scores_give_no_false_alarm(tmp_path: Path) -> None:
    (tmp_path / "flat.jsonl").write_text(
        requests(60, retrieved=[{"id": "a", "score": 0.5}]), encoding="utf-8"
    )
    (tmp_path / "bare.jsonl").write_text(requests(60, retrieved=[{"id": "a"}]), encoding="utf-8")
    ended = rag_gate("monitor", "flat.jsonl", "--baseline", "flat.jsonl", cwd=tmp_path)
    assert ended.code == 0
    ended = rag_gate("monitor", "flat.jsonl", "--baseline", "bare.jsonl", cwd=tmp_path)
    assert ended.code == 0
    assert "best scores (median)" in ended.err
    assert "not compared: the baseline has no value" in ended.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interrupt_leaves_no_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rag_gate", "monitor", "-"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(b"not json\n" + requests(3000).encode())
        running.stdin.flush()
        stop = threading.Timer(3, running.send_signal, (signal.SIGINT,))
        stop.start()
        assert running.wait(60) == 130
        assert b"Traceback" not in running.stderr.read()
    assert list(tmp_path.iterdir()) == []
