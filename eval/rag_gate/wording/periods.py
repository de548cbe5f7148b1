"""Whether a Latin full stop ends a sentence."""

from rag_gate.late import Late

_NEVER_ENDS_TEXT = (
    "mr mrs ms mx dr prof rev hon gen col capt lt sgt st mt vs e.g i.e cf fig figs eq eqs approx ca "
    "viz jan feb mar apr jun jul aug sep sept oct nov dec"
)
_NEVER_ENDS = frozenset(_NEVER_ENDS_TEXT.split())
_BEFORE_NUMBER_TEXT = "no nos art sec ch vol p pp par para ver v tel ext"
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_TEXT.split())
_MAY_END_TEXT = "inc ltd co corp jr sr etc al bros dept est univ ave blvd rd"
_MAY_END = frozenset(_MAY_END_TEXT.split())
_STARTERS_TEXT = (
    "the a an it its this that these those he she they we you i his her their our your my there here "
    "in on at if when while after before however but and so for to from as with all no not please "
    "contact what who how"
)
_STARTERS = frozenset(_STARTERS_TEXT.split())
_WORD_BEFORE = Late(r"[A-Za-z](?:[A-Za-z]|\.(?=[A-Za-z])){0,19}\Z")
_NEXT_WORD = Late(r"[ \t　]{1,40}[\"'“(\[]?([A-Za-z]+|[0-9])")
_LOOK_BACK = 24


def ends_sentence(line: str, position: int) -> bool:
    """Tell whether the ``.`` at ``position`` ends a sentence of the line.

    It must be followed by white space or the end, and must not close an abbreviation (``e.g.``,
    ``No. 5``), an initial (``J. Smith``) or a dotted acronym (``U.S.``). After those that can
    stand at an end, a typical first word of a sentence decides.
    """
    if position + 1 >= len(line):
        return True
    if line[position + 1] not in " \t　\u00a0":
        return False
    following = _NEXT_WORD.match(line, position + 1)
    word = following[1] if following else ""
    if line[position - 1 : position] == ".":
        return not word[:1].islower()
    before = _WORD_BEFORE.search(line, max(0, position - _LOOK_BACK), position)
    return before is None or _ends_after(before[0].lower(), word)


def _ends_after(before: str, word: str) -> bool:
    if before in _NEVER_ENDS:
        return False
    if before in _BEFORE_NUMBER:
        return not word.isdigit()
    if before == "etc":
        return not word or word[:1].isupper()
    if before in _MAY_END or "." in before or len(before) == 1:
        return not word or (word[:1].isupper() and word.lower() in _STARTERS)
    return True
