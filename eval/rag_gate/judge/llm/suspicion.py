"""Find sentences that speak to the judge instead of to the user: attempts to talk a verdict into it.

Phrases decide, so a new way of saying it is missed; the fence, the checked quotations and the canary hold then.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_gate.judge.llm.attempts import SURE, attempts, may_attempt
from rag_gate.judge.llm.fences import hidden_text, revealed, without_invisible
from rag_gate.wording.sentences import Span, split_sentences

#: Lines of so few characters may be the words of one sentence; sentences so near a sure attempt belong to it.
_SHORT_LINE, _NEAR = 24, 2
_LONGEST_RUN = 40
_STOPS = ".!?。！？"


@dataclass(frozen=True, slots=True)
class Sifted:
    """A text without the sentences that speak to the judge.

    Attributes:
        text: what is left.
        removed: those sentences, in order.
        withheld: those that speak to the judge and are not the text's own fault.
        invisible: how many suspicious invisible characters were taken out.
    """

    text: str
    removed: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    invisible: int = 0


@dataclass(frozen=True, slots=True)
class Leave:
    """What may be said although it sounds like an attempt.

    Attributes:
        stay: tells whether a sentence stays: (sentence, whether the attempt is sure).
        excuse: tells whether a sentence that goes is not held against the text.
    """

    stay: Callable[[str, bool], bool] = lambda _sentence, _sure: False
    excuse: Callable[[str], bool] = lambda _sentence: False


_NO_LEAVE = Leave()


def sift(text: str, leave: Leave = _NO_LEAVE) -> Sifted:
    """Take invisible characters and sentences that speak to the judge out of a text."""
    visible, invisible = without_invisible(text)
    spans = split_sentences(visible) if may_attempt(visible) else []
    sure, unsure = _suspects(spans)
    kept: list[str] = []
    removed: list[str] = []
    withheld: list[str] = []
    at = 0
    for place, span in enumerate(spans):
        if (place not in sure and place not in unsure) or leave.stay(span.text, place in sure):
            continue
        kept.append(visible[at : span.start])
        (withheld if leave.excuse(span.text) else removed).append(span.text)
        at = span.end
    if invisible:
        removed += _hidden(text)
    return Sifted("".join([*kept, visible[at:]]), tuple(removed), tuple(withheld), invisible)


def _suspects(spans: Sequence[Span]) -> tuple[set[int], set[int]]:
    """Return the places of sentences that speak to the judge for sure, and of those that may.

    Two attempts of different sorts side by side are sure, and so is one near a sure one.
    """
    found = [attempts(span.text) for span in spans]
    sure = {place for place, each in enumerate(found) if SURE in each or len(each) > 1}
    for place in range(len(found) - 1):
        if found[place] and found[place + 1] and found[place] != found[place + 1]:
            sure |= {place, place + 1}
    sure |= _written_in_lines(spans, found)
    unsure = {place for place, each in enumerate(found) if each and place not in sure}
    near = {place for place in unsure if any(abs(place - other) <= _NEAR for other in sure)}
    return sure | near, unsure - near


def _written_in_lines(spans: Sequence[Span], found: Sequence[frozenset[str]]) -> set[int]:
    """Return the places of short lines that are harmless alone and together speak to the judge."""
    places: set[int] = set()
    run: list[int] = []
    for place, span in enumerate(spans):
        is_short = len(span.text) <= _SHORT_LINE and len(run) < _LONGEST_RUN
        run = [*run, place] if is_short else []
        alone = not any(found[each] for each in run)
        if len(run) > 1 and alone and attempts(" ".join(spans[each].text for each in run)):
            places.update(run)
        if span.text[-1] in _STOPS:
            run = []
    return places


def _hidden(text: str) -> list[str]:
    """Return what is written in characters that nobody sees, if it speaks to the judge."""
    hidden = hidden_text(text)
    if hidden and attempts(hidden):
        return [hidden]
    shown = revealed(text)
    if shown == text:
        return []
    seen = {span.text for span in split_sentences(without_invisible(text)[0])}
    return [span.text for span in split_sentences(shown) if span.text not in seen and attempts(span.text)]
