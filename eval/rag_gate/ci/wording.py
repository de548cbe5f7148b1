"""Paths in messages as a reader of the pull request knows them."""

import os
import re
from pathlib import Path

from rag_gate.errors import ExitCode, InputError, NotJudgedError, RagGateError
from rag_gate.github.base_commit import repository_root

#: How the folder with the base commit's files begins.
RULES_FOLDER = "rag-gate-rules-"
_LONGEST = 2_000
_RULES = re.compile(rf"""[^\s'"]*[/\\]{RULES_FOLDER}[^/\\\s]+[/\\]""")


def readable(error: RagGateError) -> RagGateError:
    """Return the error with paths relative to the repository; one of the base commit's files says so."""
    root = f"{repository_root(Path.cwd())}{os.sep}"
    # What is longer is not shown anyway, and the pattern would try each of its characters.
    cut = (problem[:_LONGEST] for problem in error.problems)
    problems = (_RULES.sub("base commit: ", problem).replace(root, "") for problem in cut)
    kind = NotJudgedError if error.exit_code == ExitCode.NOT_JUDGED else InputError
    return kind.of(problems)
