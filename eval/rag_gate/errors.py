"""Every error a user can meet, with one exit code per class.

A message says where (file, line or key), what was found and what to do.
"""

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command."""

    PASS = 0
    REGRESSION = 1
    USAGE = 2
    NOT_JUDGED = 3
    INCONCLUSIVE = 4


class RagGateError(Exception):
    """Base of all expected errors: printed without a traceback, one line per problem.

    Attributes:
        problems: one line each; never empty.
    """

    exit_code = ExitCode.USAGE

    def __init__(self, *problems: str) -> None:
        self.problems = problems or ("unknown problem",)
        super().__init__("\n".join(self.problems))

    @classmethod
    def of(cls, problems: Iterable[str]) -> "RagGateError":
        """Build the error from any number of problem lines."""
        return cls(*problems)


class ConfigError(RagGateError):
    """A setting, option or configuration file is wrong."""


class InputError(RagGateError):
    """A dataset, run, partial, result or baseline file cannot be used as it is."""


class NotJudgedError(RagGateError):
    """The measurement is incomplete or not comparable, so there is no verdict."""

    exit_code = ExitCode.NOT_JUDGED


class MissingExtraError(ConfigError):
    """An optional dependency is needed and not installed."""

    def __init__(self, feature: str, requirement: str) -> None:
        super().__init__(f'{feature} needs an optional dependency: pip install "{requirement}"')
