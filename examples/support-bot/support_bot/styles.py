"""The ways of writing the same quotes: plain, polite, and too short."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from support_bot.shorten import shorten

_NOT_FOUND = {True: "該当する情報が見つかりません。", False: "I could not find this in the documents."}
_OPENING = {
    True: "お問い合わせありがとうございます。ご質問の件は、以下のとおりです。",
    False: "Thank you for your question. This is what our documents say:",
}
_CLOSING = {
    True: "ほかにもご不明な点がありましたら、お気軽にお尋ねください。",
    False: "Please do not hesitate to write again if anything is unclear.",
}


class Quote(NamedTuple):
    """A sentence and the document it stands in."""

    sentence: str
    doc_id: str


def write(quotes: Sequence[Quote], style: str, *, japanese: bool) -> str:
    """Write the quotes, each followed by its source; without quotes, say that nothing was found.

    ``polite`` puts friendly sentences around the same quotes. ``terse`` shortens the quotes, and
    thereby loses what a reader needed.
    """
    if style == "terse":
        quotes = [Quote(shorten(quote.sentence), quote.doc_id) for quote in quotes]
    body = _body(quotes, japanese=japanese) if quotes else _NOT_FOUND[japanese]
    if style != "polite":
        return body
    return f"{_OPENING[japanese]}\n{body}\n{_CLOSING[japanese]}"


def _body(quotes: Sequence[Quote], *, japanese: bool) -> str:
    parts = []
    for doc_id, group in groupby(quotes, key=lambda quote: quote.doc_id):
        text = ("" if japanese else " ").join(quote.sentence for quote in group)
        parts.append(f"{text} [出典: {doc_id}]" if japanese else f"{text} [source: {doc_id}]")
    return "\n".join(parts)
