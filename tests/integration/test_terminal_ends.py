"""How run and check end: for people on a terminal, for programs in a pipe."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from cli_runner import ROOT, rag_gate
from comment_material import MANIFEST, case, good, results, with_changes

pty = pytest.importorskip("pty", reason="no pseudo terminals on this system")


class Seen(NamedTuple):
    code: int
    screen: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lost = results(with_changes({n: {"found": False} for n in range(10, 22)}), manifest=MANIFEST)
    (tmp_path / "results.json").write_text(lost.model_dump_json(), encoding="utf-8")
    means = {name: value for name, value in results(good()).scores.items() if name in {"recall@5", "mrr"}}
    (tmp_path / "baseline.json").write_text(json.dumps(means), encoding="utf-8")
    (tmp_path / "flat.json").write_text(json.dumps({"recall@5": 0.5, "mrr": 1.0}), encoding="utf-8")
    return tmp_path


CHECK = ("check", "flat.json", "--baseline", "baseline.json")


def on_terminal(folder: Path, *args: str, **environ: str) -> Seen:
    """Run the command with a terminal for stdout and stderr."""
    ours, theirs = pty.openpty()
    base = {
        key: value
        for key, value in os.environ.items()
        if key not in {"NO_COLOR", "FORCE_COLOR", "PYTHONWARNINGS"}
    }
    env = {**base, "PYTHONPATH": str(ROOT / "eval"), "TERM": "xterm", **environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_gate", *args],
        cwd=folder,
        env=env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    parts = []
    try:
        while part := os.read(ours, 65536):
            parts.append(part)
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    return Seen(process.wait(timeout=60), b"".join(parts).decode().replace("\r\n", "\n"))


def test_a_person_reads_the_verdict_its_metrics_and_where_it_stands(folder: Path) -> None:
    seen = on_terminal(folder, *CHECK)
    assert seen.code == 1
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen.screen)
    assert plain == (
        "rag-gate: the baseline is a flat table without cases; promote once to compare case by case\n"
        "rag-gate: BLOCKED: Regression: recall@5 fell by 0.500 (tolerance 0.03).\n"
        "  recall@5  1.000 -> 0.500  -0.500  regressed\n"
        "  mrr       1.000 -> 1.000  0       ok\n"
        "rag-gate: wrote verdict.json\n"
    )
    assert "\x1b[31m\x1b[1mBLOCKED\x1b[0m" in seen.screen


def test_json_on_a_terminal_is_printed_where_it_is_asked_for(folder: Path) -> None:
    assert '"passed"' not in on_terminal(folder, *CHECK).screen
    seen = on_terminal(folder, *CHECK, "--json", "--quiet")
    assert json.loads(seen.screen)["passed"] is False
    assert seen.code == 1


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "0"}])
def test_who_wants_no_colours_gets_none(folder: Path, environ: dict[str, str]) -> None:
    assert "\x1b" not in on_terminal(folder, *CHECK, **environ).screen


def test_a_program_reads_json_on_stdout_and_no_colours(folder: Path) -> None:
    ended = rag_gate(*CHECK, cwd=folder)
    assert ended.code == 1
    assert json.loads(ended.out)["regressions"][0]["metric"] == "recall@5"
    assert "\x1b" not in ended.out + ended.err
    assert ended.err.endswith("rag-gate: wrote verdict.json\n")


def test_a_log_that_shows_colours_can_have_them(folder: Path) -> None:
    ended = rag_gate(*CHECK, cwd=folder, env={"FORCE_COLOR": "1"})
    assert "\x1b[31m\x1b[1mBLOCKED\x1b[0m" in ended.err
    assert "\x1b" not in ended.out


def test_quiet_prints_errors_only(folder: Path) -> None:
    ended = rag_gate(*CHECK, "--quiet", cwd=folder)
    assert (ended.code, ended.err) == (1, "")
    assert json.loads(ended.out)["passed"] is False
    assert (folder / "verdict.json").is_file()
    missing = rag_gate("check", "absent.json", "-q", cwd=folder)
    assert (missing.code, missing.err) == (2, "rag-gate: absent.json: no such file; check the path\n")


def test_cases_are_counted_and_the_newly_failing_ones_named(folder: Path) -> None:
    ended = rag_gate("check", "results.json", "--baseline", "baseline.json", cwd=folder)
    assert "\n  60 cases, 60 scored, 0 errors, 48 passed, 12 failed (12 retrieval), " in ended.err


def test_texts_of_others_do_not_act_on_the_terminal(folder: Path) -> None:
    evil = "\x1b]0;owned\x07::error::q\n::error::x"
    lost = results([case(evil, found=False, right=False)], manifest=MANIFEST)
    (folder / "results.json").write_text(lost.model_dump_json(), encoding="utf-8")
    (folder / "rag-gate.yml").write_text("tolerances: {recall@5: {floor: 0.5}}\n")
    seen = on_terminal(folder, "check", "results.json", "--config", "rag-gate.yml")
    assert seen.code == 1
    assert "\x1b]" not in seen.screen
    assert not any(line.lstrip().startswith("::") for line in seen.screen.splitlines())
