import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.judge.numbers import extract_values, missing_values


def values(text: str) -> list[tuple[str, str, str]]:
    return [(value.kind, value.canonical, value.unit) for value in extract_values(text)]


def missing(answer: str, *contexts: str) -> list[str]:
    return [value.text for value in missing_values(answer, contexts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200円", ("money", "1200", "JPY")),
        ("１，２００円", ("money", "1200", "JPY")),
        ("三千円", ("money", "3000", "JPY")),
        ("1万2千円", ("money", "12000", "JPY")),
        ("150百万円", ("money", "150000000", "JPY")),
        ("1億2000万円", ("money", "120000000", "JPY")),
        ("1.5万人", ("number", "15000", "person")),
        ("¥500", ("money", "500", "JPY")),
        ("$3.5 million", ("money", "3500000", "USD")),
        ("$5M", ("money", "5000000", "USD")),
        ("USD 500", ("money", "500", "USD")),
        ("20 dollars", ("money", "20", "USD")),
        ("5営業日", ("number", "5", "business_day")),
        ("5 business days", ("number", "5", "business_day")),
        ("five business days", ("number", "5", "business_day")),
        ("5日間", ("number", "5", "day")),
        ("30-day", ("number", "30", "day")),
        ("3か月", ("number", "3", "month")),
        ("3ヶ月", ("number", "3", "month")),
        ("３カ月", ("number", "3", "month")),
        ("二十五人", ("number", "25", "person")),
        ("2時間", ("number", "7200", "second")),
        ("1時間30分", ("number", "5400", "second")),
        ("90 minutes", ("number", "5400", "second")),
        ("3割", ("percent", "30", "percent")),
        ("３０％", ("percent", "30", "percent")),
        ("30 percent", ("percent", "30", "percent")),
        ("18歳", ("number", "18", "age")),
        ("5㎏", ("number", "5000000", "mg")),
        ("1990年代", ("number", "1990", "decade")),
        ("29位", ("number", "29", "rank")),
        ("気温は-5℃", ("number", "-5", "degree")),
        ("0.50", ("number", "0.5", "")),
        ("2024年4月5日", ("date", "2024-04-05", "")),
        ("2024-04-05", ("date", "2024-04-05", "")),
        ("2024/4/5", ("date", "2024-04-05", "")),
        ("April 5, 2024", ("date", "2024-04-05", "")),
        ("5th of April 2024", ("date", "2024-04-05", "")),
        ("令和6年4月5日", ("date", "2024-04-05", "")),
        ("二〇二四年四月五日", ("date", "2024-04-05", "")),
        ("平成元年", ("date", "1989", "")),
        ("令和6年度", ("date", "2024", "")),
        ("in 2024", ("date", "2024", "")),
        ("FY2024", ("date", "2024", "")),
        ("4月5日", ("date", "--04-05", "")),
        ("Dec 25", ("date", "--12-25", "")),
        ("June 2019", ("date", "2019-06", "")),
        ("14:30", ("time", "14:30", "clock")),
        ("14時30分", ("time", "14:30", "clock")),
        ("午後2時", ("time", "14:00", "meridiem")),
        ("午後三時半", ("time", "15:30", "meridiem")),
        ("2 pm", ("time", "14:00", "meridiem")),
        ("12 a.m.", ("time", "00:00", "meridiem")),
        ("エラーE-4107", ("id", "e4107", "")),
        ("P4021", ("id", "p4021", "")),
        ("v2.10", ("id", "v2.10", "")),
        ("バージョン2.1", ("id", "v2.1", "")),
        ("03-1234-5678", ("id", "03-1234-5678", "")),
    ],
)
def test_a_value_has_one_canonical_form(text: str, expected: tuple[str, str, str]) -> None:
    assert values(text) == [expected]


@pytest.mark.parametrize(
    "text", ["3〜5日", "3-5日", "3～5日", "３―５日", "3日から5日", "3 to 5 days", "3–5 days", "3日〜5日"]
)
def test_both_ends_of_a_range_have_its_unit(text: str) -> None:
    assert values(text) == [("number", "3", "day"), ("number", "5", "day")]


def test_the_low_end_of_a_range_shares_the_large_unit() -> None:
    assert values("3〜5万円") == [("money", "30000", "JPY"), ("money", "50000", "JPY")]
    assert values("$3-5") == [("money", "3", "USD"), ("money", "5", "USD")]


