"""Whether an answer cites a source and whether it hedges, with the settings of its language."""

import re
from collections.abc import Iterable

from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.records.pattern import SEARCH_LIMIT, compile_pattern
from rag_gate.wording.hedges import HEDGES
from rag_gate.wording.markers import CITATION

#: Labels of citations in languages that the markers of the wording package do not read.
_MORE_LABELS = "출처|참고|참조|문서|来源|來源|引用|参见|參見|文档|文檔|quelle|quellen|fuente|fuentes|fonte|fonti|fontes|bron|bronnen"
_MORE = re.compile(
    rf"[\[［【](?:{_MORE_LABELS})(?![A-Za-z])[^\[\]［］【】\n]{{0,200}}[\]］】]"
    rf"|[(（](?:{_MORE_LABELS})[ 　]?[:：][^()（）\n]{{0,200}}[)）]",
    re.IGNORECASE,
)
_OPENER = re.compile(r"[\[(［（【]")
_ANY = "*"
_LETTER = r"[a-z\u00df-\u024f]"
_Phrase = tuple[str, re.Pattern[str] | None]


class Phrases:
    """The markers and phrases of the settings, ready for use.

    Args:
        config: the settings; the usual ones by default.
    """

    def __init__(self, config: MonitoringConfig | None = None) -> None:
        config = config or MonitoringConfig()
        self._markers = {
            language: tuple(map(compile_pattern, patterns))
            for language, patterns in config.citation_markers.items()
        }
        listed = {**HEDGES, **config.hedging}
        common = listed.pop(_ANY, ())
        self._hedges = {language: _plain((*phrases, *common)) for language, phrases in listed.items()}
        self._all_hedges = _plain([*(phrase for phrases in listed.values() for phrase in phrases), *common])

    def has_citation(self, answer: str, language: str) -> bool:
        """Tell whether an answer holds a citation marker. The first 20,000 characters are read."""
        text = answer[:SEARCH_LIMIT]
        markers = self._markers.get(language, self._markers.get(_ANY))
        if markers is not None:
            return any(marker.search(text) for marker in markers)
        opener = _OPENER.search(text)
        if opener is None:
            return False
        begin = opener.start()  # most answers cite at their end, and search walks slowly
        return CITATION.search(text, begin) is not None or _MORE.search(text, begin) is not None

    def has_hedge(self, answer: str, language: str) -> bool:
        """Tell whether an answer says that it is not sure. The first 20,000 characters are read.

        Where the language is not known, the phrases of all languages count.
        """
        text = _folded(answer[:SEARCH_LIMIT])
        # Much faster than one pattern of all phrases, and than any(): most texts hold none of them.
        for phrase, whole in self._hedges.get(language, self._all_hedges):
            if phrase in text and (whole is None or whole.search(text) is not None):
                return True
        return False


def _folded(text: str) -> str:
    """Return a text in lower case, with straight apostrophes and single spaces."""
    text = text.lower()
    if "’" in text:
        text = text.replace("’", "'")
    if "\n" in text:
        text = text.strip().replace("\n", " ")
    # The only white space that is printable is the plain blank.
    return text if text.isprintable() and "  " not in text else " ".join(text.split())


def _plain(phrases: Iterable[str]) -> list[_Phrase]:
    """Return phrases as they are compared; those that begin or end with a Latin letter are whole words."""
    found: list[_Phrase] = []
    # A blank at the end counts: it ends a word that others begin with.
    folded = {_folded(phrase.strip()) + " " * phrase.endswith(" ") for phrase in phrases if phrase.strip()}
    for phrase in sorted(folded):
        before = rf"(?<!{_LETTER})" if re.match(_LETTER, phrase[0]) else ""
        after = rf"(?!{_LETTER})" if re.match(_LETTER, phrase[-1]) else ""
        whole = re.compile(before + re.escape(phrase) + after) if before or after else None
        found.append((phrase, whole))
    return found
