"""Nine pairs of answers that a gate must tell apart or take as one, by equality and by the judge."""

import pytest

from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.offline import LexicalEngine
from rag_gate.text import answers_match

SAME = [
    ("29位", "29位"),
    ("２９位", "29位"),
    ("29位。", "29位"),
    ("29　位", "29位"),
    ("25％", "25%"),
    ("ｺﾝﾋﾞﾆ払い", "コンビニ払い"),
    ("Within 30 days.", "within 30 days"),
]
DIFFERENT = [("10日", "5日"), ("満たす", "満たさない")]


def correctness(answer: str, expected: str) -> float | None:
    request = JudgeRequest("q", None, answer, ("文脈",), (expected,))
    return LexicalEngine().judge(request).scores["correctness"]


@pytest.mark.parametrize(("answer", "expected"), SAME)
def test_width_kana_spaces_and_full_stops_do_not_matter(answer: str, expected: str) -> None:
    assert answers_match(answer, expected)
    assert correctness(answer, expected) == 1.0


@pytest.mark.parametrize(("answer", "expected"), [*DIFFERENT, *[(b, a) for a, b in DIFFERENT]])
def test_another_number_or_a_negation_is_another_answer(answer: str, expected: str) -> None:
    assert not answers_match(answer, expected)
    assert correctness(answer, expected) == 0.0
