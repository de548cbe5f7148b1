"""By which words two texts may speak of the same thing, however they put it."""

from rag_gate.judge.terms import content_terms
from rag_gate.late import Late
from rag_gate.text import has_cjk, normalise

_ENOUGH = 5
_IDEOGRAPH = Late(r"[々\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_KATAKANA = Late(r"[\u30a1-\u30ff]{2,}")
_OTHER_SCRIPT = Late(r"[^\W\d_a-z\u3041-\u30ff々\u3400-\u4dbf\u4e00-\u9fff]{2,}")


def marks(text: str) -> frozenset[str]:
    """Return stems of content words (their first five letters), ideographs, pairs of katakana and of other letters."""
    plain = normalise(text)
    found = {
        term.key[:_ENOUGH] for term in content_terms(text) if term.key.isascii() and not term.key.isdigit()
    }
    if plain.isascii():
        return frozenset(found)
    found.update(_IDEOGRAPH.findall(plain))
    for run in (*_KATAKANA.findall(plain), *_OTHER_SCRIPT.findall(plain)):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


#: A sentence of these words alone takes what it states from the question.
ASSENT = marks(
    "yes yeah yep sure okay ok correct right true indeed certainly absolutely definitely exactly nope"
)


def same_script(first: str, second: str) -> bool:
    """Tell whether two texts are written alike, so that they can be expected to share words."""
    return has_cjk(first) == has_cjk(second)
