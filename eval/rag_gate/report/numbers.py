"""Numbers for readers: three decimals, and more only where three would tell a lie."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

from rag_gate.measures import Direction
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import IN_ENGLISH, Words

_FEWEST, _MOST = 3, 12
#: Digits enough for any float.
_ANY_SIZE = Context(prec=400)
_SMALL_P = 0.001
Agrees = Callable[[Decimal], bool]


def number(
    value: float, unit: str = "share", agrees: Agrees = lambda _: True, words: Words = IN_ENGLISH
) -> Markdown:
    """Return a value with its unit; nothing but 0 is shown as 0, nothing but 1 as 1.

    Args:
        value: any finite number.
        unit: as in the table of metrics.
        agrees: what must hold for the shown number, too (for example to be below a floor).
        words: of the reader's language.
    """
    return words(f"unit.{unit}", value=Markdown(f"{_rounded(value, agrees):f}"))


def change(
    delta: float,
    direction: Direction,
    tolerance: float | None,
    *,
    beyond: bool | None,
    words: Words = IN_ENGLISH,
) -> Markdown:
    """Return how a mean moved, with its sign as the reader sees it (now - baseline).

    The shown drop is larger than the shown tolerance exactly if the drop is beyond it.

    Args:
        delta: oriented change, negative = worse.
        direction: where ``lower`` is better, a negative delta is a rise.
        tolerance: largest drop that passes.
        beyond: whether the drop is larger than that; None where nothing was decided.
        words: of the reader's language.
    """
    allowed = None if tolerance is None else -Decimal(repr(tolerance))

    def agrees(shown: Decimal) -> bool:
        return beyond is None or allowed is None or (shown < allowed) == beyond

    rounded = _rounded(delta, agrees)
    if direction == "higher" or not rounded:
        return Markdown(_signed(rounded))
    return words("change.worse" if rounded < 0 else "change.better", value=Markdown(_signed(-rounded)))


def interval(
    low: float, high: float, direction: Direction, words: Words = IN_ENGLISH, *, of_share: bool = False
) -> Markdown:
    """Return the interval of a change, with the signs of ``change``; that of a share ends at -1 and 1, as shares can."""
    if of_share:
        low, high = max(low, -1.0), min(high, 1.0)
    ends = (low, high) if direction == "higher" else (-high, -low)
    first, last = (Markdown(_signed(_quantized(end, _FEWEST))) for end in ends)
    return words("interval", low=first, high=last)


def p_value(p: float, alpha: float) -> Markdown:
    """Return ``p = 0.034``; the shown p is at most alpha exactly if p is."""
    if p < _SMALL_P <= alpha:
        return Markdown("p < 0.001")
    limit = Decimal(repr(alpha))
    return Markdown(f"p = {_rounded(p, lambda shown: (shown <= limit) == (p <= alpha)):f}")


def exact(value: float) -> Markdown:
    """Return a setting as the user wrote it, without an exponent."""
    text = f"{Decimal(repr(value)):f}"
    return Markdown(text.rstrip("0").rstrip(".") if "." in text else text)


def _signed(shown: Decimal) -> str:
    return f"{shown:+f}" if shown else "0"


def _rounded(value: float, agrees: Agrees) -> Decimal:
    true = _quantized(value, _MOST)
    agreeing = [shown for digits in range(_FEWEST, _MOST) if agrees(shown := _quantized(value, digits))]
    for shown in agreeing:
        if (shown in (0, 1)) == (true in (0, 1)):
            return shown
    # Smaller than what the check can tell from 0: what it decided counts.
    return true if agrees(true) or not agreeing else agreeing[0]


def _quantized(value: float, digits: int) -> Decimal:
    # The same reading of a float as in the check: beyond the 12th decimal is noise.
    clean = Decimal(repr(round(float(value), _MOST)))
    return clean.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _ANY_SIZE) + 0
