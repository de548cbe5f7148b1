"""Beta and Student t distributions, from the regularised incomplete beta function."""

from math import exp, lgamma, log, log1p, sqrt

_TINY = 1e-300
_CLOSE = 1e-15
_MOST_TERMS = 100_000


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return I_x(a, b), the probability that a Beta(a, b) variable is at most ``x``.

    Continued fraction of NIST DLMF 8.17.22, evaluated by the modified Lentz method.

    Args:
        x: in [0, 1].
        a: first shape, > 0.
        b: second shape, > 0.
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    denominator = 1.0 / _nonzero(1.0 - (a + b) * x / (a + 1.0))
    numerator, value = 1.0, denominator
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            denominator = 1.0 / _nonzero(1.0 + term * denominator)
            numerator = _nonzero(1.0 + term / numerator)
            change = denominator * numerator
            value *= change
        if abs(change - 1.0) < _CLOSE:
            return value
    raise ArithmeticError(f"the incomplete beta function did not settle at x={x}, a={a}, b={b}")


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(q: float, a: float, b: float) -> float:
    """Return the x with ``beta_cdf(x, a, b) == q``, by halving down to neighbouring floats.

    Args:
        q: probability in [0, 1].
        a: first shape, > 0.
        b: second shape, > 0.
    """
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if beta_cdf(middle, a, b) < q:
            low = middle
        else:
            high = middle


def t_cdf(t: float, df: float) -> float:
    """Return P(T <= t) of Student's t with ``df`` > 0 degrees of freedom (DLMF 8.17 with a = 1/2)."""
    inner = beta_cdf(t * t / (df + t * t), 0.5, df / 2)
    return 0.5 + inner / 2 if t > 0 else 0.5 - inner / 2


def t_quantile(q: float, df: float) -> float:
    """Return the t with ``t_cdf(t, df) == q``.

    Args:
        q: probability in (0, 1).
        df: degrees of freedom, > 0.

    Raises:
        ValueError: if ``q`` is not inside (0, 1).
    """
    if not 0.0 < q < 1.0:
        raise ValueError(f"a t quantile needs a probability between 0 and 1, not {q}")
    x = beta_quantile(abs(2 * q - 1), 0.5, df / 2)
    size = sqrt(df * x / (1 - x)) if x < 0.5 else _far_t(min(q, 1 - q), df)  # noqa: PLR2004 - the nearer end
    return size if q > 0.5 else -size  # noqa: PLR2004 - the median


def _far_t(tail: float, df: float) -> float:
    # Far out 1 - x has lost its digits; the complementary variable has not.
    x = beta_quantile(2 * tail, df / 2, 0.5)
    return sqrt(df * (1 - x) / x)