@pytest.mark.parametrize(
    "text",
    [
        "1. 申請する\n2) 承認する\n(3) 支払う\n① 完了",
        "**1. 概要**",
        "返金します[1][2, 3]（出典: 規程2024）",
        "Step 2: ログインする。手順3へ進む",
        "https://example.com/2024/05 を見る",
        "十分な説明、三重県、第三者、一般、統一、千葉、万一、一番",
        "two films, one of them",
        "5",
    ],
)
def test_markers_names_and_small_words_are_never_missing(text: str) -> None:
    assert missing(text, "5") == []


def test_a_value_knows_its_place_in_the_original() -> None:
    text = "ﾃｽﾄは１，２００円、㈱Ａは午後２時"
    found = extract_values(text)
    assert [value.text for value in found] == ["１，２００円", "午後２時"]
    assert all(text[value.start : value.end] == value.text for value in found)


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("5日", "5時間"),
        ("5日", "15日"),
        ("5日", "5営業日"),
        ("約10日", "5日"),
        ("over 200 people", "181 people"),
        ("500円", "500ドル"),
        ("3%", "3人"),
        ("2024年4月5日", "4月5日"),
        ("2024年", "2023年"),
        ("4月6日", "2024年4月5日"),
        ("21時", "9時"),
        ("午後9時", "21:30"),
        ("9 am", "9 pm"),
        ("E-4107", "E-4170"),
        ("version 2.10", "version 2.1"),
        ("三千円", "三万円"),
        ("三日", "5日"),
        ("three business days", "five business days"),
        ("1.5倍", "15倍"),
    ],
)
def test_another_number_unit_date_or_code_is_missing(answer: str, context: str) -> None:
    assert len(missing(answer, context)) == 1


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("5", "5日"),
        ("5日", "the limit is 5"),
        ("4月5日", "2024年4月5日"),
        ("2024年4月5日", "2024年は4月5日から"),
        ("5日", "2024年4月5日"),
        ("2024年", "FY 2024"),
        ("9時", "午後9時"),
        ("20時", "午後8時"),
        ("8 pm", "20:00"),
        ("一人", "1人"),
        ("3名", "三人"),
        ("2 films", "two films"),
        ("90分", "1時間30分"),
        ("2 hours", "120分"),
        ("1万2千円", "12,000円"),
        ("IFRS16", "IFRS 16"),
        ("E4107", "error E-4107."),
        ("4月5日", "4/5(金)"),
        ("3-5 days", "3〜5日"),
        ("令和6年4月", "2024-04-05"),
        ("30%", "三十パーセント"),
        ("６か月", "6ヵ月"),
    ],
)
def test_the_same_value_written_otherwise_is_not_missing(answer: str, context: str) -> None:
    assert missing(answer, context) == []


def test_values_of_the_question_can_be_passed_as_a_context() -> None:
    assert missing("2030年の料金は900円です", "料金は900円です") == ["2030年"]
    assert missing("2030年の料金は900円です", "料金は900円です", "2030年の料金は？") == []


def test_very_long_digits_are_compared_as_they_are() -> None:
    long = "9" * 5000
    assert missing(long, f"x {long} y") == []
    assert missing(long, "9" * 4999) == [long]


@given(st.text())
def test_values_map_back_and_never_miss_in_their_own_text(text: str) -> None:
    for value in extract_values(text):
        assert text[value.start : value.end] == value.text
    assert missing_values(text, [text]) == []


@given(st.text(alphabet="0123456789,.-/:年月日時分円万千百十一二三〇午後〜 aApPmMvE$¥第令和元", max_size=40))
def test_texts_full_of_numbers_never_miss_themselves(text: str) -> None:
    for value in extract_values(text):
        assert text[value.start : value.end] == value.text
    assert missing_values(text, [text]) == []


@given(st.integers(0, 10**15), st.sampled_from(["円", "人", "日", " days", "%"]))
def test_separators_and_width_do_not_change_a_number(number: int, unit: str) -> None:
    wide = f"{number:,}".translate({ord(char): ord(char) + 0xFEE0 for char in "0123456789,"})
    assert values(f"x {number:,}{unit}")[0][1:] == values(f"x {number}{unit}")[0][1:]
    assert missing(f"約{wide}{unit}", f"{number}{unit}") == []
