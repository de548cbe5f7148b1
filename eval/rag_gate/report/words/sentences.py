"""Say a sentence of the verdict in Japanese.

The verdict is one file for everybody, and its sentences are English. Each pattern is such a sentence with
``{name}`` in the place of what varies; ``{name:kind}`` says what stands there, ``[a|b]`` allows both words.
A sentence that no pattern fits stays English; a test reads the program's sentences and looks for theirs.
"""

import re
from functools import cache
from typing import NamedTuple

from rag_gate.report.words.japanese import JAPANESE
from rag_gate.report.words.sentences_finding import FINDINGS
from rag_gate.report.words.sentences_pull import ABOUT_PULLS
from rag_gate.report.words.sentences_run import ABOUT_RUNS

_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^\]]*)\]")
_MORE = re.compile(r"(.+) and ([0-9]+) more", re.DOTALL)
#: What stands in a place, by its kind.
_KINDS = {
    None: "(?P<{name}>.+?)",
    "cases": "(?P<{name}>[0-9]+)(?: cases?)?",
    "number": "(?P<{name}>[-+0-9.e%]+)",
    "ids": "(?P<{name}>.+)",
    "sentence": "(?P<{name}>.+)",
    "reasons": "(?P<{name}>.+?)",
}
_REASON = re.compile(r"([a-z_ ]+): ([0-9]+)")


def in_japanese(text: str) -> str:
    """Return the sentence in Japanese, or as it is where it is not known."""
    found = known(text)
    if found is not None:
        return found
    more = _MORE.fullmatch(text)
    return f"{more[1]}、ほか{more[2]}件" if more else text


def known(text: str) -> str | None:
    """Return the sentence in Japanese, None where no pattern fits."""
    for pattern in _patterns():
        match = pattern.regex.fullmatch(text)
        if match:
            values = match.groupdict("").items()
            return pattern.japanese.format(
                **{name: _value(value, pattern.kinds[name]) for name, value in values}
            )
    return None


def _value(value: str, kind: str | None) -> str:
    if kind == "reasons":
        return "、".join(map(_reason, value.split(", ")))
    return in_japanese(value) if kind in {"ids", "sentence"} else value


def _reason(text: str) -> str:
    """Return why cases have no score, and how many: the codes of reasons have words of their own."""
    match = _REASON.fullmatch(text)
    said = JAPANESE.get(f"unscored.{match[1].replace(' ', '_')}") if match else None
    return f"{said}：{match[2]}件" if match and said else text


class _Pattern(NamedTuple):
    regex: re.Pattern[str]
    japanese: str
    kinds: dict[str, str | None]


@cache
def _patterns() -> tuple[_Pattern, ...]:
    every = {**ABOUT_PULLS, **ABOUT_RUNS, **FINDINGS}
    return tuple(_pattern(english, japanese) for english, japanese in every.items())


def _pattern(english: str, japanese: str) -> _Pattern:
    parts: list[str] = []
    kinds: dict[str, str | None] = {}
    done = 0
    for token in _TOKEN.finditer(english):
        parts.append(re.escape(english[done : token.start()]))
        name, kind, words = token.groups()
        if name:
            parts.append(_KINDS[kind].replace("{name}", name))
            kinds[name] = kind
        else:
            parts.append(f"(?:{'|'.join(map(re.escape, words.split('|')))})")
        done = token.end()
    regex = re.compile("".join([*parts, re.escape(english[done:])]), re.DOTALL)
    return _Pattern(regex, japanese, kinds)
