"""Qrels and run as trec_eval reads them, such that it finds the same ranks."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rag_gate.dataset import load_golden
from rag_gate.dataset.run import run_records
from rag_gate.errors import InputError
from rag_gate.files import atomic_writer
from rag_gate.records.run import RunRecord
from rag_gate.text import counted

_TAG = "rag-gate"
#: What trec_eval takes for the end of a field.
_SPACE = frozenset(" \t\n\r\v\f")


def export_qrels(dataset: str, output: Path) -> list[str]:
    """Write the graded gold ids; cases without gold ids have no line, as unanswerable ones must not.

    Returns:
        What there is to say.

    Raises:
        InputError: if an id holds white space, or no case has gold ids.
    """
    cases = load_golden(dataset, "extended").cases
    judged = {key: case.grades for key, case in cases.items() if case.grades}
    if not judged:
        raise InputError(f"{dataset}: no case has gold ids, so there is nothing to write")
    with atomic_writer(output) as out:
        for key, grades in judged.items():
            for document, grade in sorted(grades.items()):
                out.write(f"{_field(key, dataset)} 0 {_field(document, dataset)} {grade}\n".encode())
    left = len(cases) - len(judged)
    said = [f"{counted(left, 'case')} without gold ids left out"] if left else []
    return [*said, f"wrote {output} ({counted(len(judged), 'case')})"]


def export_run(run: str, output: Path) -> list[str]:
    """Write the results with falling scores, so that the order of the list is the order that trec_eval takes.

    A document that is listed again keeps its place under a name that nobody judged (``ID~2``); a case without
    results has no line, which trec_eval counts with ``-c``.

    Returns:
        What there is to say.

    Raises:
        InputError: if a result has no id, or an id holds white space.
    """
    written = empty = failed = 0
    repeated: list[str] = []
    with atomic_writer(output) as out:
        for where, record in run_records(run):
            failed += record.error is not None
            empty += record.error is None and not record.ids
            if record.error is None and record.ids:
                out.writelines(_lines(record, where, repeated))
                written += 1
        if not written:
            raise InputError(f"{run}: holds no results, so there is nothing to write")
    said = [
        f"{counted(empty, 'case')} without results and {counted(failed, 'case')} with an error have no line"
        for _ in range(bool(empty or failed))
    ]
    said += [
        f"{counted(len(repeated), 'repeated document')} kept its place as ID~2" for _ in range(bool(repeated))
    ]
    return [*said, f"wrote {output} ({counted(written, 'case')})"]


def _lines(record: RunRecord, where: str, repeated: list[str]) -> Iterable[bytes]:
    seen: Counter[str] = Counter()
    for rank, key in enumerate(record.ids, start=1):
        if key is None:
            raise InputError(f"{where}: result {rank} has no id, which a TREC run needs")
        seen[key] += 1
        name = key if seen[key] == 1 else f"{key}~{seen[key]}"
        repeated += [name] if seen[key] > 1 else []
        score = len(record.ids) - rank + 1
        line = f"{_field(record.question_id, where)} Q0 {_field(name, where)} {rank} {score} {_TAG}\n"
        yield line.encode()


def _field(text: str, where: str) -> str:
    if not _SPACE.isdisjoint(text):
        raise InputError(
            f"{where}: id '{text}' holds white space, which ends a field in TREC files; rename it"
        )
    return text
