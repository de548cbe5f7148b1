"""The packages of the action as files, so that tests can install them without a network: `python wheelhouse.py`."""

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements" / "action.txt"


def wheelhouse() -> Path:
    """Return a folder with every wheel of the small set, downloaded once for a lock and an interpreter."""
    folder = Path(sys.prefix) / "action-wheels" / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    if not (folder / "complete").is_file():
        # The environment of the tests may have no pip (uv makes it without); its interpreter has.
        base = getattr(sys, "_base_executable", sys.executable)
        options = [
            "--quiet",
            "--require-hashes",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--disable-pip-version-check",
        ]
        command = [base, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", str(LOCK)]
        subprocess.run(command, check=True)
        (folder / "complete").touch()
    return folder


if __name__ == "__main__":
    wheelhouse()
