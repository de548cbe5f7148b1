"""Personal data as renderers show it, cut by line ends, in tables, in kanji or in base64; and what only looks like it."""

import base64

import pytest

from rag_gate.detectors.personal import find_personal_data

KANJI = str.maketrans("0123456789", "〇一二三四五六七八九")
MY, CARD, IBAN = "837261549023", "4532017688394512", "DE89370400440532013000"


def by_four(digits: str, sign: str) -> str:
    return sign.join(digits[at : at + 4] for at in range(0, len(digits), 4))


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


#: Name of the kind -> the text around a value, the value as it is written, its type.
HIDDEN = {
    "entity": ("連絡先は{}です", "090&#45;8831&#45;4527", "PHONE"),
    "named entity": ("Mail {}", "kenta.ito&commat;contoso.com", "EMAIL"),
    "entity for a space": ("visa {}", by_four(CARD, "&nbsp;"), "CREDIT_CARD"),
    "escape of markdown": ("宛先は{}です", r"kenta\_ito@contoso.com", "EMAIL"),
    "escape of JSON": ("mail {}", r"kenta.ito\u0040contoso.com", "EMAIL"),
    "escape of a link": ("https://fabrikam.com/cb?tel={}", "%2B819088314527", "PHONE"),
    "bold": ("番号は **{}** です", "090-8831-4527", "PHONE"),
    "bold in part": ("番号は {} です", "**090**-8831-4527", "PHONE"),
    "code": ("`{}`", CARD, "CREDIT_CARD"),
    "tag in it": ("mail {}", "kenta<wbr>@contoso.com", "EMAIL"),
    "base64": ("payload {} end", base64_of("kenta.ito@contoso.com"), "EMAIL"),
    "line end behind a dash": ("電話は{}です。", "090-8831-\n4527", "PHONE"),
    "line ends between groups": ("カード番号：{}", by_four(CARD, "\n"), "CREDIT_CARD"),
    "line end in a quote": ("> card {}", f"{CARD[:8]}\n> {CARD[8:]}", "CREDIT_CARD"),
    "line end behind @": ("メールは{}まで", "kenta.ito@\ncontoso.com", "EMAIL"),
    "line end in front of @": ("mail {}", "kenta.ito\n@contoso.com", "EMAIL"),
    "line end in an address": ("{}に送りました", "東京都新宿区西新宿\n2-8-1", "JP_ADDRESS"),
    "line end in a street": ("{}", "350 Fifth Ave,\nNew York, NY 10118", "ADDRESS"),
    "line end in a code": ("IBAN: {}", by_four(IBAN, "\n"), "IBAN"),
    "kanji figures": ("マイナンバーは{}です", MY.translate(KANJI), "JP_MY_NUMBER"),
    "kanji with no": ("連絡先は{}です。", "〇九〇の八八三一の四五二七", "PHONE"),
    "kanji date": ("生年月日は{}です", "一九八五年四月一日", "DATE_OF_BIRTH"),
    "kanji address": ("住所は{}です", "東京都千代田区丸の内一丁目二番三号", "JP_ADDRESS"),
    "digit by digit": ("social security number is {}", " ".join("536281947"), "US_SSN"),
    "slashes": ("visa {}", by_four(CARD, "/"), "CREDIT_CARD"),
    "bullets": ("visa {}", by_four(CARD, "•"), "CREDIT_CARD"),
    "dots": ("IBAN: {}", by_four(IBAN, "."), "IBAN"),
    "label on the line above": ("マイナンバー\n{}", MY, "JP_MY_NUMBER"),
    "label with a note": ("個人番号（12桁）：{}", MY, "JP_MY_NUMBER"),
    "label in code": ("my_number={}", MY, "JP_MY_NUMBER"),
    "head of a column": ("| 氏名 | マイナンバー |\n|---|---|\n| A | {} |", MY, "JP_MY_NUMBER"),
    "local part in kanji": ("宛先は{}です", "花子@contoso.co.jp", "EMAIL"),
    "international host": ("Write to {}", "hans@müller-contoso.de", "EMAIL"),
    "japanese host": ("宛先: {}", "花子@例え.jp", "EMAIL"),
    "spaces around the signs": ("メールは{}まで", "kenta @ contoso . com", "EMAIL"),
    "plus behind another label": ("My number in Seoul is {}", "+82 10-3412-5678", "PHONE"),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_a_value_is_found_at_its_place_however_it_is_written(kind: str) -> None:
    around, value, of_type = HIDDEN[kind]
    text = around.format(value)
    start = text.index(value)
    found = [item for item in find_personal_data(text) if item.type == of_type]
    assert found, text
    assert found[0].start < start + len(value)
    assert found[0].end > start
    assert found[0].start >= start - 2
    assert found[0].end <= start + len(value) + 2


def test_a_value_in_disguise_is_the_same_value() -> None:
    plain, hidden = (
        find_personal_data(text)[0].keys for text in ("電話 090-8831-4527", "電話 090&#45;8831&#45;4527")
    )
    assert plain == hidden


LOOK_ALIKES = (
    "東京都世田谷区は2-3日でお届けします",
    "大阪市北区では1-2営業日で届きます",
    "千葉県市川市の2号店が開店",
    "東京都千代田区の本社で9-17時に受付",
    "埼玉県川口市で10-20%割引",
    "一二三四五六七八九十の順に並べます",
    "二〇二四年一月十五日に発売",
    "第三百二十一条",
    "scores: 3 5 1 4 2 5 5 3 4 1 2 2",
    "1 2 3 4 5 6 7 8 9 10 11 12 steps",
    "| 2021 | 2022 | 2023 | 2024 |\n|---|---|---|---|\n| 1203 | 3304 | 4420 | 5511 |",
    f"| 注文番号 | 数 |\n|---|---|\n| {MY} | 2 |",
    f"注文番号\n{MY}",
    "カード番号は**** **** **** 4242です",
    "1990-2024年の売上 090/100点",
    "token bucket at 100 dot com",
    "x = y @ z.T and a@b",
    "icon@2x.png, react@18.2.0, git@github.com:contoso/app.git",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
    "&copy; 2024&nbsp;Fabrikam &#8212; 100&#37;",
    "@pytest.fixture\n@click.option(x)\n@app.route\ndef f(): ...",
    r"C:\Users\0901\2345\6789",
)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_value_is_none(text: str) -> None:
    assert find_personal_data(text) == ()
