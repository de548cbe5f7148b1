"""Numbers that look random and are the same on every machine, in every version, in every call."""

import hashlib
import struct

BITS = 32


def draws(purpose: str, number: int, count: int) -> tuple[int, ...]:
    """Return ``count`` whole numbers, evenly spread over 0 to 2**32 - 1.

    SHAKE-256 of the purpose and the number, read as little-endian words. There is no seed to choose: the
    same call gives the same numbers everywhere.

    Args:
        purpose: keeps the numbers of different simulations apart.
        number: which resample they are for.
        count: how many, >= 0.
    """
    digest = hashlib.shake_256(f"rag-gate {purpose} {number}".encode()).digest(4 * count)
    return struct.unpack(f"<{count}I", digest)
