"""Why one case failed, in one line. The line quotes untrusted text and is escaped where it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.results import CaseResult, Results
from rag_gate.report.visible import shorten, visible
from rag_gate.report.words import IN_ENGLISH, Words

_QUOTE = 70
_NAME, _NOTE = 40, 120
_FEW, _TOKENS = 2, 4


@dataclass(frozen=True, slots=True)
class Success:
    """When retrieval counted as successful: among the first k, by which rule, with passages or not."""

    k: int = 5
    rule: str = "all"
    passages_count: bool = True


_USUAL = Success()


def success_of(results: Results) -> Success:
    """Return the success rule that the run was measured with, the default where it is not stated."""
    evaluator = results.stages.get("retrieval")
    stated = _mapping(evaluator.settings.get("success")) if evaluator else {}
    k, rule = stated.get("k"), stated.get("rule")
    return Success(
        k=k if isinstance(k, int) and k > 0 else _USUAL.k,
        rule=rule if isinstance(rule, str) else _USUAL.rule,
        passages_count=stated.get("evidence") != "reported",
    )


def why_failed(case: CaseResult, success: Success, words: Words = IN_ENGLISH) -> str:
    """Return what went wrong in the stages that failed, the cause before its effects.

    Args:
        case: a failing or unscored case; the keys of its detail may be absent.
        success: when retrieval counted as successful.
        words: of the reader's language.
    """
    parts = [
        *(_safety(case, words) if case.safety_ok is False else ()),
        *(_retrieval(case, success, words) if case.retrieval_ok is False else ()),
        *(_answer(case, words) if case.answer_ok is False else ()),
    ]
    return words("join.reasons").join(parts or why_unscored(case, words))


def why_unscored(case: CaseResult, words: Words = IN_ENGLISH) -> list[str]:
    """Return the reasons for which a case has no score where one was due."""
    due = dict.fromkeys(reason for reason in case.reasons.values() if reason not in NOT_APPLICABLE)
    said: list[str] = [_unscored(reason, words) for reason in due][:_FEW]
    error = _mapping(case.detail.get("judge")).get("error")
    if said and isinstance(error, str):
        said.append(_quote(error, words))
    return said or [str(words("unscored.nothing"))]


def _unscored(reason: str, words: Words) -> str:
    key = f"unscored.{reason}"
    return words(key) if words.has(key) else reason.replace("_", " ")


def _retrieval(case: CaseResult, success: Success, words: Words) -> list[str]:
    detail = _mapping(case.detail.get("retrieval"))
    if detail.get("state") == "missing":
        return [words("unscored.missing_from_run")]
    if detail.get("retrieved") == []:
        return [words("reason.nothing_retrieved")]
    gold = list(_mapping(detail.get("gold_ranks")).values())
    passages = _list(detail.get("evidence_ranks")) if success.passages_count else []
    late, k = _late(gold, success.k), success.k
    said: list[str] = []
    if late and (late == len(gold) or success.rule != "any"):
        key = "reason.id_late" if len(gold) == 1 else "reason.ids_late"
        said.append(words(key, late=late, n=len(gold), k=k))
    # Without any expected id its passages cannot be there either: no news.
    if (lost := _late(passages, k)) and (late < len(gold) or not gold):
        said.append(_passages(lost, len(passages), k, _texts(detail.get("evidence_missing")), words))
    return said or [words("reason.rule_not_met")]


def _passages(lost: int, total: int, k: int, texts: Sequence[str], words: Words) -> str:
    """Say how many evidence passages no chunk holds whole, and what the first of them says."""
    said = words("reason.passage_late" if total == 1 else "reason.passages_late", late=lost, n=total, k=k)
    return words.plain("reason.passage_quoted", said=said, quote=_quote(texts[0], words)) if texts else said


def _late(ranks: Sequence[Any], k: int) -> int:
    return sum(not isinstance(rank, int) or rank > k for rank in ranks)


def _answer(case: CaseResult, words: Words) -> list[str]:
    judge = _mapping(case.detail.get("judge"))
    expected, answer = _texts(judge.get("expected")), judge.get("answer")
    flags = _texts(judge.get("flags"))
    wanted = (
        words.plain("reason.expected", quote=_quote(expected[0], words))
        if expected
        else words("reason.not_expected")
    )
    if "unanswerable" in case.reasons.values():
        wanted = words("reason.should_decline")
    if "empty_answer" in flags:
        return [words("reason.empty")]
    if "refusal" in flags:
        return [words.plain("reason.declines_but", wanted=wanted) if expected else words("reason.declines")]
    said = [wanted]
    if isinstance(answer, str):
        said = [words.plain("reason.got", wanted=wanted, quote=_quote(answer, words))]
    missing = _texts(judge.get("missing"))
    if missing and expected and len(expected[0]) > _QUOTE:
        quotes = [_quote(text, words, 30) for text in missing[:_FEW]]
        said.append(words.plain("reason.missing", quotes=words("list.comma").join(quotes)))
    return [*said, *_unsupported(judge, words)]


def _unsupported(judge: Mapping[str, Any], words: Words) -> list[str]:
    """Say which claim no retrieved text supports, which of its words stand nowhere, and what the nearest text says."""
    claims = [claim for claim in map(_mapping, _list(judge.get("claims"))) if _is_unsupported(claim)]
    text = claims[0].get("text") if claims else None
    if not isinstance(text, str):
        return []
    said = words.plain("reason.unsupported", quote=_quote(text, words, 50))
    unmatched, nearest = _texts(claims[0].get("unmatched")), claims[0].get("evidence")
    if unmatched:
        tokens = words("list.comma").join(shorten(visible(token), 20) for token in unmatched[:_TOKENS])
        said += words.plain("reason.unmatched", tokens=tokens)
    if isinstance(nearest, str) and nearest.strip():
        said += words.plain("reason.nearest", quote=_quote(nearest, words, 50))
    return [said]


def _is_unsupported(claim: Mapping[str, Any]) -> bool:
    return claim.get("verdict") == "unsupported"


def _safety(case: CaseResult, words: Words) -> list[str]:
    detail = _mapping(case.detail.get("safety"))
    findings = [found for found in map(_mapping, _list(detail.get("findings"))) if _is_finding(found)]
    failing = [found for found in findings if found.get("ruling") == "fail"]
    # Without any, the case fails since the user is strict about what rules cannot tell.
    said = [_finding(found, words) for found in failing or findings if found.get("ruling") != "warn"]
    unknown = _texts(detail.get("unknown_citations"))
    if unknown:
        said.append(words.plain("reason.unknown_citation", quote=_quote(unknown[0], words, 40)))
    return said[:_FEW] or [words("reason.safety_rule")]


def _is_finding(found: Mapping[str, Any]) -> bool:
    return all(isinstance(found.get(key), str) for key in ("check", "rule", "ruling", "note"))


def _finding(found: Mapping[str, Any], words: Words) -> str:
    quote = found.get("quote")
    quoted = _quote(quote, words) if isinstance(quote, str) and quote else ""
    if found["check"] == "negative_assertions":
        sure = "reason.forbidden" if found["ruling"] == "fail" else "reason.perhaps_forbidden"
        said = words.sentence(shorten(visible(found["note"]), _QUOTE))
        return words.plain(sure, what=quoted or words.plain("reason.in_brackets", text=said))
    rule, note = shorten(visible(found["rule"]), _NAME), shorten(visible(found["note"]), _NOTE)
    said = words.sentence(note)
    return " ".join(filter(None, (said if note.startswith(rule) else f"{rule}: {said}", quoted)))


def _quote(text: str, words: Words, limit: int = _QUOTE) -> str:
    return words.plain("quote", text=shorten(visible(text), limit))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _texts(value: object) -> list[str]:
    return [item for item in _list(value) if isinstance(item, str)]
