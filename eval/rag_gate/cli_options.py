"""Options and types that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])
FILE = click.Path(path_type=Path, dir_okay=False)


def with_config(function: Function) -> Function:
    """Add the option that names the settings."""
    return click.option(
        "--config", type=FILE, help="rag-gate.yml with the settings; options given here win over it."
    )(function)


def with_output(name: str) -> Callable[[Function], Function]:
    """Add the option that names the file to write."""
    return click.option("--output", type=FILE, default=name, show_default=True, help="The file to write.")
