"""How commands start and end, whatever they do."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_runner import ROOT, rag_gate, start
from click.testing import CliRunner, Result
from material import SEED_ROWS, lines

from rag_gate.cli import main
from rag_gate.cli_calibrate import calibrate
from rag_gate.cli_export import export
from rag_gate.cli_import import import_
from rag_gate.cli_support import GateGroup
from rag_gate.errors import ConfigError, InputError, NotJudgedError, RagGateError

COMMANDS: list[tuple[str, ...]] = [
    *((name,) for name, command in main.commands.items() if not isinstance(command, click.Group)),
    *((group.name or "", name) for group in (calibrate, import_, export) for name in group.commands),
]
HEAVY = {"datasets", "pandas", "numpy", "pyarrow", "ragas", "jinja2", "pydantic", "yaml", "httpx", "openai"}
IMPORTED = """
import runpy, sys
sys.argv = ["rag-gate", *sys.argv[1:]]
try:
    runpy.run_module("rag_gate", run_name="__main__")
except SystemExit:
    pass
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def imported(folder: Path, *args: str) -> set[str]:
    """Return the packages that one command has imported when it ends."""
    ended = start(sys.executable, "-c", IMPORTED, *args, cwd=folder, env={"PYTHONPATH": str(ROOT / "eval")})
    assert ended.code == 0, ended.err
    return set(ended.out.splitlines()[-1].split())


def test_the_commands_are_those_of_the_way_of_the_data() -> None:
    assert list(main.commands)[:6] == ["run", "record", "retrieval", "judge", "safety", "merge"]
    assert {"check", "report", "promote", "import"} <= set(main.commands)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_shows_an_example_that_calls_the_command(command: tuple[str, ...], flag: str) -> None:
    shown = CliRunner().invoke(main, [*command, flag])
    assert shown.exit_code == 0
    assert f"Example: rag-gate {' '.join(command)}" in " ".join(shown.output.split())


@pytest.mark.parametrize("args", [("--help",), ("--version",), ("retrieval", "--help"), ("check", "--help")])
def test_help_starts_without_importing_anything_heavy(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert not HEAVY & imported(tmp_path, *args)


def test_scoring_lines_and_checking_need_no_library_of_tables(tmp_path: Path) -> None:
    dataset = lines(tmp_path / "g.jsonl", SEED_ROWS)
    tables = {"datasets", "pandas", "numpy", "pyarrow", "ragas", "httpx", "openai"}
    assert not tables & imported(tmp_path, "retrieval", "--dataset", dataset, "--output", "r.json")
    (tmp_path / "flat.json").write_text('{"recall@5": 0.8}', encoding="utf-8")
    assert not tables & imported(tmp_path, "check", "flat.json", "--baseline", "flat.json")


@pytest.mark.parametrize(
    ("error", "code"), [(ConfigError("a", "b"), 2), (InputError("a", "b"), 2), (NotJudgedError("a", "b"), 3)]
)
def test_an_expected_error_is_lines_and_an_exit_code(error: RagGateError, code: int) -> None:
    ended = ended_with(error)
    assert ended.exit_code == code
    assert ended.stderr == "rag-gate: a\nrag-gate: b\n"


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("x"), RecursionError(), MemoryError(), OSError(5, "x"), KeyError("k")]
)
def test_a_crash_is_a_traceback_and_never_exit_code_one(error: Exception) -> None:
    ended = ended_with(error)
    assert ended.exit_code == 3
    assert "Traceback" in ended.stderr
    assert "internal error: no verdict" in ended.stderr


def test_an_interrupt_has_an_exit_code_of_its_own() -> None:
    assert ended_with(KeyboardInterrupt()).exit_code == 130


def ended_with(error: BaseException) -> Result:
    """Run a command of a group like ours that fails with the error."""

    def fail() -> None:
        raise error

    group = GateGroup()
    group.command(name="fail")(fail)
    return CliRunner().invoke(group, ["fail"])


def test_messages_cannot_act_on_a_terminal_or_a_workflow_log(tmp_path: Path) -> None:
    ended = rag_gate("retrieval", "--dataset", "\x1b[31mred\n::error::x.jsonl", cwd=tmp_path)
    assert ended.code == 2
    assert "\x1b" not in ended.err
    assert not any(line.startswith("::") for line in ended.err.splitlines())


@pytest.mark.parametrize(
    "args", [("retrival",), ("retrieval", "--k", "5"), ("merge",), ("retrieval", "--tier", "all")]
)
def test_a_usage_error_has_exit_code_two(args: tuple[str, ...]) -> None:
    ended = CliRunner().invoke(main, args)
    assert ended.exit_code == 2
    assert "Usage: " in ended.stderr


def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    (tmp_path / "結果.json").write_text('{"recall@5": 0.8}', encoding="utf-8")
    env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    ended = start(sys.executable, ROOT / "eval/regression_check.py", "結果.json", cwd=tmp_path, env=env)
    assert "Traceback" not in ended.err
    assert "verdict.json" in ended.err


def test_an_unwritable_output_is_a_usage_error(tmp_path: Path) -> None:
    dataset = lines(tmp_path / "g.jsonl", SEED_ROWS)
    (tmp_path / "file").write_text("", encoding="utf-8")
    ended = rag_gate("retrieval", "--dataset", dataset, "--output", tmp_path / "file/r.json")
    assert ended.code == 2
    assert "file/r.json: cannot be written" in ended.err


def test_a_device_can_be_the_output(tmp_path: Path) -> None:
    dataset = lines(tmp_path / "g.jsonl", SEED_ROWS)
    env = {"PYTHONPATH": str(ROOT / "eval")}
    command = [sys.executable, "-m", "rag_gate", "retrieval", "--dataset", dataset, "--output", "/dev/stdout"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"counts"')


def test_a_text_without_values_needs_no_detectors(tmp_path: Path) -> None:
    code = (
        "import sys; from rag_gate.masking import current_masker; masker = current_masker(); "
        "print(masker.mask('返品は三十日以内です。'), 'rag_gate.detectors.scanner' in sys.modules); "
        "print(masker.mask('a@contoso.com'), 'rag_gate.detectors.scanner' in sys.modules)"
    )
    ended = start(sys.executable, "-c", code, cwd=tmp_path, env={"PYTHONPATH": str(ROOT / "eval")})
    assert ended.out.splitlines() == ["返品は三十日以内です。 False", "[EMAIL] True"], ended.err
