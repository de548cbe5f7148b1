"""Check every recorded answer: forbidden statements and citations; one streaming pass."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_gate.config_safety import SafetyConfig
from rag_gate.dataset import GoldenSet, Joined, open_run
from rag_gate.errors import ConfigError
from rag_gate.partials import PartialWriter, evaluator_of
from rag_gate.reasons import MAX_ANSWER, MISSING, TOO_LONG
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import Shard
from rag_gate.records.run import DOC_KEYS, RunRecord
from rag_gate.safety.assertions import check_assertion
from rag_gate.safety.citations import CitationSettings, citation_scores, find_citations, resolve_ranks

VERSION = "1"
METRICS = ("safety_pass_rate", "citation_rate", "citation_precision", "citation_recall")
Scores = dict[str, float | None]
Found = tuple[Scores, dict[str, str], dict[str, Any]]


def evaluate_safety(
    golden: GoldenSet, run_source: str | None, config: SafetyConfig, output: Path, shard: Shard | None = None
) -> list[str]:
    """Check the answers and write the partial ``safety.json``.

    A case without negative assertions has no safety score: nothing was checked.

    Returns:
        Warnings, one line each.

    Raises:
        InputError: if the run cannot be read.
        ConfigError: if a citation marker is no usable pattern.
    """
    shard = shard or Shard()
    markers = _citation_settings(config)
    writer = PartialWriter(METRICS)
    run = open_run(golden, run_source, shard, other_answers=writer.learn)
    for joined in run:
        writer.add(joined, *_check(joined, config, markers))
    evaluator = evaluator_of(
        "rules", VERSION, config.model_dump(mode="json", exclude={"engine", "personal_data", "secrets"})
    )
    writer.write(output, "safety", evaluator, run, shard)
    return []


def _citation_settings(config: SafetyConfig) -> CitationSettings:
    if config.citation_markers is None:
        return CitationSettings()
    try:
        return CitationSettings(config.citation_markers)
    except ValueError as error:
        raise ConfigError(f"safety.citation_markers: {error}") from None


def _check(joined: Joined, config: SafetyConfig, markers: CitationSettings) -> Found:
    record = joined.record
    reason = None
    if record is None:
        reason = MISSING
    elif joined.state == "error":
        reason = "run_error"
    elif record.answer is None:
        reason = "no_answer_recorded"
    elif len(record.answer) > MAX_ANSWER:
        reason = TOO_LONG
    if record is None or record.answer is None or reason is not None:
        return _unscored(joined.case, reason or MISSING)
    scores, reasons, findings = _assertions(joined.case, record.answer, strict=config.strict)
    cited = list(record.citations) if record.citations is not None else find_citations(record.answer, markers)
    detail = {"findings": findings, "cited": cited, **_citations(joined.case, record, cited, scores, reasons)}
    return scores, reasons, detail


def _unscored(case: GoldenCase, reason: str) -> Found:
    reasons = dict.fromkeys(METRICS, reason)
    if not case.negative_assertions:
        reasons["safety_pass_rate"] = "no_negative_assertions"
    if not case.expected_citations:
        reasons["citation_recall"] = "no_citations_expected"
    return dict.fromkeys(METRICS), reasons, {}


def _assertions(
    case: GoldenCase, answer: str, *, strict: bool
) -> tuple[Scores, dict[str, str], list[dict[str, Any]]]:
    if not case.negative_assertions:
        return {"safety_pass_rate": None}, {"safety_pass_rate": "no_negative_assertions"}, []
    findings, failed = [], False
    for assertion in case.negative_assertions:
        found = check_assertion(assertion, answer)
        if found.status in {"absent", "negated"}:
            continue
        violates = assertion.severity == "fail" and (found.status == "asserted" or strict)
        failed = failed or violates
        first = next((item for item in found.occurrences if item.status == found.status), None)
        findings.append(
            {
                "assertion": found.assertion,
                "status": found.status,
                "quote": first.quote if first else "",
                "violates": violates,
            }
        )
    return {"safety_pass_rate": 0.0 if failed else 1.0}, {}, findings


def _citations(
    case: GoldenCase, record: RunRecord, cited: list[str], scores: Scores, reasons: dict[str, str]
) -> Mapping[str, Any]:
    ids = [item for item in record.ids if item is not None]
    aliases = _aliases(record)
    found = citation_scores(
        resolve_ranks(cited, ids), case.expected_citations, [*ids, *aliases.values()], aliases
    )
    scores["citation_rate"] = 1.0 if found.has_citation else 0.0
    if not case.is_answerable and not found.has_citation:
        scores["citation_rate"] = None
        reasons["citation_rate"] = "unanswerable"
    scores["citation_precision"] = found.precision
    scores["citation_recall"] = found.recall
    if found.precision is None:
        reasons["citation_precision"] = "no_citations"
    if found.recall is None:
        reasons["citation_recall"] = "no_citations_expected"
    return {"unknown_citations": list(found.unknown)}


def _aliases(record: RunRecord) -> dict[str, str]:
    """Return result id -> its document id, for results that state both."""
    pairs = {}
    for item, result in zip(record.ids, record.results, strict=True):
        if item is None or not isinstance(result, dict):
            continue
        document = next((result[key] for key in DOC_KEYS if result.get(key) is not None), None)
        if isinstance(document, str | int):
            pairs[item] = str(document)
    return pairs
