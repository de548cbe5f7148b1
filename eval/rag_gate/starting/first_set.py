"""The first golden set, from what people have: a table of questions and gold ids."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import ValidationError

from rag_gate.curation.split import propose_core
from rag_gate.errors import InputError
from rag_gate.formats.importing import question_id
from rag_gate.records.golden import GoldenCase
from rag_gate.records.problems import validation_problems
from rag_gate.starting.columns import matched
from rag_gate.starting.looking import Line, Seen, read_lines
from rag_gate.text import counted

#: What is said of cases without gold ids.
WithoutGold = Literal["unanswerable", "answerable"]
_TRUE, _FALSE = frozenset({"true", "1", "yes", "はい"}), frozenset({"false", "0", "no", "いいえ"})
_SEPARATORS = re.compile(r"[;\n|、,]")
_LISTS = frozenset({"relevant_doc_ids", "tags", "expected_citations", "negative_assertions"})
_FLAGS = frozenset({"answerable", "must_pass"})
_UNSAID = 'no gold ids and "answerable" is not said'


def first_set(seen: Seen, core_size: int, without_gold: WithoutGold | None) -> list[dict[str, Any]]:
    """Return the golden rows with ids and tiers.

    Args:
        seen: the file.
        core_size: how many cases the core tier shall have; a set that is hardly larger is core as a whole.
        without_gold: what rows without gold ids are; None = an error that asks.

    Raises:
        InputError: with file and line, for rows that are no cases.
    """
    names = matched(seen.columns)
    rows: dict[str, dict[str, Any]] = {}
    cases: dict[str, GoldenCase] = {}
    problems: list[str] = []
    for line in read_lines(seen.path):
        try:
            row = _row(line, names, without_gold)
            case = GoldenCase.model_validate(row)
        except ValidationError as error:
            problems += validation_problems(error, line.where)
            continue
        if case.question_id in cases:
            problems.append(f"{line.where}: question_id '{case.question_id}' stands twice; keep one")
        cases[case.question_id], rows[case.question_id] = case, row
    _refuse(problems)
    if not cases:
        raise InputError(f"{seen.path}: holds no case")
    if any(case.tier != "core" for case in cases.values()) or len(cases) <= core_size * 3 // 2:
        return list(rows.values())
    core = propose_core(cases, core_size, seed=0)
    return [{**row, "tier": "core" if key in core else "extended"} for key, row in rows.items()]


def _refuse(problems: list[str]) -> None:
    if not problems:
        return
    unsaid = [line for line in problems if _UNSAID in line]
    if len(unsaid) == len(problems):
        raise InputError(
            f"{unsaid[0].split(': ')[0]}: {counted(len(unsaid), 'row has', 'rows have')} no gold ids, this one first; say "
            "what they are: --without-gold unanswerable (a right bot declines) or --without-gold answerable"
        )
    raise InputError.of(problems)


def _row(line: Line, names: Mapping[str, str], without_gold: WithoutGold | None) -> dict[str, Any]:
    row = {target: found for target, found in _values(line, names) if found is not None}
    if "question" in row:
        row.setdefault("question_id", question_id(str(row["question"])))
    labelled = any(row.get(key) for key in ("relevant_doc_ids", "evidence", "evidence_groups"))
    if without_gold is not None and not labelled:
        row.setdefault("answerable", without_gold == "answerable")
    return row


def _values(line: Line, names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield the known parts of a row; cells of tables are text, which lists and flags are read from."""
    for column, value in line.content.items():
        target = names.get(column)
        if target is None:
            continue
        if not isinstance(value, str):
            yield target, value
        elif target in _FLAGS:
            word = value.strip().casefold()
            yield target, True if word in _TRUE else False if word in _FALSE else value if word else None
        elif target in _LISTS:
            yield target, _entries(value)
        else:
            yield target, value.strip() or None


def _entries(cell: str) -> list[Any]:
    text = cell.strip()
    if text.startswith("["):
        try:
            found = json.loads(text)
        except ValueError:
            pass
        else:
            return list(found)
    return [part.strip() for part in _SEPARATORS.split(text) if part.strip()]
