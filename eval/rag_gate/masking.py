"""Keep found values out of everything that rag-gate writes: files, comments, logs, tracebacks.

One masker belongs to a command: it knows the allow-list of the settings. A value found in one answer is masked
in the texts of all cases.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from rag_gate.config_privacy import PersonalDataConfig, SecretsConfig
from rag_gate.detectors.lookout import Lookout
from rag_gate.detectors.severities import SEVERITIES
from rag_gate.folding import Folded, fold
from rag_gate.late import Late
from rag_gate.records.pattern import compile_pattern

if TYPE_CHECKING:
    from rag_gate.detectors.scanner import Scanner

#: Environment variable with the key of fingerprints; by default each process draws its own.
KEY_VARIABLE = "RAG_GATE_MASK_KEY"
_RANDOM_KEY = secrets.token_bytes(32)
_FINGERPRINT = 24
#: A shorter value is masked in its own text only: elsewhere the same characters mean something else.
_SHORTEST_WORD, _SHORTEST_NUMBER = 3, 6
_NUMBERS = Late(r"(?<![0-9A-Za-z])\+?[0-9](?:[-. ()ー]{0,2}[0-9]){2,24}(?![0-9A-Za-z])")
#: Known words are looked up by so many characters of theirs.
_HEAD = 6
_NOT_DIGIT = Late(r"[^0-9]+")
_CODE = Late(r"[-+0-9. ()ー]+")


def scanner_of(personal: PersonalDataConfig, found_secrets: SecretsConfig) -> "Scanner":
    """Return the detectors as the settings say."""
    from rag_gate.detectors.allowed import Allowed
    from rag_gate.detectors.scanner import Scanner

    allow = personal.allow
    wanted = {"critical": personal.critical, "contact": personal.contact, "weak": personal.weak}
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
        ignored=frozenset(personal.ignore)
        | {kind for kind, severity in SEVERITIES.items() if wanted[severity] == "ignore"},
    )


def fingerprint_of(kind: str, value: str) -> str:
    """Return what stands for a value: the same for the same value under one key, and no way back.

    HMAC-SHA256 of type and canonical form, 24 hexadecimal digits. The key is ``RAG_GATE_MASK_KEY``, or
    random for each process: without a key, telephone numbers could simply be tried out.
    """
    from rag_gate.detectors.allowed import canonical

    key = os.environ.get(KEY_VARIABLE, "").encode() or _RANDOM_KEY
    return hmac.new(key, f"{kind}\0{canonical(value)}".encode(), hashlib.sha256).hexdigest()[:_FINGERPRINT]


def _plain_scanner() -> "Scanner":
    from rag_gate.detectors.scanner import Scanner

    return Scanner()


class Values:
    """Values that were found, to find them again where nothing beside them says what they are."""

    def __init__(self, shortest_word: int, shortest_number: int) -> None:
        self._shortest = (shortest_word, shortest_number)
        self._words: dict[str, str] = {}
        self._heads: dict[str, set[int]] = {}
        self._numbers: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._words or self._numbers)

    def add(self, kind: str, value: str) -> None:
        """Remember a value that is long enough."""
        plain = fold(value, verbatim=True).text
        digits = _NOT_DIGIT.sub("", plain)
        if not _CODE.fullmatch(plain):
            if len(plain) >= self._shortest[0]:
                self._words[plain] = kind
                self._heads.setdefault(plain[:_HEAD], set()).add(len(plain))
        elif len(digits) >= self._shortest[1]:
            self._numbers[digits] = kind

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where the values stand in a text, and their types."""
        folded = fold(text, verbatim=True)
        for start, end, kind in self._words_in(folded.text):
            yield _place(folded, start, end, kind)
        for match in _NUMBERS.finditer(folded.text) if self._numbers else ():
            known = self._numbers.get(_NOT_DIGIT.sub("", match[0]))
            if known is not None:
                yield _place(folded, *match.span(), known)

    def _words_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where words stand; how many are known makes no difference to the work."""
        heads, words = self._heads, self._words
        sizes = {len(head) for head in heads}
        for start in range(len(text)):
            for size in sizes:
                for length in heads.get(text[start : start + size], ()):
                    kind = words.get(text[start : start + length])
                    if kind is not None:
                        yield start, start + length, kind


class Masker:
    """Replaces found values by their types, such as ``[EMAIL]``.

    Args:
        scanner: makes the detectors, when the first text needs them; by default those without settings.
        parent: who remembers the values too.
        short: whether short values are remembered, which only the text they come from can do with.
        look: which texts are shown to the detectors.
    """

    def __init__(
        self,
        scanner: "Callable[[], Scanner] | None" = None,
        parent: "Masker | None" = None,
        *,
        short: bool = False,
        look: Lookout | None = None,
    ) -> None:
        self._scanner = cache(scanner or _plain_scanner)
        self.look = look or Lookout()
        self.values = Values(2, 3) if short else Values(_SHORTEST_WORD, _SHORTEST_NUMBER)
        self._parent = parent
        self._given: list[tuple[str, str]] = []

    @property
    def scanner(self) -> "Scanner":
        """The detectors."""
        return self._scanner()

    def fresh(self, change: "Callable[[Scanner], Scanner] | None" = None) -> "Masker":
        """Return a masker with the same detectors that knows no values yet but those it was given.

        Args:
            change: makes other detectors of them.
        """
        scanner = self._scanner if change is None else lambda: change(self.scanner)
        other = Masker(scanner, self, look=self.look)
        for kind, value in self._given:
            other.hide(kind, value)
        return other

    def hide(self, kind: str, value: str) -> None:
        """Mask a value that no detector can know, such as a canary, wherever it stands as it is written."""
        self._given.append((kind, value))
        self.values.add(kind, value)

    def for_one_text(self) -> "Masker":
        """Return a masker for one case alone, which may remember short values."""
        return Masker(self._scanner, short=True, look=self.look)

    def learn(self, text: str) -> None:
        """Remember the values in a text, to mask them in every other text too."""
        if self.look.at(text):
            for found in self.scanner.to_hide(text):
                self._add(found.type, text[found.start : found.end])

    def _add(self, kind: str, value: str) -> None:
        self.values.add(kind, value)
        if self._parent is not None:
            self._parent._add(kind, value)  # noqa: SLF001 - of the same class

    def mask(self, text: str) -> str:
        """Return the text with a mark in the place of every value that is found in it or known."""
        found = self.scanner.to_hide(text) if self.look.at(text) else []
        spans = [(item.start, item.end, item.type) for item in found]
        if self.values:
            spans += self.values.spans(text)
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


def texts_of(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Yield every text in a JSON value, without keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts_of(item)


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
    look = Lookout(at_every_text=bool(found_secrets.rules))
    _current[0] = Masker(lambda: scanner_of(personal, found_secrets), look=look)


def current_masker() -> Masker:
    """Return the masker of the command that runs."""
    return _current[0]
