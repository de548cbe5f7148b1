"""How ragas is run."""

from dataclasses import dataclass
from pathlib import Path

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.clients.settings import BackendSettings

RAGAS_METRICS = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")


@dataclass(frozen=True, slots=True)
class RagasSettings:
    """How ragas is run.

    Attributes:
        judge: the model that ragas asks, with its limits and deadlines.
        embeddings: an embedding model behind OpenAI's wire format; only ``answer_relevancy`` needs one.
        metrics: which of the four metrics.
        japanese_prompts: folder with prompts that ragas has adapted to Japanese and saved; rows in Japanese use
            them. None: ragas' own prompts, with examples in English, for every row.
        python: interpreter that has ragas; None for this one.
        start_s: limit for starting the process and importing ragas.
    """

    judge: BackendSettings
    embeddings: BackendSettings | None = None
    metrics: tuple[str, ...] = RAGAS_METRICS
    japanese_prompts: Path | None = None
    python: Path | None = None
    start_s: float = 120

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        unknown = [name for name in self.metrics if name not in RAGAS_METRICS]
        if unknown or not self.metrics:
            raise ConfigError(
                f"judge.ragas.metrics: must name some of {', '.join(RAGAS_METRICS)}, found {', '.join(unknown) or 'none'}"
            )
        if "answer_relevancy" in self.metrics and self.embeddings is None:
            raise ConfigError(
                "judge.ragas: answer_relevancy compares embeddings, and there is no model for them; set "
                "judge.ragas.embedding_model, or leave answer_relevancy out of judge.ragas.metrics"
            )
        if self.japanese_prompts is not None and not self.japanese_prompts.is_dir():
            raise ConfigError(f"judge.ragas.japanese_prompts: {self.japanese_prompts} is no folder")
