"""Keep found values out of everything that rag-gate writes: files, comments, logs, tracebacks.

One masker belongs to a command: it knows the allow-list of the settings and remembers every value that it
met, so that a value found in one case is masked in the texts of all.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_gate.config_privacy import PersonalDataConfig, SecretsConfig
from rag_gate.detectors.allowed import Allowed, canonical
from rag_gate.detectors.personal import Found
from rag_gate.detectors.scanner import Scanner
from rag_gate.detectors.suspicion import is_suspicious
from rag_gate.folding import Folded, fold
from rag_gate.records.pattern import compile_pattern

#: Environment variable with the key of fingerprints; by default each process draws its own.
KEY_VARIABLE = "RAG_GATE_MASK_KEY"
_RANDOM_KEY = secrets.token_bytes(32)
_FINGERPRINT = 24
#: A shorter value is masked in its own text only: elsewhere the same characters mean something else.
_SHORTEST_WORD, _SHORTEST_NUMBER = 3, 6
_NUMBERS = re.compile(r"(?<![0-9A-Za-z])\+?[0-9](?:[-. ()ー]{0,2}[0-9]){5,24}(?![0-9A-Za-z])")
_NOT_DIGIT = re.compile(r"[^0-9]+")
_CODE = re.compile(r"[-+0-9. ()ー]+")


def scanner_of(personal: PersonalDataConfig, found_secrets: SecretsConfig) -> Scanner:
    """Return the detectors as the settings say."""
    allow = personal.allow
    return Scanner(
        allowed=Allowed(
            emails=allow.emails,
            domains=allow.domains,
            phones=allow.phones,
            values=allow.values,
            patterns=tuple(map(compile_pattern, allow.patterns)),
            regions=personal.phone_regions,
        ),
        regions=personal.phone_regions,
        rules=found_secrets.compiled,
        known_harmless=tuple(map(compile_pattern, found_secrets.allow)),
    )


def fingerprint_of(kind: str, value: str) -> str:
    """Return what stands for a value: the same for the same value under one key, and no way back.

    HMAC-SHA256 of type and canonical form, 24 hexadecimal digits. The key is ``RAG_GATE_MASK_KEY``, or
    random for each process: without a key, telephone numbers could simply be tried out.
    """
    key = os.environ.get(KEY_VARIABLE, "").encode() or _RANDOM_KEY
    return hmac.new(key, f"{kind}\0{canonical(value)}".encode(), hashlib.sha256).hexdigest()[:_FINGERPRINT]


@dataclass
class Masker:
    """Replaces found values by their types, such as ``[EMAIL]``.

    Attributes:
        scanner: the detectors.
    """

    scanner: Scanner = field(default_factory=Scanner)
    _words: dict[str, str] = field(default_factory=dict)
    _numbers: dict[str, str] = field(default_factory=dict)

    @property
    def knows_values(self) -> bool:
        """Whether any value was met so far."""
        return bool(self._words or self._numbers)

    def learn(self, text: str) -> None:
        """Remember the values in a text, to mask them in every other text too."""
        if is_suspicious(text):
            for found in self.scanner.to_hide(text):
                self._remember(found.type, text[found.start : found.end])

    def mask(self, text: str) -> str:
        """Return the text with a mark in the place of every value that is found in it or known."""
        found = self.scanner.to_hide(text) if is_suspicious(text) else []
        for item in found:
            self._remember(item.type, text[item.start : item.end])
        spans = [(item.start, item.end, item.type) for item in found]
        if self.knows_values:
            spans += self._known(text)
        return _replaced(text, spans) if spans else text

    def mask_tree(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value with all its texts masked; keys stay."""
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {key: self.mask_tree(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.mask_tree(item) for item in value]
        return value

    def _remember(self, kind: str, value: str) -> None:
        plain = fold(value, verbatim=True).text
        digits = _NOT_DIGIT.sub("", plain)
        if _CODE.fullmatch(plain):
            if len(digits) >= _SHORTEST_NUMBER:
                self._numbers[digits] = kind
        elif len(plain) >= _SHORTEST_WORD:
            self._words[plain] = kind

    def _known(self, text: str) -> Iterator[tuple[int, int, str]]:
        folded = fold(text, verbatim=True)
        for word, kind in self._words.items():
            start = folded.text.find(word)
            while start != -1:
                yield _place(folded, start, start + len(word), kind)
                start = folded.text.find(word, start + len(word))
        for match in _NUMBERS.finditer(folded.text) if self._numbers else ():
            known = self._numbers.get(_NOT_DIGIT.sub("", match[0]))
            if known is not None:
                yield _place(folded, *match.span(), known)


def _place(folded: Folded, start: int, end: int, kind: str) -> tuple[int, int, str]:
    return (*folded.original(start, end), kind)


def _replaced(text: str, spans: list[tuple[int, int, str]]) -> str:
    """Return the text with marks; spans that overlap get one mark together."""
    parts: list[str] = []
    done = 0
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= done:
            parts += (text[done:start], f"[{kind}]")
        done = max(done, end)
    return "".join([*parts, text[done:]])


_current = [Masker()]


def start_masking(personal: PersonalDataConfig, found_secrets: SecretsConfig) -> None:
    """Begin a command with its settings; values met before are forgotten."""
    _current[0] = Masker(scanner_of(personal, found_secrets))


def current_masker() -> Masker:
    """Return the masker of the command that runs."""
    return _current[0]


def values_in(text: str) -> list[Found]:
    """Return what the masker of the command that runs would hide in a text by detection."""
    return current_masker().scanner.to_hide(text)
