"""Which sources an answer cites, and whether they are the right ones."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_gate.records.pattern import SEARCH_LIMIT, compile_pattern
from rag_gate.text import normalise

_LABELS = (
    "(?:出典|出所|典拠|参考文献|参考資料|参考|参照|引用元|引用|文書|資料|ソース"
    "|sources?|references?|refs?|docs?|documents?|citations?|cites?)"
)
#: One pattern per kind of marker; the first group holds the ids. They are searched after NFKC, so
#: ``［``, ``（`` and ``：`` are already ``[``, ``(`` and ``:``.
DEFAULT_MARKERS = (
    rf"[\[【]{_LABELS}(?![a-z])[ :#]{{0,5}}([^\[\]【】\n]{{1,300}})[\]】]",
    rf"\({_LABELS} ?: {{0,3}}([^()\n]{{1,300}})\)",
    r"\[\^?([1-9][0-9]{0,2}(?:[ ,、;-]{1,3}[1-9][0-9]{0,2}){0,20})\]",
    r"【([1-9][0-9]{0,2}(?:[ ,、;-]{1,3}[1-9][0-9]{0,2}){0,20})(?:[†:][^【】\n]{0,200})?】",
)
_SEPARATORS = re.compile(r"[,、;]")
_LABEL = re.compile(rf"^{_LABELS}(?![a-z]) ?[:#]\s?", re.IGNORECASE)
_LOCATOR = re.compile(
    r"(?:pp?\.?|pages?|§|sec(?:tion)?\.?|l(?:ines?)?\.?)\s?[0-9][-0-9. ]*|第?[0-9][-0-9]*(?:ページ|頁|条|項|章|節)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"([1-9][0-9]{0,2})\s?-\s?([1-9][0-9]{0,2})")
_NUMBERS = re.compile(r"[0-9][-0-9 ,、;]*")
_LONGEST_RANGE = 20
_WRAPPING = " \t\"'`「」『』<>“”"


@dataclass(frozen=True)
class CitationSettings:
    """How citations are written.

    Attributes:
        markers: regular expressions with at least one group; the first holds the cited ids. They are checked
            as patterns of users are (length, cost) and searched in the first 20,000 characters.

    Raises:
        ValueError: naming the marker that cannot be used.
    """

    markers: tuple[str, ...] = DEFAULT_MARKERS

    def __post_init__(self) -> None:
        if not self.markers:
            raise ValueError("no citation marker is given; leave the setting out to use the usual ones")
        self.compiled()

    def compiled(self) -> list[re.Pattern[str]]:
        """Return the markers ready for use."""
        patterns = []
        for marker in self.markers:
            try:
                pattern = (
                    re.compile(marker, re.IGNORECASE)
                    if marker in DEFAULT_MARKERS
                    else compile_pattern(marker)
                )
            except ValueError as error:
                raise ValueError(f"citation marker {marker!r}: {error}") from None
            if not pattern.groups:
                raise ValueError(
                    f"citation marker {marker!r}: has no group; put the ids in one, as in \\[src ([^]]+)]"
                )
            patterns.append(pattern)
        return patterns


@dataclass(frozen=True, slots=True)
class CitationScores:
    """How an answer cites.

    Attributes:
        has_citation: whether any source is cited.
        precision: share of the cited ids that are among the expected ones, or among the retrieved ones where
            none are expected; 0..1, None when nothing is cited or there is nothing to compare with.
        recall: share of the expected ids that are cited; 0..1, None when none are expected.
        unknown: cited ids, as written, that are neither expected nor retrieved: possibly invented.
    """

    has_citation: bool
    precision: float | None
    recall: float | None
    unknown: list[str]


_DEFAULT = CitationSettings()


def find_citations(answer: str, settings: CitationSettings = _DEFAULT) -> list[str]:
    """Return the cited ids in the order of the answer, each once (compared after normalisation).

    A marker with several ids is split at commas and semicolons (also 、，；); labels, quotes and places
    ("p. 3", "第2条") are dropped. Numeric markers give numbers as text, a range ``[1-3]`` each number;
    ``resolve_ranks`` turns them into ids.
    """
    text = unicodedata.normalize("NFKC", answer)[:SEARCH_LIMIT]
    found = sorted(
        (match.start(), -match.end(), order, match[1] or "")
        for order, pattern in enumerate(settings.compiled())
        for match in pattern.finditer(text)
    )
    cited: dict[str, str] = {}
    covered = -1
    for start, negative_end, _, inside in found:
        if start < covered:
            continue
        covered = -negative_end
        for item in _ids(inside):
            cited.setdefault(normalise(item), item)
    return list(cited.values())


def resolve_ranks(cited: Iterable[str], retrieved_ids: Sequence[str]) -> list[str]:
    """Replace numbers by the id retrieved at that rank (from 1).

    A number that is itself a retrieved id, or is beyond the last rank, stays as it is.
    """
    known = {normalise(retrieved) for retrieved in retrieved_ids}
    ids = []
    for item in cited:
        is_rank = item.isascii() and item.isdecimal() and normalise(item) not in known
        ids.append(retrieved_ids[int(item) - 1] if is_rank and 0 < int(item) <= len(retrieved_ids) else item)
    return ids


def citation_scores(
    cited: Iterable[str],
    expected: Iterable[str],
    retrieved_ids: Iterable[str],
    aliases: Mapping[str, str] | None = None,
) -> CitationScores:
    """Compare cited ids with the expected and the retrieved ones.

    Ids are compared after normalisation (width, case, spaces). A chunk ``doc#3`` is not ``doc`` unless
    ``aliases`` says so: it maps another name of a source (chunk id, title) to its id, one step, for cited,
    expected and retrieved ids alike. Repeated ids count once.
    """
    names = {normalise(name): normalise(target) for name, target in (aliases or {}).items()}
    by_id: dict[str, str] = {}
    for item in cited:
        by_id.setdefault(_key(item, names), item)
    wanted = {_key(item, names) for item in expected}
    retrieved = {_key(item, names) for item in retrieved_ids}
    right = [key for key in by_id if key in (wanted or retrieved)]
    return CitationScores(
        has_citation=bool(by_id),
        precision=len(right) / len(by_id) if by_id and (wanted or retrieved) else None,
        recall=len(wanted & by_id.keys()) / len(wanted) if wanted else None,
        unknown=[item for key, item in by_id.items() if key not in wanted and key not in retrieved],
    )


def _key(item: str, names: Mapping[str, str]) -> str:
    key = normalise(item)
    return names.get(key, key)


def _ids(inside: str) -> Iterator[str]:
    """Yield the single ids that stand in one marker."""
    numeric = _NUMBERS.fullmatch(inside)
    for part in (
        (inside.replace(" ", ",") if numeric and "-" not in inside else inside).translate(_PLAIN).split(",")
    ):
        item = _LABEL.sub("", part.strip(_WRAPPING)).strip(_WRAPPING)
        span = _RANGE.fullmatch(item) if numeric else None
        if span and 0 <= int(span[2]) - int(span[1]) < _LONGEST_RANGE:
            yield from map(str, range(int(span[1]), int(span[2]) + 1))
        elif item and not _LOCATOR.fullmatch(item):
            yield item


_PLAIN = str.maketrans("、;", ",,")
