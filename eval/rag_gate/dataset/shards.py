"""Which cases belong to which shard: balanced, and independent of the order of the file."""

import re
from collections.abc import Collection

from rag_gate.errors import ConfigError
from rag_gate.records.partial import Shard

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})\Z")


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
    """Return the ids of one shard: every ``total``-th id in order of id."""
    return set(sorted(ids)[shard.index - 1 :: shard.total])
