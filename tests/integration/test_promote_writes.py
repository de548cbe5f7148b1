"""What promote writes: whole or not at all, nothing else, and on a terminal only when told so."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT
from promoter import Promoter

#: Each ends itself, as a machine that loses power does, at one step of the promotion.
KILLED = {
    "between the copy of the run and the new baseline": (
        "rag_gate.promote_command.write_baseline = lambda *_: os.kill(os.getpid(), signal.SIGKILL)"
    ),
    "before the new baseline takes its place": "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
    "while the new baseline is written": "os.fsync = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
}
AFTER = "rag_gate.promote_command.append_history = lambda *_: os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def user(tmp_path: Path) -> Promoter:
    return Promoter(tmp_path).first(manifest={"commit": "4f2a9c1"})


def killed(user: Promoter, how: str) -> None:
    code = f"import os, signal, sys\nfrom pathlib import Path\nimport rag_gate.promote_command\n{how}\n"
    code += "from rag_gate.cli import main\nmain(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, *user.promotion, "--reason", "killed"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "eval")},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("when", KILLED)
def test_a_promotion_that_is_killed_leaves_the_old_baseline(user: Promoter, when: str) -> None:
    baseline, history = user.folder / "baseline.json", user.folder / "baseline.history.jsonl"
    before = baseline.read_bytes(), history.read_bytes(), user.kept.read_bytes()
    user.measure(lost=1)
    killed(user, KILLED[when])
    assert (baseline.read_bytes(), history.read_bytes(), user.kept.read_bytes()) == before
    assert user.promote("--reason", "once more").code == 0
    assert [row["reason"] for row in user.history] == ["first", "once more"]
    assert user.kept.is_file()


def test_a_promotion_that_is_killed_after_the_baseline_leaves_it_whole(user: Promoter) -> None:
    user.measure(lost=1)
    killed(user, AFTER)
    assert user.baseline["metrics"]["recall@5"] == 0.99
    assert user.run().code == 0
    assert [row["reason"] for row in user.history] == ["first"]


def test_each_promotion_adds_one_line_to_the_history(user: Promoter) -> None:
    first = (user.folder / "baseline.history.jsonl").read_bytes()
    user.measure(lost=2)
    assert user.promote("--reason", "次の版").code == 0
    assert (user.folder / "baseline.history.jsonl").read_bytes().startswith(first)
    old, new = user.history
    assert (old["new_anchor"], new["new_anchor"]) == (True, False)
    assert old["commit"] == "4f2a9c1"
    assert new["promoted_at"] == user.baseline["provenance"]["promoted_at"]
    assert (new["reason"], new["verdict"], new["tier"], new["judge"]) == ("次の版", "pass", "extended", None)
    assert new["metrics"] == {
        "recall@5": {"mean": 0.98, "n": 100, "sd": pytest.approx(0.1407052941)},
        "safety_pass_rate": {"mean": 1.0, "n": 100, "sd": 0.0},
    }
    assert (new["dataset"], new["run"]) == (
        user.baseline["dataset"]["fingerprint"],
        user.baseline["run"]["fingerprint"],
    )


def test_the_comment_shows_how_the_baseline_got_where_it_is(user: Promoter) -> None:
    assert user.run().code == 0
    assert "Promoted means so far" not in user.comment, "one promotion is no trend"
    user.measure(lost=1)
    assert user.promote("--reason", "next").code == 0
    assert user.measure(lost=2).code == 0
    line = next(line for line in user.comment.splitlines() if line.startswith("| `recall@5` | 20"))
    assert line.split(" | ")[2:] == ["1.000 → 0.990", "0.980 |"]
    assert user.measure(lost=2, tier="core").code == 0
    assert line in user.comment, "retrieval saw all cases"
    assert "| `safety_pass_rate` | 2026-" in user.comment
    assert "| 1.000 → 1.000 | another tier |" in user.comment


def test_copies_that_a_promotion_removes_are_no_changes_of_the_user(user: Promoter) -> None:
    user.git("init", "--quiet", "--initial-branch", "main")
    user.git("add", "--all")
    user.git("commit", "--quiet", "--message", "first")
    old = user.kept
    user.measure(lost=1, manifest={"commit": user.git("rev-parse", "HEAD")})
    user.git("commit", "--quiet", "--all", "--message", "another run")
    user.run()
    assert user.promote("--reason", "second").code == 0
    assert not old.exists(), "it is in git, and gone"
    again = user.promote("--reason", "third")
    assert (again.code, "dirty_tree" in again.err) == (0, False), again.err


def test_a_line_that_was_cut_off_stays_alone(user: Promoter) -> None:
    with (user.folder / "baseline.history.jsonl").open("a", encoding="utf-8") as handle:
        handle.write('{"promoted_at":"2026')
    assert user.promote("--reason", "next").code == 0
    lines = (user.folder / "baseline.history.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[1] == '{"promoted_at":"2026'
    assert json.loads(lines[2])["reason"] == "next"


def test_a_history_that_cannot_be_written_is_found_out_first(user: Promoter) -> None:
    before = user.baseline
    (user.folder / "baseline.history.jsonl").unlink()
    (user.folder / "baseline.history.jsonl").mkdir()
    user.measure(lost=1)
    ended = user.promote("--reason", "next")
    assert (ended.code, user.baseline) == (2, before)
    assert "no line can be added to it" in ended.err


def test_promote_writes_the_baseline_its_run_and_its_history_only(user: Promoter) -> None:
    def files() -> dict[str, bytes]:
        found = (path for path in user.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(user.folder)): path.read_bytes() for path in found}

    old = user.kept.name
    user.measure(lost=1)
    before = files()
    assert user.promote("--reason", "next").code == 0
    after = files()
    assert (before.keys() - after.keys(), after.keys() - before.keys()) == ({old}, {user.kept.name})
    assert {name for name in before.keys() & after.keys() if after[name] != before[name]} == {
        "baseline.json",
        "baseline.history.jsonl",
    }


def test_a_history_that_is_an_input_is_not_written_over(user: Promoter) -> None:
    table = user.folder / "baseline.history.jsonl"
    ended = user.promote("--tolerances", str(table))
    assert (ended.code, "is an input of this command" in ended.err) == (2, True)


def on_a_terminal(user: Promoter, typed: bytes, *options: str) -> tuple[int, str]:
    """Promote where somebody sits; return the exit code and what stood on the screen."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_gate", *user.promotion, "--reason", "seen", *options],
        env={**os.environ, "PYTHONPATH": str(ROOT / "eval")},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.write(screen, typed)
    code = process.wait(timeout=60)
    os.set_blocking(screen, False)
    shown = os.read(screen, 100_000).decode()
    os.close(terminal)
    os.close(screen)
    return code, shown


