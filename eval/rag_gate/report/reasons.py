"""Why one case failed, in one line. The line quotes untrusted text and is escaped where it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_gate.reasons import NOT_APPLICABLE
from rag_gate.records.results import CaseResult, Results
from rag_gate.report.visible import shorten, visible
from rag_gate.report.words import UNSCORED
from rag_gate.text import counted

_QUOTE = 70
_NAME, _NOTE = 40, 120
_FEW = 2


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


def why_failed(case: CaseResult, success: Success) -> str:
    """Return what went wrong in the stages that failed, the cause before its effects.

    Args:
        case: a failing or unscored case; the keys of its detail may be absent.
        success: when retrieval counted as successful.
    """
    parts = [
        *(_safety(case) if case.safety_ok is False else ()),
        *(_retrieval(case, success) if case.retrieval_ok is False else ()),
        *(_answer(case) if case.answer_ok is False else ()),
    ]
    return "; ".join(parts or why_unscored(case))


def why_unscored(case: CaseResult) -> list[str]:
    """Return the reasons for which a case has no score where one was due."""
    due = dict.fromkeys(reason for reason in case.reasons.values() if reason not in NOT_APPLICABLE)
    said = [UNSCORED.get(reason, reason.replace("_", " ")) for reason in due][:_FEW]
    error = _mapping(case.detail.get("judge")).get("error")
    if said and isinstance(error, str):
        said.append(_quote(error))
    return said or ["no stage measured it"]


def _retrieval(case: CaseResult, success: Success) -> list[str]:
    detail = _mapping(case.detail.get("retrieval"))
    if detail.get("state") == "missing":
        return [UNSCORED["missing_from_run"]]
    if detail.get("retrieved") == []:
        return ["nothing was retrieved"]
    gold = list(_mapping(detail.get("gold_ranks")).values())
    passages = _list(detail.get("evidence_ranks")) if success.passages_count else []
    late, k = _late(gold, success.k), success.k
    said = []
    if late and (late == len(gold) or success.rule != "any"):
        said.append(f"{_of(late, len(gold), 'expected id')} not among the first {k} results")
    # Without any expected id its passages cannot be there either: no news.
    if _late(passages, k) and (late < len(gold) or not gold):
        said.append(
            f"{_of(_late(passages, k), len(passages), 'evidence passage')} not whole inside any of the first {k} chunks"
        )
    return said or ["the rule for successful retrieval is not met"]


def _late(ranks: Sequence[Any], k: int) -> int:
    return sum(not isinstance(rank, int) or rank > k for rank in ranks)


def _of(late: int, total: int, what: str) -> str:
    return what if total == 1 else f"{late} of {counted(total, what)}"


def _answer(case: CaseResult) -> list[str]:
    judge = _mapping(case.detail.get("judge"))
    expected, answer = _texts(judge.get("expected")), judge.get("answer")
    flags = _texts(judge.get("flags"))
    wanted = f"expected {_quote(expected[0])}" if expected else "the answer is not the expected one"
    if "unanswerable" in case.reasons.values():
        wanted = "expected that it declines"
    if "empty_answer" in flags:
        return ["the answer is empty"]
    if "refusal" in flags:
        return [f"it declines to answer, {wanted}" if expected else "it declines to answer"]
    said = [f"{wanted}, got {_quote(answer)}" if isinstance(answer, str) else wanted]
    missing = _texts(judge.get("missing"))
    if missing and expected and len(expected[0]) > _QUOTE:
        said.append(f"missing: {', '.join(_quote(text, 30) for text in missing[:_FEW])}")
    unsupported = [claim for claim in map(_mapping, _list(judge.get("claims"))) if _is_unsupported(claim)]
    if unsupported and isinstance(unsupported[0].get("text"), str):
        said.append(f"not in the retrieved texts: {_quote(unsupported[0]['text'], 50)}")
    return said


def _is_unsupported(claim: Mapping[str, Any]) -> bool:
    return claim.get("verdict") == "unsupported"


def _safety(case: CaseResult) -> list[str]:
    detail = _mapping(case.detail.get("safety"))
    findings = [found for found in map(_mapping, _list(detail.get("findings"))) if _is_finding(found)]
    failing = [found for found in findings if found.get("ruling") == "fail"]
    # Without any, the case fails since the user is strict about what rules cannot tell.
    said = [_finding(found) for found in failing or findings if found.get("ruling") != "warn"]
    unknown = _texts(detail.get("unknown_citations"))
    if unknown:
        said.append(f"cites what was not retrieved: {_quote(unknown[0], 40)}")
    return said[:_FEW] or ["a safety rule is broken"]


def _is_finding(found: Mapping[str, Any]) -> bool:
    return all(isinstance(found.get(key), str) for key in ("check", "rule", "ruling", "note"))


def _finding(found: Mapping[str, Any]) -> str:
    quote = found.get("quote")
    quoted = f" {_quote(quote)}" if isinstance(quote, str) and quote else ""
    if found["check"] == "negative_assertions":
        perhaps = "" if found["ruling"] == "fail" else "perhaps a "
        return f"{perhaps}forbidden statement{quoted or ' (' + shorten(visible(found['note']), _QUOTE) + ')'}"
    rule, note = shorten(visible(found["rule"]), _NAME), shorten(visible(found["note"]), _NOTE)
    return f"{note if note.startswith(rule) else f'{rule}: {note}'}{quoted}"


def _quote(text: str, limit: int = _QUOTE) -> str:
    return f"“{shorten(visible(text), limit)}”"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _texts(value: object) -> list[str]:
    return [item for item in _list(value) if isinstance(item, str)]
