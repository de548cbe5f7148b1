"""The example bot through the gate: planted changes, bytes, files, network."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_runner import ROOT, Ended, new_process, rag_gate, start

EXAMPLE = ROOT / "examples" / "support-bot"
CONFIG = ["--config", str(EXAMPLE / "rag-gate.yml")]
Document = dict[str, Any]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record the unchanged bot and the three planted changes over the core cases."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("unchanged", "retriever-break", "generator-break", "rewording"):
        bot = EXAMPLE / "bot.yml" if name == "unchanged" else EXAMPLE / "changes" / f"{name}.yml"
        output = folder / f"{name}.jsonl"
        ended = start(
            sys.executable, EXAMPLE / "record.py", "--bot", bot, "--tier", "core", "--output", output
        )
        assert ended.code == 0, ended.err
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """Run all stages as the settings say; tests only look at what was written."""
    folder = tmp_path_factory.mktemp("whole")
    return new_process("run", *CONFIG, "--output", folder), folder


def gate(run: Path, output: Path) -> tuple[int, Document]:
    ended = rag_gate("run", "--config", EXAMPLE / "rag-gate.yml", "--run", run, "--output", output)
    return ended.code, json.loads((output / "verdict.json").read_text(encoding="utf-8"))


def lines(path: Path) -> list[Document]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def cases(output: Path) -> dict[str, Document]:
    rows = json.loads((output / "results.json").read_text(encoding="utf-8"))["cases"]
    return {row["question_id"]: row for row in rows}


@pytest.mark.parametrize("name", ["unchanged", "rewording"])
def test_a_harmless_change_passes(runs: Path, tmp_path: Path, name: str) -> None:
    code, verdict = gate(runs / f"{name}.jsonl", tmp_path)
    assert (code, verdict["overall"], verdict["stage"]) == (0, "pass", None)
    assert verdict["cases"]["newly_failing"] == []
    assert verdict["worsened"] == {}


def test_wrong_chunking_is_a_retrieval_regression_and_names_the_torn_cases(
    runs: Path, tmp_path: Path
) -> None:
    code, verdict = gate(runs / "retriever-break.jsonl", tmp_path)
    assert (code, verdict["overall"], verdict["stage"]) == (1, "regressed", "retrieval")
    assert verdict["regressions"][0]["metric"] == "evidence@5"
    assert verdict["conditions"]["chunking_id"] == ["paragraphs-150-0", "characters-150-0"]
    golden = {row["question_id"]: row for row in lines(EXAMPLE / "golden.jsonl")}
    torn = set()
    for row in lines(runs / "retriever-break.jsonl"):
        chunks = ["".join(result["text"].split()) for result in row["retrieved"][:5]]
        passages = ["".join(item["text"].split()) for item in golden[row["question_id"]].get("evidence", [])]
        if not all(any(passage in chunk for chunk in chunks) for passage in passages):
            torn.add(row["question_id"])
    named = {row["question_id"] for row in verdict["cases"]["newly_failing"] if "retrieval" in row["now"]}
    assert named
    assert named <= torn
    worse = {row["question_id"] for row in verdict["worsened"]["evidence@5"]}
    assert worse <= torn
    assert len(worse) >= 15


def test_dropped_numbers_and_conditions_are_an_answer_regression(runs: Path, tmp_path: Path) -> None:
    code, verdict = gate(runs / "generator-break.jsonl", tmp_path)
    assert (code, verdict["overall"], verdict["failing_dimensions"]) == (1, "regressed", ["answer"])
    assert [row["metric"] for row in verdict["regressions"]] == ["correctness"]
    assert verdict["metrics"]["recall@5"]["delta"] == 0
    found = cases(tmp_path)
    for row in verdict["cases"]["newly_failing"]:
        assert row["now"] == "generation_failure"
        assert found[row["question_id"]]["retrieval_ok"] is True
        assert found[row["question_id"]]["answer_ok"] is False


def test_the_settings_file_alone_writes_all_files(whole: tuple[Ended, Path]) -> None:
    ended, folder = whole
    assert ended.code == 0, ended.err
    stages = {"retrieval.json", "judge.json", "safety.json"}
    names = stages | {"results.json", "verdict.json", "comment.md", "report.html"}
    assert {path.name for path in folder.iterdir()} == names
    assert json.loads(ended.out)["passed"] is True


def test_each_stage_alone_gives_the_same_bytes(whole: tuple[Ended, Path], tmp_path: Path) -> None:
    """Each is a process of its own, with another seed of ``hash()``."""
    alone = tmp_path / "alone"
    for stage in ("retrieval", "judge", "safety"):
        assert new_process(stage, *CONFIG, "--output", alone / f"{stage}.json").code == 0
    parts = [alone / f"{stage}.json" for stage in ("safety", "retrieval", "judge")]
    assert new_process("merge", *parts, *CONFIG, "--output", alone / "results.json").code == 0
    assert new_process("check", alone / "results.json", *CONFIG).code == 0
    files = [alone / "results.json", alone / "verdict.json"]
    assert new_process("report", *files, *CONFIG, "--output", alone / "comment.md").code == 0
    page: list[str | Path] = ["--format", "html", "--output", alone / "report.html"]
    assert new_process("report", *files, *CONFIG, *page).code == 0
    for path in sorted(whole[1].iterdir()):
        assert (alone / path.name).read_bytes() == path.read_bytes(), path.name


def test_sharded_evaluation_merges_to_the_same_bytes(whole: tuple[Ended, Path], tmp_path: Path) -> None:
    parts = []
    for stage in ("retrieval", "judge", "safety"):
        for index in (1, 2, 3):
            part = tmp_path / f"{stage}-{index}.json"
            assert rag_gate(stage, *CONFIG, "--shard", f"{index}/3", "--output", part).code == 0
            parts.append(part)
    assert rag_gate("merge", *parts, *CONFIG, "--output", tmp_path / "results.json").code == 0
    assert (tmp_path / "results.json").read_bytes() == (whole[1] / "results.json").read_bytes()
    missing = rag_gate("merge", *parts[:-1], *CONFIG, "--output", tmp_path / "none.json")
    assert missing.code == 3
    assert "shard 3/3 of stage 'safety' is missing" in missing.err


NO_NETWORK = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError(f"network use: {args}")
socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refuse
socket.socket.connect = refuse
sys.argv[0] = "rag-gate"
from rag_gate.cli import main
main()
"""
HEAVY = """
import sys
sys.argv[0] = "rag-gate"
from rag_gate.cli import main
try:
    main()
except SystemExit:
    pass
heavy = {"datasets", "pandas", "numpy", "pyarrow", "ragas", "httpx", "jinja2"} & set(sys.modules)
print("HEAVY", sorted(heavy))
"""


def embedded(script: str, *args: str | Path) -> tuple[int, str, str]:
    return start(sys.executable, "-c", script, *args, env={"PYTHONPATH": str(ROOT / "eval")})


def test_a_whole_run_never_looks_up_a_host(tmp_path: Path) -> None:
    code, _, err = embedded(NO_NETWORK, "run", "--config", EXAMPLE / "rag-gate.yml", "--output", tmp_path)
    assert code == 0, err


@pytest.mark.parametrize("command", ["--help", "check"])
def test_help_and_check_import_nothing_heavy(whole: tuple[Ended, Path], tmp_path: Path, command: str) -> None:
    args: list[str | Path] = [command]
    if command == "check":
        args += [whole[1] / "results.json", *CONFIG, "--output", tmp_path / "verdict.json"]
    code, out, err = embedded(HEAVY, *args)
    assert code == 0, err
    assert "HEAVY []" in out


def test_the_demo_shows_every_verdict() -> None:
    ended = start(sys.executable, EXAMPLE / "demo.py")
    assert ended.code == 0, ended.err
    for line in ("regressed in retrieval", "regressed in answer", "## rag-gate: BLOCKED"):
        assert line in ended.out
    assert ended.out.count("verdict: pass") == 2
