"""Results of runs of one bot, for calibrating."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rag_gate.merge import write_results
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, MetricSummary, RunInfo
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import RunManifest

Scores = Sequence[float | None]


def results(
    columns: Mapping[str, Scores],
    run: str = "run-1",
    *,
    clusters: Sequence[str] | None = None,
    settings: str = "s",
    dataset: str = "d",
    manifest: RunManifest | None = None,
) -> Results:
    """Return results with these scores per metric, one case per row."""
    n = len(next(iter(columns.values())))
    means: dict[str, float | None] = {
        name: sum(value or 0.0 for value in column) / n for name, column in columns.items()
    }
    return Results(
        dataset=DatasetInfo(fingerprint=dataset, tier="core", n_cases=n, has_extended=True),
        run=RunInfo(fingerprint=run, manifest=manifest),
        stages={"retrieval": Evaluator(name="ranking", version="1", fingerprint=settings)},
        scores=means,
        metrics={name: MetricSummary(mean=mean, n_scored=n) for name, mean in means.items()},
        statuses={"passed": n},
        cases=[
            CaseResult(
                question_id=f"q{i:03}",
                fingerprint="f",
                info=CaseInfo(cluster=clusters[i] if clusters else None),
                status="passed",
                scores={name: column[i] for name, column in columns.items()},
            )
            for i in range(n)
        ],
    )


def flipped(column: Sequence[float], *places: int) -> list[float]:
    """Return 0/1 scores with some of them turned round."""
    return [1.0 - value if i in places else value for i, value in enumerate(column)]


def written(folder: Path, name: str, found: Results) -> Path:
    path = folder / name
    write_results(path, found)
    return path
