"""How long the action takes on a fresh runner, and how much it installs.

`python benchmarks/action_bench.py` makes an empty runner folder for each figure; the package caches of pip and uv
stay as they are, so start it twice and take the second table (warm caches, as a runner image or a cache step has).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts" / "action"
EXAMPLE = "examples/support-bot/rag-gate.yml"
#: The limits that docs/reference/action.md names.
LIMITS = {"uv": 5.0, "pip": 12.0, "gate": 20.0, "megabytes": 110.0}


def main() -> int:
    """Print the table; 1 if a limit is passed."""
    rows: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="rag-gate-bench-") as name:
        for installer in installers():
            rows[installer], environment = prepared(Path(name) / installer, installer)
        gate, megabytes = gated(environment), installed_size(environment)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("| What | Seconds | of which this machine's processor | Limit |")
    print("|---|---|---|---|")
    for name, (seconds, cpu) in [*rows.items(), ("gate", gate)]:
        print(f"| {name} | {seconds:.1f} | {cpu:.1f} | {LIMITS[name]:.0f} |")
    print(f"| megabytes installed | {megabytes:.0f} | | {LIMITS['megabytes']:.0f} |")
    figures = {name: seconds for name, (seconds, _) in rows.items()} | {
        "gate": gate[0],
        "megabytes": megabytes,
    }
    return int(any(figures[name] > LIMITS[name] for name in figures))


def installers() -> Iterator[str]:
    """Yield what is there to install with; uv first."""
    if shutil.which("uv"):
        yield "uv"
    yield "pip"


def prepared(folder: Path, installer: str) -> tuple[tuple[float, float], dict[str, str]]:
    """Start the action's first step in an empty runner folder, until it is ready to evaluate."""
    folder.mkdir()
    output = folder / "output"
    path = os.environ["PATH"].split(os.pathsep)
    if installer == "pip":
        path = [part for part in path if not (Path(part) / "uv").exists()]
    base = getattr(sys, "_base_executable", sys.executable)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(output),
        "RAG_GATE_CONFIG": EXAMPLE,
        "RAG_GATE_PYTHON": base,
    }
    took = timed([str(SCRIPTS / "prepare.sh")], environment)
    outputs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    return took, environment | {"RAG_GATE_PYTHON": outputs["python"]}


def gated(environment: dict[str, str]) -> tuple[float, float]:
    """Gate the example, core tier, with everything that the action does but the upload."""
    folder = Path(environment["RUNNER_TEMP"])
    event = folder / "event.json"
    event.write_text(
        json.dumps({"repository": {"full_name": "org/app", "default_branch": "main"}}), encoding="utf-8"
    )
    variables = {
        "GITHUB_EVENT_NAME": "workflow_dispatch",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "org/app",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "RAG_GATE_TIER": "core",
        "RAG_GATE_OUTPUT": str(folder / "out"),
    }
    return timed([str(SCRIPTS / "gate.sh")], environment | variables)


def installed_size(environment: dict[str, str]) -> float:
    """Return the size of the environment in megabytes."""
    folder = Path(environment["RAG_GATE_PYTHON"]).parents[1]
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return the seconds by the wall clock and of the processor that a command took."""
    before, began = os.times(), time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, cpu


if __name__ == "__main__":
    sys.exit(main())
