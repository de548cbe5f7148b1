"""Whether the set as a whole is large and varied enough."""

from collections import Counter
from collections.abc import Iterator

from rag_gate.curation.finding import Finding
from rag_gate.curation.golden import Golden
from rag_gate.text import counted

#: Fewer cases of a category, a language or a difficulty say nothing about it.
_THIN = 5
#: What to begin with, and what a core tier is meant to hold.
_LEAST_CORE, _USUAL_CORE, _MOST_CORE = 10, 50, 150
_SLICES = ("category", "language", "difficulty")


def makeup(golden: Golden) -> Iterator[Finding]:
    """Yield what the numbers of cases say."""
    yield from _tiers(golden)
    yield from _slices(golden)
    if golden.cases and all(case.is_answerable for case in golden.cases.values()):
        message = "every case can be answered"
        todo = 'add questions that the documents do not answer ("answerable": false): a right bot declines'
        yield golden.of_set("no-unanswerable", "note", message, todo)


def _tiers(golden: Golden) -> Iterator[Finding]:
    tiers = Counter(case.tier for case in golden.cases.values())
    core = tiers["core"]
    if golden.cases and not core:
        yield golden.of_set(
            "tier-size", "warning", "no case is of tier core", "rag-gate split proposes a core tier"
        )
    elif 0 < core < _LEAST_CORE:
        message = f"the core tier has {counted(core, 'case')}"
        todo = f"begin with {_LEAST_CORE}, and grow to about {_USUAL_CORE}: few cases show only large drops"
        yield golden.of_set("tier-size", "warning", message, todo)
    elif core > _MOST_CORE:
        message = f"the core tier has {core} cases, which every pull request waits and pays for"
        yield golden.of_set("tier-size", "note", message, "rag-gate split proposes a smaller core tier")
    if core and 0 < tiers["extended"] < core:
        message = f"the extended tier ({tiers['extended']}) is smaller than the core tier ({core})"
        yield golden.of_set("tier-size", "note", message, "keep all in core, or let extended grow")


def _slices(golden: Golden) -> Iterator[Finding]:
    for name in _SLICES:
        counts = Counter(value for case in golden.cases.values() if (value := getattr(case, name)))
        if len(counts) < len(_SLICES) - 1:
            continue
        for value, count in sorted(counts.items()):
            if count < _THIN:
                message = f"{name} '{value}' has {counted(count, 'case')}"
                yield golden.of_set(
                    "thin-slice", "note", message, f"add cases: fewer than {_THIN} say nothing about it"
                )
        unsaid = len(golden.cases) - counts.total()
        if unsaid:
            message = f"{counted(unsaid, 'case')} have no {name}, though others have"
            yield golden.of_set(
                "slice-unsaid", "note", message, f"add {name}, so that slices add up to the whole"
            )
