"""What the assertions of a promptfoo test say about a right answer."""

from collections.abc import Mapping
from typing import Any

from rag_gate.formats.entry import Given
from rag_gate.formats.values import list_of, table_of

_EXPECTED = ("equals", "contains", "icontains")
_FORBIDDEN = ("not-contains", "not-icontains")
#: Their value is the ground truth in words.
_GROUND_TRUTH = ("context-recall", "factuality")
#: Its value is a list of right answers.
_ANY = ("contains-any", "icontains-any")
_SEVERAL = "several assertions of what the answer contains are all needed, which an expected answer cannot say: they were left out"
_NAMES = ("expected_answer", "expected", "ground_truth", "reference")


def asserted(given: Given, test: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the golden part of a test: what is asserted in plain texts; the other kinds are counted.

    A variable of the test that is called expected_answer, expected, ground_truth or reference wins.
    """
    expected: list[str] = []
    forbidden: list[str] = []
    truths: list[str] = []
    for item in list_of(test, ("assert",), where) or []:
        kind, value = (item.get("type"), item.get("value")) if isinstance(item, dict) else (None, None)
        if isinstance(value, str) and kind in _EXPECTED:
            expected.append(value)
        elif isinstance(value, str) and kind in _FORBIDDEN:
            forbidden.append(value)
        elif isinstance(value, str) and kind in _GROUND_TRUTH:
            truths.append(value)
        elif isinstance(value, list) and kind in _ANY:
            truths += [str(each) for each in value]
        elif kind is not None:
            given.notes[f"an assertion of type {kind} has no counterpart and was left out"] += 1
    if len(expected) > 1:
        given.notes[_SEVERAL] += 1
        expected = []
    named = table_of(test, "vars", where)
    answers = (
        next(([named[key]] for key in _NAMES if isinstance(named.get(key), str)), None) or truths or expected
    )
    gold = {"expected_answer": answers} if answers else {}
    return {**gold, **({"negative_assertions": forbidden} if forbidden else {})}
