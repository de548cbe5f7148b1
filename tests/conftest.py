"""Fail the session when a test was skipped, where RAG_GATE_NO_SKIPS=1 asks for it (CI does)."""

import gc
import os
import signal

import pytest
from hypothesis import settings

# How long one example takes depends on what else the machine does.
settings.register_profile("rag-gate", deadline=None)
settings.load_profile("rag-gate")

# A shell without job control ignores SIGINT in what it starts in the background, and children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _skipped(config: pytest.Config) -> list[str]:
    if os.environ.get("RAG_GATE_NO_SKIPS") != "1" or hasattr(config, "workerinput"):
        return []  # one of several processes: the one that started them looks at all results
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        raise pytest.UsageError("RAG_GATE_NO_SKIPS=1 needs pytest's terminal reporter")
    # longrepr of a skip: path, line, reason.
    return [
        f"{report.nodeid or report.longrepr[0]}: {report.longrepr[2]}"
        for report in reporter.stats.get("skipped", [])
    ]


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # thousands of tests last to the end: looking through them for garbage takes a twentieth of the time


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skipped = _skipped(config)
    if skipped:
        terminalreporter.section("RAG_GATE_NO_SKIPS=1: these were skipped, so the run fails", red=True)
        for line in skipped:
            terminalreporter.write_line(line)
