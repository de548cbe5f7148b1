"""Which columns of a table of questions are taken for what."""

from rag_gate.starting.columns import matched, meaningless


def test_what_a_model_answered_is_not_taken_for_what_is_right() -> None:
    columns = ("Question", "Model Answer", "Ground Truth")
    assert matched(columns) == {"Question": "question", "Ground Truth": "expected_answer"}
    assert meaningless(columns) == ["Model Answer"]
