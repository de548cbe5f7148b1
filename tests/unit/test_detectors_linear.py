"""Hostile texts cost no more than long ones, no detector asks the network, and none is skipped by mistake."""

import socket
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.detectors.labels import _LABEL, Labels
from rag_gate.detectors.personal import find_personal_data
from rag_gate.detectors.scanner import Scanner
from rag_gate.detectors.secrets import find_secrets
from rag_gate.detectors.suspicion import is_suspicious
from rag_gate.detectors.words import LATIN, OTHER

UNITS = [
    "a",
    "1",
    "1-",
    "1 ",
    "a@",
    "a.",
    "@a.",
    "a@a.",
    "(",
    "+",
    "0-",
    "東京都",
    "住所",
    "あ",
    "区",
    "田",
    "様",
    "1Z",
    "AB12",
    "GB82 ",
    "::",
    "1.",
    "1:",
    "2024-01-",
    "eyJ",
    "eyJa.",
    "sk-",
    "a:b@",
    "http://",
    "http://a:",
    "password is ",
    "パスワードは",
    "password=",
    "A1",
    "aws secret ",
    "記号1",
    "普通",
    "保険記号",
    "Mr. A",
    "John ",
    "Name: ",
    "12 Oak ",
    "12 a ",
    "5 Aa ",
    "ship to ",
    "born ",
    "1985年",
    "生年月日",
    "at dot ",
    "a at b dot ",
    "[at]",
    "x=",
    "key=",
    "token:",
    "api_key=",
    "ab_",
    "ab-",
    "_",
    "-",
    "1,",
    "$1,",
    "ISBN1-",
    "T1-",
    "\u3000",
    "ア",
    "ア ",
    "＠",
    "ａ",
    "①",
    "**",
    "が",
    "SG.",
    "xoxe.",
    "番号",
    "の番号",
    "order number ",
    "電話 ",
    "電話1",
    " at ",
    " @ ",
    "'",
    '"',
    '"a"@',
    "PuTTY-User-Key-File-2:",
    "a1Q~",
    "?sig=",
    "authorization: bearer ",
    "://",
    "a://",
    "1111 1111 ",
    "4242 ",
    "4-",
    "市1-",
    "東京都港区1-",
    "東京都港区芝",
    "〒100-",
    "abc_def_",
    "-----BEGIN PRIVATE KEY-----",
    "aaaaaaaaaaaaaa.atlasv1.",
    "\\-",
    "&#45;",
    "%40",
    "**a",
    "__a",
    "~~",
    "| a |\n",
    "|---|\n",
    "1\n",
    "-\n",
    "一の",
    "1/",
    "1 / ",
    "ab12ab12ab12\n",
    "<b>",
    " @ a.",
    "API key is ",
    "キーは",
    "(1)",
    "花@",
    "QUJD",
]


def seconds(text: str) -> float:
    start = time.process_time()
    find_personal_data(text)
    find_secrets(text)
    return time.process_time() - start


@pytest.mark.parametrize("unit", UNITS)
def test_work_grows_with_the_length_only(unit: str) -> None:
    short, long = ((unit * size)[:size] for size in (3_000, 24_000))
    seconds(unit)
    before = min(seconds(short + end) for end in "xyz")
    # Eight times the text, and a generous allowance for a busy machine; a quadratic pattern takes 64 times.
    assert seconds(long) <= 30 * before + 0.3


def test_no_detector_opens_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a detector asked the network")

    for name in ("socket", "getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    text = "maria@contoso.com, 03-5550-0177, 203.0.113.45, https://hooks.contoso.com/x, IBAN DE89370400440532013000"
    assert len(find_personal_data(text)) == 4


LABEL_WORDS = {word for table in (LATIN, OTHER) for words in table.values() for word in words}
PARTS = st.sampled_from(
    ["田中", "様", "さん", "氏名：", "03-", "5550", "0177", "@", "contoso", ".com", "マイナンバー", "1234 5678 9018", "4242", " ", "-", "password",
     ": ", "hunter2", "Xk9$mQ2!", "is ", "生年月日", "1985", "年4月", "12日", "Mr. ", "Anna ", "Kowalski", "AKIA", "Q2Z7", "ghp_", "東京都港区芝1-2", "〒", "100-0001",
     "at ", "dot ", "203.0.113.45", "2001:db8::1", "暗証番号は", "4821", "口座番号", "７６５４３２１", "12 Oak Lane, ", "Austin, TX", "は", "AB123456C", "旅券", "TR1234567"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(PARTS, max_size=8).map("".join))
def test_a_text_that_is_not_suspicious_holds_nothing(text: str) -> None:
    assert is_suspicious(text) or Scanner().to_hide(text) == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(text: str) -> None:
    for found in Scanner().to_hide(text):
        assert 0 <= found.start < found.end <= len(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(sorted(LABEL_WORDS)) | PARTS, max_size=5).map(" ".join))
def test_every_label_is_seen_though_most_texts_are_not_looked_at(text: str) -> None:
    assert bool(Labels(text).kinds) == any(match[0] for match in _LABEL.finditer(text))
