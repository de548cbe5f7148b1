"""How small a drop the gate can see with a given number of cases."""

from math import ceil, sqrt
from statistics import NormalDist


def detectable_effect(
    *, sd0: float, typical_drop: float, n: float, alpha: float, power: float, tolerance: float
) -> float:
    """Return the smallest mean drop that fails the gate with probability ``power``.

    ``max((A + sqrt(A**2 + 4 z**2 sd0**2 / n)) / 2, tolerance + z(power) sd0 / sqrt(n))`` with
    ``z = z(1 - alpha) + z(power)`` and ``A = z**2 typical_drop / n``: a real drop adds variance of its own,
    and it must be beyond the tolerance as well as significant.

    Args:
        sd0: standard deviation of the paired differences when nothing really changed, >= 0.
        typical_drop: size of one case's drop when it drops: 1 for 0/1 metrics, about 0.5 for graded ones.
        n: independent pairs, > 0.
        alpha: one-sided level of the test, in (0, 1).
        power: wanted probability, in (0, 1).
        tolerance: allowed drop, >= 0.

    Raises:
        ValueError: if ``n`` is not positive.
    """
    if n <= 0:
        raise ValueError("no effect can be detected without pairs")
    z_power = NormalDist().inv_cdf(power)
    z = NormalDist().inv_cdf(1 - alpha) + z_power
    a = z * z * typical_drop / n
    significant = (a + sqrt(a * a + 4 * z * z * sd0 * sd0 / n)) / 2
    return max(significant, tolerance + z_power * sd0 / sqrt(n))


def cases_needed(
    *, drop: float, sd0: float, typical_drop: float, alpha: float, power: float, tolerance: float
) -> int | None:
    """Return how many pairs bring the detectable effect down to ``drop``.

    The inverse of ``detectable_effect``, with the same arguments.

    Returns:
        the smallest such number, or None where no number is enough because ``drop <= tolerance``.
    """
    if drop <= max(tolerance, 0.0):
        return None
    z_power = NormalDist().inv_cdf(power)
    z = NormalDist().inv_cdf(1 - alpha) + z_power
    significant = z * z * (typical_drop * drop + sd0 * sd0) / (drop * drop)
    beyond = (z_power * sd0 / (drop - tolerance)) ** 2
    return max(1, ceil(max(significant, beyond) - 1e-9))
