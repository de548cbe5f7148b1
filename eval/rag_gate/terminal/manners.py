"""Whether to speak, and whether in colour."""

import sys
from collections.abc import Mapping

import click

_QUIET = "rag_gate.quiet"


def colour_wanted(environ: Mapping[str, str]) -> bool | None:
    """Return whether output is coloured whatever it goes to; None = on terminals only.

    ``NO_COLOR`` comes before ``FORCE_COLOR`` (as in Python itself), and both before ``TERM=dumb``. An empty
    variable counts as not set.
    """
    if environ.get("NO_COLOR"):
        return False
    forced = environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return False if environ.get("TERM") == "dumb" else None


def be_quiet(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    """Remember that the user wants to read errors only."""
    context.meta[_QUIET] = value


def is_quiet() -> bool:
    """Tell whether the running command was asked to print errors only."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def is_watched(environ: Mapping[str, str]) -> bool:
    """Tell whether somebody watches the command on a terminal that can draw."""
    return sys.stderr.isatty() and environ.get("TERM") != "dumb" and not is_quiet()
