"""Make untrusted texts fit to be shown: no found value, no character that acts or hides."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from rag_gate.detectors.personal import Found
from rag_gate.detectors.scanner import Scanner
from rag_gate.detectors.severities import SEVERITIES
from rag_gate.errors import NotJudgedError
from rag_gate.masking import Masker, current_masker
from rag_gate.records.golden import GoldenCase

_TERMINAL = re.compile(
    "\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?"
)
_LINE_ENDS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
#: Invisible, and at home in honest texts: they go without a word.
_HARMLESS = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_CUT = "…"
Shown = TypeVar("Shown")


def plain(text: str) -> str:
    """Return a text of any number of lines in which every character is seen.

    Terminal sequences go; characters that turn the direction of writing or hide text are named, as in
    ``⟦U+202E⟧`` (``⟦U+E0041 ×12⟧`` for twelve such characters in a row).
    """
    if text.replace("\n", "").replace("\u3000", "").isprintable() and _BLANK.isdisjoint(text):
        return text
    text = _LINE_ENDS.sub("\n", _TERMINAL.sub("", text))
    parts: list[str] = []
    hidden: list[str] = []
    for char in text:
        if char in _HARMLESS:
            continue
        if _is_hidden(char):
            hidden.append(char)
            continue
        if hidden:
            parts.append(_named(hidden))
            hidden = []
        parts.append(char)
    return "".join(parts) + (_named(hidden) if hidden else "")


def _is_hidden(char: str) -> bool:
    if char in "\n\t":
        return False
    return char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs")


def _named(hidden: list[str]) -> str:
    times = f" ×{len(hidden)}" if len(hidden) > 1 else ""
    return f"⟦U+{ord(hidden[0]):04X}{times}⟧"


@dataclass(frozen=True)
class _Remembering(Scanner):
    """A scanner that looks at each text once: the same chunk stands in many cases."""

    known: dict[str, list[Found]] = field(default_factory=dict)

    def to_hide(self, text: str) -> list[Found]:
        """Return what must not be shown, in order."""
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = super().to_hide(text)
        return found


def _remembering(scanner: Scanner) -> _Remembering:
    return _Remembering(**{item.name: getattr(scanner, item.name) for item in fields(Scanner)})


def _through(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - any value of a view
    """Return a value with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_through(item, change) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [item.name for item in fields(value)]
        return replace(value, **{name: _through(getattr(value, name), change) for name in names})
    return value


class Hider:
    """Masks the texts of a page; a value that was found in one case is masked in all."""

    def __init__(self) -> None:
        self._masker = current_masker().fresh(_remembering)
        self._texts: dict[str, str] = {}

    @property
    def masker(self) -> Masker:
        """The detectors, for the last look."""
        return self._masker

    def learn(self, texts: Iterable[str | None]) -> None:
        """Remember the values in these texts; call it for all cases before any text is taken."""
        for text in texts:
            if text:
                self._masker.learn(text)

    def learn_case(self, case: GoldenCase) -> None:
        """Remember what a golden case holds, its canaries too."""
        self.learn([case.question, *case.expected_answers])
        for canary in case.canaries:
            self._masker.hide("CANARY", canary)

    def text(self, text: str, limit: int = 20_000) -> str:
        """Return what the page shows of a text, at most ``limit`` characters of it."""
        found = self._texts.get(text)
        if found is None:
            own = self._masker.for_one_text()
            own.learn(text)
            masked = self._masker.mask(text)
            found = self._texts[text] = plain(own.mask(masked) if own.values else masked)
        return found if len(found) <= limit else found[: limit - 1].rstrip() + _CUT

    def shown(self, record: Shown) -> Shown:
        """Return a frozen dataclass with all its texts made fit to be shown."""
        shown: Shown = _through(record, self.text)
        return shown

    def for_case(self, texts: Iterable[str | None]) -> "CaseHider":
        """Return one that also knows the short values of a case's own texts."""
        own = self._masker.for_one_text()
        for text in texts:
            if text:
                own.learn(text)
        return CaseHider(self, own)


class CaseHider:
    """Masks the texts of one case."""

    def __init__(self, everywhere: Hider, own: Masker) -> None:
        self._everywhere, self._own = everywhere, own

    def text(self, text: str, limit: int = 20_000) -> str:
        """Return what the page shows of a text of this case."""
        return self._everywhere.text(self._own.mask(text) if self._own.values else text, limit)

    def texts(self, found: object, limit: int = 20_000) -> list[str]:
        """Return what the page shows of a list of texts; what is no text is left out."""
        items = found if isinstance(found, list | tuple) else []
        return [self.text(item, limit) for item in items if isinstance(item, str)]


def refuse_values(texts: Iterable[str], masker: Masker, what: str) -> None:
    """Look once more at every text that will be written.

    Args:
        texts: what a reader will see.
        masker: the detectors.
        what: what is withheld, such as ``the page``.

    Raises:
        NotJudgedError: if a value is readable; then nothing may be written.
    """
    for text in filter(masker.look.at, set(texts)):
        left = [item.type for item in masker.scanner.to_hide(text) if SEVERITIES.get(item.type) != "weak"]
        if left:
            raise NotJudgedError(
                f"{what} is withheld: it would show a value of type {left[0]} that could not be masked; "
                "please report this, the verdict stands in verdict.json"
            )
