"""Which run is kept beside a baseline that is promoted, and which copies go."""

from pathlib import Path

from rag_gate.cli_support import say
from rag_gate.dataset import load_golden
from rag_gate.dataset.kept_run import KeptRun, others_kept
from rag_gate.records.results import Results
from rag_gate.stage_options import Source


def run_to_keep(results: Results, config: Path | None, run: str | None) -> KeptRun | None:
    """Return the run that was measured, to be copied; None, with a line that says why, where it is not at hand.

    Args:
        results: what is promoted.
        config: the settings, which name golden set and run.
        run: the run, where it is not the one in the settings.

    Raises:
        InputError: if golden set or run cannot be read.
    """
    if config is None:
        say(
            [
                "the run's answers are not kept, since no settings name it; with --config, --rejudge can use them"
            ]
        )
        return None
    source = Source.from_config(config, run, "extended")
    if run is None and source.run is not None and not Path(source.run).exists():
        say([f"the run's answers are not kept: {source.run} is not there; name it with --run"])
        return None
    found = KeptRun(load_golden(source.dataset, "extended"), source.run)
    if found.run_fingerprint != results.run.fingerprint:
        name = source.run or source.dataset
        say([f"the run's answers are not kept: {name} is not the run of these results; name that with --run"])
        return None
    return found


def remove_older(baseline: Path, fingerprint: str | None) -> None:
    """Remove the copies that earlier baselines had; the last one only after the new baseline stands."""
    for path in others_kept(baseline, fingerprint):
        path.unlink(missing_ok=True)
