"""The commands that keep a golden set: validate, stats, split."""

import sys
from pathlib import Path

import click

from rag_gate.cli_options import FILE, with_config
from rag_gate.cli_support import GateCommand

_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it is printed.",
)
_DATASET = click.argument("dataset", required=False)


@click.command(cls=GateCommand)
@_DATASET
@with_config
@click.option(
    "--corpus", help="All documents: rows with an id, a .txt with one id a line, or a folder of documents."
)
@click.option(
    "--run", "runs", multiple=True, help="Recorded run, whose ids are known to be ids; may be repeated."
)
@click.option("--strict", is_flag=True, help="Leave with 2 also for warnings.")
@_FORMAT
def validate(
    dataset: str | None,
    config: Path | None,
    corpus: str | None,
    runs: tuple[str, ...],
    form: str,
    *,
    strict: bool,
) -> None:
    """Look for what is wrong with a golden set: copies, unknown gold ids, contradictions, thin slices.

    Leaves with 2 where the gate would refuse the set; warnings count only under --strict, notes never.

    Example: rag-gate validate golden.jsonl --corpus docs/ --strict
    """
    from rag_gate.curation_commands import dataset_of, run_validate

    sys.exit(run_validate(dataset_of(dataset, config), corpus, runs, strict=strict, as_json=form == "json"))


@click.command(cls=GateCommand)
@_DATASET
@with_config
@_FORMAT
def stats(dataset: str | None, config: Path | None, form: str) -> None:
    """Print what a golden set is made of: tiers, slices, gold ids per case, lengths.

    Example: rag-gate stats golden.jsonl
    """
    from rag_gate.curation_commands import dataset_of, run_stats

    run_stats(dataset_of(dataset, config), as_json=form == "json")


@click.command(cls=GateCommand)
@_DATASET
@with_config
@click.option(
    "--size",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many cases core shall have.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives another choice.")
@click.option("--run", "runs", multiple=True, help="Recorded run to try the choice on; may be repeated.")
@click.option(
    "--output", type=FILE, help="Write the set with its new tiers (JSONL); without it nothing is written."
)
def split(
    dataset: str | None, config: Path | None, size: int, seed: int, runs: tuple[str, ...], output: Path | None
) -> None:
    """Propose a core tier that represents the whole set, and say how well it predicts the whole on recorded runs.

    Example: rag-gate split golden.jsonl --size 50 --run run.jsonl --output golden-tiers.jsonl
    """
    from rag_gate.curation_commands import dataset_of, run_split

    run_split(dataset_of(dataset, config), output, size, seed, runs)
