"""The action ends with the gate's exit code, and without one it never passes."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "action" / "verdict.sh"


def ended(code: str | None) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", **({} if code is None else {"EXIT_CODE": code})}
    return subprocess.run(
        ["/usr/bin/env", "bash", str(SCRIPT)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize("code", range(5))
def test_the_exit_code_of_the_gate_is_that_of_the_action(code: int) -> None:
    done = ended(str(code))
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "code",
    [
        None,
        "",
        " ",
        "256",
        "5",
        "-1",
        "00",
        "0 ",
        " 0",
        "0\n",
        "0x0",
        "1e0",
        "0;exit 0",
        "$(exit 0)",
        "０",
        "pass",
    ],
)
def test_what_is_no_exit_code_of_the_gate_is_no_verdict(code: str | None) -> None:
    done = ended(code)
    assert done.returncode == 3
    assert done.stderr.startswith("::error title=rag-gate::No verdict was reached")
