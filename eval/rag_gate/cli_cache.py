"""The commands about the judge's cache, declared."""

from pathlib import Path

import click

from rag_gate.cli_options import FILE, Function, with_config
from rag_gate.cli_support import GateGroup

_MOST_MB = click.FloatRange(min=0, max=1_000_000)


def _place(function: Function) -> Function:
    """Add the options that say where the cache is."""
    folder = click.option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        help="The cache (default: $RAG_GATE_CACHE_DIR, else rag-gate/judge in the user's cache folder).",
    )
    return folder(with_config(function))


@click.group(cls=GateGroup)
def cache() -> None:
    """Look after the judgments that are kept between runs."""


@cache.command()
@_place
def stats(folder: Path | None, config: Path | None) -> None:
    """Tell how many judgments are kept, how large and how old, by model.

    Example: rag-gate cache stats
    """
    from rag_gate.cache_commands import run_stats

    run_stats(folder, config)


@cache.command()
@_place
@click.option(
    "--older-than", metavar="AGE", help="Age limit, such as 12h, 30d or 4w (default: of the settings, 30d)."
)
@click.option(
    "--max-mb", type=_MOST_MB, help="Then remove the oldest beyond that size (default: of the settings, 100)."
)
@click.option("--all", "everything", is_flag=True, help="Remove everything.")
def prune(
    folder: Path | None,
    config: Path | None,
    older_than: str | None,
    max_mb: float | None,
    *,
    everything: bool,
) -> None:
    """Remove judgments that are too old or too many, and files that are damaged.

    Example: rag-gate cache prune --older-than 7d --max-mb 50
    """
    from rag_gate.cache_commands import run_prune

    run_prune(folder, config, older_than, max_mb, everything=everything)


@cache.command(name="export")
@click.argument("file", type=FILE)
@_place
def export(file: Path, folder: Path | None, config: Path | None) -> None:
    """Write all judgments to one file, the same bytes for the same judgments.

    Example: rag-gate cache export judgments.jsonl
    """
    from rag_gate.cache_commands import run_export

    run_export(folder, config, file)


@cache.command(name="import")
@click.argument("file", type=FILE)
@_place
@click.option("--max-mb", type=_MOST_MB, help="Largest file that is read (default: of the settings, 100).")
def import_(file: Path, folder: Path | None, config: Path | None, max_mb: float | None) -> None:
    """Add the judgments of an exported file. Whoever wrote the file decides what they say.

    Lines that are altered or too old are left out and counted.

    Example: rag-gate cache import judgments.jsonl
    """
    from rag_gate.cache_commands import run_import

    run_import(folder, config, file, max_mb)
