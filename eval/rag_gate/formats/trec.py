"""TREC qrels and runs, as trec_eval reads them."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rag_gate.errors import InputError
from rag_gate.files import atomic_writer, canonical_json, iter_lines
from rag_gate.records.golden import MAX_GRADE

_QRELS_FIELDS = 4
_RUN_FIELDS = 6
_GRADE = re.compile(r"[+-]?[0-9]{1,6}\Z")
_SCORE = re.compile(r"[0-9.eE+-]+\Z")


class Imported(NamedTuple):
    """How many cases were written, and in how many of them scores tied."""

    cases: int
    tied: int = 0


def import_qrels(source: Path, output: Path) -> Imported:
    """Turn ``query 0 document grade`` lines into a golden set (JSONL).

    A query whose grades are all 0 or less stays in the set; it is excluded from the means and counted.

    Raises:
        InputError: naming file and line, for a malformed line or a document judged twice.
    """
    cases: dict[str, dict[str, int]] = {}
    for where, fields in _fields(source, _QRELS_FIELDS, "query iteration document grade"):
        query, _, document, grade = fields
        if not _GRADE.match(grade) or abs(int(grade)) > MAX_GRADE:
            raise InputError(f"{where}: grade must be a whole number up to {MAX_GRADE}, found '{grade}'")
        judged = cases.setdefault(query, {})
        if judged.setdefault(document, int(grade)) != int(grade):
            raise InputError(f"{where}: document '{document}' of query '{query}' has two grades; keep one")
    with atomic_writer(output) as out:
        for query, judged in sorted(cases.items()):
            gold = [{"id": document, "grade": grade} for document, grade in sorted(judged.items())]
            out.write(canonical_json({"question_id": query, "relevant_doc_ids": gold}).encode() + b"\n")
    return Imported(len(cases))


def import_run(source: Path, output: Path) -> Imported:
    """Turn ``query Q0 document rank score tag`` lines into a recorded run (JSONL).

    The rank field is ignored, as trec_eval does: results are put in order of falling score, and of
    falling document id where scores tie. From then on the order of the list is the rank.

    Raises:
        InputError: naming file and line, for a malformed line, a score that is no finite number, or a
            document listed twice.
    """
    queries: dict[str, dict[str, float]] = {}
    for where, fields in _fields(source, _RUN_FIELDS, "query Q0 document rank score tag"):
        query, _, document, _, text, _ = fields
        listed = queries.setdefault(query, {})
        if document in listed:
            raise InputError(f"{where}: document '{document}' is listed twice for query '{query}'; keep one")
        listed[document] = _score(text, where)
    tied = 0
    with atomic_writer(output) as out:
        for query, listed in sorted(queries.items()):
            tied += len(set(listed.values())) < len(listed)
            ranked = sorted(listed.items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
            results = [{"id": document, "score": score} for document, score in ranked]
            out.write(canonical_json({"question_id": query, "retrieved": results}).encode() + b"\n")
    return Imported(len(queries), tied)


def _score(text: str, where: str) -> float:
    try:
        # Python alone would read 1_0 and full-width digits as numbers.
        score = float(text) if _SCORE.match(text) else math.nan
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{where}: score must be a finite number, found '{text}'")
    return score


def _fields(source: Path, count: int, shape: str) -> Iterator[tuple[str, list[str]]]:
    number = 0
    for number, line in iter_lines(source):
        where = f"{source}:{number}"
        try:
            # Split before decoding: an ideographic space belongs to the id, as it does for trec_eval.
            fields = [field.decode("utf-8") for field in line.split()]
        except UnicodeDecodeError:
            raise InputError(f"{where}: is not UTF-8; save the file as UTF-8") from None
        if len(fields) != count:
            raise InputError(f"{where}: needs {count} fields ({shape}), found {len(fields)}")
        yield where, fields
    if not number:
        raise InputError(f"{source}: holds no line; each must be: {shape}")
