"""What ragas is asked about a case, and what is known without asking."""

from pathlib import Path
from typing import Any

import pytest

from rag_gate.errors import ConfigError
from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.plan import Row, row_of
from rag_gate.judge.ragas.settings import RAGAS_METRICS, RagasSettings
from rag_gate.measures import MEASURES
from rag_gate.reasons import NOT_APPLICABLE

JUDGE = BackendSettings("openai", "judge-1")


def row(**changes: Any) -> Row:
    given: dict[str, Any] = {
        "question_id": "q",
        "question": "返金は何日ですか。",
        "answer": "5営業日以内です。",
        "contexts": ("返金は5営業日以内。",),
        "expected": ("5営業日以内", "五営業日以内"),
    }
    return row_of(JudgeRequest(**(given | changes)), RAGAS_METRICS)


F, A, P, R = RAGAS_METRICS


@pytest.mark.parametrize(
    ("changes", "scores", "reasons"),
    [
        ({}, {}, {}),
        ({"answer": " \n"}, {A: 0.0}, {F: "no_claims"}),
        ({"answer": "分かりません。"}, {}, {F: "refusal"}),
        ({"answer": "", "answerable": False}, {}, {F: "no_claims", A: "unanswerable", P: "unanswerable", R: "unanswerable"}),
        ({"answerable": False}, {}, {A: "unanswerable", P: "unanswerable", R: "unanswerable"}),
        ({"expected": ()}, {}, {P: "no_expected_answer", R: "no_expected_answer"}),
        ({"contexts": ("", " \n")}, {}, {F: "no_text_recorded", P: "no_text_recorded", R: "no_text_recorded"}),
        ({"contexts": (), "nothing_retrieved": True}, {F: 0.0, P: 0.0, R: 0.0}, {}),
        ({"question": None}, {}, {F: "no_question", A: "no_question", P: "no_question", R: "no_question"}),
        ({"answer": "あ" * 100_001}, {}, {F: "answer_too_long", A: "answer_too_long"}),
        ({"contexts": ("あ" * 500_001,)}, {}, {F: "texts_too_long", P: "texts_too_long", R: "texts_too_long"}),
    ],
)  # fmt: skip
def test_what_needs_no_model_is_decided_before(
    changes: dict[str, Any], scores: dict[str, float], reasons: dict[str, str]
) -> None:
    found = row(**changes)
    assert found.scores == scores
    assert found.reasons == reasons


def test_what_does_not_apply_is_excluded_and_what_is_missing_is_unscored() -> None:
    assert {"no_claims", "refusal", "unanswerable", "no_expected_answer"} <= NOT_APPLICABLE
    assert not {"no_text_recorded", "no_question", "answer_too_long"} & NOT_APPLICABLE


def test_blank_documents_are_left_out_and_the_first_accepted_answer_is_the_reference() -> None:
    found = row(contexts=("a", " ", "b"))
    assert found.sample["retrieved_contexts"] == ["a", "b"]
    assert found.sample["reference"] == "5営業日以内"


@pytest.mark.parametrize(
    ("changes", "japanese"),
    [
        ({}, True),
        ({"question": "How long?"}, False),
        ({"question": "How long?", "language": "ja-JP"}, True),
        ({"language": "en"}, False),
    ],
)
def test_the_language_is_what_the_case_says_or_the_question(
    changes: dict[str, Any], *, japanese: bool
) -> None:
    assert row(**changes).japanese is japanese


def test_answer_relevancy_without_embeddings_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"set judge\.ragas\.embedding_model, or leave answer_relevancy out"
    ):
        RagasSettings(JUDGE)
    assert RagasSettings(JUDGE, metrics=("faithfulness",)).embeddings is None


@pytest.mark.parametrize("metrics", [(), ("faithfulness", "rouge")])
def test_metrics_that_are_none_of_the_four_are_refused(metrics: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="must name some of faithfulness, answer_relevancy"):
        RagasSettings(JUDGE, metrics=metrics)


def test_prompts_must_be_in_a_folder() -> None:
    with pytest.raises(ConfigError, match="japanese_prompts: /nonexistent is no folder"):
        RagasSettings(JUDGE, metrics=("faithfulness",), japanese_prompts=Path("/nonexistent"))


def test_every_metric_of_ragas_is_in_the_table() -> None:
    assert [MEASURES[name].stage for name in RAGAS_METRICS] == ["judge"] * 4
    assert not MEASURES["answer_relevancy"].comparable_mean
