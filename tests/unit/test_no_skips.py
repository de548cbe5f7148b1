import os
import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SKIPPING = """
import pytest

def test_works():
    pass

@pytest.mark.skip(reason="a program is missing")
def test_needs_a_program():
    pass
"""
SKIPPED_MODULE = """
import pytest

pytest.importorskip("no_such_module_anywhere")
"""


def run_pytest(folder: Path, *options: str, no_skips: str, **files: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(CONFTEST, folder)
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)]
    environment = {**os.environ, "RAG_GATE_NO_SKIPS": no_skips}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_skipped_test_fails_the_session_and_its_reason_is_printed(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, no_skips="1", test_skipping=SKIPPING)
    assert done.returncode == 1
    assert "test_skipping.py::test_needs_a_program: Skipped: a program is missing" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


def test_a_skip_in_one_of_several_processes_fails_the_session(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--numprocesses", "2", no_skips="1", test_skipping=SKIPPING)
    assert done.returncode == 1
    assert "test_skipping.py::test_needs_a_program: Skipped: a program is missing" in done.stdout


def test_a_module_skipped_as_a_whole_fails_the_session_too(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, no_skips="1", test_module=SKIPPED_MODULE, test_works="def test_works(): pass")
    assert done.returncode == 1
    assert "no_such_module_anywhere" in done.stdout


def test_without_the_variable_a_skip_is_no_failure(tmp_path: Path) -> None:
    assert run_pytest(tmp_path, no_skips="", test_skipping=SKIPPING).returncode == 0


def test_with_the_variable_and_nothing_skipped_the_session_passes(tmp_path: Path) -> None:
    assert run_pytest(tmp_path, no_skips="1", test_works="def test_works(): pass").returncode == 0
