"""A recording that is stopped loses no answer, asks nothing twice, and joins nothing that does not belong together."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from cli_runner import ROOT, rag_gate
from record_material import golden, program, rows, settings

CASES = {f"q{number:02}": f"question {number}" for number in range(40)}


def calls(folder: Path) -> Counter[str]:
    path = folder / "calls.log"
    return Counter(path.read_text(encoding="utf-8").split() if path.exists() else [])


def started(folder: Path, config: Path, bot_s: float = 0.05) -> "subprocess.Popen[str]":
    bot = {"BOT_LOG": str(folder / "calls.log"), "BOT_S": str(bot_s)}
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "eval"), **bot}
    return subprocess.Popen(
        [sys.executable, "-m", "rag_gate", "record", "--config", str(config)],
        env=environ,
        stderr=subprocess.PIPE,
        text=True,
    )


def journalled(folder: Path) -> list[str]:
    path = folder / "run.jsonl.journal"
    lines = path.read_bytes().splitlines()[1:] if path.exists() else []
    return [json.loads(line)["question_id"] for line in lines]


def wait_until_some(folder: Path) -> None:
    limit = time.monotonic() + 30
    while len(journalled(folder)) < 8:
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("how", "workers"),
    [(signal.SIGKILL, 1), (signal.SIGKILL, 4), (signal.SIGINT, 4), (signal.SIGTERM, 1)],
)
def test_a_killed_recording_loses_no_case_and_repeats_none(
    how: signal.Signals, workers: int, tmp_path: Path
) -> None:
    golden(tmp_path, CASES)
    config = settings(tmp_path, f"{program()}\nconcurrency: {workers}")
    process = started(tmp_path, config, bot_s=0.1 * workers)  # three seconds are left when the signal is sent
    wait_until_some(tmp_path)
    process.send_signal(how)
    _, said = process.communicate(timeout=30)
    done = journalled(tmp_path)

    assert 8 <= len(done) < len(CASES)
    assert not (tmp_path / "run.jsonl").exists()
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "the same command continues" in said
    again = rag_gate("record", "--config", config, env={"BOT_LOG": str(tmp_path / "calls.log")})

    assert again.code == 0, again.err
    assert f"{len(done)} cases had been recorded before" in again.err
    assert list(rows(tmp_path / "run.jsonl")) == list(CASES)
    assert all("answer" in row for row in rows(tmp_path / "run.jsonl").values())
    counted = calls(tmp_path)
    assert all(counted[key] == 1 for key in done)
    in_flight = [key for key in CASES if counted[key] > 1]
    assert len(in_flight) <= workers
    assert sum(counted.values()) <= len(CASES) + workers
    assert not (tmp_path / "run.jsonl.journal").exists()


def half_recorded(folder: Path) -> Path:
    """Leave a journal of a recording that was killed in the middle of a line."""
    golden(folder, CASES)
    bot = program(manifest="true")
    config = settings(folder, f"{bot}\nconcurrency: 1\ndeadline_s: 0.8\nlatency: false")
    assert rag_gate("record", "--config", config, env={"BOT_S": "0.05"}).code == 3
    settings(folder, f"{bot}\nconcurrency: 1\nlatency: false")
    assert journalled(folder)
    return config


def test_a_torn_last_line_is_asked_again(tmp_path: Path) -> None:
    config = half_recorded(tmp_path)
    journal = tmp_path / "run.jsonl.journal"
    whole = journal.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    journal.write_bytes(whole[: last + 20])
    before = len(journalled_whole(whole)) - 1
    ended = rag_gate("record", "--config", config)

    assert ended.code == 0, ended.err
    assert f"{before} case" in ended.err
    assert all("answer" in row for row in rows(tmp_path / "run.jsonl").values())


def journalled_whole(data: bytes) -> list[bytes]:
    return data.splitlines()[1:]


@pytest.mark.parametrize(
    ("change", "called"),
    [
        ("question", "golden set"),
        ("target", "target"),
        ("manifest", "manifest of the bot"),
        ("code", "state of the code"),
    ],
)
def test_nothing_is_joined_with_another_recording(change: str, called: str, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "more.txt").write_text("1")
    git(tmp_path, "add", "more.txt")
    git(tmp_path, "commit", "--quiet", "--message", "x")
    config = half_recorded(tmp_path)
    if change == "question":
        golden(tmp_path, {**CASES, "q00": "another question"})
    elif change == "target":
        settings(tmp_path, f"{program(manifest='true')}\nseed: 7\nlatency: false")
    elif change == "code":
        (tmp_path / "more.txt").write_text("2")
    env = {"BOT_MODEL": "toy-2"} if change == "manifest" else None
    ended = rag_gate("record", "--config", config, env=env)

    assert ended.code == 2
    assert f"recorded with another {called}" in ended.err
    assert "--restart" in ended.err
    anew = rag_gate("record", "--config", config, "--restart", env=env)
    assert anew.code == 0, anew.err
    assert "recorded before" not in anew.err


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)  # noqa: S607 - the git of the PATH


def test_limits_and_labels_may_change_while_a_recording_is_continued(tmp_path: Path) -> None:
    config = half_recorded(tmp_path)
    settings(tmp_path, f"{program(manifest='true')}\nconcurrency: 3\ntimeout_s: 30\nlatency: false")
    path = tmp_path / "golden.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"d1"', '"d2"'), encoding="utf-8")
    ended = rag_gate("record", "--config", config)
    assert ended.code == 0, ended.err
    assert "had been recorded before" in ended.err


def test_two_recordings_of_one_run_do_not_mix(tmp_path: Path) -> None:
    golden(tmp_path, CASES)
    config = settings(tmp_path, f"{program()}\nconcurrency: 1")
    process = started(tmp_path, config, bot_s=0.3)
    wait_until_some(tmp_path)
    second = rag_gate("record", "--config", config)
    process.kill()
    process.communicate()

    assert second.code == 2
    assert "another rag-gate records this run" in second.err


def test_errors_are_asked_again_only_on_request(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "well", "q2": "please error"})
    config = settings(tmp_path, f"{program()}\nlatency: false")
    log = {"BOT_LOG": str(tmp_path / "calls.log")}
    first = rag_gate("record", "--config", config, env=log)
    assert first.code == 0
    assert "q2: the bot says: the index is locked" in first.err
    assert "1 of 2 cases answered" in first.err
    rag_gate("record", "--config", config, "--retry-errors", env=log)
    assert calls(tmp_path) == {"q1": 1, "q2": 2}
    rag_gate("record", "--config", config, env=log)  # a new recording
    assert calls(tmp_path) == {"q1": 2, "q2": 3}


def test_there_is_nothing_to_ask_again_after_a_whole_recording(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "well"})
    config = settings(tmp_path, program())
    assert rag_gate("record", "--config", config).code == 0
    ended = rag_gate("record", "--config", config, "--retry-errors")
    assert ended.code == 2
    assert "no journal" in ended.err
