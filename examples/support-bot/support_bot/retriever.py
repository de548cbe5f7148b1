"""Keyword retrieval with BM25 (the bm25s library)."""

from collections.abc import Sequence

import bm25s

from support_bot.chunking import Chunk
from support_bot.words import PAIRS, terms

SCORE_DIGITS = 4
NAME = f"bm25s {bm25s.__version__}"


class Retriever:
    """An index of chunks that finds those nearest to a question.

    Args:
        chunks: the index holds their terms, Japanese ones in pairs of characters.
        query_size: characters in the Japanese terms of a question. Another size than that of the index asks it in
            another vocabulary, as the vectors of another embedding model would.
    """

    def __init__(self, chunks: Sequence[Chunk], query_size: int = PAIRS) -> None:
        self._query_size = query_size
        self._chunks = list(chunks)
        self._index = bm25s.BM25(backend="numpy", csc_backend="numpy")
        self._index.index([list(terms(chunk.text)) for chunk in self._chunks], show_progress=False)

    def search(self, question: str, k: int) -> list[tuple[Chunk, float]]:
        """Return up to ``k`` chunks that share a term with the question, best first.

        Scores are rounded, and equal scores keep the order of the corpus, so that the result is the
        same on every machine.
        """
        query = self._index.get_tokens_ids(list(terms(question, size=self._query_size)))
        if not query:
            return []
        scores = [round(float(score), SCORE_DIGITS) for score in self._index.get_scores(query)]
        ranked = sorted(range(len(scores)), key=lambda position: (-scores[position], position))
        return [(self._chunks[position], scores[position]) for position in ranked[:k] if scores[position] > 0]
