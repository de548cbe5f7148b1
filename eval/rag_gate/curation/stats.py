"""What a golden set is made of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from rag_gate.records.golden import GoldenCase
from rag_gate.text import is_japanese

_SLICES = ("tier", "category", "language", "difficulty", "kind")
_UNSAID = "(not said)"


def stats(cases: Mapping[str, GoldenCase]) -> dict[str, Any]:
    """Return counts by slice, gold ids per case, lengths in characters, and how many cases say what."""
    every = list(cases.values())
    gold = Counter(sum(grade > 0 for grade in case.grades.values()) for case in every)
    return {
        "n_cases": len(every),
        "slices": {name: _counted([getattr(case, name) for case in every]) for name in _SLICES},
        "script": _counted([_script(case.question) for case in every]),
        "tags": _counted([tag for case in every for tag in case.tags]),
        "gold_ids_per_case": {str(count): cases for count, cases in sorted(gold.items())},
        "lengths": {
            "question": _lengths([case.question for case in every if case.question]),
            "expected_answer": _lengths([text for case in every for text in case.expected_answers]),
        },
        "with": {name: sum(map(has, every)) for name, has in _HAS.items()},
    }


_HAS = {
    "question": lambda case: bool(case.question),
    "expected_answer": lambda case: bool(case.expected_answers),
    "gold_ids": lambda case: any(grade > 0 for grade in case.grades.values()),
    "graded_gold_ids": lambda case: any(grade != 1 for grade in case.grades.values()),
    "evidence_groups": lambda case: bool(case.evidence_groups),
    "evidence": lambda case: bool(case.evidence),
    "negative_assertions": lambda case: bool(case.negative_assertions),
    "expected_citations": lambda case: bool(case.expected_citations),
    "must_pass": lambda case: case.must_pass,
    "unanswerable": lambda case: not case.is_answerable,
}


def _script(question: str | None) -> str | None:
    if not question:
        return None
    return "japanese" if is_japanese(question) else "other"


def _counted(values: Sequence[str | None]) -> dict[str, int]:
    counts = Counter(value or _UNSAID for value in values)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _lengths(texts: Sequence[str]) -> dict[str, float] | None:
    lengths = sorted(map(len, texts))
    return {"min": lengths[0], "median": median(lengths), "max": lengths[-1]} if lengths else None


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the figures as lines for people."""
    shown = [f"cases: {found['n_cases']}"]
    tables = {**found["slices"], "script of the question": found["script"], "tags": found["tags"]}
    shown += [f"{name}: {_pairs(counts)}" for name, counts in tables.items() if counts]
    shown.append(
        f"gold ids per case: {', '.join(f'{cases} with {n}' for n, cases in found['gold_ids_per_case'].items())}"
    )
    for name, span in found["lengths"].items():
        if span:
            shown.append(f"{name}, characters: {span['min']} to {span['max']}, median {span['median']:g}")
    shown.append(f"with: {_pairs({name: count for name, count in found['with'].items() if count})}")
    return shown


def _pairs(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
