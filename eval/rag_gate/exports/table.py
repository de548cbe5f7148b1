"""A table for spreadsheets: golden case and recorded case in one row, safe to open."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_gate.exports.cases import Both, pairs
from rag_gate.files import canonical_json, write_text
from rag_gate.records.golden import GradedId
from rag_gate.text import counted

_COLUMNS = (
    *("question_id", "question", "expected_answer", "relevant_doc_ids"),
    *(
        "ground_truths",
        "answerable",
        "category",
        "difficulty",
        "language",
        "tier",
        "must_pass",
        "kind",
        "tags",
    ),
    *("expected_citations", "negative_assertions", "evidence", "evidence_groups"),
    *("retrieved_ids", "retrieved_texts", "answer", "citations", "latency_ms", "error"),
)
_RECORDED = _COLUMNS.index("retrieved_ids")
#: The others are there only where a case has something in them.
_ALWAYS = frozenset({"question_id", "question", "expected_answer", "relevant_doc_ids"})
#: What a spreadsheet takes for the start of a formula, also behind full-width look-alikes.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def export_csv(dataset: str, run: str | None, output: Path) -> list[str]:
    """Write one row a case; with a run what was retrieved and answered stands beside it.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.

    Returns:
        What there is to say.
    """
    text = io.StringIO()
    # A byte order mark, so that a spreadsheet reads UTF-8.
    text.write("\ufeff")
    writer = csv.writer(text, lineterminator="\r\n")
    rows = [_cells(both) for both in pairs(dataset, run)]
    columns = [name for name in _COLUMNS if name in _ALWAYS or any(row[name] for row in rows)]
    writer.writerow(columns)
    changed = 0
    for cells in rows:
        row = [neutral(cells[name]) for name in columns]
        changed += any(cell != cells[name] for cell, name in zip(row, columns, strict=True))
        writer.writerow(row)
    write_text(output, text.getvalue())
    said = [
        f"{counted(changed, 'row')} with a cell that began like a formula: an apostrophe was put before it"
    ]
    return [*(said if changed else []), f"wrote {output} ({counted(len(rows), 'case')})"]


def neutral(cell: str) -> str:
    """Return a cell that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _cells(both: Both) -> dict[str, str]:
    case, record = both
    gold = [_gold(item) for item in case.relevant_doc_ids]
    cells = {
        "question_id": case.question_id,
        "question": case.question or "",
        "expected_answer": case.expected_answers[0] if len(case.expected_answers) == 1 else "",
        "ground_truths": _json(case.expected_answers) if len(case.expected_answers) > 1 else "",
        "relevant_doc_ids": _listed(gold),
        "answerable": "" if case.answerable is None else str(case.answerable).lower(),
        "category": case.category or "",
        "difficulty": case.difficulty or "",
        "language": case.language or "",
        "tier": case.tier if case.tier != "core" else "",
        "must_pass": "true" if case.must_pass else "",
        "kind": case.kind if case.kind != "normal" else "",
        "tags": _listed(case.tags),
        "expected_citations": _listed(case.expected_citations),
        "negative_assertions": _json(
            [item.model_dump(exclude_defaults=True, mode="json") for item in case.negative_assertions]
        ),
        "evidence": _json([item.model_dump(exclude_none=True, mode="json") for item in case.evidence]),
        "evidence_groups": _json([list(group) for group in case.evidence_groups]),
        **dict.fromkeys(_COLUMNS[_RECORDED:], ""),
    }
    if record is not None:
        texts = [text or "" for text in record.texts()]
        cells |= {
            "retrieved_ids": _listed([key or "" for key in record.ids])
            or ("[]" if record.has_results else ""),
            "retrieved_texts": _json(texts) if any(texts) else "",
            "answer": record.answer or "",
            "citations": _listed(record.citations or ()),
            "latency_ms": "" if record.latency_ms is None else f"{record.latency_ms:g}",
            "error": record.error or "",
        }
    return cells


def _gold(item: str | GradedId) -> object:
    return item if isinstance(item, str) else {"id": item.id, "grade": item.grade}


def _listed(items: Sequence[object]) -> str:
    """Return entries separated by ``;`` where they can be told apart so, otherwise a JSON list."""
    texts = [item for item in items if isinstance(item, str)]
    plain = len(texts) == len(items) and all(
        text and text == text.strip() and ";" not in text and not text.startswith(("[", "{", *_FORMULA))
        for text in texts
    )
    return ";".join(texts) if plain else _json(items)


def _json(items: Sequence[Any]) -> str:
    return canonical_json(list(items)) if items else ""
