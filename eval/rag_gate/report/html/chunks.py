"""What was retrieved: chunks in rank order, each text kept once, with gold and evidence marked."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rag_gate.evidence import evidence_ranks
from rag_gate.records.golden import Evidence, GoldenCase
from rag_gate.records.results import CaseResult
from rag_gate.records.run import DOC_KEYS, RunRecord
from rag_gate.report.hiding import CaseHider, Hider
from rag_gate.report.html.marking import EVIDENCE, PART, QUOTED, Mark, drawn, locate, longest_part

_MOST, _LONGEST, _LINE = 10, 4_000, 1_000


class Retrieved(NamedTuple):
    """A case with what both runs recorded of it."""

    case: CaseResult
    golden: GoldenCase | None
    now: RunRecord | None
    then: RunRecord | None


class ChunkStore:
    """Keeps each chunk's text once, up to so many characters in all.

    Args:
        hider: masks the texts.
        room: characters of chunks that the page may hold; the cases that come first get them.

    Attributes:
        texts: the chunks, in the order in which cases point to them.
        is_full: whether a text was left out.
    """

    def __init__(self, hider: Hider, room: int) -> None:
        self._hider, self._room = hider, room
        self._places: dict[str, int] = {}
        self.texts: list[str] = []
        self.is_full = False

    def of(self, found: Retrieved, quotes: Sequence[str | None], hide: CaseHider) -> dict[str, Any]:
        """Return the retrieved chunks of a case, the gold ids that are not among them, and its passages.

        Args:
            found: the case.
            quotes: what the judge quoted as evidence.
            hide: masks the case's own texts.
        """
        detail = found.case.detail.get("retrieval") or {}
        ranks: Mapping[str, Any] = detail.get("gold_ranks") or {}
        gold = (
            {item for item, grade in found.golden.grades.items() if grade > 0} if found.golden else set(ranks)
        )
        passages = _passages(found.golden, found.now)
        rows = self._rows(found, detail, gold)
        quoted: dict[str, int] = {}
        for row in rows:
            self._mark(row, passages, [quote for quote in quotes if quote], quoted)
        return {
            "chunks": [self._shown(row, hide) for row in rows],
            "more": max(0, _results(found, detail) - len(rows)),
            "lost": hide.texts([key for key, rank in ranks.items() if rank is None], _LINE),
            "passages": [
                {
                    "text": self._hider.text(item.text, _LINE),
                    "doc": item.doc_id and hide.text(item.doc_id),
                    "rank": rank,
                }
                for item, rank in passages
            ],
            "quoted": quoted,
        }

    def _rows(self, found: Retrieved, detail: Mapping[str, Any], gold: set[str]) -> list[dict[str, Any]]:
        before = (
            {key: rank for rank, key in reversed(list(enumerate(found.then.ids, 1)))} if found.then else {}
        )
        if found.now is None:
            ids = [str(key) if key is not None else "?" for key in detail.get("retrieved") or ()][:_MOST]
            return [{"rank": rank, "id": key, "gold": key in gold} for rank, key in enumerate(ids, 1)]
        rows = []
        texts = found.now.texts(_MOST)
        for rank, (item, key, text) in enumerate(
            zip(found.now.results, found.now.ids, texts, strict=False), 1
        ):
            document = _document(item)
            row = {"rank": rank, "id": key or "?", "doc": document, "text": text}
            row["gold"] = key in gold or document in gold
            if found.then is not None:
                row["was"] = before.get(key)
            rows.append(row)
        return rows

    def _mark(
        self,
        row: dict[str, Any],
        passages: Sequence[tuple[Evidence, int | None]],
        quotes: Sequence[str],
        quoted: dict[str, int],
    ) -> None:
        text = row.get("text")
        if not text:
            return
        shown = row["shown"] = self._hider.text(text, _LONGEST)
        marks = []
        for item, rank in passages:
            passage = self._hider.text(item.text, _LINE)
            place = locate(passage, shown)
            if place is not None:
                marks.append(Mark(*place, EVIDENCE))
                row.setdefault("evidence", True)
            elif rank is None and (row["gold"] or item.doc_id == row["doc"]):
                part = longest_part(passage, shown)
                marks += [Mark(*part, PART)] if part else []
        for quote in quotes:
            place = locate(quote, shown)
            if place is not None:
                quoted.setdefault(quote, row["rank"])
                marks.append(Mark(*place, QUOTED))
        row["marks"] = drawn(shown, marks)

    def _shown(self, row: dict[str, Any], hide: CaseHider) -> dict[str, Any]:
        shown = {"id": hide.text(row["id"], _LINE), "gold": row["gold"]}
        if row.get("doc") and row["doc"] != row["id"]:
            shown["doc"] = hide.text(row["doc"], _LINE)
        if "was" in row:
            shown["was"] = row["was"]
        if "shown" in row:
            shown |= {"text": self._place(row["shown"]), "marks": row["marks"]}
            shown["evidence"] = row.get("evidence", False)
        return shown

    def _place(self, text: str) -> int:
        """Return the text's number; -1 where there is no room for it."""
        at = self._places.get(text)
        if at is None:
            if len(text) > self._room:
                self.is_full = True
                return -1
            self._room -= len(text)
            at = self._places[text] = len(self.texts)
            self.texts.append(text)
        return at


def _results(found: Retrieved, detail: Mapping[str, Any]) -> int:
    return len(found.now.results) if found.now is not None else len(detail.get("retrieved") or ())


def _passages(golden: GoldenCase | None, now: RunRecord | None) -> list[tuple[Evidence, int | None]]:
    if golden is None or not golden.evidence:
        return []
    texts = now.texts() if now is not None else []
    ranks = evidence_ranks([item.text for item in golden.evidence], texts)
    return list(zip(golden.evidence, ranks, strict=True))


def _document(item: object) -> str | None:
    """Return the document that a result says it comes from."""
    if not isinstance(item, Mapping):
        return None
    known = (item.get(key) for key in DOC_KEYS)
    return next((str(value) for value in known if isinstance(value, str | int) and value != ""), None)
