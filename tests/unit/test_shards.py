"""Which cases belong to which shard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.dataset.shards import shard_ids, shards_for
from rag_gate.records.partial import Shard

IDS = st.sets(st.text(min_size=1, max_size=8), max_size=60)


def parts(ids: set[str] | list[str], total: int) -> list[set[str]]:
    return [shard_ids(ids, Shard(index=index, total=total)) for index in range(1, total + 1)]


@given(IDS, st.integers(1, 9))
def test_every_case_is_in_one_shard_and_shards_are_balanced(ids: set[str], total: int) -> None:
    found = parts(ids, total)
    assert sorted(key for part in found for key in part) == sorted(ids)
    sizes = [len(part) for part in found]
    assert max(sizes) - min(sizes) <= 1


@given(IDS, st.integers(1, 9), st.randoms())
def test_the_order_of_the_file_does_not_matter(ids: set[str], total: int, random: st.DataObject) -> None:
    shuffled = sorted(ids)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert parts(shuffled, total) == parts(ids, total)


@given(IDS, st.integers(1, 9), st.text(min_size=9, max_size=12))
def test_a_new_case_moves_at_most_one_other_across_each_border(ids: set[str], total: int, new: str) -> None:
    before, after = parts(ids, total), parts(ids | {new}, total)
    moved = sum(len(then - now) for then, now in zip(before, after, strict=True))
    assert moved <= total - 1


def test_alike_ids_are_spread() -> None:
    """Names that sort together (all Japanese cases, all hard ones) do not end up in one job."""
    ids = {f"{kind}-{number:03d}" for kind in ("easy", "hard") for number in range(100)}
    for part in parts(ids, 4):
        assert 15 <= sum(key.startswith("hard") for key in part) <= 35


def test_ids_that_are_no_text_of_unicode_have_a_place() -> None:
    assert sum(len(part) for part in parts(["\ud800", "a"], 2)) == 2


@pytest.mark.parametrize(
    ("cases", "shards"), [(1, ["1/1"]), (100, ["1/1"]), (101, ["1/2", "2/2"]), (10**6, 20), (0, ["1/1"])]
)
def test_how_many_shards_are_planned(cases: int, shards: list[str] | int) -> None:
    found = shards_for(cases, 100, 20)
    assert found == shards if isinstance(shards, list) else len(found) == shards