@pytest.mark.parametrize(("typed", "code", "mean"), [(b"y\n", 0, 0.99), (b"n\n", 2, 1.0), (b"\n", 2, 1.0)])
def test_somebody_on_a_terminal_sees_what_changes_and_is_asked(
    user: Promoter, typed: bytes, code: int, mean: float
) -> None:
    user.measure(lost=1)
    ended, shown = on_a_terminal(user, typed)
    assert (ended, user.baseline["metrics"]["recall@5"]) == (code, mean), shown
    assert shown.index("recall@5: 1.0000 -> 0.9900") < shown.index("make this the baseline")
    assert "[y/N]" in shown
    assert ("not confirmed, so nothing was written" in shown) is (code == 2)
    assert len(user.history) == (2 if code == 0 else 1)


def test_yes_asks_nothing(user: Promoter) -> None:
    user.measure(lost=1)
    code, shown = on_a_terminal(user, b"", "--yes")
    assert (code, "[y/N]" in shown, "recall@5: 1.0000 -> 0.9900" in shown) == (0, False, True)


def test_a_refusal_comes_before_the_question(user: Promoter) -> None:
    user.measure(tier="core")
    code, shown = on_a_terminal(user, b"y\n")
    assert (code, "[y/N]" in shown, "[tier_mismatch]" in shown) == (2, False, True)
