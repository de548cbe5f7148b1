import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_gate.report.escape import BREAK, code, inline, log_safe
from rag_gate.report.visible import shorten, visible

RENDERER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
NO_LIMIT = 10_000
SNIPPETS = [
    "|", "\\", "`", "``", "*", "**", "_", "~~", "[", "](", ")", "![", "<", ">", "<!--", "-->", "&lt;", "&#64;",
    "<b>", "</td>", "#", "# ", "- ", "+ ", "1. ", "2) ", "> ", "===", "---", "\n", "\r\n", "\n\n", "\t", "    ",
    "@", "@team", "#1", "GH-1", "a/b#1", "http://", "https://x.y", "www.x.y", "a@b.cd", ":smile:", ":", "$",
    "$$", "!", "\u200b", "\u202e", "\U000e0041", "\x00", "\x1b[31m", "\x1b]8;;http://x\x07", "\x7f", "\u2028",
    "\ud800", "即時返金", "です。", "が\u3099", "　", "a", "0", " ", "deadbee", "葛\U000e0100", "👍🏽", "\ufe0f", "::error::",
]  # fmt: skip
hostile = st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=5)), max_size=12).map("".join)


def plain(tokens: list[Token]) -> str:
    """The text of inline tokens; fails on anything that is not text."""
    assert {token.type for token in tokens} <= {"text", "text_special"}, tokens
    return "".join(token.content for token in tokens)


def cells(markdown: str) -> list[list[Token]]:
    return [token.children or [] for token in RENDERER.parse(markdown) if token.type == "inline"]


def table(*values: str) -> str:
    return "| h1 | h2 |\n| --- | --- |\n" + "".join(f"| {value} | end |\n" for value in values)


@given(hostile)
def test_text_in_a_table_cell_stays_one_plain_cell(text: str) -> None:
    tokens = cells(table(inline(text, NO_LIMIT), "next"))
    assert len(tokens) == 6
    assert plain(tokens[2]).replace(BREAK, "") == visible(text)
    assert [plain(cell) for cell in tokens[3:]] == ["end", "next", "end"]


@given(hostile, hostile)
def test_text_in_a_paragraph_stays_plain_text(first: str, second: str) -> None:
    shown = [inline(text, NO_LIMIT) for text in (first, second) if visible(text)]
    parsed = RENDERER.parse("Seen:\n" + "\n".join(shown))
    assert [token.type for token in parsed] == ["paragraph_open", "inline", "paragraph_close"]
    children = [token for token in parsed[1].children or [] if token.type != "softbreak"]
    assert plain(children).replace(BREAK, "") == "Seen:" + "".join(map(visible, (first, second)))


@given(hostile)
def test_nothing_that_github_links_in_rendered_text_is_left(text: str) -> None:
    rendered = "".join(plain(cell) for cell in cells(inline(text, NO_LIMIT)))
    pattern = r"@[0-9a-z]|#[0-9]|\bgh-[0-9]|://|\bwww\.|:[a-z0-9_+-]{1,60}:|\b(?=[0-9]*[a-f])[0-9a-f]{7,40}\b"
    assert re.findall(pattern, rendered, re.IGNORECASE | re.ASCII) == []


@given(hostile)
def test_code_in_a_table_cell_cannot_be_broken_out_of(text: str) -> None:
    tokens = cells(table(code(text, NO_LIMIT), "next"))
    assert len(tokens) == 6
    assert [token.type for token in tokens[2]] == ["code_inline"]
    assert tokens[2][0].content == (visible(text) or " ")


@given(hostile)
def test_code_in_a_paragraph_shows_the_text_unchanged(text: str) -> None:
    (tokens,) = cells("Seen: " + code(text, NO_LIMIT, table=False))
    assert [token.type for token in tokens] == ["text", "code_inline"]
    assert tokens[1].content == (visible(text) or " ")


@given(hostile)
def test_visible_text_is_one_line_without_control_characters_and_stable(text: str) -> None:
    shown = visible(text)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert visible(shown) == shown


@given(hostile)
def test_no_log_line_starts_or_holds_a_workflow_command(text: str) -> None:
    line = log_safe(text)
    assert not line.strip().startswith("::")
    assert not re.search(r"##(?:vso)?\[", line)
    assert line.isprintable() or not re.search(r"[\x00-\x1f\x7f-\x9f]", line)


@given(st.text(max_size=60), st.integers(1, 30))
def test_a_cut_text_is_never_longer_than_the_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


def test_readable_japanese_stays_untouched() -> None:
    text = (
        "返金は３〜５営業日（土日を除く）かかります。「即時返金」はできません！　葛\U000e0100城市、12:30 受付"
    )
    assert inline(text) == text


def test_names_the_source_that_is_written() -> None:
    assert inline("a|b <x> & $5") == "a&#124;b &lt;x&gt; &amp; &#36;5"
    assert inline("*a* _b_ [c](d) \\") == r"\*a\* \_b\_ \[c\]\(d\) \\"
    assert inline("@org/team a@b.co") == f"@{BREAK}org/team a@{BREAK}b.co"
    assert inline("see #12, o/r#3, gh-4") == rf"see \#{BREAK}12, o/r\#{BREAK}3, gh-{BREAK}4"
    assert inline("https://x.y www.z.y :+1:") == f"https:{BREAK}//x.y www{BREAK}.z.y :{BREAK}+1:"
    assert inline("fixed in 4139b8a0") == f"fixed in 4139b8{BREAK}a0"


def test_order_numbers_and_times_stay_searchable() -> None:
    assert inline("注文 20240501123 は 12:30 に") == "注文 20240501123 は 12:30 に"


@pytest.mark.parametrize(
    "text", ["- a", "+ a", "1. a", "=== ", "--- ", "# a", "> a", "2) a", "```", "[a]: b"]
)
def test_a_block_marker_at_the_start_is_text(text: str) -> None:
    html = RENDERER.render("Seen:\n" + inline(text))
    assert html == f"<p>Seen:\n{text.strip().replace('>', '&gt;')}</p>\n"


def test_terminal_sequences_and_hidden_characters_are_removed() -> None:
    assert visible("\x1b[31mred\x1b[0m \x1b]8;;http://evil\x07link\x1b]8;;\x07") == "red link"
    assert visible("a\u202eb\u200bc\U000e0041d\x00\ufeff") == "abcd"
    assert visible("A\ufe01\ufe02\ufe03 \ufe04") == "A\ufe01"
    assert visible("a\r\nb\tc\u2028d") == "a b c d"
    assert visible("\ud800") == "\ufffd"


def test_a_long_text_is_cut_with_an_ellipsis_between_characters() -> None:
    assert inline("abcdef", 4) == "abc…"
    assert inline("abcd", 4) == "abcd"
    assert shorten("abか\u3099cd", 4) == "ab…"
    assert shorten("ab👍🏽cd", 4) == "ab…"
    with pytest.raises(ValueError, match="limit is 0"):
        inline("a", 0)


def test_code_handles_backticks_pipes_and_emptiness() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"
    assert code("a|b") == r"`a\|b`"
    assert code("a|b", table=False) == "`a|b`"
    assert code("") == "` `"


def test_log_lines_break_workflow_commands_visibly() -> None:
    assert log_safe("::error::x") == ": :error::x"
    assert log_safe("ok\n::add-mask::x") == "ok ::add-mask::x"
    assert log_safe("a ##[error]x ##vso[task]") == "a ## [error]x ## vso[task]"
