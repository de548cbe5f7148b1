"""Run one command as a script beside the package; say plainly when its dependencies are not installed."""

import sys


def run_script(command: str) -> None:
    """Run a command of the command line; end with 2 where Python lacks what it needs.

    Python itself would end with 1, which means "regression".
    """
    try:
        from rag_gate import cli
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"rag-gate: the package '{error.name}' is not installed for {sys.executable}; "
            "run: python -m pip install -r requirements/core.txt\n"
        )
        sys.exit(2)
    cli.main.commands[command]()
