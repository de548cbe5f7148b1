"""Score one case of a run: ranks, evidence, success, answer match, each with a reason where it has none."""

from collections import Counter
from itertools import islice
from typing import Any

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import GoldenSet, Joined
from rag_gate.errors import ConfigError, InputError
from rag_gate.evidence import evidence_ranks
from rag_gate.reasons import MISSING
from rag_gate.records.golden import GoldenCase
from rag_gate.retrieval.order import retrieved_fingerprint
from rag_gate.retrieval.scoring import (
    evidence_names,
    evidence_scores,
    rank_scores,
    ranked_names,
    retrieval_ok,
)
from rag_gate.retrieval.unit import Unit
from rag_gate.text import answers_match

#: How many passages that were not found a file shows, and how much of each.
_PASSAGES, _SHOWN = 2, 200


class CaseScorer:
    """Scores cases one by one and remembers whether their results could be compared at all.

    Attributes:
        names: every metric that it gives a score or a reason for.
    """

    def __init__(self, config: RetrievalConfig, unit: Unit, golden: GoldenSet) -> None:
        self._ranked = ranked_names(golden, config.k_values)
        self._passages = evidence_names(golden, config.k_values)
        self._answers = any(case.expected_answers for case in golden.cases.values())
        self.names = [*self._ranked, *self._passages, *(["answer_match"] if self._answers else [])]
        self._config = config
        self._unit = unit
        self._seen: Counter[str] = Counter()

    def score(self, joined: Joined) -> tuple[dict[str, float | None], dict[str, str], dict[str, Any]]:
        """Return scores, reasons and detail of one case."""
        scores: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        detail: dict[str, Any] = {"state": joined.state, "retrieval_ok": None}
        retrieved = retrieved_fingerprint(joined)
        if retrieved is not None:
            detail["retrieved_fp"] = retrieved
        top = joined.record.top_score if joined.record is not None and retrieved is not None else None
        if top is not None:
            detail["top_score"] = top
        if self._answers:
            self._answer(joined, scores, reasons)
        reason = self._why_not_ranked(joined)
        if reason is None:
            self._rank(joined, scores, reasons, detail)
        else:
            self._leave([*self._ranked, *self._passages], scores, reasons, reason)
            if reason != "unanswerable":
                self._mark_not_applicable(joined.case, reasons)
        return scores, reasons, detail

    def _mark_not_applicable(self, case: GoldenCase, reasons: dict[str, str]) -> None:
        """Name what the case has no use for: it stays out of the mean also when it was not executed."""
        why = self._unit.why_not_comparable(case, self._config.min_grade)
        if why is not None:
            reasons.update(dict.fromkeys(self._ranked, why))
        elif not case.evidence_groups:
            reasons.update(
                {name: "no_evidence_groups" for name in self._ranked if name.startswith("coverage@")}
            )
        if not case.evidence:
            reasons.update(dict.fromkeys(self._passages, "no_evidence"))

    def _why_not_ranked(self, joined: Joined) -> str | None:
        case, record = joined.case, joined.record
        if not case.is_answerable:
            return "unanswerable"
        if self._config.success.rule == "groups" and not case.evidence_groups:
            raise ConfigError(
                f"retrieval.success.rule: 'groups' needs evidence_groups in each answerable case; "
                f"'{case.question_id}' has none"
            )
        if record is None:
            return MISSING
        if joined.state == "error":
            return "run_error"
        return None if record.has_results else "no_results_recorded"

    @staticmethod
    def _leave(
        names: list[str], scores: dict[str, float | None], reasons: dict[str, str], reason: str
    ) -> None:
        scores.update(dict.fromkeys(names))
        reasons.update(dict.fromkeys(names, reason))

    def _rank(
        self, joined: Joined, scores: dict[str, float | None], reasons: dict[str, str], detail: dict[str, Any]
    ) -> None:
        case, record, config = joined.case, joined.record, self._config
        if record is None:
            raise ValueError("a missing case has no ranking")
        grades, groups, ranked = self._unit.grades(case), self._unit.groups(case), self._unit.ranked(record)
        why = self._unit.why_not_comparable(case, config.min_grade)
        if why is None and ranked:
            why = None if all(ranked) else "result_without_id"  # ids are never empty
            self._seen["without_id" if why else "with_id"] += 1
            if self._unit.name == "document":
                self._seen["found"] += not grades.keys().isdisjoint(ranked)
                self._seen["found_as_chunk"] += not grades.keys().isdisjoint(record.ids)
        gold_ranks: dict[str, int | None] = {}
        if why is None:
            measured, gold_ranks = rank_scores(ranked, grades, groups, config)
            scores.update(measured)
            if len(measured) < len(self._ranked):
                self._leave(
                    [n for n in self._ranked if n not in measured], scores, reasons, "no_evidence_groups"
                )
        else:
            self._leave(self._ranked, scores, reasons, why)
        passages = self._evidence(joined, scores, reasons) if self._passages else None
        detail["gold_ranks"] = gold_ranks
        detail["retrieved"] = list(ranked[: config.k_values[-1]])
        if passages is not None:
            detail["evidence_ranks"] = passages
            detail["evidence_missing"] = self._missing(case, passages)
        detail["retrieval_ok"] = self._ok(
            why, gold_ranks, groups, passages, case_has_evidence=bool(case.evidence)
        )

    def _ok(
        self,
        why: str | None,
        gold_ranks: dict[str, int | None],
        groups: list[set[str]],
        passages: list[int | None] | None,
        *,
        case_has_evidence: bool,
    ) -> bool | None:
        required = self._config.success.evidence == "required"
        if why not in {None, "no_gold_ids"} or (why == "no_gold_ids" and not (required and passages)):
            return None
        ok = retrieval_ok(gold_ranks, groups, passages if required else None, self._config)
        unmeasured = required and case_has_evidence and passages is None
        return None if ok and unmeasured else ok

    def _missing(self, case: GoldenCase, ranks: list[int | None]) -> list[str]:
        """Return the first passages that are not within the success rule's k, cut, to show what was needed."""
        texts = sorted(item.text for item in case.evidence)
        k = self._config.success_k
        late = (text for text, rank in zip(texts, ranks, strict=True) if rank is None or rank > k)
        return [text[:_SHOWN] for text in islice(late, _PASSAGES)]

    def _evidence(
        self, joined: Joined, scores: dict[str, float | None], reasons: dict[str, str]
    ) -> list[int | None] | None:
        case, record = joined.case, joined.record
        if not case.evidence or record is None:
            self._leave(self._passages, scores, reasons, "no_evidence")
            return None
        texts = record.texts()
        if texts and not any(texts):
            self._leave(self._passages, scores, reasons, "no_text_recorded")
            return None
        # In an order of its own: that of the file must not change a byte of the output.
        ranks = evidence_ranks(sorted(item.text for item in case.evidence), texts)
        scores.update(evidence_scores(ranks, self._config.k_values))
        return ranks

    def _answer(self, joined: Joined, scores: dict[str, float | None], reasons: dict[str, str]) -> None:
        case, record = joined.case, joined.record
        scores["answer_match"] = None
        if not case.is_answerable:
            reasons["answer_match"] = "unanswerable"
        elif not case.expected_answers:
            reasons["answer_match"] = "no_expected_answer"
        elif record is None or joined.state == "error":
            reasons["answer_match"] = MISSING if record is None else "run_error"
        elif record.answer is None:
            reasons["answer_match"] = "no_answer_recorded"
        else:
            matches = any(answers_match(record.answer, expected) for expected in case.expected_answers)
            scores["answer_match"] = 1.0 if matches else 0.0

    def refuse_nothing_compared(self, source: str) -> None:
        """Refuse a run in which gold ids are compared with ids that they cannot be.

        Raises:
            InputError: if no result carries the id that is compared.
            ConfigError: if gold ids are found as result ids only, in document unit.
        """
        if self._seen["without_id"] and not self._seen["with_id"]:
            document = self._unit.name == "document"
            raise InputError(
                f"{source}: no result carries {'a document id' if document else 'an id'} to compare with the gold "
                f"ids; record results with {'doc_id (or set retrieval.document_id)' if document else 'id'}"
            )

        if self._seen["found_as_chunk"] and not self._seen["found"]:
            raise ConfigError(
                "retrieval.unit: the gold ids are ids of results and not of their documents; say unit: chunk, or "
                "give document_id.regex, which takes the document out of both"
            )

    def warnings(self) -> list[str]:
        """Return what was odd about the results."""
        if not self._seen["without_id"]:
            return []
        return [f"{self._seen['without_id']} cases hold results without an id and are not scored"]
