"""Say a sentence of the verdict in Japanese.

The verdict is one file for everybody, and its sentences are English. Each pattern is such a sentence with
``{name}`` in the place of what varies; ``{name:kind}`` says what stands there, ``[a|b]`` allows both words.
A sentence that no pattern fits stays English; a test reads the program's sentences and looks for theirs.
"""

import re
from collections.abc import Mapping
from functools import cache

from rag_gate.report.words.sentences_finding import FINDINGS
from rag_gate.report.words.sentences_pull import ABOUT_PULLS
from rag_gate.report.words.sentences_run import ABOUT_RUNS

_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^\]]*)\]")
_MORE = re.compile(r"(.+) and ([0-9]+) more", re.DOTALL)
#: What stands in a place, by its kind.
_KINDS = {
    None: "(?P<{name}>.+?)",
    "text": "(?P<{name}>.*?)",
    "cases": "(?P<{name}>[0-9]+)(?: cases?)?",
    "number": "(?P<{name}>[-+0-9.e%]+)",
    "ids": "(?P<{name}>.+)",
    "sentence": "(?P<{name}>.+)",
}


def in_japanese(text: str) -> str:
    """Return the sentence in Japanese, or as it is where it is not known."""
    found = known(text)
    if found is not None:
        return found
    more = _MORE.fullmatch(text)
    return f"{more[1]}、ほか{more[2]}件" if more else text


def known(text: str) -> str | None:
    """Return the sentence in Japanese, None where no pattern fits."""
    for pattern, japanese in _patterns():
        match = pattern.fullmatch(text)
        if match:
            return japanese.format(**{name: _value(name, match) for name in match.groupdict()})
    return None


def _value(name: str, match: re.Match[str]) -> str:
    value = match[name] or ""
    return in_japanese(value) if name.startswith(("ids", "sentence")) else value


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    every: Mapping[str, str] = {**ABOUT_PULLS, **ABOUT_RUNS, **FINDINGS}
    return tuple((re.compile(_regex(english), re.DOTALL), japanese) for english, japanese in every.items())


def _regex(english: str) -> str:
    """Return the pattern as a regular expression."""
    parts, done = [], 0
    for token in _TOKEN.finditer(english):
        parts.append(re.escape(english[done : token.start()]))
        if token[1]:
            parts.append(_KINDS[token[2]].replace("{name}", token[1]))
        else:
            parts.append(f"(?:{'|'.join(map(re.escape, token[3].split('|')))})")
        done = token.end()
    return "".join([*parts, re.escape(english[done:])])
