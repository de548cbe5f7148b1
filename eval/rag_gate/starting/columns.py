"""Names of columns as people write them, in the names that rag-gate knows."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pydantic import AliasChoices

from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import RUN_KEYS

#: Beyond the names that a golden set may have anyway.
_OTHERS = {
    "question_id": ("qid", "case_id", "no", "番号", "質問id"),
    "question": ("questions", "prompt", "utterance", "質問", "質問文", "問い", "問題"),
    "expected_answer": (
        *("expected_answers", "correct_answer", "right_answer", "gold_answer", "ideal_answer"),
        *("reference_answer", "reference_answers", "ground_truth_answer"),
        *("正解", "期待回答", "期待する回答", "正答", "模範回答"),
    ),
    "relevant_doc_ids": (
        *("gold_id", "gold_doc_ids", "gold_doc_id", "gold_documents", "gold_docs"),
        *("relevant_doc_id", "relevant_ids", "relevant_docs", "relevant_documents"),
        *("expected_doc_ids", "expected_docs", "expected_documents", "expected_sources"),
        *("doc_id", "doc_ids", "document_id", "document_ids", "documents"),
        *("source", "sources", "source_doc", "source_docs", "source_document", "source_documents"),
        *("正解文書", "正解文書id", "文書id", "正解id", "参照文書", "出典"),
    ),
    "answerable": ("is_answerable", "回答可能"),
    "category": ("topic", "カテゴリ", "カテゴリー", "分類"),
    "difficulty": ("難易度",),
    "language": ("lang", "言語"),
}
_RECORDED = frozenset(RUN_KEYS)
#: In a file without results this is what a right answer says.
_AMBIGUOUS = "answer"


def folded(name: str) -> str:
    """Return a column's name without width forms, letter case and what stands between its words."""
    return re.sub(r"[\W_]+", "_", unicodedata.normalize("NFKC", name).casefold()).strip("_")


def _known() -> dict[str, str]:
    names = {folded(name): name for name in GoldenCase.model_fields if name != "expected_answers"}
    for field, info in GoldenCase.model_fields.items():
        if isinstance(info.validation_alias, AliasChoices):
            target = "expected_answer" if field == "expected_answers" else field
            names |= {folded(str(choice)): target for choice in info.validation_alias.choices}
    return names | {folded(alias): target for target, aliases in _OTHERS.items() for alias in aliases}


_KNOWN: Mapping[str, str] = MappingProxyType(_known())


def matched(columns: Iterable[str]) -> dict[str, str]:
    """Return column -> the name that it stands for; columns that mean nothing are left out.

    Of several columns for one name the first wins.
    """
    found: dict[str, str] = {}
    listed = list(columns)
    for column in listed:
        target = _KNOWN.get(folded(column))
        if target is not None and target not in found.values():
            found[column] = target
    recorded = [column for column in listed if folded(column) in _RECORDED]
    if "expected_answer" not in found.values() and [folded(column) for column in recorded] == [_AMBIGUOUS]:
        found[recorded[0]] = "expected_answer"
    return found


def meaningless(columns: Iterable[str]) -> list[str]:
    """Return the columns that stand for nothing in a golden set or a run."""
    return [column for column in columns if folded(column) not in _KNOWN and folded(column) not in _RECORDED]


def holds_results(columns: Iterable[str]) -> bool:
    """Tell whether a file holds what a bot retrieved."""
    return any(
        folded(column) in _RECORDED and folded(column) not in {_AMBIGUOUS, "error"} for column in columns
    )
