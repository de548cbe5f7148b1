"""Join what the jobs of the shards measured."""

from collections.abc import Iterable
from pathlib import Path

from rag_gate.dataset import load_golden
from rag_gate.errors import NotJudgedError
from rag_gate.files import parse_json, read_bytes
from rag_gate.measures import STAGES
from rag_gate.merge import merge_files
from rag_gate.stage_options import Source, used_stages


def join(given: Iterable[Path], source: Source, output: Path) -> None:
    """Join the files of all shards into results; each must have measured the golden set that decides.

    Args:
        given: the files, or folders that hold them.
        source: what was to be measured.
        output: folder of results.json.

    Raises:
        RagGateError: if a shard is missing, is there twice, or is of another golden set.
    """
    config = source.config
    results = merge_files(partials(given), output / "results.json", used_stages(config), config.answer_ok)
    everything = load_golden(source.dataset, "extended")
    expected = (everything.core() if source.tier == "core" else everything).info()
    if results.dataset != expected:
        raise NotJudgedError(
            f"the shards measured another golden set (fingerprint {results.dataset.fingerprint[:12]}, tier "
            f"{results.dataset.tier}) than the one that decides ({expected.fingerprint[:12]}, tier {expected.tier}); "
            "run all of them on the same commit and event"
        )


def has_judge(given: Iterable[Path]) -> bool:
    """Tell whether the jobs of the shards had what the judge needs.

    Raises:
        InputError: if a file cannot be read.
    """
    return any(_stage(path) == "judge" for path in partials(given))


def partials(given: Iterable[Path]) -> list[Path]:
    """Return the files of shards, in order."""
    return sorted(path for one in given for path in _below(one))


def _below(given: Path) -> list[Path]:
    if not given.is_dir():
        return [given]
    return [path for stage in STAGES for path in sorted(given.rglob(f"{stage}*.json")) if path.is_file()]


def _stage(path: Path) -> object:
    named = next((stage for stage in STAGES if path.name.startswith(stage)), None)
    if named is not None:
        return named
    document = parse_json(read_bytes(path), str(path))
    return document.get("kind") if isinstance(document, dict) else None
