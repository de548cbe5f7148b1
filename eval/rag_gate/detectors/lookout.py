"""Which texts the detectors must see."""

from collections.abc import Iterable

from rag_gate.detectors.suspicion import is_suspicious


class Lookout:
    """Tells which texts are worth a look by the detectors.

    Args:
        at_every_text: look at every text: a rule of the user's may match anything.
    """

    def __init__(self, *, at_every_text: bool = False) -> None:
        self._at_every_text = at_every_text
        self._spared: set[str] = set()

    def spare(self, texts: Iterable[str]) -> None:
        """Have texts written as they are: fingerprints, and names that the settings give."""
        self._spared.update(texts)

    def at(self, text: str) -> bool:
        """Tell whether the detectors must see a text."""
        return text not in self._spared and (self._at_every_text or is_suspicious(text))
