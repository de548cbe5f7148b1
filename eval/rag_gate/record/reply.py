"""From a bot's reply to the row that is recorded: one form, whatever kind of bot it was."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.record.mapping import Mapper
from rag_gate.record.question import Question
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import Answered, TargetError
from rag_gate.records.run import DOC_KEYS, TEXT_KEYS, RunRecord, parse_run_record

_MOST_RESULTS = 10_000


class Replies:
    """Checks replies and brings them into one form.

    Args:
        mapper: where things stand.
        secrets: what must not be recorded.
        latency: whether times are recorded.
    """

    def __init__(self, mapper: Mapper, secrets: Secrets, *, latency: bool) -> None:
        self._mapper = mapper
        self._secrets = secrets
        self._latency = latency

    def row(self, question: Question, answered: Answered, total_ms: float) -> dict[str, Any]:
        """Return the row of a reply, without ``question_id``.

        Raises:
            TargetError: if the reply cannot be recorded.
        """
        given = self._mapper.row(answered.content)
        record = self._checked(question, given)
        row: dict[str, Any] = {}
        if question.contexts is not None:
            _refuse_other_results(record, question.contexts)
            row["retrieved"] = list(question.contexts)
        elif record.has_results:
            row["retrieved"] = results_of(record)
        if record.answer is not None:
            row["answer"] = record.answer
        if record.citations is not None:
            row["citations"] = list(record.citations)
        if given.get("usage") is not None:
            row["usage"] = given["usage"]
        if self._latency:
            row["latency_ms"] = _times(answered, given.get("latency_ms"), total_ms)
        return row

    def _checked(self, question: Question, given: Mapping[str, Any]) -> RunRecord:
        name = self._secrets.found_in(given)
        if name is not None:
            raise TargetError(f"the reply holds the value of {name}, a credential, and is not recorded")
        if given.get("error"):
            raise TargetError(f"the bot says: {self._secrets.quote(str(given['error']))}")
        try:
            record = parse_run_record(given, question.question_id)
        except ValueError as error:
            raise TargetError(f"the reply cannot be recorded: {self._secrets.quote(str(error))}") from None
        if question.stage == "retrieval" and not record.has_results:
            raise TargetError("the reply holds no list of results")
        if question.stage == "generation" and record.answer is None:
            raise TargetError("the reply holds no answer")
        return record


def _times(answered: Answered, said: object, total_ms: float) -> dict[str, float]:
    """Return milliseconds by stage: as measured here, else as the bot says; the whole as measured here."""
    stages = answered.stages or (said if isinstance(said, Mapping) else {})
    known = {str(name): float(value) for name, value in stages.items() if name != "total" and _is_time(value)}
    return {**{name: round(value, 1) for name, value in known.items()}, "total": round(total_ms, 1)}


def results_of(record: RunRecord) -> list[dict[str, Any]]:
    """Return a record's results in one form: ``id``, ``doc_id``, ``text``, ``score``, ``metadata``, as far as known.

    Raises:
        TargetError: if a score is no number, or there are absurdly many results.
    """
    if len(record.results) > _MOST_RESULTS:
        raise TargetError(f"the reply holds more than {_MOST_RESULTS:,} results")
    return [
        _result(key, item, rank)
        for rank, (key, item) in enumerate(zip(record.ids, record.results, strict=True), start=1)
    ]


def _result(key: str | None, item: Any, rank: int) -> dict[str, Any]:  # noqa: ANN401 - as the bot says it
    if not isinstance(item, Mapping):
        return {"id": key}
    score = item.get("score")
    if score is not None and not _is_number(score):
        raise TargetError(f"result {rank}: score must be a finite number, found {type(score).__name__}")
    found = {
        "id": key,
        "doc_id": next((item[name] for name in DOC_KEYS if item.get(name) is not None), None),
        "text": next((item[name] for name in TEXT_KEYS if isinstance(item.get(name), str)), None),
        "score": score,
        "metadata": item.get("metadata"),
    }
    return {name: value for name, value in found.items() if value is not None}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and _is_number(value) and value >= 0


def _refuse_other_results(record: RunRecord, contexts: Sequence[Mapping[str, Any]]) -> None:
    """Refuse an answer that was made from other results than the recorded ones."""
    if not record.has_results:
        return
    given = [item.get("id") for item in contexts]
    if list(record.ids) != given:
        raise TargetError(
            "the bot found its own results although recorded ones were given; let it answer from 'contexts'"
        )
