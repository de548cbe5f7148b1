"""Start the command as a user does: a new process, from another folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def rag_gate(*args: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
    """Run ``rag-gate`` with the package's sources on the path."""
    return start(
        sys.executable,
        "-m",
        "rag_gate",
        *args,
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT / "eval"), **(env or {})},
    )


def start(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
    """Run any command and return how it ended."""
    base = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONWARNINGS"}}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**base, **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
