"""Whether an answer is correct, compared with one or several accepted answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_gate.judge.numbers import extract_values
from rag_gate.judge.opposites import says_the_opposite
from rag_gate.judge.polarity import Polarity, disagreements, polarity
from rag_gate.judge.terms import (
    Term,
    concepts,
    content_terms,
    is_mixed,
    keys_of,
    match_key,
    match_keys,
    normalised,
    term_keys,
    unmatched_stretches,
)
from rag_gate.judge.values import Value, ValueIndex
from rag_gate.text import answers_match, contains, is_japanese, normalise
from rag_gate.wording.refusals import is_refusal
from rag_gate.wording.sentences import split_sentences

_WEIGHT_OF_VALUE = 2.0
_WEIGHT_OF_MIXED_PAIR = 0.5
_SHORT = 8.0
_MOST_SENTENCES = 50
_SENTENCE = 7
_HIRAGANA = re.compile("[ぁ-ゖ]")
_CLOSING = " .。．!！?？、,;；:：…"
_YES = re.compile(r"(?:(?:yes|はい|ええ|true|正しい)(?![a-zぁ-んァ-ヶ一-鿿])|その(?:とお|通)り|本当です)")
_NO = re.compile(
    r"(?:(?:no|いいえ|いえ|false)(?![a-zぁ-んァ-ヶ一-鿿])(?! later| more| less)|違い?(?:う|ます)|嘘で|"
    r"(?:そのような|そんな)(?:こと|事|事実)は(?:あり|ござい)ません)"
)
_COPULA = re.compile(r"(?:です|でした|である|であった|だ)[。.]?\Z")


@dataclass(frozen=True, slots=True)
class Correctness:
    """Whether an answer agrees with the accepted answers.

    Attributes:
        score: 1.0 correct, 0.0 wrong, None when it cannot be told.
        reason: why, in one sentence.
        missing: what the closest accepted answer says and the answer does not.
        recall: share of that answer's content that the answer states, 0 to 1; 0 where it was not compared.
    """

    score: float | None
    reason: str
    missing: tuple[str, ...] = ()
    recall: float = 0.0


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer prepared once for all references."""

    text: str
    plain: str
    keys: frozenset[str]
    loose: frozenset[str]
    concepts: frozenset[str]
    values: ValueIndex
    polarity: Polarity
    refuses: bool
    sentences: tuple[str, ...]


def judge_correctness(answer: str, expected: Sequence[str]) -> Correctness:
    """Compare an answer with each accepted answer and return the best result.

    In this order: an equal text is correct; a refusal where an answer was expected is wrong; a number,
    date, unit or code of the reference that the answer lacks makes it wrong; so does a word that only
    one of them denies, or yes against no. Then the recall of the reference's content units (stemmed
    English words; Japanese character pairs, half for those with a hiragana) decides, values that agree
    counting two units each: English is correct from 0.6 and wrong below 0.55, short Japanese (8 units)
    0.75 and 0.65, longer Japanese, where the recall of single ideographs counts as much, 0.5 and 0.4;
    between them the result is unknown, and so it is below them where both say yes or both no. The limits
    were chosen on public question-answer pairs (EVOUNA, JSTS).

    An answer that gives the right value beside a wrong one of the same unit ("5日または10日") counts as
    correct: without a model it cannot be told which one is meant.
    """
    references = [text for text in expected if text.strip()]
    if not references:
        return Correctness(None, "no expected answer")
    if not answer.strip():
        return Correctness(0.0, "the answer is empty")
    prepared = _prepare(answer)
    results = [_against(prepared, reference) for reference in references]
    return max(results, key=_rank)


def _rank(result: Correctness) -> tuple[float, float, int]:
    return (0.5 if result.score is None else result.score, result.recall, -len(result.missing))


def _prepare(answer: str) -> _Answer:
    values = ValueIndex()
    values.add(extract_values(answer), answer)
    said = polarity(answer)
    plain = normalised(answer)
    denied = {match_key(key) for word in said.denied for key in keys_of(word)}  # 不要 denies 必要
    return _Answer(
        text=answer,
        plain=plain,
        keys=term_keys(answer),
        loose=frozenset(match_keys(plain) | denied),
        concepts=frozenset(concepts(plain)),
        values=values,
        polarity=said,
        refuses=is_refusal(answer),
        sentences=tuple(span.text for span in split_sentences(answer)[:_MOST_SENTENCES]),
    )


