"""One value in different forms, kind by kind, and another value of the same kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.numbers import extract_values, missing_values, value_index
from rag_gate.judge.support import judge_claim

# kind -> (answer, context) that state the same, and (answer, context) that do not.
KINDS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "part of the day": (
        [
            ("夜8時", "20時"),
            ("夕方5時まで", "17:00まで"),
            ("朝9時から", "9:00から"),
            ("昼2時に開始", "14時開始"),
            ("深夜0時", "24時"),
            ("PM8時", "20時"),
            ("8時PM", "午後8時"),
            ("AM 10:30", "10時30分"),
            ("24:00", "0:00"),
        ],
        [("夜9時まで", "22時まで"), ("夕方5時", "18時"), ("PM8時", "19時"), ("24時閉店", "23時閉店")],
    ),
    "day of the week": (
        [
            ("木曜", "毎週木曜日"),
            ("火曜日と木曜日", "火・木"),
            ("水曜日も営業", "営業は月〜土"),
            ("土曜日も営業", "年中無休"),
            ("open on Tuesday", "Mon-Fri 9-17"),
            ("Wednesdays", "every day"),
            ("closed on Sundays", "Sunday: closed"),
            ("Monday to Friday", "weekdays"),
            ("4月1日の月曜日", "4月1日(月)"),
            ("月曜日", "曜日は未定"),
        ],
        [
            ("火曜定休", "定休日は水曜日"),
            ("日曜日も営業", "営業は月〜土"),
            ("土曜日", "平日のみ"),
            ("closed on Tuesdays", "closed on Mondays"),
            ("Monday to Saturday", "Monday to Friday"),
            ("Saturday delivery", "weekdays only"),
        ],
    ),
    "share": (
        [
            ("3分の1", "1/3"),
            ("60%", "5分の3"),
            ("4分の1", "25%"),
            ("two-thirds of users", "2/3 of users"),
            ("three quarters", "75%"),
            ("1割5分", "15%"),
        ],
        [("3分の1", "4分の1"), ("60%", "3分の2"), ("1割5分", "25%"), ("3分の2", "3分の1")],
    ),
    "quarter": (
        [("Q1", "第1四半期"), ("第三四半期", "3Q"), ("first quarter", "Q1"), ("2024年第1四半期", "Q1 2024")],
        [("Q3", "Q4"), ("第3四半期", "2Q"), ("first quarter of 2024", "second quarter of 2024")],
    ),
    "number in words": (
        [
            ("one hundred and twenty days", "120 days"),
            ("two hundred and fifty", "250"),
            ("three million yen", "300万円"),
            ("twenty-five days", "25日"),
            ("twenty-first century", "21世紀"),
            ("thirty-first floor", "31階"),
            ("100 people", "a hundred people"),
            ("7 days", "within a week"),
            ("14 days", "a fortnight"),
            ("90 minutes", "an hour and a half"),
        ],
        [
            ("one hundred dollars", "two hundred dollars"),
            ("twenty-five days", "twenty-six days"),
            ("twenty-first century", "twentieth century"),
            ("third floor", "fourth floor"),
        ],
    ),
    "half": (
        [
            ("6か月", "半年"),
            ("30分", "半時間"),
            ("half a year", "6 months"),
            ("1か月半", "1.5か月"),
            ("1週間半", "1.5週間"),
        ],
        [("半年", "3か月"), ("2か月半", "2か月")],
    ),
    "other unit": (
        [
            ("48時間", "2日"),
            ("2 days", "48 hours"),
            ("$0.99", "99 cents"),
            ("£3.50", "3.50 pounds"),
            ("1Gbps", "1000Mbps"),
            ("1 hectare", "10,000 m2"),
            ("100㎡", "100平方メートル"),
            ("90年代", "1990年代"),
            ("5 percentage points", "5%ポイント"),
        ],
        [
            ("48時間", "3日"),
            ("100Mbps", "100Gbps"),
            ("1 hectare", "1 km2"),
            ("50㎡", "50m"),
            ("80年代", "1990年代"),
            ("5 percentage points", "5%"),
            ("$0.99", "9 cents"),
        ],
    ),
    "date": (
        [
            ("R6.4.1", "2024年4月1日"),
            ("R5年", "令和5年"),
            ("20240401", "2024-04-01"),
            ("FY24", "FY2024"),
            ("in October", "10月"),
        ],
        [
            ("R6.4.1", "2024年4月2日"),
            ("20240401", "2024/04/02"),
            ("FY23", "2024年度"),
            ("in May", "in April"),
        ],
    ),
    "telephone or account number": (
        [
            ("0120-123-456", "0120−123−456"),
            ("03ー1234ー5678", "03-1234-5678"),
            ("+81-3-1234-5678", "+81 3 1234 5678"),
            ("03-1234-5678", "03(1234)5678"),
            ("0120333906", "0120-333-906"),
            ("口座 0012345", "口座番号:0012345"),
        ],
        [("0120333906", "0120-333-907"), ("0120-123-456", "0120−123−457"), ("口座0012345", "口座0012346")],
    ),
    "short scale": (
        [
            ("5k users", "5,000 users"),
            ("10K円", "10,000円"),
            ("1,200,000 users", "1,200,000"),
            ("1.2M users", "1.2M"),
        ],
        [("5k users", "6,000 users")],
    ),
    "currency behind": ([("20€", "20 euros"), ("15 €", "€15")], [("20€", "20$"), ("15€", "15ドル")]),
    "marker": (
        [("1\ufe0f\u20e3 申請", "申請"), ("| 1 | 返金 |", "返金")],
        [("| 返金 | 15日 |", "| 返金 | 5日 |")],
    ),
}
SAME = [(kind, *pair) for kind, (same, _) in KINDS.items() for pair in same]
OTHER = [(kind, *pair) for kind, (_, other) in KINDS.items() for pair in other]


@pytest.mark.parametrize(("kind", "answer", "context"), SAME)
def test_the_same_value_in_another_form_is_not_missed(kind: str, answer: str, context: str) -> None:
    assert missing_values(answer, [context]) == [], kind


@pytest.mark.parametrize(("kind", "answer", "context"), OTHER)
def test_another_value_of_the_kind_is_missed(kind: str, answer: str, context: str) -> None:
    assert missing_values(answer, [context]), kind


def test_a_day_of_the_week_that_is_another_one_is_a_date_mismatch() -> None:
    assert judge_claim("定休日は火曜日です。", ["当店の定休日は水曜日です。"]).flags == ("date_mismatch",)
    assert judge_claim("Closed on Tuesday.", ["Our shop is closed on Monday."]).flags == ("date_mismatch",)


def test_a_day_of_the_week_is_only_missed_where_the_texts_name_another() -> None:
    assert judge_claim("次の月曜日に届きます。", ["商品は2日後に届きます。"]).flags == ()


@pytest.mark.parametrize(
    "text",
    [
        "I am 5 years in this job.",
        "4K画質",
        "5K run",
        "Sat down and wed her in the sun.",
        "月と火と土",
        "土の中",
        "Q&A",
        "half-price",
    ],
)
def test_what_only_looks_like_such_a_value_is_never_missed(text: str) -> None:
    assert missing_values(text, ["5 years; 4K; 5K"]) == []


# Nothing that a long text states is lost by reading only the sentences that can state a value.
PIECES = st.sampled_from(
    [
        "The fee is 20 dollars.",
        "Nothing is said here about it.",
        "Call us in May.",
        "It takes two weeks. Then we answer.",
        "Closed on Monday.",
        "料金は三千円です。",
        "特に何も書かれていません。",
        "毎日営業しています。",
        "半額になります。",
        "Ask Dr. Smith at No. 5 about it.",
        "The third quarter was good.",
        "\n",
        " ",
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=60))
def test_a_long_text_states_the_values_of_its_sentences(pieces: list[str]) -> None:
    text = " ".join(pieces)
    index = value_index([f"{text}\n{'x' * 500}"])
    assert all(index.states(value) for value in extract_values(text))
