import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rag_gate.resources import shipped

SOURCES = Path(__file__).resolve().parents[2] / "eval" / "rag_gate"
ASK = "from rag_gate.resources import shipped; print(shipped('config'))"


@pytest.mark.parametrize("kind", ["config", "templates"])
def test_shipped_folders_are_found(kind: str) -> None:
    assert any(path.is_file() for path in shipped(kind).iterdir())


def installed_below(folder: Path) -> Path:
    """Lay out what ``pip install --target`` leaves inside a user's project of the same folder names."""
    package = folder / "vendor" / "rag_gate"
    package.mkdir(parents=True)
    for name in ("__init__.py", "resources.py"):
        shutil.copy(SOURCES / name, package / name)
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    (folder / "config").mkdir()
    return package


def ask(folder: Path) -> subprocess.CompletedProcess[str]:
    env = {"PYTHONPATH": str(folder / "vendor")}
    return subprocess.run([sys.executable, "-c", ASK], env=env, capture_output=True, text=True, check=False)


def test_an_installation_inside_a_project_reads_its_own_folders(tmp_path: Path) -> None:
    package = installed_below(tmp_path)
    (package / "config").mkdir()
    assert ask(tmp_path).stdout.strip() == str(package / "config")


def test_an_installation_without_its_folders_does_not_take_the_projects(tmp_path: Path) -> None:
    installed_below(tmp_path)
    ended = ask(tmp_path)
    assert ended.returncode != 0
    assert "rag_gate/config is missing from this installation; reinstall rag-gate" in ended.stderr
