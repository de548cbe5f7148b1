import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import rag_gate

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return set(ZipFile(built).namelist())


def test_the_wheel_has_every_module(wheel: set[str]) -> None:
    modules = {
        path.relative_to(ROOT / "eval").as_posix() for path in (ROOT / "eval" / "rag_gate").rglob("*.py")
    }
    assert modules <= wheel
    assert "rag_gate/py.typed" in wheel


@pytest.mark.parametrize("kind", ["prompts", "config"])
def test_the_wheel_has_the_shipped_files(wheel: set[str], kind: str) -> None:
    shipped = {
        f"rag_gate/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / kind).rglob("*") if path.is_file()
    }
    assert shipped
    assert shipped <= wheel


def test_the_wheel_has_the_licence_the_command_and_nothing_at_the_top(wheel: set[str]) -> None:
    metadata = f"rag_gate-{rag_gate.__version__}.dist-info"
    assert {f"{metadata}/licenses/LICENSE", f"{metadata}/entry_points.txt"} <= wheel
    assert {name.split("/")[0] for name in wheel} == {"rag_gate", metadata}


def test_no_module_beside_the_package_hides_a_library() -> None:
    allowed = {"retrieval_eval", "llm_judge_eval", "safety_eval", "merge_results", "regression_check"}
    assert {path.stem for path in (ROOT / "eval").glob("*.py")} <= allowed


@pytest.mark.parametrize("kind", ["prompts", "config"])
def test_no_python_lies_in_a_folder_of_data(kind: str) -> None:
    assert list((ROOT / kind).rglob("*.py")) == []
