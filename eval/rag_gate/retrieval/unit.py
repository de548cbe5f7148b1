"""The unit of comparison: result ids (chunks) or the documents they come from."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.config_models import DocumentIdRule, RetrievalConfig
from rag_gate.dataset import GoldenSet, open_run
from rag_gate.dataset.ranks import RankedResult
from rag_gate.errors import ConfigError
from rag_gate.metrics import Ranked
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import DOC_KEYS, RunRecord

#: A user's pattern is run on so many characters of an id.
_LONGEST_ID = 1_000


class DocumentIds:
    """Find the document id of a result: its own field, or by the configured rule."""

    def __init__(self, rule: DocumentIdRule | None) -> None:
        self._pattern = re.compile(rule.regex) if rule and rule.regex else None
        self._path = rule.metadata.split(".") if rule and rule.metadata else None

    def of_id(self, item: str) -> str:
        """Return the document of a result or gold id by the regex rule; the id itself where it does not match."""
        match = self._pattern.search(item[:_LONGEST_ID]) if self._pattern else None
        return match[1] if match and match[1] else item

    def of_result(self, result: Any, item: str | None) -> str | None:  # noqa: ANN401 - a raw result
        """Return the document id of one result, None where nothing tells it."""
        if isinstance(result, dict):
            for key in DOC_KEYS:
                if (found := _id_text(result.get(key))) is not None:
                    return found
            if self._path and (found := _dig(result.get("metadata"), self._path)) is not None:
                return found
        if item is None:
            return None
        return self.of_id(item) if self._pattern else None


def _dig(value: Any, path: Sequence[str]) -> str | None:  # noqa: ANN401 - any metadata
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return _id_text(value)


def _id_text(value: object) -> str | None:
    """Take text and whole numbers for an id; an empty text is none."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value) or None
    return None


class Unit:
    """Ranked ids and gold grades in one unit.

    In document unit a result without document id has none (it is not compared), and gold ids that are
    chunk ids by the regex rule stand for their documents, with the best of their grades.
    """

    def __init__(self, config: RetrievalConfig, name: str) -> None:
        self.name = name
        self._documents = DocumentIds(config.document_id) if name == "document" else None
        self._collapse = name == "document" and config.k_counts == "documents"

    def ranked(self, record: RunRecord) -> Ranked:
        """Return the ids to compare, in rank order."""
        if self._documents is None:
            return record.ids
        ids = [self._documents.of_result(r, i) for r, i in zip(record.results, record.ids, strict=True)]
        return list(dict.fromkeys(ids)) if self._collapse else ids

    def grades(self, case: GoldenCase) -> Mapping[str, int]:
        """Return gold id -> grade."""
        if self._documents is None:
            return case.grades
        grades: dict[str, int] = {}
        for item, grade in case.grades.items():
            document = self._documents.of_id(item)
            grades[document] = max(grade, grades.get(document, grade))
        return grades

    def why_not_comparable(self, case: GoldenCase, min_grade: int) -> str | None:
        """Return why the case has no relevant id, None if it has one."""
        grades = self.grades(case)
        if any(grade >= min_grade for grade in grades.values()):
            return None
        return "no_relevant" if grades else "no_gold_ids"

    def groups(self, case: GoldenCase) -> list[set[str]]:
        """Return the evidence groups."""
        if self._documents is None:
            return [set(group) for group in case.evidence_groups]
        return [{self._documents.of_id(item) for item in group} for group in case.evidence_groups]


def resolve_unit(config: RetrievalConfig, golden: GoldenSet, run_source: str | None) -> str:
    """Return ``chunk`` or ``document``; ``auto`` looks which of the two the gold ids name.

    A result whose id is also its document's id tells neither.

    Raises:
        ConfigError: if some gold ids are found as chunks and others as documents.
    """
    if config.unit != "auto":
        return config.unit
    documents = DocumentIds(config.document_id)
    as_chunk: set[str] = set()
    as_document: set[str] = set()
    for joined in open_run(golden, run_source):
        record = joined.record
        if record is None:
            continue
        own = [documents.of_result(r, i) for r, i in zip(record.results, record.ids, strict=True)]
        telling = [(i, d) for i, d in zip(record.ids, own, strict=True) if d != i]
        as_chunk.update(i for i, _ in telling if i in joined.case.grades)
        as_document.update(d for _, d in telling if d in joined.case.grades)
    if as_chunk and as_document:
        raise ConfigError(
            f"retrieval.unit: some gold ids are result ids ('{min(as_chunk)}') and others document ids "
            f"('{min(as_document)}'); say unit: chunk or unit: document"
        )
    return "document" if as_document else "chunk"


def names_documents(record: RunRecord) -> bool:
    """Tell whether the results carry document ids; the first one stands for all of a case."""
    first = record.results[0] if record.results else None
    if isinstance(first, RankedResult):
        return first.names_document
    return isinstance(first, dict) and any(key in first for key in DOC_KEYS)
