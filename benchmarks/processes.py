"""Time whole processes in turn, so that a drifting machine is the same for all of them."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Measured(NamedTuple):
    """Wall and CPU seconds, and peak memory in MB: of one process, or median and largest of several."""

    wall: float
    cpu: float
    peak_mb: float


def measure(commands: Mapping[str, Sequence[str]], rounds: int = 5) -> dict[str, Measured]:
    """Run each command in turn, ``rounds`` times after one warm-up.

    Raises:
        RuntimeError: if a command fails.
    """
    taken: dict[str, list[Measured]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            found = once(name, command)
            if number:
                taken[name].append(found)
    return {
        name: Measured(
            statistics.median(row.wall for row in rows),
            statistics.median(row.cpu for row in rows),
            max(row.peak_mb for row in rows),
        )
        for name, rows in taken.items()
    }


def once(name: str, command: Sequence[str], cwd: Path | None = None) -> Measured:
    """Run a command once.

    Raises:
        RuntimeError: if it fails.
    """
    started = time.perf_counter()
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        errors = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{name} ended with {process.returncode}: {errors.decode()[-400:]}")
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    wall = time.perf_counter() - started
    return Measured(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def show(measured: Mapping[str, Measured]) -> None:
    """Print one line per command."""
    for name, (wall, cpu, peak) in measured.items():
        print(f"{name:28} {wall:7.3f} s wall  {cpu:7.3f} s CPU  {peak:7.1f} MB peak")
