"""How commands end: expected errors as plain lines with their exit code, everything else as a crash.

A crash leaves with exit code 3 (no verdict), never with 1, which means "regression".
"""

import gc
import sys
import traceback
from collections.abc import Iterable
from typing import Any

import click

from rag_gate.errors import ExitCode, RagGateError

_INTERRUPTED = 130
_GC_THRESHOLD = 200_000


class GateCommand(click.Command):
    """A command whose errors are lines on stderr and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as declared by click
        """Run the command; see the module for how it ends."""
        # Large plain data and a short life: looking for cycles all the time would cost a tenth of it.
        gc.set_threshold(_GC_THRESHOLD)
        use_utf8()
        try:
            return super().invoke(ctx)
        except RagGateError as error:
            say(error.problems)
            ctx.exit(error.exit_code)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            say(["interrupted; files already written are complete"])
            ctx.exit(_INTERRUPTED)
        except Exception:  # noqa: BLE001 - a crash must not look like a regression
            traceback.print_exc()
            click.echo("rag-gate: internal error: no verdict; please report the lines above", err=True)
            ctx.exit(ExitCode.NOT_JUDGED)


class GateGroup(click.Group):
    """A group of such commands, listed in the order in which they are declared."""

    command_class = GateCommand
    group_class = type

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the way the data takes."""
        del ctx
        return list(self.commands)


def say(lines: Iterable[str]) -> None:
    """Print lines for people on stderr; untrusted parts cannot act on a terminal or a workflow log."""
    from rag_gate.report.escape import log_safe

    for line in lines:
        click.echo(f"rag-gate: {log_safe(line)}", err=True)


def use_utf8() -> None:
    """Write UTF-8 whatever the platform's locale says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
