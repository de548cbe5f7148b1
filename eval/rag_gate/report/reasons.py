"""Why one case failed, in one line. The line quotes untrusted text and is escaped where it is written."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag_gate.partials import NOT_APPLICABLE
from rag_gate.records.results import CaseResult, Results
from rag_gate.report.visible import shorten, visible
from rag_gate.report.words import UNSCORED, counted

_QUOTE = 70
_FEW = 2
_DEFAULT_K = 5


def success_k(results: Results) -> int:
    """Return among how many first results the success rule looked."""
    evaluator = results.stages.get("retrieval")
    rule = _mapping(evaluator.settings.get("success")) if evaluator else {}
    k = rule.get("k")
    return k if isinstance(k, int) and k > 0 else _DEFAULT_K


def why_failed(case: CaseResult, k: int) -> str:
    """Return what went wrong in the stages that failed, the cause before its effects.

    Args:
        case: a failing or unscored case; the keys of its detail may be absent.
        k: among how many first results the success rule looked.
    """
    parts = [
        *(_safety(case) if case.safety_ok is False else ()),
        *(_retrieval(case, k) if case.retrieval_ok is False else ()),
        *(_answer(case) if case.answer_ok is False else ()),
    ]
    return "; ".join(parts or why_unscored(case))


def why_unscored(case: CaseResult) -> list[str]:
    """Return the reasons for which a case has no score where one was due."""
    due = [reason for reason in case.reasons.values() if reason not in NOT_APPLICABLE]
    return list(dict.fromkeys(UNSCORED.get(reason, reason.replace("_", " ")) for reason in due))[:_FEW] or [
        "no stage measured it"
    ]


def _retrieval(case: CaseResult, k: int) -> list[str]:
    detail = _mapping(case.detail.get("retrieval"))
    if detail.get("state") == "missing":
        return [UNSCORED["missing_from_run"]]
    if detail.get("retrieved") == []:
        return ["nothing was retrieved"]
    found = [
        _outside(list(_mapping(detail.get("gold_ranks")).values()), k, "expected document", f"{k} results"),
        _outside(_list(detail.get("evidence_ranks")), k, "evidence passage", f"{k} chunks", "whole inside "),
    ]
    return [part for part in found if part] or ["the rule for successful retrieval is not met"]


def _outside(ranks: Sequence[Any], k: int, what: str, where: str, how: str = "among ") -> str | None:
    late = sum(not isinstance(rank, int) or rank > k for rank in ranks)
    if not late:
        return None
    who = f"the {what} is" if len(ranks) == 1 else f"{late} of {counted(len(ranks), what)} are"
    place = f"one of the first {where}" if how != "among " else f"the first {where}"
    return f"{who} not {how}{place}"


def _answer(case: CaseResult) -> list[str]:
    judge = _mapping(case.detail.get("judge"))
    expected, answer = _texts(judge.get("expected")), judge.get("answer")
    flags = _texts(judge.get("flags"))
    if "empty_answer" in flags:
        return ["the answer is empty"]
    wanted = f"expected {_quote(expected[0])}" if expected else "the answer is not the expected one"
    got = f", got {_quote(answer)}" if isinstance(answer, str) else ""
    said = [f"{wanted}{got}"]
    if "refusal" in flags:
        said.insert(0, "it declines to answer")
    missing = _texts(judge.get("missing"))
    if missing and missing[0] not in expected:
        said.append(f"missing: {', '.join(_quote(text, 30) for text in missing[:_FEW])}")
    unsupported = [claim for claim in map(_mapping, _list(judge.get("claims"))) if _is_unsupported(claim)]
    if unsupported and isinstance(unsupported[0].get("text"), str):
        said.append(f"not in the retrieved texts: {_quote(unsupported[0]['text'], 50)}")
    return said


def _is_unsupported(claim: Mapping[str, Any]) -> bool:
    return claim.get("verdict") == "unsupported"


def _safety(case: CaseResult) -> list[str]:
    detail = _mapping(case.detail.get("safety"))
    said = []
    for finding in map(_mapping, _list(detail.get("findings"))):
        words = {"asserted": "forbidden statement", "uncertain": "perhaps a forbidden statement"}
        shown = next((text for text in (finding.get("quote"), finding.get("assertion")) if text), None)
        if finding.get("status") in words and isinstance(shown, str):
            said.append(f"{words[finding['status']]} {_quote(shown)}")
    unknown = _texts(detail.get("unknown_citations"))
    if unknown:
        said.append(f"cites a source that was not retrieved: {_quote(unknown[0], 40)}")
    return said[:_FEW] or ["a safety rule is broken"]


def _quote(text: str, limit: int = _QUOTE) -> str:
    return f"“{shorten(visible(text), limit)}”"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _texts(value: object) -> list[str]:
    return [item for item in _list(value) if isinstance(item, str)]
