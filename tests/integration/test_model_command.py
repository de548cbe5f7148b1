"""A program as the judge: real processes, also ones that misbehave."""

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from model_server import SCHEMA, VERDICT
from model_user import ask, ask_all, backend_for, prompt

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import BackendError, Reply
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.settings import BackendSettings

pytestmark = pytest.mark.usefixtures("quick_backoff")

ENVIRON = {"PATH": os.environ["PATH"], "JUDGE_TOKEN": "tok-5e1f2a"}
REPLY = json.dumps({"text": VERDICT, "usage": {"prompt_tokens": 3, "completion_tokens": 2}, "model": "m-1"})


def settings(program: str, *arguments: str, **changes: Any) -> BackendSettings:
    given: dict[str, Any] = {"provider": "command", "model": "judge-1", "max_attempts": 2, "timeout_s": 20}
    return BackendSettings(
        **(given | {"command": (sys.executable, "-S", "-c", program, *arguments)} | changes)
    )


def outcome_of(asked: BackendSettings) -> Reply | BackendError:
    async def main() -> Reply | BackendError:
        async with backend_for(asked, ENVIRON) as backend:
            return await ask(backend)

    return asyncio.run(main())


def test_the_prompt_comes_in_as_json_and_the_reply_goes_out_as_json(tmp_path: Path) -> None:
    program = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read()); print(sys.argv[2])"
    outcome = outcome_of(settings(program, str(tmp_path / "in.json"), REPLY))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.served_model) == (VERDICT, "m-1")
    assert (outcome.usage.requests, outcome.usage.prompt_tokens, outcome.usage.completion_tokens) == (1, 3, 2)
    given = json.loads((tmp_path / "in.json").read_text(encoding="utf-8"))
    assert given == {"system": prompt().system, "user": prompt().user, "schema": SCHEMA, "model": "judge-1"}


def test_arguments_meet_no_shell(tmp_path: Path) -> None:
    outcome = outcome_of(settings("import sys; print(sys.argv[2])", f"; touch {tmp_path}/owned $(id)", REPLY))
    assert isinstance(outcome, Reply)
    assert list(tmp_path.iterdir()) == []


FAILURES = {
    "exit code": ("import sys; sys.exit('no\\x1b[31m credit for tok-5e1f2a')", "judge_unreachable", 2),
    "killed by a signal": ("import os; os.kill(os.getpid(), 9)", "judge_unreachable", 2),
    "no JSON": ("print('I think so')", "judge_bad_reply", 2),
    "no text": ("print('{}')", "judge_bad_reply", 2),
    "a text that is no object": ('print(\'{"text": "yes"}\')', "judge_bad_reply", 2),
    "nothing": ("pass", "judge_bad_reply", 2),
    "too long": ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "judge_bad_reply", 1),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_program_that_fails_has_its_reason(failure: str) -> None:
    program, reason, requests = FAILURES[failure]
    outcome = outcome_of(settings(program))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.usage.requests, outcome.fatal) == (reason, requests, False)
    assert "\x1b" not in str(outcome)
    assert "tok-5e1f2a" not in str(outcome)


def test_what_a_failed_program_says_is_quoted() -> None:
    assert "exit code 1: no [31m credit for ***" in str(outcome_of(settings(FAILURES["exit code"][0])))


def test_a_program_that_does_not_read_is_no_failure() -> None:
    program = "import os, sys; os.close(0); print(sys.argv[1])"
    assert isinstance(outcome_of(settings(program, REPLY)), Reply)


def test_a_program_that_complains_without_end_is_heard_out() -> None:
    program = "import sys; sys.stderr.write('x' * 1000000); print(sys.argv[1])"
    assert isinstance(outcome_of(settings(program, REPLY)), Reply)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("parent", ["time.sleep(60)", "pass"])
def test_a_timeout_ends_the_program_and_all_it_started(tmp_path: Path, parent: str) -> None:
    child = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    program = (
        f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-S', '-c', {child!r}]); {parent}"
    )
    start = time.monotonic()
    outcome = outcome_of(settings(program, timeout_s=2, max_attempts=1))
    assert isinstance(outcome, BackendError)
    assert outcome.reason == "judge_unreachable"
    assert time.monotonic() - start < 15
    started = int((tmp_path / "pid").read_text(encoding="ascii"))
    deadline = time.monotonic() + 5
    while is_running(started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(started)


def test_no_more_programs_run_at_a_time_than_allowed(tmp_path: Path) -> None:
    program = (
        "import os, sys, time; me = os.path.join(sys.argv[1], str(os.getpid())); open(me, 'w').close();"
        "n = len(os.listdir(sys.argv[1])); time.sleep(0.05); os.remove(me);"
        "print(sys.argv[2]) if n <= 2 else sys.exit('crowded')"
    )

    async def main() -> None:
        asked = settings(program, str(tmp_path), REPLY, concurrency=2, max_attempts=1)
        async with backend_for(asked, ENVIRON) as backend:
            assert all(isinstance(outcome, Reply) for outcome in await ask_all(backend, 8))

    asyncio.run(main())


def test_a_program_that_is_not_there_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(ConfigError, match="no program 'no-such-judge'"):
        backend_of(settings("", command=("no-such-judge",)), ENVIRON)
    with pytest.raises(ConfigError, match="needs command"):
        backend_of(settings("", command=()), ENVIRON)


def test_a_program_that_cannot_be_started_is_fatal(tmp_path: Path) -> None:
    broken = tmp_path / "judge"
    broken.write_bytes(b"\x7fELF, not really")
    broken.chmod(0o755)
    outcome = outcome_of(settings("", command=(str(broken),)))
    assert isinstance(outcome, BackendError)
    assert (outcome.reason, outcome.fatal) == ("judge_unreachable", True)
