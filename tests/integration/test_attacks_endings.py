"""How commands end when the outside fails: no reader, no space, no safe place, hostile arguments.

Exit code 1 says "regression", so nothing else may end with it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT, rag_gate
from material import lines

HAS_FULL_DISK = Path("/dev/full").exists()
GOLD = [{"id": f"q{number}", "relevant": ["a"], "answerable": True} for number in range(5)]
RUN = [{"id": f"q{number}", "retrieved": ["a"], "answer": "a"} for number in range(5)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines(tmp_path / "golden.jsonl", GOLD)
    lines(tmp_path / "run.jsonl", RUN)
    (tmp_path / "rag-gate.yml").write_text(
        "dataset: golden.jsonl\nrun: run.jsonl\nbaseline: baseline.json\n", encoding="utf-8"
    )
    (tmp_path / "results.json").write_text('{"recall@5": 0.8}', encoding="utf-8")
    (tmp_path / "flat.json").write_text('{"recall@5": 0.8}', encoding="utf-8")
    return tmp_path


def ends(folder: Path, *args: str, unread: str) -> int:
    """Start a command whose ``stdout`` or ``stderr`` nobody reads; return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rag_gate", *args],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "eval")},
            check=False,
            timeout=60,
            stdout=writer if unread == "stdout" else subprocess.DEVNULL,
            stderr=writer if unread == "stderr" else subprocess.DEVNULL,
        )
    finally:
        os.close(writer)
    return done.returncode


@pytest.mark.parametrize(
    ("args", "unread", "code"),
    [
        (("check", "results.json", "--baseline", "flat.json"), "stdout", 0),
        (("check", "results.json", "--baseline", "flat.json"), "stderr", 0),
        (("check", "absent.json"), "stderr", 2),
        (("nonsense",), "stderr", 2),
        (("--help",), "stdout", 3),
        (("check", "--help"), "stdout", 3),
    ],
)
def test_without_a_reader_the_exit_code_still_tells(
    folder: Path, args: tuple[str, ...], unread: str, code: int
) -> None:
    assert ends(folder, *args, unread=unread) == code


def test_a_regression_is_still_one_without_a_reader(folder: Path) -> None:
    (folder / "flat.json").write_text('{"recall@5": 0.99}', encoding="utf-8")
    assert ends(folder, "check", "results.json", "--baseline", "flat.json", unread="stdout") == 1


@pytest.mark.skipif(not HAS_FULL_DISK, reason="needs /dev/full")
@pytest.mark.parametrize(
    "args",
    [
        ("retrieval", "--dataset", "golden.jsonl", "--run", "run.jsonl"),
        ("check", "results.json", "--baseline", "flat.json"),
    ],
)
def test_a_full_disk_is_one_line(folder: Path, args: tuple[str, ...]) -> None:
    ended = rag_gate(*args, "--output", "/dev/full", cwd=folder)
    assert ended.code == 2
    assert ended.err.splitlines() == [
        "rag-gate: /dev/full: cannot be written (No space left on device); choose another output path"
    ]


def test_a_name_that_is_too_long_is_one_line(folder: Path) -> None:
    ended = rag_gate(
        "retrieval", "--dataset", "golden.jsonl", "--run", "run.jsonl", "--output", "a" * 300, cwd=folder
    )
    assert ended.code == 2
    assert "cannot be written" in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "target"),
    [
        (("retrieval", "--dataset", "golden.jsonl", "--run", "run.jsonl"), "golden.jsonl"),
        (("judge", "--dataset", "golden.jsonl", "--run", "run.jsonl"), "./run.jsonl"),
        (("safety", "--dataset", "golden.jsonl", "--run", "run.jsonl"), "link.jsonl"),
        (("merge", "results.json", "flat.json"), "flat.json"),
        (("check", "results.json", "--baseline", "flat.json"), "results.json"),
        (("check", "results.json", "--baseline", "flat.json"), "flat.json"),
        (("report", "results.json", "flat.json"), "flat.json"),
    ],
)
def test_no_command_writes_over_what_it_reads(folder: Path, args: tuple[str, ...], target: str) -> None:
    (folder / "link.jsonl").symlink_to("golden.jsonl")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ended = rag_gate(*args, "--output", target, cwd=folder)
    assert ended.code == 2
    assert ended.err == f"rag-gate: {Path(target)}: is an input of this command; choose another output path\n"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_short_way_writes_over_no_input_either(folder: Path) -> None:
    (folder / "golden.jsonl").rename(folder / "results.json")
    (folder / "rag-gate.yml").write_text("dataset: results.json\nrun: run.jsonl\n", encoding="utf-8")
    ended = rag_gate("run", "--output", ".", cwd=folder)
    assert ended.code == 2
    assert "results.json: is an input of this command" in ended.err


def test_a_baseline_that_is_a_link_to_nothing_is_not_a_first_run(folder: Path) -> None:
    (folder / "baseline.json").symlink_to("lost.json")
    ended = rag_gate("run", cwd=folder)
    assert ended.code == 2
    assert "baseline.json: no such file" in ended.err


@pytest.mark.parametrize("text", ["##[group]x", "\n::error::x", "##vso[task.setvariable]x", "\x1b[31mred"])
def test_wrong_usage_is_no_workflow_command(folder: Path, text: str) -> None:
    for args in ((text,), ("retrieval", "--tier", text), ("retrieval", f"--{text}")):
        ended = rag_gate(*args, cwd=folder)
        assert ended.code == 2
        assert "##[" not in ended.err
        assert "##vso[" not in ended.err
        assert "\x1b" not in ended.err
        assert not any(line.startswith("::") for line in ended.err.splitlines())


def test_ten_thousand_problems_are_a_page(folder: Path) -> None:
    (folder / "rag-gate.yml").write_text(
        "".join(f"key{number}: 1\n" for number in range(10_000)), encoding="utf-8"
    )
    ended = rag_gate("run", cwd=folder)
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 26
    assert ended.err.endswith("... and 9975 more problems\n")


def test_a_line_is_never_as_long_as_its_input(folder: Path) -> None:
    (folder / "flat.json").write_text('{"schema_version": "' + "x" * 100_000 + '"}', encoding="utf-8")
    ended = rag_gate("check", "results.json", "--baseline", "flat.json", cwd=folder)
    assert ended.code == 2
    assert len(ended.err) < 1_100


@pytest.mark.parametrize("pattern", ["^((a+)+)$", "(.*.*)#", r"(.+)\1#"])
def test_a_slow_pattern_of_document_ids_is_refused(folder: Path, pattern: str) -> None:
    ended = rag_gate(
        "retrieval",
        "--dataset",
        "golden.jsonl",
        "--run",
        "run.jsonl",
        "--document-id-regex",
        pattern,
        cwd=folder,
    )
    assert ended.code == 2
    assert "document_id.regex" in ended.err
    assert len(ended.err.splitlines()) == 1
