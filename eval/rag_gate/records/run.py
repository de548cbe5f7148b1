"""One recorded case of a run: what was retrieved, in rank order, and what was answered.

Plain checks instead of a model per result: a run may hold millions of results.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from rag_gate.records.base import SCHEMA_VERSION, UserRecord
from rag_gate.text import quoted

ID_KEYS = ("id", "chunk_id", "doc_id", "document_id", "doc")
DOC_KEYS = ("doc_id", "document_id", "doc")
TEXT_KEYS = ("text", "page_content", "content")
#: A list under these keys holds ids; a bare string in it is an id.
ID_LISTS = ("retrieved", "retrieved_ids", "retrieved_context_ids", "retrieved_doc_ids")
#: A list under these keys holds texts; a bare string in it is a text.
TEXT_LISTS = ("retrieved_contexts", "contexts", "retrieval_context")
ANSWER_KEYS = ("answer", "actual", "response", "actual_output")
QUESTION_ID_KEYS = ("question_id", "id")
RUN_KEYS = (*ID_LISTS, *TEXT_LISTS, *ANSWER_KEYS, "citations", "latency_ms", "usage", "error")


class RunManifest(UserRecord):
    """Under which conditions a run was made; users may add fields of their own.

    Attributes:
        commit: of the bot's code.
        dirty: whether tracked files of that code had changes.
        model: that answered.
        prompt_version: of the bot's own prompts.
        index_embedding_model: that the index was built with.
        query_embedding_model: that questions are embedded with.
        corpus_id: stands for the documents.
        chunking_id: stands for how they were cut.
        k: results asked for.
        seed: handed to the bot.
        target_config: stands for how the bot was asked, its address included.
        rag_gate_version: that recorded the run.
        frozen_retrieval: fingerprint of the run whose results were answered from.
        frozen_answers: fingerprint of the run whose answers were kept.
    """

    model_config = ConfigDict(extra="allow", protected_namespaces=())
    schema_version: Literal[1] = SCHEMA_VERSION
    commit: str | None = None
    dirty: bool | None = None
    model: str | None = None
    prompt_version: str | None = None
    index_embedding_model: str | None = None
    query_embedding_model: str | None = None
    corpus_id: str | None = None
    chunking_id: str | None = None
    k: int | None = Field(default=None, ge=1)
    seed: int | None = None
    target_config: str | None = None
    rag_gate_version: str | None = None
    frozen_retrieval: str | None = None
    frozen_answers: str | None = None


class RunRecord(NamedTuple):
    """One case as recorded.

    Attributes:
        question_id: the golden case it belongs to.
        ids: result ids in rank order; None where a result carries none.
        results: the results as given (``dict`` or bare id), for texts and document ids.
        answer: the generated answer, None when none was recorded.
        citations: ids the system itself says it cited, None when not recorded.
        error: why the case was not executed, None when it was.
        has_results: False when the row has no list of results at all (an empty list is True).
        latency_ms: how long the answer took in milliseconds, None when not recorded.
        tokens: how many tokens question and answer took, None when not recorded.
    """

    question_id: str
    ids: Sequence[str | None]
    results: Sequence[Any]
    answer: str | None = None
    citations: tuple[str, ...] | None = None
    error: str | None = None
    has_results: bool = True
    latency_ms: float | None = None
    tokens: int | None = None

    @property
    def top_score(self) -> float | None:
        """The first result's score; None where there is none, or no number."""
        if not self.results:
            return None
        first = self.results[0]
        score = first.get("score") if isinstance(first, Mapping) else getattr(first, "score", None)
        if not isinstance(score, int | float) or isinstance(score, bool):
            return None
        return float(score) if abs(score) <= _MOST else None

    def texts(self, limit: int | None = None) -> list[str | None]:
        """Return the text of the first ``limit`` results; None where a result has no text."""
        return [_text_of(item) for item in self.results[:limit]]


_DIGITS = 16


def results_fingerprint(names: Sequence[str]) -> str:
    """Return 16 hexadecimal digits for what was retrieved, in rank order."""
    text = f"{len(names)}\0" + "\0".join(names)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


#: Of a case for which nothing was retrieved.
NOTHING_RETRIEVED = results_fingerprint(())


def _text_of(item: object) -> str | None:
    if isinstance(item, dict):
        return next((item[key] for key in TEXT_KEYS if isinstance(item.get(key), str)), None)
    return None


