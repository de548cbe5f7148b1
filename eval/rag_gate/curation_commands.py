"""The commands validate, stats and split: a golden set in, what there is to know about it out."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rag_gate.cli_support import emit, say
from rag_gate.config import load_config
from rag_gate.curation.validate import validate
from rag_gate.dataset import load_golden
from rag_gate.dataset.golden_set import read_golden
from rag_gate.errors import ConfigError, ExitCode
from rag_gate.files import atomic_writer, canonical_json, refuse_overwriting
from rag_gate.text import counted

_SETTINGS = Path("rag-gate.yml")


def dataset_of(dataset: str | None, config: Path | None) -> str:
    """Return the golden set that is named, or that the settings name.

    Raises:
        ConfigError: if neither names one.
    """
    if dataset is not None:
        return dataset
    path = config or (_SETTINGS if _SETTINGS.is_file() else None)
    found = load_config(path).dataset if path is not None else None
    if found is None:
        raise ConfigError("name a golden set, or settings that name one (--config)")
    return str(found)


def run_validate(
    dataset: str, corpus: str | None, runs: Sequence[str], *, strict: bool, as_json: bool
) -> ExitCode:
    """Print the findings; the exit code is 2 where the set cannot be used, or under ``strict`` should not.

    Notes never count.
    """
    found = validate(dataset, corpus, runs)
    counts = Counter(finding.severity for finding in found)
    if as_json:
        emit(canonical_json([finding.model_dump() for finding in found]))
    else:
        for finding in found:
            emit(finding.line())
    words = [counted(counts[severity], severity) for severity in ("error", "warning", "note")]
    say([f"{dataset}: {', '.join(words)}"])
    refused = counts["error"] or (strict and counts["warning"])
    return ExitCode.USAGE if refused else ExitCode.PASS


def run_stats(dataset: str, *, as_json: bool) -> None:
    """Print what the set is made of."""
    from rag_gate.curation.stats import lines, stats

    found = stats(load_golden(dataset, "extended").cases)
    emit(canonical_json(found) if as_json else "\n".join(lines(found)))


def run_split(dataset: str, output: Path | None, size: int, seed: int, runs: Sequence[str]) -> None:
    """Propose a core tier, say how well it predicts the whole on runs, and write the set if asked."""
    from rag_gate.curation.prediction import lines, predict
    from rag_gate.curation.split import propose_core

    if output is not None:
        refuse_overwriting(output, dataset, *runs)
    loader = read_golden(dataset)
    loader.refuse_problems()
    core = propose_core(loader.cases, size, seed)
    found = predict(dataset, core, runs, seed) if runs else []
    say([f"core: {len(core)} of {counted(len(loader.cases), 'case')}", *lines(found, len(runs))])
    emit(
        canonical_json(
            {"core": sorted(core), "seed": seed, "prediction": [each.model_dump() for each in found]}
        )
    )
    if output is not None:
        with atomic_writer(output) as out:
            for key, row in loader.rows.items():
                tier = "core" if key in core else "extended"
                out.write(canonical_json({**row.content, "question_id": key, "tier": tier}).encode() + b"\n")
        say([f"wrote {output}"])
