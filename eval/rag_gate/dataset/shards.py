"""Which cases belong to which shard: balanced, and independent of the order of the file."""

from collections.abc import Collection

from rag_gate.errors import ConfigError
from rag_gate.records.partial import Shard


def parse_shard(text: str) -> Shard:
    """Read ``2/4``.

    Raises:
        ConfigError: if it is not ``index/total`` with 1 <= index <= total.
    """
    index, _, total = text.partition("/")
    if not (index.isdecimal() and total.isdecimal() and 1 <= int(index) <= int(total)):
        raise ConfigError(f"--shard: must be INDEX/TOTAL such as 2/4, found '{text}'")
    return Shard(index=int(index), total=int(total))


def shard_ids(ids: Collection[str], shard: Shard) -> set[str]:
    """Return the ids of one shard: every ``total``-th id in order of id."""
    return set(sorted(ids)[shard.index - 1 :: shard.total])
