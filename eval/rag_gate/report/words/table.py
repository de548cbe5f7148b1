"""Look up words by key; every language has the same keys (a test compares the tables)."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from rag_gate.config_models import Language
from rag_gate.report.markdown import Markdown


class Words:
    """The words of one language.

    Args:
        language: ``en`` or ``ja``.
        table: key -> text with ``{names}`` of values; ``one|many`` where the number ``n`` matters.
        sentence: says a sentence of the verdict, which is English, in this language.
    """

    def __init__(
        self, language: Language, table: Mapping[str, str], sentence: Callable[[str], str] = str
    ) -> None:
        self.language = language
        self._table = table
        self._sentence = sentence

    def __call__(self, key: str, **values: Markdown | int) -> Markdown:
        """Return finished words.

        Raises:
            LookupError: if there are none under this key.
            TypeError: if a value is untrusted text: a template has to escape that.
        """
        for name, value in values.items():
            if not isinstance(value, Markdown | int):
                raise TypeError(f"words '{key}': '{name}' is text that nobody has escaped")
        return Markdown(self.plain(key, **values))

    def plain(self, key: str, **values: str | int) -> str:
        """Return words around values that may be untrusted; the whole is escaped where it is written.

        Raises:
            LookupError: if there are no words under this key.
        """
        if key not in self._table:
            raise LookupError(f"there are no words '{key}'")
        one, bar, many = self._table[key].partition("|")
        text = many if bar and values.get("n") != 1 else one
        return text.format(**values)

    def has(self, key: str) -> bool:
        """Tell whether there are words under a key."""
        return key in self._table

    def keys(self) -> Iterable[str]:
        """Return every key."""
        return self._table.keys()

    def sentence(self, text: str) -> str:
        """Return a sentence of the verdict in this language; one that has no translation stays English."""
        return self._sentence(text)


@cache
def words_of(language: Language) -> Words:
    """Return the words of a language."""
    if language == "ja":
        from rag_gate.report.words.japanese import JAPANESE
        from rag_gate.report.words.sentences import in_japanese

        return Words("ja", JAPANESE, in_japanese)
    from rag_gate.report.words.english import ENGLISH

    return Words("en", ENGLISH)
