"""What changed in how answers are written and in what their sources show, pair by pair; it never decides."""

from collections.abc import Sequence
from math import log
from statistics import median

from rag_gate.regression.pairing import Pair, pair_cases
from rag_gate.regression.sentences import named
from rag_gate.regression.sides import Sides, score_map
from rag_gate.statistics import mean, sign_flip

#: From which change of the median length (as a ratio) or of the mean copy rate on support is not comparable.
_SHIFT = 0.1
_FEWEST = 5
_FULL = 1.0


def wording_notices(sides: Sides) -> list[str]:
    """Return what the offline judge noticed and what does not decide.

    New hard flags and support verdicts are compared question by question, never as means.
    """
    if sides.unlike.has("number_match"):
        return []
    return [*_new_mismatches(sides), *_style_shift(sides), *_support_flips(sides)]


def _pairs(sides: Sides, metric: str) -> tuple[Pair, ...]:
    base, now = score_map(metric, sides.baseline_cases()), score_map(metric, sides.current_cases())
    return pair_cases(base, now).pairs


def _new_mismatches(sides: Sides) -> list[str]:
    """Return the cases that state an unsourced value now and did not, or stated none, in the baseline."""
    base = {
        case.question_id: (case.fingerprint, case.scores.get("number_match"))
        for case in sides.baseline_cases()
        if "number_match" in case.scores
    }
    new = [
        case.question_id
        for case in sides.current_cases()
        if case.scores.get("number_match") == 0.0
        and case.question_id in base
        and base[case.question_id][0] == case.fingerprint
        and base[case.question_id][1] != 0.0
    ]
    if not new:
        return []
    one = len(new) == 1
    return [
        (
            f"{len(new)} {'answer states' if one else 'answers state'} a number, date or code that no retrieved "
            f"text states, and did not in the baseline: {named(sorted(new))}"
        )
    ]


def _style_shift(sides: Sides) -> list[str]:
    lengths, copies = _pairs(sides, "answer_length"), _pairs(sides, "copy_rate")
    said = []
    if len(lengths) >= _FEWEST:
        before, now = median(pair.base for pair in lengths), median(pair.current for pair in lengths)
        if min(before, now) > 0 and abs(log(now / before)) > _SHIFT:
            said.append(f"median answer length {before:g} -> {now:g} characters")
    if len(copies) >= _FEWEST:
        before, now = mean([pair.base for pair in copies]), mean([pair.current for pair in copies])
        if abs(now - before) > _SHIFT:
            said.append(f"copied share {before:.2f} -> {now:.2f}")
    return [f"style shift: support not comparable ({', '.join(said)})"] if said else []


def _support_flips(sides: Sides) -> list[str]:
    """Return in which cases claims lost or gained support, with the exact test of the two counts."""
    pairs = _pairs(sides, "support")
    lost = [pair.case_id for pair in pairs if pair.base == _FULL > pair.current]
    won = [pair.case_id for pair in pairs if pair.current == _FULL > pair.base]
    if not lost and not won:
        return []
    answers = "answer is" if len(lost) == 1 else "answers are"
    return [
        (
            f"lexical support: {len(lost)} {answers} no longer wholly supported and {len(won)} newly so, of "
            f"{len(pairs)} (chance alone: p = {_chance(lost, won):.2g}){_names(lost)}"
        )
    ]


def _chance(lost: Sequence[str], won: Sequence[str]) -> float:
    return sign_flip([-1] * len(lost) + [1] * len(won)).p


def _names(lost: Sequence[str]) -> str:
    return f"; no longer: {named(sorted(lost))}" if lost else ""
