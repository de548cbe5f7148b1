"""How long a user waits: help, check, and a whole run without model judge on the example (50 cases)."""

import sys
import tempfile
from pathlib import Path

from processes import measure, show

CONFIG = Path(__file__).resolve().parents[1] / "examples" / "support-bot" / "rag-gate.yml"


def main() -> None:
    """Measure whole processes, interpreter start included."""
    command = str(Path(sys.executable).with_name("rag-gate"))
    with tempfile.TemporaryDirectory() as folder:
        run = [command, "run", "--config", str(CONFIG), "--output", folder]
        check = [command, "check", f"{folder}/results.json", "--config", str(CONFIG)]
        measured = measure(
            {"rag-gate run (50 cases)": run, "rag-gate check": check, "rag-gate --help": [command, "--help"]}
        )
    show(measured)


if __name__ == "__main__":
    main()
