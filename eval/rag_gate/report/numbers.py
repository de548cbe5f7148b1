"""Numbers for readers: three decimals, and more only where three would tell a lie."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

from rag_gate.measures import Direction
from rag_gate.report.markdown import Markdown

_FEWEST, _MOST = 3, 12
#: Digits enough for any float.
_ANY_SIZE = Context(prec=400)
_SMALL_P = 0.001
_UNITS = {"share": "", "seconds": " s", "usd": " USD", "characters": " characters"}
Agrees = Callable[[Decimal], bool]


def number(value: float, unit: str = "share", agrees: Agrees = lambda _: True) -> Markdown:
    """Return a value with its unit; nothing but 0 is shown as 0, nothing but 1 as 1.

    Args:
        value: any finite number.
        unit: as in the table of metrics.
        agrees: what must hold for the shown number, too (for example to be below a floor).
    """
    return Markdown(f"{_rounded(value, agrees):f}{_UNITS.get(unit, '')}")


def change(delta: float, direction: Direction, tolerance: float | None, *, beyond: bool | None) -> Markdown:
    """Return how a mean moved, with its sign as the reader sees it (now - baseline).

    The shown drop is larger than the shown tolerance exactly if the drop is beyond it.

    Args:
        delta: oriented change, negative = worse.
        direction: where ``lower`` is better, a negative delta is a rise.
        tolerance: largest drop that passes.
        beyond: whether the drop is larger than that; None where nothing was decided.
    """
    allowed = None if tolerance is None else -Decimal(repr(tolerance))

    def agrees(shown: Decimal) -> bool:
        return beyond is None or allowed is None or (shown < allowed) == beyond

    rounded = _rounded(delta, agrees)
    if direction == "higher" or not rounded:
        return Markdown(_signed(rounded))
    return Markdown(f"{_signed(-rounded)} ({'worse' if rounded < 0 else 'better'})")


def interval(low: float, high: float, direction: Direction) -> Markdown:
    """Return the interval of a change, with the signs of ``change``."""
    ends = (low, high) if direction == "higher" else (-high, -low)
    return Markdown(" to ".join(_signed(_quantized(end, _FEWEST)) for end in ends))


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
    for digits in range(_FEWEST, _MOST):
        shown = _quantized(value, digits)
        if agrees(shown) and (shown in (0, 1)) == (true in (0, 1)):
            return shown
    return true


def _quantized(value: float, digits: int) -> Decimal:
    # The same reading of a float as in the check: beyond the 12th decimal is noise.
    clean = Decimal(repr(round(float(value), _MOST)))
    return clean.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _ANY_SIZE) + 0
