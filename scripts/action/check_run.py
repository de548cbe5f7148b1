"""Refuse to promote a run that is not one of the default branch's: reads RUN_ID, BASE, WORKFLOW, GITHUB_* and a token.

Start it with ``-I``, as ``gate.py``.
"""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "eval"))

from rag_gate.ci.promotable import refuse_unfit_run
from rag_gate.cli_support import emit, say
from rag_gate.errors import ConfigError, RagGateError
from rag_gate.github.client import GitHub
from rag_gate.github.commands import Annotation
from rag_gate.github.event import Run


def main() -> int:
    """Check the run, and return the exit code."""
    try:
        run, repository = os.environ["RUN_ID"].strip(), os.environ["GITHUB_REPOSITORY"]
        if not re.fullmatch(r"[1-9][0-9]{0,17}", run, re.ASCII):
            raise ConfigError("run-id: must be a number, found in the address of the run")
        with GitHub(Run.of(os.environ).api_url, repository, os.environ["GITHUB_TOKEN"]) as github:
            refuse_unfit_run(github, repository, int(run), os.environ["BASE"], os.environ["WORKFLOW"])
    except RagGateError as error:
        for problem in error.problems:
            emit(Annotation("error", "rag-gate", problem).line())
        return int(error.exit_code)
    say([f"run {run} was measured by {os.environ['WORKFLOW']} on {os.environ['BASE']}"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
