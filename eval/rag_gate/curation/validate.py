"""All rules of validate, over one golden set."""

from collections.abc import Sequence

from rag_gate.curation.copies import copies
from rag_gate.curation.finding import Finding
from rag_gate.curation.golden import Golden
from rag_gate.curation.known_ids import corpus_ids, retrieved_ids
from rag_gate.curation.labels import labels, unknown_gold
from rag_gate.curation.makeup import makeup
from rag_gate.dataset.golden_set import read_golden
from rag_gate.errors import InputError

_ORDER = ("error", "warning", "note")


def validate(source: str, corpus: str | None = None, runs: Sequence[str] = ()) -> list[Finding]:
    """Return the findings: errors, warnings, notes, each those of the whole set first, then in the order of the file.

    Args:
        source: the golden set.
        corpus: where all ids stand that gold ids may name.
        runs: recorded runs, whose ids are known to be ids.

    Raises:
        InputError: if the corpus or a run cannot be read.
    """
    try:
        loader = read_golden(source)
    except InputError as error:
        return [_unusable(source, problem) for problem in error.problems]
    golden = Golden(source, loader.cases, loader.rows)
    found = [_unusable(source, problem) for problem in loader.problems]
    if not loader.cases and not found:
        found.append(_unusable(source, f"{source}: holds no case"))
    found += [_odd(source, line) for line in loader.warnings(source)]
    found += [*makeup(golden), *copies(golden), *labels(golden)]
    if corpus is not None:
        found += unknown_gold(golden, corpus_ids(corpus), corpus, complete=True)
    elif runs:
        found += unknown_gold(golden, retrieved_ids(runs), ", ".join(runs), complete=False)
    place = {key: number for number, key in enumerate(loader.cases, start=1)}
    return sorted(found, key=lambda each: (_ORDER.index(each.severity), place.get(each.question_id or "", 0)))


def _unusable(source: str, problem: str) -> Finding:
    where, message = _parted(source, problem)
    return Finding(
        id="unusable", severity="error", where=where, message=message, todo="the gate refuses the set so"
    )


def _odd(source: str, line: str) -> Finding:
    where, message = _parted(source, line)
    rule = "repeated-gold-id" if "is repeated" in message else "unknown-key"
    return Finding(id=rule, severity="warning", where=where, message=message, todo="correct it, or remove it")


def _parted(source: str, line: str) -> tuple[str, str]:
    """Split a line into its place and what it says."""
    for mark in (": row ", ": entry ", ":"):
        if line.startswith(f"{source}{mark}"):
            number, _, message = line[len(source) + len(mark) :].partition(":")
            if number.isdigit():
                return f"{source}{mark}{number}", message.strip()
    return source, line.removeprefix(f"{source}:").strip()
