"""The commands about the gate itself: how noisy the scores are, how good the judge is."""

from collections.abc import Sequence
from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.config import load_config, load_tolerances, shipped_tolerances
from rag_gate.config_models import Config
from rag_gate.files import refuse_overwriting, write_text


def run_noise(results: Sequence[Path], config: Path | None, tolerances: Path | None, output: Path) -> None:
    """Measure the noise between runs of one commit, write it, print the table."""
    from rag_gate.calibrate.noise_report import calibration
    from rag_gate.calibrate.runs import load_runs
    from rag_gate.calibrate.tables import noise_lines
    from rag_gate.regression.check import Rules

    refuse_overwriting(output, *results, config, tolerances)
    settings = load_config(config) if config else Config()
    table = load_tolerances(tolerances) if tolerances else settings.tolerances
    rules = Rules(user=table, shipped=shipped_tolerances(), gate=settings.gate)
    found = calibration(load_runs(results), rules)
    write_text(output, found.model_dump_json(indent=1) + "\n")
    say([*noise_lines(found), f"wrote {output}; try its table with: rag-gate check --tolerances {output}"])


def run_agreement(labels: Path, results: Path, metric: str, output: Path) -> None:
    """Compare a judge with people, write the agreement, print it."""
    from rag_gate.calibrate.agreement_report import agreement
    from rag_gate.calibrate.labels import read_labels
    from rag_gate.calibrate.runs import load_cases
    from rag_gate.calibrate.tables import agreement_lines

    refuse_overwriting(output, labels, results)
    found = agreement(load_cases(results), read_labels(labels, metric), metric)
    write_text(output, found.model_dump_json(indent=1) + "\n")
    say([*agreement_lines(found), f"wrote {output}"])