def parse_run_record(row: Mapping[str, Any], question_id: str | None) -> RunRecord:
    """Check one row of a run.

    Raises:
        ValueError: with a message that names the key, if the row cannot be used.
    """
    if question_id is None:
        raise ValueError("no question_id; each run row needs the id of its golden case")
    results, has_results = _results(row)
    return RunRecord(
        question_id=question_id,
        ids=_ids(results),
        results=results,
        answer=_text(row, ANSWER_KEYS),
        citations=_citations(row.get("citations")),
        error=_error(row.get("error")),
        has_results=has_results,
        latency_ms=_latency(row.get("latency_ms")),
        tokens=_tokens(row.get("usage")),
    )


def id_of(row: Mapping[str, Any]) -> str | None:
    """Return the row's question id as text, or None if it has none.

    Raises:
        ValueError: if the id is neither text nor a whole number, or is empty.
    """
    for key in QUESTION_ID_KEYS:
        value = row.get(key)
        if value is not None:
            checked = _as_id(value)
            if not checked:
                raise ValueError(f"{key} must be a non-empty text or a whole number, found {quoted(value)}")
            return checked
    return None


def _as_id(value: object) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _results(row: Mapping[str, Any]) -> tuple[Sequence[Any], bool]:
    found = row.get("retrieved")
    if isinstance(found, list) and row.keys().isdisjoint(TEXT_LISTS):
        return found, True
    texts = next((row[key] for key in TEXT_LISTS if row.get(key) is not None), None)
    for key in ID_LISTS:
        found = row.get(key)
        if found is not None:
            if not isinstance(found, list):
                raise ValueError(f"{key} must be a list in rank order, found {type(found).__name__}")
            return (_with_texts(found, texts, key) if isinstance(texts, list) else found), True
    if texts is None:
        return (), False
    if not isinstance(texts, list):
        raise ValueError(f"the list of contexts must be a list, found {type(texts).__name__}")
    return [{"text": item} if isinstance(item, str) else item for item in texts], True


def _with_texts(ids: list[Any], texts: list[Any], key: str) -> list[Any]:
    """Join a list of bare ids with a list of texts of the same length (the ragas form)."""
    if any(isinstance(item, dict) for item in ids):
        return ids
    if len(ids) != len(texts):
        raise ValueError(
            f"{key} has {len(ids)} entries and the list of contexts {len(texts)}; they must pair up"
        )
    return [
        {**text, "id": item} if isinstance(text, dict) else {"id": item, "text": text}
        for item, text in zip(ids, texts, strict=True)
    ]


_ID = itemgetter("id")


def _ids(results: Sequence[Any]) -> Sequence[str | None]:
    try:
        ids = list(map(_ID, results))
        "".join(ids)
    except (KeyError, TypeError, IndexError):
        ids = [""]
    if all(ids):
        return ids
    return [_result_id(item, rank) for rank, item in enumerate(results, start=1)]


def _result_id(item: object, rank: int) -> str | None:
    if not isinstance(item, dict):
        bare = _as_id(item)
        if not bare:
            raise ValueError(f"result {rank} must be an id or an object with an id, found {quoted(item)}")
        return bare
    for key in ID_KEYS:
        value = item.get(key)
        if value is not None:
            checked = _as_id(value)
            if not checked:
                raise ValueError(
                    f"result {rank}: {key} must be a non-empty text or a whole number, found {quoted(value)}"
                )
            return checked
    return None


def _text(row: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    for key in keys:
        value = row.get(key)
        if value is not None:
            if not isinstance(value, str):
                raise ValueError(f"{key} must be text, found {type(value).__name__}")
            return value
    return None


def _citations(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    items = value if isinstance(value, list) else [value]
    checked = [_as_id(item) for item in items]
    if not all(checked):
        raise ValueError(f"citations must be a list of ids, found {quoted(value)}")
    return tuple(item for item in checked if item)


def _latency(value: object) -> float | None:
    """Return a latency; of a table of stages the total, or their sum."""
    if isinstance(value, Mapping):
        return _latency(value["total"]) if "total" in value else _sum_of(value.values())
    return _sum_of([value])


def _tokens(value: object) -> int | None:
    """Return the number of tokens, as the services count them: a number, or a table with a total or two parts."""
    if isinstance(value, Mapping):
        total = _sum_of([value.get("total_tokens")])
        parts = [_sum_of([value.get(name) for name in names if name in value][:1]) for names in _TOKEN_PARTS]
        known = total if total is not None else _sum_of(parts)
    else:
        known = _sum_of([value])
    return None if known is None else int(known)


_TOKEN_PARTS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))


_MOST = 1e15


def _sum_of(values: Iterable[object]) -> float | None:
    """Return the sum of the numbers that are not negative (nor absurd), None where there is none."""
    numbers = [
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST
    ]
    return sum(numbers) if numbers else None


def _error(value: object) -> str | None:
    if not value:
        return None
    return value if isinstance(value, str) else str(value)
