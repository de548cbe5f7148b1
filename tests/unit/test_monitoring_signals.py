"""What is measured of one request: literal texts, expected values by hand."""

import math
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.monitoring import Phrases, QualitySignals, collect, detect_language

LABELLED = Path(__file__).resolve().parents[1] / "data" / "monitoring" / "languages.tsv"
ROWS = [line.split("\t") for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def test_the_signals_are_those_that_were_asked_for() -> None:
    assert list(QualitySignals("r").as_dict()) == [
        "request_id",
        "retrieval_count",
        "retrieval_latency_ms",
        "top_similarity_score",
        "generation_latency_ms",
        "response_length_chars",
        "has_citation",
        "language_detected",
        "contains_hedging",
    ]


def test_a_whole_request_is_measured() -> None:
    found = collect(
        request_id="r-1",
        retrieved=[{"id": "a", "score": 0.4}, {"id": "b", "score": 0.9}],
        retrieval_latency_ms=12.5,
        answer="返品は14日以内です。[出典: refund-policy-ja]",
        generation_latency_ms=800.0,
    )
    assert found == QualitySignals(
        request_id="r-1",
        retrieval_count=2,
        retrieval_latency_ms=12.5,
        top_similarity_score=0.9,
        generation_latency_ms=800.0,
        response_length_chars=33,
        has_citation=True,
        language_detected="ja",
        contains_hedging=False,
    )


def test_what_was_not_measured_is_none_and_never_zero() -> None:
    found = collect(request_id="r-2")
    assert found == QualitySignals("r-2")
    assert set(found.as_dict().values()) == {"r-2", None}


def test_nothing_retrieved_is_zero_results_without_a_score() -> None:
    found = collect(retrieved=[], retrieval_latency_ms=3.0)
    assert (found.retrieval_count, found.top_similarity_score) == (0, None)


def test_signals_hold_no_text() -> None:
    found = collect(answer="秘密の答え", retrieved=[{"text": "秘密の文書", "score": 1}])
    assert "秘密" not in repr(found)


@dataclass
class Hit:
    similarity: float


@pytest.mark.parametrize(
    ("retrieved", "score"),
    [
        ([{"score": 0}, {"score": -0.5}], 0.0),
        ([{"similarity": 0.25}], 0.25),
        ([("document", 0.75), ("other", 0.5)], 0.75),
        ([Hit(0.5), Hit(0.625)], 0.625),
        ([{"score": math.nan}, {"score": math.inf}], None),
        ([{"score": "0.9"}, {"score": True}, "only-an-id"], None),
        ([{"score": None}], None),
    ],
)
def test_the_best_score_is_found_in_whatever_retrievers_return(retrieved: list[object], score: float) -> None:
    assert collect(retrieved=retrieved).top_similarity_score == score


@pytest.mark.parametrize(("language", "text"), ROWS)
def test_the_language_of_a_short_answer_is_found(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "und"),
        ("   \n", "und"),
        ("The Japanese word 返品 means that you can return it.", "en"),
        ("APIキーは Settings > API keys で発行します。", "ja"),
        ("購買承認", "ja"),
        ("Welche 返品 ist nicht möglich?", "de"),
        ("退货政策", "zh"),
        ("https://example.com/the-and-of 返品できます", "ja"),
        ("Ми можемо повернути гроші.", "uk"),
        ("شما می‌توانید کالا را پس بدهید.", "fa"),
    ],
)
def test_the_language_of_mixed_and_odd_text(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_words_count_alike_with_and_without_a_sign_that_is_not_ascii() -> None:
    for language, text in ROWS:
        if text.isascii():
            assert detect_language(text + " …") == language
    assert detect_language("THE END OF IT") == detect_language("THE END OF IT …") == "en"


def test_languages_with_equal_points_cannot_be_told_apart() -> None:
    assert detect_language("aux der") == "und"
    assert detect_language("aux der … aux") == "fr"


@given(st.text(max_size=600))
def test_any_text_has_a_language_code_or_und(text: str) -> None:
    assert detect_language(text).islower()
    assert 2 <= len(detect_language(text)) <= 3


@pytest.mark.parametrize(
    "answer",
    [
        "14日以内です。[出典: refund-policy]",
        "14日以内です [参考: ガイド]",
        "[文書 3] によると可能です。",
        "Within 14 days [1].",
        "Within 14 days (source: refund-policy).",
        "14일 이내입니다. [출처: refund]",
        "十四天内可以。[来源: refund]",
        "Innerhalb von 14 Tagen (Quelle: refund).",
    ],
)
def test_markers_of_all_languages_count_as_citations(answer: str) -> None:
    assert collect(answer=answer).has_citation is True


@pytest.mark.parametrize(
    "answer", ["14日以内です。", "Use the form (below).", "See [our page](https://example.com).", "a[i]"]
)
def test_other_brackets_are_no_citations(answer: str) -> None:
    assert collect(answer=answer).has_citation is False


def test_citations_beside_the_answer_count() -> None:
    assert collect(answer="14日以内です。", citations=["refund-policy"]).has_citation is True
    assert collect(answer="14日以内です。", citations=[]).has_citation is False


@pytest.mark.parametrize(
    "answer",
    [
        "おそらく3日ほどで届きます。",
        "3日で届くかもしれません。",
        "この情報は正確でない可能性があります。",
        "担当部署への確認が必要です。",
        "I’m not sure, but it takes three days.",
        "It PROBABLY takes three days.",
        "아마 3일 걸릴 것입니다.",
        "大概需要三个工作日。",
        "Das dauert vermutlich drei Tage.",
    ],
)
def test_hedges_are_found_in_their_language(answer: str) -> None:
    assert collect(answer=answer).contains_hedging is True


@pytest.mark.parametrize(
    "answer",
    [
        "아마존에서 구매하실 수 있습니다.",
        "Ja, het is mogelijk om met iDEAL te betalen.",
        "3日で届きます。",
        "It takes three days.",
        "The improbably large box is ours.",
        "三天。",
    ],
)
def test_a_plain_answer_does_not_hedge(answer: str) -> None:
    assert collect(answer=answer).contains_hedging is False


def test_markers_and_phrases_of_one_language_can_be_replaced() -> None:
    phrases = Phrases(
        MonitoringConfig(citation_markers={"ja": (r"<<[^>]{1,40}>>",)}, hedging={"en": ("roughly speaking",)})
    )
    japanese = "14日以内です。[出典: a]"
    assert collect(answer=japanese, phrases=phrases).has_citation is False
    assert collect(answer="14日以内です。<<refund>>", phrases=phrases).has_citation is True
    assert collect(answer="Within 14 days [1].", phrases=phrases).has_citation is True
    assert collect(answer="Roughly speaking, it is two days.", phrases=phrases).contains_hedging is True
    assert collect(answer="It is probably two days.", phrases=phrases).contains_hedging is False
    assert collect(answer="おそらく2日です。", phrases=phrases).contains_hedging is True


def test_a_star_stands_for_all_languages_without_an_entry() -> None:
    phrases = Phrases(
        MonitoringConfig(citation_markers={"*": ("§",), "ja": ("※",)}, hedging={"*": ("no warranty",)})
    )
    assert collect(answer="It is two days. §", phrases=phrases).has_citation is True
    assert collect(answer="2日です。§", phrases=phrases).has_citation is False
    assert collect(answer="2日です。※", phrases=phrases).has_citation is True
    assert collect(answer="It is two days, no warranty.", phrases=phrases).contains_hedging is True
    assert collect(answer="It is probably two days.", phrases=phrases).contains_hedging is True


def test_another_detector_can_be_given() -> None:
    assert collect(answer="It is two days.", detector=lambda _: "xx").language_detected == "xx"


@pytest.mark.parametrize(
    "settings",
    [{"citation_markers": {"ja": ["(a+)+"]}}, {"hedging": {"Japanese": ["x"]}}, {"feedback_categories": []}],
)
def test_unusable_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        MonitoringConfig.model_validate(settings)
