"""The content units of a text: stemmed English content words and Japanese character pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add

from rag_gate.judge.kana import to_hiragana
from rag_gate.late import Late
from rag_gate.text import normalise
from rag_gate.wording.markers import blank_citations, places_of_markers
from rag_gate.wording.sentences import Span

_CJK = "\u3005-\u3007\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = Late(rf"([{_CJK}]+)|([^\W_{_CJK}]+(?:'[^\W_{_CJK}]{{1,3}})?)")
_ASCII_WORD = Late(r"[a-z0-9A-Z]+(?:'[a-z0-9A-Z]{1,3})?")
_ONLY_WORDS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128)).encode().ljust(256)
# What makes an English text other than ASCII, mostly; none but the apostrophe is part of a word.
_ENGLISH_MARKS = (("’", "'"), ("“", " "), ("”", " "), ("–", " "), ("—", " "), ("\u00a0", " "))
_CONCEPT = Late(r"[一-鿿㐀-䶿々]|[ァ-ヶー]{2,}|[a-z0-9]{2,}")
_HIRAGANA = Late(r"[\u3041-\u3096]+\Z")
_STOP_WORDS_TEXT = (
    "a an the this that these those and or but nor so if then than as of in on at by to from for with "
    "into onto about is are was were be been being am do does did doing done have has had having will "
    "would shall should can could may might must it its it's he she they them their theirs his her "
    "hers him we us our ours you your yours i me my mine who whom whose which what when where why how "
    "there here also just very too such some any each other another both all most more much many own "
    "same only again further up down out off over under between through during before after above "
    "below because until while not no never s t"
)
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_VOWEL = Late(r"[aeiouy]")
_SHORTEST_STEM = 3
#: What the endings end in.
_LAST_LETTERS = "degsy"
_LONGEST_STEM = 6
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Term:
    """One content unit, at a place of the normalised text."""

    key: str
    start: int
    end: int


def content_terms(text: str) -> list[Term]:
    """Return the content units of a text, in order, at places of ``normalised(text)``.

    English: words that are no function words, lightly stemmed. Japanese: pairs of neighbouring
    characters that are not both hiragana (a lone character counts alone). A text without any such
    unit gives all of its words and pairs instead.
    """
    return _terms(normalised(text), content_only=True) or _terms(normalised(text), content_only=False)


def term_keys(text: str) -> frozenset[str]:
    """Return the keys of all units of a text, function words and hiragana pairs included."""
    return frozenset(keys_of(normalised(text)))


def keys_of(plain: str) -> set[str]:
    """Return the keys of all units of a text that is normalised already."""
    if plain.isascii():
        return set(map(stem, set(_ascii_words(plain))))
    keys: set[str] = set()
    for cjk, word in _RUN.findall(plain):
        if word:
            keys.add(stem(word))
        elif len(cjk) == 1:
            keys.add(cjk)
        else:
            keys.update(map(add, cjk, cjk[1:]))
    return keys


def _ascii_words(plain: str) -> list[str]:
    if "'" in plain:
        return _ASCII_WORD.findall(plain)
    return plain.encode().translate(_ONLY_WORDS).decode().split()  # the same in half the time


def match_key(key: str) -> str:
    """Return the looser key by which evidence is looked for: one kana for two, word stems of six letters."""
    return key[:_LONGEST_STEM] if key.isascii() else to_hiragana(key)


def match_keys(plain: str) -> set[str]:
    """Return the looser keys of all units of a text that is normalised already."""
    if plain.isascii():
        return set(map(_match_stem, set(_ascii_words(plain))))
    keys: set[str] = set()
    for cjk, word in _RUN.findall(to_hiragana(plain)):
        if word:
            keys.add(_match_stem(word))
        elif len(cjk) == 1:
            keys.add(cjk)
        else:
            keys.update(map(add, cjk, cjk[1:]))
    return keys


def concepts(plain: str) -> list[str]:
    """Return the ideographs, katakana pairs and Latin words of a normalised text, as looser keys, in order."""
    if plain.isascii():
        return list(map(match_key, _CONCEPT.findall(plain)))
    found: list[str] = []
    for match in _CONCEPT.finditer(plain):
        word = match[0]
        if len(word) > 1 and not word.isascii():
            word = to_hiragana(word)
            found.extend(map(add, word, word[1:]))
        else:
            found.append(match_key(word))
    return found


def tokens(plain: str, most: int) -> list[str]:
    """Return the first words (stemmed) and CJK characters (katakana as hiragana) of a normalised text."""
    if plain.isascii():
        return list(map(stem, _ascii_words(plain)[:most]))
    found: list[str] = []
    for run in _RUN.finditer(to_hiragana(plain)):
        cjk, word = run.groups()
        if word:
            found.append(stem(word))
        else:
            found.extend(cjk)
        if len(found) >= most:
            break
    return found[:most]


@lru_cache(maxsize=128)
def normalised(text: str) -> str:
    """Return the form that units are cut from: normalised, citation markers blanked."""
    return normalise(blank_citations(text)).replace("’", "'")


def plain_of(text: str) -> str:
    """Return a form with the same units as ``normalised(text)``, perhaps with other white space: in less time."""
    plain = blank_citations(text)
    if not plain.isascii():
        for mark, ascii_mark in _ENGLISH_MARKS:
            plain = plain.replace(mark, ascii_mark)
    return plain.lower() if plain.isascii() else normalised(text)


def plain_pieces(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """Yield ``plain_of`` of stretches of a text, which are in its order and do not overlap: in less time."""
    shown = text
    if not text.isascii():
        for mark, ascii_mark in _ENGLISH_MARKS:
            shown = shown.replace(mark, ascii_mark)
    markers = [*places_of_markers(text), len(text)]
    at = 0
    for start, end, piece in spans:
        while markers[at] < start:
            at += 1
        plain = shown[start:end]
        yield plain.lower() if markers[at] >= end and plain.isascii() else plain_of(piece)


def _terms(text: str, *, content_only: bool) -> list[Term]:
    terms: list[Term] = []
    for run in _RUN.finditer(text):
        cjk, word = run.groups()
        start, end = run.span()
        if word:
            if not (content_only and word in _STOP_WORDS):
                terms.append(Term(stem(word), start, end))
        elif len(cjk) == 1:
            if not (content_only and _HIRAGANA.match(cjk)):
                terms.append(Term(cjk, start, end))
        else:
            terms.extend(
                Term(cjk[at : at + 2], start + at, start + at + 2)
                for at in range(len(cjk) - 1)
                if not (content_only and _HIRAGANA.match(cjk, at, at + 2))
            )
    return terms


def unmatched_stretches(text: str, terms: Sequence[Term], held: frozenset[str]) -> list[str]:
    """Return the stretches of ``normalised(text)`` whose units are not among ``held``, in order."""
    plain = normalised(text)
    stretches: list[list[int]] = []
    for term in terms:
        if term.key in held:
            continue
        if stretches and term.start <= stretches[-1][1]:
            stretches[-1][1] = term.end
        else:
            stretches.append([term.start, term.end])
    return [plain[start:end] for start, end in stretches]


def is_mixed(key: str) -> bool:
    """Tell whether a character pair has one hiragana: mostly a particle or an ending, little content."""
    return len(key) == _PAIR and any(_HIRAGANA.match(char) for char in key)


@lru_cache(maxsize=32768)
def _match_stem(word: str) -> str:
    return _stem(word)[:_LONGEST_STEM]


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return a word without its common endings: plural, -ed, -ing, -ly, possessive, final e."""
    return _stem(word)


def _stem(word: str) -> str:
    if "'" in word:
        word = word.partition("'")[0] or word
    if (
        len(word) <= _SHORTEST_STEM
        or word[-1] not in _LAST_LETTERS
        or not (word.isascii() and word.isalpha())
    ):
        return word
    word = _singular(word)
    for ending in ("ing", "ed", "ly"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST_STEM and _VOWEL.search(base):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
