"""Pairs of texts that state the same value in other words, and pairs that do not."""

import pytest

from rag_gate.judge.numbers import missing_values

SAME = [
    ("参加費は1万2千円です。", "参加費は12,000円です。"),
    ("参加費は12,000円です。", "参加費は1万2千円です。"),
    ("売上は1億2,000万円", "売上は120百万円"),
    ("予算は150百万円", "予算は1億5千万円"),
    ("2千5百人", "2,500人"),
    ("所要時間は90分です。", "所要時間は1時間30分です。"),
    ("1時間半かかります。", "90分かかります。"),
    ("受付は20時まで", "受付は午後8時まで"),
    ("受付は午後8時まで", "受付は20:00まで"),
    ("Open until 8 pm", "Open until 20:00"),
    ("Open until 8:30 p.m.", "Open until 20:30."),
    ("開始は正午です。", "開始は12:00です。"),
    ("closes at noon", "closes at 12 pm"),
    ("一人で使えます", "1人で使えます"),
    ("三名まで", "3名まで"),
    ("二十歳以上", "20歳以上"),
    ("①申請する②承認する", "申請し、承認する"),
    ("手順は①〜③です", "手順は次のとおり"),
    ("２０２４年４月５日", "2024年4月5日"),
    ("令和6年4月1日", "2024-04-01"),
    ("2024/04/05", "2024年4月5日"),
    ("April 5, 2024", "5 April 2024"),
    ("3～5営業日", "3〜5営業日"),
    ("3-5営業日", "3 から 5営業日"),
    ("3 to 5 days", "3–5 days"),
    ("1,000円", "1000円"),
    ("¥1,000", "1000円"),
    ("5％", "5%"),
    ("0.50", "0.5"),
    (".5 percent", "0.5%"),
    ("over $181 million", "$181,025,000"),
    ("about 1,200 people", "1,187 people"),
    ("約1,500件", "1,498件"),
    ("売上は約1.5億円", "売上は1億4,980万円"),
    ("nearly 200 people", "197 people"),
    ("1. 申請します。\n2. 承認します。", "申請と承認"),
    ("1) Log in\n2) Pay", "Log in and pay"),
    ("- 3. 送金する", "送金する"),
    ("IFRS16に従う", "IFRS 16に従う"),
    ("エラーP4021", "エラー P-4021"),
    ("version 2.1", "バージョン2.1"),
    ("v2.10", "version 2.10"),
    ("気温は-5度", "気温は−5度"),
    ("氷点下5度", "マイナス5度"),
    ("five business days", "5 business days"),
    ("twenty-one days", "21 days"),
    ("two films", "2 films"),
    ("half of the cost", "50% of the cost"),
    ("半額になります", "50%引き"),
    ("3割引", "30%引き"),
    ("2週間以内", "14日以内"),
    ("1年間", "12か月"),
    ("1.5 km", "1,500 m"),
    ("2kg", "2000g"),
    ("60秒", "1分"),
    ("第3条", "第三条"),
    ("第二四半期", "第2四半期"),
    ("5つ星", "五つ星"),
    ("10代", "10代"),
    ("2020年代", "2020年代"),
    ("the 20th century", "the twentieth century"),
    ("1st floor", "first floor"),
    ("平日9時〜17時", "平日9:00-17:00"),
    ("9 a.m. to 5 p.m.", "9:00–17:00"),
    ("TEL 03-1234-5678", "03-1234-5678"),
    ("a dozen eggs", "12 eggs"),
    ("2 times", "twice"),
    ("12:00開店", "正午に開店"),
    ("90秒", "1分30秒"),
    ("18か月", "1年半"),
    ("in December of 1865", "in 1865, by December"),
    ("トカゲが1匹います。", "トカゲがいます。"),
    ("Follow these steps:\n\n1.", "Follow these steps"),
    ("マイナス5%", "−5%"),
    ("△5%", "▲5%"),
    ("more than 50 countries", "51.5 or 53 countries"),
]
OTHER = [
    ("1万2千円", "1万3千円"),
    ("150百万円", "15百万円"),
    ("90分", "1時間20分"),
    ("1時間30分", "60分"),
    ("20時", "午後9時"),
    ("8 pm", "8:00 am"),
    ("2人", "一人"),
    ("version 2.1", "version 2.10"),
    ("v2.10", "v2.1"),
    ("-5度", "5度"),
    ("5度", "-5度"),
    ("+5%", "-5%"),
    ("約10日", "5日"),
    ("over 200 people", "181 people"),
    ("about 30 people", "35 people"),
    ("nearly 200 people", "150 people"),
    ("約1,500件", "1,200件"),
    ("3〜5日", "3〜6日"),
    ("5日", "5時間"),
    ("5営業日", "5日"),
    ("3%", "3人"),
    ("3%", "0.3%"),
    ("1,000円", "10,000円"),
    ("1.5倍", "15倍"),
    ("2024年4月5日", "2024年4月6日"),
    ("令和6年", "令和5年"),
    ("IFRS 16", "IFRS 15"),
    ("P4021", "P4012"),
    ("500円", "500ドル"),
    ("$5", "€5"),
    ("three days", "two days"),
    ("twenty-one days", "twenty-two days"),
    ("第3条", "第4条"),
    ("2週間", "2か月"),
    ("9:00-17:00", "9:00-18:00"),
    ("午前9時", "午後9時"),
    ("10% off", "15% off"),
    ("手順は3つ", "手順は2つ"),
    ("30 days", "13 days"),
    ("1.5 km", "1,500 km"),
    ("Q3 2024", "Q2 2024"),
    ("100 people", "1,000 people"),
    ("10万円", "10円"),
    ("192.168.0.1", "192.168.0.2"),
    ("7月1日", "1月7日"),
    ("May 5", "March 5"),
    ("1984年", "1948年"),
    ("5", "-5"),
    ("-5", "5"),
    ("1匹", "2匹"),
    ("1時間半", "2時間半"),
]
# Nothing short of arithmetic on the texts would tell these.
LIMITS = [("3/4", "0.75", True), ("1GB", "1024MB", True), ("半額", "30%引き", False)]


def test_there_are_enough_pairs() -> None:
    assert len(SAME) + len(OTHER) >= 62


@pytest.mark.parametrize(("answer", "context"), SAME)
def test_the_same_value_in_another_form_is_not_missed(answer: str, context: str) -> None:
    assert missing_values(answer, [context]) == []


@pytest.mark.parametrize(("answer", "context"), OTHER)
def test_another_value_is_missed(answer: str, context: str) -> None:
    assert missing_values(answer, [context])


@pytest.mark.parametrize(("answer", "context", "missed"), LIMITS)
def test_known_limits_stay_known(answer: str, context: str, *, missed: bool) -> None:
    assert bool(missing_values(answer, [context])) is missed
