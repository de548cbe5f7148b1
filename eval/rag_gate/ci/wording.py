"""Paths in messages as a reader of the pull request knows them."""

import os
import re
from pathlib import Path
from typing import TypeVar

from rag_gate.errors import RagGateError
from rag_gate.github.base_commit import repository_root

#: How the folder with the base commit's files begins.
RULES_FOLDER = "rag-gate-rules-"
_RULES = re.compile(rf"""[^\s'"]*[/\\]{RULES_FOLDER}[^/\\\s]+[/\\]""")
Error = TypeVar("Error", bound=RagGateError)


def readable(error: Error) -> Error:
    """Return the error with paths relative to the repository; one of the base commit's files says so."""
    root = f"{repository_root(Path.cwd())}{os.sep}"
    problems = (_RULES.sub("base commit: ", problem).replace(root, "") for problem in error.problems)
    return type(error)(*problems)
