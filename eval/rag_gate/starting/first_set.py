"""The first golden set, from what people have: a table of questions and gold ids."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import ValidationError

from rag_gate.curation.split import propose_core
from rag_gate.errors import InputError
from rag_gate.formats.importing import question_id
from rag_gate.formats.values import list_of
from rag_gate.records.golden import GoldenCase
from rag_gate.records.problems import validation_problems
from rag_gate.starting.columns import matched, meaningless
from rag_gate.starting.looking import Line, Seen, read_lines
from rag_gate.text import counted, normalise, quoted

#: What is said of cases without gold ids.
WithoutGold = Literal["unanswerable", "answerable"]
_TRUE, _FALSE = frozenset({"true", "1", "yes", "はい"}), frozenset({"false", "0", "no", "いいえ"})
#: A comma may belong to a name or a sentence, so it separates only where nothing else does, and never sentences.
_SEPARATORS, _COMMAS, _BETWEEN_SENTENCES = (
    re.compile(r"[;；\n|]"),
    re.compile("[、,]"),
    re.compile(r"[;；\n]"),
)
_SENTENCES = "negative_assertions"
#: What people write into the cell where there are no gold ids.
_NOTHING = frozenset({"", "-", "ー", "―", "n/a", "na", "none", "null", "nan", "なし", "無し", "該当なし"})
_LISTS = frozenset({"relevant_doc_ids", "tags", "expected_citations", "negative_assertions"})
_FLAGS = frozenset({"answerable", "must_pass"})
_UNSAID = 'no gold ids and "answerable" is not said'


def first_set(
    seen: Seen, core_size: int, without_gold: WithoutGold | None, *, keep: bool = False
) -> list[dict[str, Any]]:
    """Return the golden rows with ids and tiers.

    Args:
        seen: the file.
        core_size: how many cases the core tier shall have; a set that is hardly larger is core as a whole.
        without_gold: what rows without gold ids are; None = an error that asks.
        keep: keep what means nothing to rag-gate, since the rows take the place of the file.

    Raises:
        InputError: with file and line, for rows that are no cases.
    """
    lines = list(read_lines(seen.path))
    columns = list(dict.fromkeys(column for line in lines for column in line.content))
    names = matched(columns)
    kept = meaningless(columns) if keep else []
    rows: dict[str, dict[str, Any]] = {}
    cases: dict[str, GoldenCase] = {}
    places: dict[str, str] = {}
    problems: list[str] = []
    for line in lines:
        others = {column: line.content[column] for column in kept if column in line.content}
        try:
            row = {**others, **_row(line, names, without_gold)}
            case = _case(line.where, row)
        except InputError as error:
            problems += error.problems
            continue
        if case.question_id in cases:
            problems.append(
                f"{line.where}: the case '{case.question_id}' ({quoted(case.question)}) stands already at "
                f"{places[case.question_id]}; keep one"
            )
        places.setdefault(case.question_id, line.where)
        cases[case.question_id], rows[case.question_id] = case, row
    _refuse(problems)
    if not cases:
        raise InputError(f"{seen.path}: holds no case")
    if any(case.tier != "core" for case in cases.values()) or len(cases) <= core_size * 3 // 2:
        return list(rows.values())
    core = propose_core(cases, core_size, seed=0)
    return [{**row, "tier": "core" if key in core else "extended"} for key, row in rows.items()]


def _case(where: str, row: Mapping[str, Any]) -> GoldenCase:
    if "question" not in row and "question_id" not in row:
        raise InputError(f"{where}: has no question; add it or remove the row")
    try:
        return GoldenCase.model_validate(row)
    except ValidationError as error:
        raise InputError.of(validation_problems(error, where)) from None


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
            yield target, _entries(target, value, line.where)
        elif target == "expected_answer" and value.strip().startswith("["):
            yield target, _answers(value)
        else:
            yield target, value.strip() or None


def _entries(target: str, cell: str, where: str) -> list[Any]:
    """Return the entries of a cell: a JSON or Python list, or what separators stand between.

    Raises:
        InputError: if what looks like a list is none.
    """
    text = cell.strip()
    if text.startswith("[") and text.endswith("]"):
        return list_of({target: text}, (target,), where) or []
    if target == "relevant_doc_ids" and normalise(text) in _NOTHING:
        return []
    if target == _SENTENCES:
        separator = _BETWEEN_SENTENCES
    else:
        separator = _SEPARATORS if _SEPARATORS.search(text) else _COMMAS
    return [part for part in map(_unquoted, separator.split(text)) if part]


def _unquoted(part: str) -> str:
    text = part.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1].strip() if is_quoted else text


def _answers(cell: str) -> list[str] | str:
    """Return several right answers where a cell is a list of texts, otherwise the text."""
    try:
        found = list_of({"": cell}, ("",), "")
    except InputError:
        return cell.strip()
    return found if found and all(isinstance(item, str) for item in found) else cell.strip()
