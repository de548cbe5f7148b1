"""The commands below calibrate: the gate measured itself."""

from pathlib import Path

import click

from rag_gate.cli_options import FILE, with_config, with_output
from rag_gate.cli_support import GateGroup


@click.group(cls=GateGroup)
def calibrate() -> None:
    """Measure the gate itself: the noise between identical runs, and a judge against people."""


@calibrate.command()
@click.argument("results", nargs=-1, required=True, type=FILE)
@with_config
@click.option("--tolerances", type=FILE, help="Table of tolerances: metric -> largest drop.")
@with_output("calibration.json")
def noise(results: tuple[Path, ...], config: Path | None, tolerances: Path | None, output: Path) -> None:
    """Tell from two or more runs of the same commit what the tolerances are worth, and propose some.

    Example: rag-gate calibrate noise first.json second.json --output calibration.json
    """
    from rag_gate.calibrate_commands import run_noise

    run_noise(results, config, tolerances, output)


@calibrate.command(name="judge")
@click.argument("labels", type=FILE)
@click.option("--results", type=FILE, required=True, help="Results of merge, with the judge's scores.")
@click.option("--metric", default="correctness", show_default=True, help="Which score of the judge.")
@with_output("agreement.json")
def calibrate_judge(labels: Path, results: Path, metric: str, output: Path) -> None:
    """Tell how far a judge agrees with people. LABELS has lines of question_id and label (0 or 1).

    Example: rag-gate calibrate judge labels.jsonl --results eval_results.json --output agreement.json
    """
    from rag_gate.calibrate_commands import run_agreement

    run_agreement(labels, results, metric, output)
