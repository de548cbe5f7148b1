"""Which tool wrote a file, told by its keys: for a message, never to choose by itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.formats.reading import cells, is_table, values

#: Sets of keys that only one format has, in rows or in the object around them.
_SIGNS: tuple[tuple[str, tuple[frozenset[str], ...]], ...] = (
    (
        "rank-eval",
        (frozenset({"requests"}), frozenset({"details", "metric_score"}), frozenset({"judgmentRatings"})),
    ),
    ("elasticsearch", (frozenset({"took", "responses"}),)),
    (
        "langsmith",
        (frozenset({"run_type"}), frozenset({"inputs", "outputs"}), frozenset({"inputs", "dataset_id"})),
    ),
    ("open-rag-eval", (frozenset({"query", "passage_id"}),)),
    ("llama-index", (frozenset({"source_nodes"}), frozenset({"nodes"}))),
    (
        "deepeval",
        tuple(
            frozenset({key})
            for key in ("actual_output", "actualOutput", "expected_output", "retrieval_context", "testCases")
        ),
    ),
    ("ragas", (frozenset({"user_input"}), frozenset({"question", "contexts"}))),
)


def likely_format(path: Path) -> str | None:
    """Return the format that the first row looks like, None where that cannot be told."""
    if path.is_dir():
        return "beir" if (path / "queries.jsonl").is_file() else None
    try:
        value = next(cells(path) if is_table(path) else values(path)).value
    except (InputError, StopIteration):
        return None
    first = next(iter(value), None) if isinstance(value, list) else value
    return _of_row(first) if isinstance(first, dict) else None


def _of_row(row: Mapping[str, Any]) -> str | None:
    if isinstance(row.get("resourceSpans"), list) or {"attributes", "context"} <= row.keys():
        return "openinference" if "openinference.span.kind" in str(row) else "otel-genai"
    if isinstance(row.get("results"), dict) and "results" in row["results"]:
        return "promptfoo"
    parts = [row, *(part for part in row.values() if isinstance(part, dict))]
    if any(isinstance(part.get("hits"), dict) or _is_refusal(part) for part in parts):
        # rank-eval reads whole answers; those of searches stand beside their questions.
        return "rank-eval" if _is_refusal(row) else "elasticsearch"
    named = next((name for name, signs in _SIGNS for keys in signs if keys <= row.keys()), None)
    if named is not None:
        return named
    if any(
        isinstance(part.get(key), list) for part in parts[1:] for key in ("documents", "replies", "answers")
    ):
        return "haystack"
    return "langchain" if any("page_content" in str(item) for item in row.values()) else None


def _is_refusal(answer: Mapping[str, Any]) -> bool:
    """Tell whether something is an error as Elasticsearch and OpenSearch answer it."""
    error = answer.get("error")
    return isinstance(error, dict) and "root_cause" in error
