"""The citations of one case: rate, precision, recall."""

from collections.abc import Mapping
from typing import Any

from rag_gate.config_safety import SafetyConfig
from rag_gate.errors import ConfigError
from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import DOC_KEYS, RunRecord
from rag_gate.safety.citations import CitationSettings, citation_scores, find_citations, resolve_ranks

METRICS = ("citation_rate", "citation_precision", "citation_recall")
Scores = dict[str, float | None]


def citation_settings(config: SafetyConfig) -> CitationSettings:
    """Return the markers of the settings.

    Raises:
        ConfigError: if one is no usable pattern.
    """
    if config.citation_markers is None:
        return CitationSettings()
    try:
        return CitationSettings(config.citation_markers)
    except ValueError as error:
        raise ConfigError(f"safety.citation_markers: {error}") from None


def cite(
    case: GoldenCase, record: RunRecord, answer: str, markers: CitationSettings
) -> tuple[Scores, dict[str, str], Mapping[str, Any]]:
    """Return scores, reasons and detail of the citations of an answer."""
    cited = list(record.citations) if record.citations is not None else find_citations(answer, markers)
    ids = [item for item in record.ids if item is not None]
    aliases = _aliases(record)
    found = citation_scores(
        resolve_ranks(cited, ids), case.expected_citations, [*ids, *aliases.values()], aliases
    )
    rate = 1.0 if found.has_citation else 0.0
    scores: Scores = {
        "citation_rate": rate,
        "citation_precision": found.precision,
        "citation_recall": found.recall,
    }
    reasons = {}
    if case.must_decline and not found.has_citation:
        scores["citation_rate"] = None
        reasons["citation_rate"] = "unanswerable"
    if found.precision is None:
        reasons["citation_precision"] = "no_citations"
    if found.recall is None:
        reasons["citation_recall"] = "no_citations_expected"
    return scores, reasons, {"cited": cited, "unknown_citations": list(found.unknown)}


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
