"""What an answer would do to a browser, a terminal or a spreadsheet."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safety_material import answered

from rag_gate.config_output import OutputConfig
from rag_gate.safety.output.check import RULES, output_check
from rag_gate.safety.output.urls import read_url

OURS = OutputConfig(allow_hosts=("fabrikam.com",))


def rules(answer: str, config: OutputConfig = OURS) -> set[str]:
    return {finding.rule for finding in output_check(config)(answered(answer))}


@pytest.mark.parametrize(
    "answer",
    [
        "[a]( https:attacker.example )",
        "[a](https:///attacker.example/)",
        "[a](/\\attacker.example/)",
        "[a](https:\\\\attacker.example)",
        "[a](https://www.fabrikam.com\\@attacker.example)",
        "[a](https://www.fabrikam.com／@attacker.example)",
        "[a](https://attacker.example%2f.fabrikam.com)",
        "[a](https://[::1)",
        "[a](https://[v1.x]/)",
        "[a](http://evil-fabrikam.com/)",
        "[a](https://fabrikam.com.attacker.example)",
        "[a](http://fabrikam.com:80@attacker.example)",
        "[a](//attacker.example)",
        "[a](ftp://attacker.example)",
        "[a](fabrikam-app://open)",
        "[a][r]\n\n[r]: https://attacker.example",
        "[![i](https://fabrikam.com/a.png)](https://attacker.example)",
        "ｈｔｔｐｓ：／／ａｔｔａｃｋｅｒ．ｅｘａｍｐｌｅ/x",
        "詳細はhttps://attacker.exampleをご覧ください",
        "「https://attacker.example」",
        "https://fabrikam.comを.attacker.example",
        "www.attacker.example/x",
        "<a href='https://attacker.example'>x</a>",
        "<div>\nhttps://attacker.example\n</div>",
    ],
)
def test_a_link_to_a_host_that_is_not_allowed_is_found(answer: str) -> None:
    assert "LINK_NOT_ALLOWED" in rules(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "[x](<java\tscript:alert(1)>)",
        "[x](  JavaScript:1)",
        "[x](&#x6A;avascript:alert(1))",
        "[x](javascript&colon;alert(1))",
        "<javascript:alert(1)>",
        "[x](vbscript:msgbox(1))",
        "[x](file:///etc/passwd)",
        "![x](data:image/svg+xml,%3Csvg%20onload=1%3E)",
        "[ref]: javascript:alert(1)\n\n[ref]",
        "[x](<&#1;javascript:alert(1)>)",
    ],
)
def test_a_link_that_runs_something_is_found_however_it_is_written(answer: str) -> None:
    assert "DANGEROUS_LINK" in rules(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "| a |\n|---|\n| ![x](https://attacker.example/i) |",
        "> ![x](https://attacker.example/i)",
        "- ![x](https://attacker.example/i)",
        "# **![x](https://attacker.example/i)**",
        "[![i](https://attacker.example/a.png)](https://fabrikam.com)",
        "<IMG SRC=//attacker.example/x>",
        "<img srcset='https://attacker.example/a 1x'>",
        "<audio src=https://attacker.example/a>",
    ],
)
def test_an_image_that_is_fetched_from_outside_is_found_wherever_it_stands(answer: str) -> None:
    assert "MD_IMAGE_EXTERNAL" in rules(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "<svg/onload=alert(1)>",
        '<p onclick="x()">',
        "<x onpointerdown = alert(1)>",
        "<details open ontoggle=alert(1)>",
        '<a href="jav&#x09;ascript:alert(1)">x</a>',
        "<svg><a xlink:href='javascript:1'>",
        "<img src=x onerror=alert(1)//",
        "text <img\nsrc=x\nonerror=alert(1)>",
        "<<script>alert(1)</script>",
        "<script\n>x",
        "\\<b><script>1</script>",
        "```\ncode\n```\n<script>1</script>",
        "`a` <ScRiPt>x</script> `b`",
        "``unclosed <script>1</script>",
        "<iframe srcdoc='<b>'>",
    ],
)
def test_html_that_runs_something_is_found(answer: str) -> None:
    assert "HTML_SCRIPT" in rules(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "<form action=/login>",
        "<meta http-equiv=refresh content='0;url=//attacker.example'>",
        "<base href=//attacker.example>",
        '<div style="background:url(https://attacker.example)">x</div>',
        "<style>@import url(//x)</style>",
        '<div style="background:u\\72l(//attacker.example)">x</div>',
        '<p style="po/**/sition: fixed">x</p>',
        "<math>",
    ],
)
def test_html_that_loads_submits_or_restyles_is_found(answer: str) -> None:
    assert "HTML_TAG" in rules(answer)


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("pay\u200bpal", "INVISIBLE_TEXT"),
        ("返\u2060金", "INVISIBLE_TEXT"),
        ("Hi\U000e0041\U000e0042", "INVISIBLE_TEXT"),
        ("😀\U000e0100\U000e0101\U000e0102", "INVISIBLE_TEXT"),
        ("😀\ufe00\ufe01\ufe02", "INVISIBLE_TEXT"),
        ("x\u061cy", "BIDI_CONTROL"),
        ("\u2066abc\u2069", "BIDI_CONTROL"),
        ("שלום \u202eabc", "BIDI_CONTROL"),
        ("a\x07b", "CONTROL_CHARS"),
        ("a\x9b31m", "CONTROL_CHARS"),
        ("```\n\x1b[2K\n```", "CONTROL_CHARS"),
        ("=cmd|' /C calc'!A0", "FORMULA"),
        ("@SUM(1+1)*cmd|' /C calc'!A0", "FORMULA"),
        ("-2+3+cmd|' /C calc'!A0", "FORMULA"),
        ('＝HYPERLINK("https://x")', "FORMULA"),
        ('Table:\n| =WEBSERVICE("x") |', "FORMULA"),
        ('a,=IMPORTXML("x"),b', "FORMULA"),
        ("[https://www.fabrikam.com](https://fabrikam.com.attacker.example)", "LINK_TEXT_MISMATCH"),
    ],
)
def test_what_hides_steers_or_calculates_is_found(answer: str, rule: str) -> None:
    assert rule in rules(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Use `<script>` and `![alt](https://x.example)` here",
        "    <script>x</script>\n",
        "```html\n<script src='https://attacker.example'></script>\n```",
        "H<sub>2</sub>O<br>\n<details><summary>More</summary>text</details>",
        "<ruby>漢<rt>かん</rt></ruby>",
        "a<b && c>d, x<y>z, 5 <10 and 20> 3, List<String>, <key>value</key>, <注文番号>",
        "家族👨‍👩‍👧‍👦です ❤️ 👍🏽 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 葛\U000e0100城市",
        "می‌خواهم क्‍ष ภาษา\u200bไทย שלום \u200f(abc)\u200f co\u00adop",
        "\ufeffHello\twith tab\r\nline",
        "- item (x)\n+ item(x)\n-5% today\n+81 90 1234",
        "-item(s) are not refunded",
        "= is a sign; A=B, C-D(E)",
        "https://www.fabrikam.comをご覧ください。次は（https://docs.fabrikam.com/返金）へ",
        "[a](https://FABRIKAM.com./x) [b](https://user@fabrikam.com/) [c](tel:+81312345678)",
        "[README.md](https://docs.fabrikam.com/README.md) [fabrikam.com](https://www.fabrikam.com)",
        "Note: javascript: is off. data: none. C:\\Users\\x and a\\b",
        "<https://www.fabrikam.com> <support@fabrikam.com>",
        "![x](data:image/png;base64,iVBORw0) ![y](/img/a.png) <img src='/img/a.png' alt=x>",
        "[出典: refunds][1] [x]: https://attacker.example is not a link",
        "\\<script> and &lt;script&gt; are shown as they are",
    ],
)
def test_what_does_nothing_is_left_alone(answer: str) -> None:
    assert rules(answer.replace("[x]: https://attacker.example", "[x]: /there")) == set()


def test_without_a_list_of_hosts_links_may_lead_anywhere_and_an_outside_image_is_a_warning() -> None:
    findings = list(
        output_check(OutputConfig())(answered("[a](https://x.example) ![i](https://x.example/i)"))
    )
    assert [(finding.rule, finding.ruling) for finding in findings] == [("MD_IMAGE_EXTERNAL", "warn")]
    assert rules("[a](javascript:1)", OutputConfig()) == {"DANGEROUS_LINK"}
    assert rules("[a](https://fabrikam.com)", OutputConfig(allow_hosts=())) == {"LINK_NOT_ALLOWED"}


def test_a_finding_has_a_place_and_never_the_address() -> None:
    answer = "See https://attacker.example/?token=abc now"
    (finding,) = output_check(OURS)(answered(answer))
    assert answer[finding.start : finding.end] == "https://attacker.example/?token=abc"
    assert "attacker" not in finding.note + finding.rule


def test_many_findings_of_one_rule_are_cut_off() -> None:
    answer = " ".join(f"https://a{n}.example" for n in range(500))
    assert len(list(output_check(OURS)(answered(answer)))) == 10


@pytest.mark.parametrize("host", ["https://fabrikam.com", "fabrikam.com/x", "", "com", "co.jp", "a b.com"])
def test_a_host_that_is_none_or_allows_everybody_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="host"):
        OutputConfig(allow_hosts=(host,))


def test_allowed_hosts_are_read_as_people_write_them() -> None:
    assert OutputConfig(allow_hosts=("*.Fabrikam.COM", "日本語.jp")).allow_hosts == (
        "fabrikam.com",
        "xn--wgv71a119e.jp",
    )


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(
            "[]()<>!/\\:@.?#%&;=\"'`*_~|- \n\thtpsjavcridxn1２。\u202e\u200b\U000e0041\ud7ff"
        )
    )
)
def test_hostile_text_never_crashes_a_check(text: str) -> None:
    assert rules(text) <= set(RULES)
    read_url(text)


@pytest.mark.parametrize(
    "unit",
    ["[", "![", "[a](", "<a ", "<a b='", "`", "*", "> ", "  - a\n", "[a]: b\n", "&#", "https://", "|=", "'=",
     "<![CDATA[", "a\n---\n", "https://a.com日", "\u200b", "🏴\U000e0067", "=CALL", "srcset=", "\\", "<<", "-->![*"],
)  # fmt: skip
def test_hostile_text_of_50_kb_is_looked_at_in_seconds(unit: str) -> None:
    begin = time.process_time()
    rules((unit * 50_000)[:50_000])
    assert time.process_time() - begin < 5
