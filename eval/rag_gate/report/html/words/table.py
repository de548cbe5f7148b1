"""Look up words by key; every language has the same keys (a test compares the tables)."""

from collections.abc import Mapping
from functools import cache

from rag_gate.config_models import Language

#: Keys that begin so are read by the page's script.
FOR_SCRIPT = ("js.", "status.", "change.", "check.", "ruling.", "claim.", "judge.", "reason.", "slice.")


class PageWords:
    """The words of one language.

    Args:
        language: ``en`` or ``ja``.
        table: key -> text with ``{names}`` of values; ``one|many`` where the number ``n`` matters.
    """

    def __init__(self, language: Language, table: Mapping[str, str]) -> None:
        self.language = language
        self.table = table

    def __call__(self, key: str, **values: str | int) -> str:
        """Return words around values.

        Raises:
            LookupError: if there are none under this key.
        """
        if key not in self.table:
            raise LookupError(f"there are no words '{key}'")
        one, bar, many = self.table[key].partition("|")
        return (many if bar and values.get("n") != 1 else one).format(**values)

    def either(self, key: str, otherwise: str) -> str:
        """Return words without values; where there are none, what the caller has."""
        return self.table.get(key, otherwise)

    def for_script(self) -> dict[str, str]:
        """Return the words that the script needs."""
        return {key: text for key, text in self.table.items() if key.startswith(FOR_SCRIPT)}


@cache
def page_words(language: Language) -> PageWords:
    """Return the words of a language."""
    from rag_gate.report.html.words.english import ENGLISH
    from rag_gate.report.html.words.japanese import JAPANESE

    return PageWords(language, {"en": ENGLISH, "ja": JAPANESE}[language])
