"""The whole bot: documents in, answers out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support_bot.answerer import VERSION, Answer, Answerer
from support_bot.chunking import Chunk, chunk_document
from support_bot.corpus import corpus_id, read_corpus
from support_bot.retriever import NAME, Retriever
from support_bot.settings import BotSettings


@dataclass(frozen=True)
class Reply:
    """What the bot found, best first with scores, and what it says."""

    retrieved: list[tuple[Chunk, float]]
    answer: Answer


class SupportBot:
    """A bot over one corpus with one setting of its knobs."""

    def __init__(self, corpus: Path, settings: BotSettings) -> None:
        documents = read_corpus(corpus)
        chunks = [chunk for doc in documents for chunk in chunk_document(doc, settings.chunking)]
        self._settings = settings
        self._corpus_id = corpus_id(documents)
        self._retriever = Retriever(chunks, settings.query_size)
        self._answerer = Answerer(chunks, settings.answer)

    def ask(self, question: str) -> Reply:
        """Retrieve and answer. Nothing but the question's text is looked at."""
        retrieved = self.retrieve(question)
        return Reply(retrieved, self.answer(question, retrieved))

    def retrieve(self, question: str) -> list[tuple[Chunk, float]]:
        """Return what is found for a question, best first with scores."""
        return self._retriever.search(question, self._settings.k)

    def answer(self, question: str, retrieved: Sequence[tuple[Chunk, float]]) -> Answer:
        """Answer a question from what was retrieved for it."""
        return self._answerer.answer(question, [chunk for chunk, _ in retrieved])

    def manifest(self) -> dict[str, str | int | None]:
        """Say what the answers were made with; the keys a recorded run's manifest has."""
        return {
            "schema_version": 1,
            "target": "support-bot",
            "retriever": NAME,
            "chunking_id": self._settings.chunking.name,
            "corpus_id": self._corpus_id,
            "k": self._settings.k,
            "generator": f"{VERSION} style={self._settings.answer.style}",
            "prompt_version": None,
            "index_embedding_model": None,
            "query_embedding_model": None,
        }
