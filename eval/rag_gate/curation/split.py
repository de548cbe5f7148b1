"""A core tier that represents the whole set: the same for the same set and seed, whatever the order of the file."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping

from rag_gate.records.golden import GoldenCase

_SLICES = ("category", "language", "difficulty", "kind")
Stratum = tuple[str, ...]


def propose_core(cases: Mapping[str, GoldenCase], size: int, seed: int) -> frozenset[str]:
    """Return the ids of a core tier.

    Must-pass cases are always in it. The other places go to strata (category, language, difficulty, kind, answerable or
    not) in proportion to their size by largest remainder, every stratum getting a place as long as there are some;
    inside a stratum the order is that of a hash of seed and id.

    Args:
        cases: the whole set.
        size: how many cases core shall have; more where more must pass, all where the set is not larger.
        seed: another seed gives another choice.
    """
    forced = {key for key, case in cases.items() if case.must_pass}
    strata: dict[Stratum, list[str]] = defaultdict(list)
    for key in sorted(cases.keys() - forced, key=lambda key: _place(key, seed)):
        strata[_stratum(cases[key])].append(key)
    held: dict[Stratum, int] = defaultdict(int)
    for key in forced:
        held[_stratum(cases[key])] += 1
    room = max(0, min(size, len(cases)) - len(forced))
    places = _places(
        {name: len(keys) for name, keys in strata.items()}, held, room, size / max(1, len(cases))
    )
    return frozenset(forced | {key for name, keys in strata.items() for key in keys[: places[name]]})


def _stratum(case: GoldenCase) -> Stratum:
    return (*(getattr(case, name) or "" for name in _SLICES), str(case.is_answerable))


def _place(key: str, seed: int) -> tuple[bytes, str]:
    return hashlib.sha256(f"{seed}\0{key}".encode("utf-8", "surrogatepass")).digest(), key


def _places(
    sizes: Mapping[Stratum, int], held: Mapping[Stratum, int], room: int, share: float
) -> dict[Stratum, int]:
    """Share out the places; what must-pass cases hold already counts for their stratum."""
    wanted = {
        name: max(0.0, (size + held.get(name, 0)) * share - held.get(name, 0)) for name, size in sizes.items()
    }
    order = sorted(sizes, key=lambda name: (-sizes[name], name))
    places = dict.fromkeys(sizes, 0)
    for name in order:
        if room and not held.get(name, 0):
            places[name], room = 1, room - 1
    while room:
        open_ones = [name for name in order if places[name] < sizes[name]]
        if not open_ones:
            break
        chosen = max(open_ones, key=lambda name: wanted[name] - places[name])
        places[chosen], room = places[chosen] + 1, room - 1
    return places
