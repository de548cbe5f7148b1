"""Which cases belong to which shard: balanced, independent of the order of the file, and steady.

Ids are put in the order of a hash and cut into equal parts: no two parts differ by more than one case, alike ids
(all Japanese ones, all hard ones) spread over all parts, and a new case moves at most one other across each border.
"""

import hashlib
from collections.abc import Collection

from rag_gate.errors import ConfigError
from rag_gate.late import Late
from rag_gate.records.partial import Shard

_SHARD = Late(r"([0-9]{1,6})/([0-9]{1,6})\Z")


def parse_shard(text: str) -> Shard:
    """Read ``2/4``.

    Raises:
        ConfigError: if it is not ``index/total`` with 1 <= index <= total.
    """
    match = _SHARD.match(text.strip())
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ConfigError(f"--shard: must be INDEX/TOTAL such as 2/4, found '{text}'")
    return Shard(index=int(match[1]), total=int(match[2]))


def shard_ids(ids: Collection[str], shard: Shard) -> set[str]:
    """Return the ids of one shard."""
    ordered = sorted(ids, key=_place)
    start, end = ((index * len(ordered)) // shard.total for index in (shard.index - 1, shard.index))
    return set(ordered[start:end])


def shards_for(cases: int, per_shard: int, most: int) -> list[str]:
    """Return the shards that so many cases need, as ``--shard`` takes them.

    Args:
        cases: how many are measured.
        per_shard: how many one job may measure.
        most: how many jobs there may be.
    """
    total = min(most, max(1, -(-cases // per_shard)))
    return [f"{index}/{total}" for index in range(1, total + 1)]


def _place(key: str) -> tuple[bytes, str]:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest(), key
