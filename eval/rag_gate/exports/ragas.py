"""Samples as ragas reads them (``EvaluationDataset.from_jsonl``)."""

from pathlib import Path
from typing import Any

from rag_gate.errors import InputError
from rag_gate.exports.cases import Both, pairs
from rag_gate.files import atomic_writer, canonical_json
from rag_gate.text import counted


def export_ragas(dataset: str, run: str | None, output: Path) -> list[str]:
    """Write one sample a case.

    A case that was not run has no response and no contexts. Of several expected answers the first is the reference.

    Returns:
        What there is to say.

    Raises:
        InputError: if a case has no question.
    """
    several = count = 0
    with atomic_writer(output) as out:
        for both in pairs(dataset, run):
            if both.case.question is None:
                raise InputError(
                    f"{dataset}: case '{both.case.question_id}' has no question, which ragas needs"
                )
            several += len(both.case.expected_answers) > 1
            count += 1
            out.write(canonical_json(_sample(both)).encode() + b"\n")
    said = (
        [f"{counted(several, 'case')} with several expected answers: the first is the reference"]
        if several
        else []
    )
    return [*said, f"wrote {output} ({counted(count, 'case')})"]


def _sample(both: Both) -> dict[str, Any]:
    case, record = both
    gold = [key for key, grade in case.grades.items() if grade > 0]
    sample: dict[str, Any] = {"question_id": case.question_id, "user_input": case.question}
    if case.expected_answers:
        sample["reference"] = case.expected_answers[0]
    if gold:
        sample["reference_context_ids"] = gold
    if case.evidence:
        sample["reference_contexts"] = [item.text for item in case.evidence]
    if record is None or record.error is not None:
        return sample
    if record.answer is not None:
        sample["response"] = record.answer
    texts = record.texts()
    if record.has_results and None not in texts:
        sample["retrieved_contexts"] = texts
    if record.has_results and None not in record.ids:
        sample["retrieved_context_ids"] = list(record.ids)
    return sample
