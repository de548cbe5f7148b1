"""ragas as a judge: four of its metrics, every failure with a reason."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rag_gate.errors import MissingExtraError
from rag_gate.files import fingerprint, fingerprint_bytes
from rag_gate.judge.cache import EntryCache
from rag_gate.judge.cache.keys import content_key
from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.backend import Backend, Usage
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.ragas.embeddings import embedding_backend
from rag_gate.judge.ragas.isolation import command_of
from rag_gate.judge.ragas.plan import READS, Row, row_of
from rag_gate.judge.ragas.session import Session
from rag_gate.judge.ragas.settings import RagasSettings
from rag_gate.judge.ragas.tally import Tally
from rag_gate.judge.ragas.worker import VERSION as RAGAS_VERSION

Opening = Callable[[], Backend]


class RagasEngine:
    """Metrics of ragas.

    Args:
        settings: how ragas is run.
        judge: opens the model.
        embeddings: opens the embedding model.
        cache: keeps scores between runs; None for none.

    Attributes:
        usage: what the requests of this run cost, embeddings among them.
        asked: cases that ragas was asked about.
        problems: why the run is incomplete, in sentences; empty where it is not.
        command: what starts the process of ragas.
    """

    name = "ragas"
    version = "1"

    def __init__(
        self,
        settings: RagasSettings,
        judge: Opening,
        embeddings: Opening | None = None,
        cache: EntryCache | None = None,
    ) -> None:
        self.metrics = settings.metrics
        self.usage = Usage()
        self.asked = 0
        self.problems: list[str] = []
        self.command = command_of(settings.python)
        self._settings = settings
        self._judge = judge
        self._embeddings = embeddings
        self._cache = cache
        self._identity = {
            "judge": dict(judge().identity),
            "embeddings": dict(embeddings().identity) if embeddings else None,
            "prompts": prompts_hash(settings.japanese_prompts),
        }
        self.settings: Mapping[str, Any] = {"ragas": RAGAS_VERSION, **self._identity}

    def judge_many(self, requests: Iterable[JudgeRequest]) -> Iterator[CaseJudgment]:
        """Judge answers, in the order given.

        What was measured before ragas failed stays; the rest is unscored with the reason.

        Raises:
            ConfigError: if ragas is missing or broken.
        """
        rows = [row_of(request, self.metrics) for request in requests]
        tally = Tally(rows, self.metrics, self._kept, self._keep)
        job = tally.job(self._settings)
        if job["rows"]:
            session = Session(self._settings, self._judge, self._embeddings)
            try:
                asyncio.run(session.run(self.command, job, tally))
            finally:
                self.usage += session.usage
            self.asked += len(job["rows"])
            self.problems += _problems(session, tally)
        yield from tally.judgments(RAGAS_VERSION)

    def _kept(self, row: Row, metric: str) -> float | None:
        return None if self._cache is None else self._cache.get(self._key(row, metric), _score)

    def _keep(self, row: Row, metric: str, score: float) -> None:
        if self._cache is not None:
            self._cache.put(self._key(row, metric), self._settings.judge.model, {"score": score})

    def _key(self, row: Row, metric: str) -> str:
        embeddings = self._identity["embeddings"] if metric == "answer_relevancy" else None
        return content_key(
            {
                "ragas": RAGAS_VERSION,
                "version": self.version,
                "metric": metric,
                "judge": self._identity["judge"],
                "embeddings": embeddings,
                "prompts": self._identity["prompts"] if row.japanese else None,
                "sample": {name: row.sample[name] for name in READS[metric]},
            }
        )


def _problems(session: Session, tally: Tally) -> list[str]:
    if session.trouble is not None:
        return [f"ragas gave up ({session.trouble}); scores already paid for are kept, so run again to go on"]
    return [f"ragas could not measure {name} in any case ({said})" for name, said in tally.lost().items()]


def openings(settings: RagasSettings, environ: Mapping[str, str]) -> tuple[Opening, Opening | None]:
    """Return what opens the model and the embedding model of the settings."""
    embedded = settings.embeddings
    return (
        lambda: backend_of(settings.judge, environ),
        (lambda: embedding_backend(embedded, environ)) if embedded is not None else None,
    )


def require_ragas(python: Path | None) -> None:
    """Refuse to go on without ragas; another interpreter is asked when it runs.

    Raises:
        MissingExtraError: if this one has none.
    """
    if python is None and find_spec("ragas") is None:
        raise MissingExtraError("judge.engine: ragas", "rag-gate[ragas]")


def prompts_hash(folder: Path | None) -> str | None:
    """Return what stands for the prompts in a folder, None where ragas uses its own."""
    if folder is None:
        return None
    found = {
        path.name: fingerprint_bytes(path.read_bytes()) for path in sorted(folder.glob("*_japanese.json"))
    }
    return fingerprint(found)


def _score(value: Mapping[str, Any]) -> float:
    """Read a kept score.

    Raises:
        ValueError: if it is none.
    """
    score = value.get("score")
    if not isinstance(score, float) or not 0 <= score <= 1:
        raise ValueError("no score")
    return score
