"""What the page of one case shows, as data: texts masked, places marked, codes for what has words."""

import json
from collections.abc import Mapping
from typing import Any

from rag_gate.records.baseline import BaselineCase
from rag_gate.records.results import CaseResult
from rag_gate.records.run import RunRecord
from rag_gate.report.hiding import CaseHider, Hider
from rag_gate.report.html.chunks import ChunkStore, Retrieved
from rag_gate.report.html.marking import (
    FINDING,
    UNDECIDED,
    VERDICTS,
    Mark,
    claim_places,
    drawn,
    locate,
)
from rag_gate.report.html.sources import Texts

Data = dict[str, Any]
_LINE, _QUOTE, _RAW = 1_000, 600, 4_000
_MOST_CLAIMS, _MOST_RAW, _MOST_BEFORE = 60, 3, 20
#: What the judge's detail can say, in the order in which it is shown.
_SAID = (
    "why", "correctness", "missing", "superfluous", "passed_over", "flags", "hints", "error", "judged_by",
)  # fmt: skip


class CaseData:
    """Writes the data of cases.

    Args:
        texts: what is at hand.
        hider: masks them.
        chunks: where chunk texts are kept once.
    """

    def __init__(self, texts: Texts, hider: Hider, chunks: ChunkStore) -> None:
        self._texts, self._hider, self._chunks = texts, hider, chunks

    def learn(self, case: CaseResult) -> None:
        """Remember the values of a case, before any case is written."""
        golden = self._texts.golden.get(case.question_id)
        if golden is not None:
            self._hider.learn_case(golden)
        now, then = self._records(case)
        self._hider.learn([record.answer for record in (now, then) if record is not None])

    def of(self, case: CaseResult, why: str) -> Data:
        """Return what the page of a case shows.

        Args:
            case: as measured.
            why: why it failed; an empty text where it did not.
        """
        golden = self._texts.golden.get(case.question_id)
        now, then = self._records(case)
        own = [record.answer for record in (now, then) if record is not None]
        own += [text for text in (now.texts(20) if now else ()) if text]
        hide = self._hider.for_case([case.info.question, *(golden.expected_answers if golden else ()), *own])
        judge = _mapping(case.detail.get("judge"))
        withheld = _gives_instructions_away(case)
        claims = [] if withheld else _claims(judge, hide)
        answer = _answer(now, judge, hide, withheld=withheld)
        data: Data = {
            "why": hide.text(why, _LINE) if why else "",
            "expected": hide.texts(golden.expected_answers if golden else judge.get("expected")),
            "declines": golden.must_decline if golden else "unanswerable" in case.reasons.values(),
            "now": answer | _marks(answer, claims, case, hide),
            "then": self._then(case, then, hide),
            "claims": claims,
            "judge": [] if withheld else _judge(judge, hide),
            "findings": _findings(case, hide),
            "reasons": case.reasons,
        }
        data |= self._chunks.of(Retrieved(case, golden, now, then), [row["evidence"] for row in claims], hide)
        for row in claims:
            row["rank"] = data["quoted"].get(row["evidence"])
        del data["quoted"]
        return data

    def _records(self, case: CaseResult) -> tuple[RunRecord | None, RunRecord | None]:
        return self._texts.now.get(case.question_id), self._texts.then.get(case.question_id)

    def _then(self, case: CaseResult, record: RunRecord | None, hide: CaseHider) -> Data | None:
        before: BaselineCase | None = self._texts.cases_then.get(case.question_id)
        if before is None:
            return None
        edited = before.fingerprint != case.fingerprint
        data: Data = {"status": before.status, "edited": edited}
        if record is None:
            return data
        names = [_name(record, at) for at in range(min(len(record.results), _MOST_BEFORE))]
        answer = None if record.answer is None else hide.text(record.answer)
        return data | {"answer": answer, "error": _error(record, hide), "ids": hide.texts(names, _LINE)}


def _name(record: RunRecord, at: int) -> str:
    return record.ids[at] or "?"


def _gives_instructions_away(case: CaseResult) -> bool:
    """Tell whether the answer holds what no page may repeat: instructions, or a canary in any form."""
    found = _mapping(case.detail.get("safety")).get("findings")
    rows = found if isinstance(found, list) else []
    return any(row.get("check") == "leak" and row.get("ruling") == "fail" for row in rows)


def _answer(record: RunRecord | None, judge: Mapping[str, Any], hide: CaseHider, *, withheld: bool) -> Data:
    if withheld:
        return {"withheld": True}
    if record is not None:
        answer = None if record.answer is None else hide.text(record.answer)
        return {"answer": answer, "error": _error(record, hide)}
    known = judge.get("answer")
    return {"answer": hide.text(known)} if isinstance(known, str) else {}


def _error(record: RunRecord, hide: CaseHider) -> str | None:
    return None if record.error is None else hide.text(record.error, _LINE)


def _claims(judge: Mapping[str, Any], hide: CaseHider) -> list[Data]:
    rows = judge.get("claims")
    found = []
    for row in (rows if isinstance(rows, list) else [])[:_MOST_CLAIMS]:
        evidence = row.get("evidence")
        found.append(
            {
                "verdict": str(row.get("verdict")),
                "text": hide.text(str(row.get("text") or ""), _LINE),
                "evidence": hide.text(evidence, _QUOTE) if isinstance(evidence, str) else None,
                "unmatched": hide.texts(row.get("unmatched"), _LINE),
                "flags": hide.texts([*(row.get("flags") or ()), *(row.get("notes") or ())], _LINE),
            }
        )
    return found


def _marks(answer: Data, claims: list[Data], case: CaseResult, hide: CaseHider) -> Data:
    text = answer.get("answer")
    if not text:
        return {}
    places = claim_places([row["text"] for row in claims], text)
    marks = [
        Mark(*place, VERDICTS.get(row["verdict"], UNDECIDED))
        for row, place in zip(claims, places, strict=True)
        if place is not None
    ]
    quotes = [row.get("quote") for row in _found(case) if row.get("ruling") == "fail"]
    spans = [locate(hide.text(quote), text) for quote in quotes if isinstance(quote, str) and quote]
    return {"marks": drawn(text, [*marks, *(Mark(*span, FINDING) for span in spans if span)])}


def _judge(judge: Mapping[str, Any], hide: CaseHider) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for key in _SAID:
        value = judge.get(key)
        shown = hide.texts(value, _LINE) if isinstance(value, list) else value
        if isinstance(shown, str) and shown:
            rows.append([key, [hide.text(shown, _LINE)]])
        elif isinstance(shown, list) and shown:
            rows.append([key, shown])
    replies = judge.get("raw")
    raw = (
        [json.dumps(each, ensure_ascii=False) for each in replies[:_MOST_RAW]]
        if isinstance(replies, list)
        else []
    )
    return [*rows, ["raw", hide.texts(raw, _RAW)]] if raw else rows


def _found(case: CaseResult) -> list[Mapping[str, Any]]:
    rows = _mapping(case.detail.get("safety")).get("findings")
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _findings(case: CaseResult, hide: CaseHider) -> list[Data]:
    return [
        {
            "ruling": str(row.get("ruling")),
            "check": str(row.get("check")),
            "rule": hide.text(str(row.get("rule")), _LINE),
            "note": hide.text(str(row.get("note") or ""), _LINE),
            "quote": hide.text(str(row["quote"]), _QUOTE) if row.get("quote") else None,
        }
        for row in _found(case)
    ]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
