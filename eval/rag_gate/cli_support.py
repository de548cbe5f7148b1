"""How commands end: expected errors as plain lines with their exit code, everything else as a crash.

A crash leaves with exit code 3 (no verdict), never with 1, which means "regression".
"""

import gc
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import click
from click.exceptions import NoArgsIsHelpError

from rag_gate.detectors.suspicion import is_suspicious
from rag_gate.errors import ExitCode, InputError, RagGateError
from rag_gate.terminal.manners import colour_wanted, is_quiet

_INTERRUPTED = 130
_MOST_PROBLEMS = 25
_LONGEST_LINE = 1_000
#: What begins a workflow command in a log.
_COMMANDS = ("::", "##")


class _Program(click.Command):
    """A command as a program: click itself ends with 1 ("regression") where nobody reads its output."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - click's signature
        **extra: Any,  # noqa: ANN401 - as in click
    ) -> Any:  # noqa: ANN401 - as in click
        """Run as a program and leave with one of our exit codes."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        use_utf8()
        try:
            ended = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            _say_usage(error)
            ended = ExitCode.USAGE
        except click.Abort:
            ended = _INTERRUPTED
        gc.freeze()  # the process ends: spares the interpreter its last search for cycles
        sys.exit(ended)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:  # noqa: ANN401 - as in click
        """Read the options; help that cannot be printed is no result."""
        try:
            context = super().make_context(*args, **extra)
        except OSError:
            _silence(sys.stdout, sys.stderr)
            raise click.exceptions.Exit(ExitCode.NOT_JUDGED) from None
        context.color = colour_wanted(os.environ)
        return context


class GateCommand(_Program):
    """A command whose errors are lines on stderr and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as declared by click
        """Run the command; see the module for how it ends."""
        # Large plain data and a short life: looking for cycles all the time would cost a tenth of it.
        gc.disable()
        try:
            return super().invoke(ctx)
        except RagGateError as error:
            more = len(error.problems) - _MOST_PROBLEMS
            complain(error.problems[:_MOST_PROBLEMS])
            complain([f"... and {more} more problems"] if more > 0 else [])
            ctx.exit(error.exit_code)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            complain(["interrupted; files already written are complete"])
            ctx.exit(_INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - a crash must not look like a regression
            _say_crash(error)
            complain(["internal error: no verdict; please report the lines above"])
            ctx.exit(ExitCode.NOT_JUDGED)


class GateGroup(_Program, click.Group):
    """A group of such commands, listed in the order in which they are declared."""

    command_class = GateCommand
    group_class = type

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the way the data takes."""
        del ctx
        return list(self.commands)


def say(lines: Iterable[str]) -> None:
    """Print lines for people on stderr, unless they want to be told errors only.

    Untrusted parts cannot act on a terminal or a workflow log. Where nobody can read them, the exit code is
    what is left to say.
    """
    if not is_quiet():
        complain(lines)


def say_written(path: Path) -> None:
    """Say where a result is: a path that the user named, shown as it is."""
    show([f"rag-gate: {_inert(f'wrote {path}')}"])


def complain(lines: Iterable[str]) -> None:
    """Print what is wrong, as ``say`` does, and also where people want to be told nothing else."""
    _print(f"rag-gate: {plain_line(line)}" for line in lines)


def show(lines: Iterable[str]) -> None:
    """Print finished lines for people on stderr: their untrusted parts went through ``plain_line``."""
    if not is_quiet():
        _print(lines)


def _print(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            click.echo(line, err=True)
    except OSError:
        _silence(sys.stderr)


def emit(text: str) -> None:
    """Print the result of a command on stdout; a reader who has seen enough may leave.

    Raises:
        InputError: if it cannot be written for another reason.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        _silence(sys.stdout)
    except OSError as error:
        _silence(sys.stdout)
        raise InputError(f"standard output: cannot be written ({error.strerror}); redirect it") from None


def use_utf8() -> None:
    """Write UTF-8 whatever the platform's locale says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _say_crash(error: Exception) -> None:
    """Print where a crash happened; what its texts quote is masked, and withheld if that fails."""
    try:
        lines = _masked("".join(traceback.format_exception(error))).splitlines()
    except Exception:  # noqa: BLE001 - nothing may hide that there was a crash
        places = traceback.format_list(traceback.extract_tb(error.__traceback__))
        lines = [*"".join(places).splitlines(), f"{type(error).__name__} (its text is withheld)"]
    try:
        for line in lines:
            click.echo(line if line.isprintable() and not _has_command(line) else plain_line(line), err=True)
    except OSError:
        _silence(sys.stderr)


def _masked(text: str) -> str:
    """Return a text without personal data and secrets; the detectors are loaded only where they may be needed."""
    masking = sys.modules.get("rag_gate.masking")
    if masking is None and not is_suspicious(text):
        return text
    from rag_gate.masking import current_masker

    return current_masker().mask(text)


def _has_command(line: str) -> bool:
    return any(mark in line for mark in _COMMANDS)


def plain_line(line: str) -> str:
    """Return a text as one masked line that cannot act on a terminal or a workflow log."""
    return _inert(_masked(line))


def _inert(line: str) -> str:
    if line.isascii() and line.isprintable() and not _has_command(line) and len(line) <= _LONGEST_LINE:
        return line  # the usual case, without importing what the others need
    from rag_gate.report.escape import log_safe

    return log_safe(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}...")


def _say_usage(error: click.ClickException) -> None:
    try:
        if isinstance(error, NoArgsIsHelpError) or not isinstance(error, click.UsageError):
            error.show()
            return
        if error.ctx is not None:
            click.echo(
                f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} --help' for help.\n", err=True
            )
        click.echo(f"Error: {plain_line(error.format_message())}", err=True)
    except OSError:
        _silence(sys.stderr)


def _silence(*streams: TextIO | None) -> None:
    """Send a stream nowhere, so that what is left in it cannot fail at exit."""
    for stream in streams:
        if stream is not None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