def _against(answer: _Answer, reference: str) -> Correctness:
    if answers_match(answer.text, reference):
        return Correctness(1.0, "equal to the expected answer", recall=1.0)
    plain = normalise(reference).strip(_CLOSING)
    expects_refusal = is_refusal(reference)
    if answer.refuses or expects_refusal:
        if answer.refuses and expects_refusal:
            return Correctness(1.0, "declines, as expected")
        if answer.refuses and not (plain and contains(plain, answer.plain)):
            return Correctness(0.0, "declines, but an answer was expected", (reference,))
    values = [value for value in extract_values(reference) if value.firm]
    missing = [value.text for value in values if not answer.values.states(value, year_may_lack=True)]
    if missing:
        return Correctness(0.0, "an expected value is missing or different", tuple(dict.fromkeys(missing)))
    return _contradiction(answer, reference) or _by_recall(answer, reference, plain, values)


def _contradiction(answer: _Answer, reference: str) -> Correctness | None:
    plain = normalised(reference)
    for first, second in ((_YES, _NO), (_NO, _YES)):
        if first.match(plain) and second.match(answer.plain):
            return Correctness(0.0, "yes against no")
    denied = disagreements(polarity(reference), answer.polarity)
    if denied:
        return Correctness(0.0, "one of answer and expected answer denies what the other says", tuple(denied))
    opposite = says_the_opposite(answer.sentences, reference)
    if opposite:
        return Correctness(0.0, "the answer says the opposite", tuple(opposite))
    return None


def _by_recall(answer: _Answer, reference: str, plain: str, values: Sequence[Value]) -> Correctness:
    if plain and contains(plain, answer.plain):
        return Correctness(1.0, "contains the expected answer", recall=1.0)
    rest = _without(_COPULA.sub("", reference.rstrip()), values)
    units = content_terms(rest)
    if values and not units:
        return Correctness(1.0, "states the expected value", recall=1.0)
    agreed = _WEIGHT_OF_VALUE * len(values)
    weight = sum(map(_weight, units))
    total = agreed + weight
    long = _is_long_japanese(reference, total)
    stated = _stated(answer, rest, units, long=long) if weight else 0.0
    recall = (agreed + stated * weight) / total if total else 0.0
    missing = tuple(dict.fromkeys(unmatched_stretches(rest, units, answer.keys)))
    return _decided(recall, *_limits(reference, long=long), _both_say(answer, reference), missing)


def _stated(answer: _Answer, rest: str, units: Sequence[Term], *, long: bool) -> float:
    """Return the share of the reference's units that the answer states."""
    loose = is_japanese(rest)
    held = answer.loose if loose else answer.keys
    found = sum(_weight(term) for term in units if (match_key(term.key) if loose else term.key) in held)
    share = found / sum(map(_weight, units))
    single = concepts(normalised(rest)) if long else []
    return (share + sum(key in answer.concepts for key in single) / len(single)) / 2 if single else share


def _decided(
    recall: float, correct_from: float, wrong_below: float, word: str, missing: tuple[str, ...]
) -> Correctness:
    shared = f"{recall:.0%} of the expected answer's content"
    if recall >= correct_from:
        return Correctness(1.0, f"states {shared}", missing, recall)
    if recall < wrong_below and not word:
        return Correctness(0.0, f"states only {shared}", missing, recall)
    if recall < wrong_below:
        return Correctness(None, f"both say {word}, and it states only {shared}", missing, recall)
    reason = f"states {shared}: too little to accept, too much to reject"
    return Correctness(None, reason, missing, recall)


def _both_say(answer: _Answer, reference: str) -> str:
    """Return "yes" or "no" where answer and reference both begin with it."""
    plain = normalised(reference)
    for word, pattern in (("yes", _YES), ("no", _NO)):
        if pattern.match(plain) and pattern.match(answer.plain):
            return word
    return ""


def _weight(term: Term) -> float:
    return _WEIGHT_OF_MIXED_PAIR if is_mixed(term.key) else 1.0


def _is_long_japanese(reference: str, total: float) -> bool:
    """Tell a sentence from a name: by its length, or by its hiragana."""
    if not is_japanese(reference) or total > _SHORT:
        return is_japanese(reference)
    return len(_HIRAGANA.findall(reference)) >= _SENTENCE


def _limits(reference: str, *, long: bool) -> tuple[float, float]:
    """Return from where an answer is correct and below what it is wrong.

    Short Japanese names share many character pairs with their rivals (東京駅前支店, 大阪駅前支店), long
    sentences few with their paraphrases.
    """
    if not is_japanese(reference):
        return 0.6, 0.55
    return (0.5, 0.4) if long else (0.75, 0.65)


def _without(reference: str, values: Sequence[Value]) -> str:
    """Return the reference with its values blanked: they were compared already."""
    for value in reversed(values):
        reference = f"{reference[: value.start]} {reference[value.end :]}"
    return reference
