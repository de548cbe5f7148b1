"""Safety findings as SARIF 2.1.0, for code scanning: where the case stands, never what was found."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rag_gate import __version__
from rag_gate.dataset.rows import iter_rows, needs_library
from rag_gate.files import canonical_json
from rag_gate.masking import texts_of
from rag_gate.records.results import CaseResult, Results
from rag_gate.records.run import id_of
from rag_gate.report.hiding import Hider, refuse_values

SCHEMA = "https://json.schemastore.org/sarif-2.1.0-rtm.5.json"
#: What code scanning takes at most of a run, and shows of a text.
_MOST_RESULTS, _MOST_TEXT = 5_000, 1_000
_LEVELS = {"fail": "error", "warn": "warning", "undecided": "note"}
_ORDER = ("error", "warning", "note")
#: How grave a finding of a check is, from 0 to 10, as code scanning orders them.
_SEVERITIES = {"secrets": "9.0", "personal_data": "8.0", "leak": "8.0", "access": "8.0", "output": "7.0"}
_HELP = "docs/reference/safety.md of rag-gate explains each check, why it matters and what to do."


class _Finding(NamedTuple):
    case: CaseResult
    level: str
    check: str
    rule: str
    row: Mapping[str, Any]

    @property
    def rule_id(self) -> str:
        return f"{self.check}/{self.rule}"


def sarif_log(
    results: Results | Mapping[str, float | None], dataset: str | None, run: str | None, results_path: Path
) -> str:
    """Return the safety findings as a SARIF log.

    A finding stands at its golden case's line, or at the recorded answer's where no golden set is at hand; the other
    is a related place. Findings that fail come first; more than code scanning takes are left out, and counted.

    Args:
        results: what was measured; flat results have no findings.
        dataset: the golden set; None = not known.
        run: the recorded run; None = not known.
        results_path: the file of the results, where neither is known.

    Raises:
        NotJudgedError: if it would show a found value that cannot be masked.
    """
    hider = Hider()
    everything = sorted(
        _findings(results) if isinstance(results, Results) else (),
        key=lambda found: (_ORDER.index(found.level), found.case.question_id),
    )
    shown = everything[:_MOST_RESULTS]
    rules = sorted({found.rule_id: found for found in shown}.items())
    places = _Places(dataset, run, results_path)
    at = {rule_id: number for number, (rule_id, _) in enumerate(rules)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver([_rule(found, hider) for _, found in rules])},
                "automationDetails": {"id": "rag-gate/safety/"},
                "columnKind": "unicodeCodePoints",
                "results": [_result(found, at, places, hider) for found in _numbered(shown)],
                "properties": {"leftOut": len(everything) - len(shown)},
            }
        ],
    }
    refuse_values(texts_of(log["runs"]), hider.masker, "the SARIF log")
    return canonical_json(log) + "\n"


def _findings(results: Results) -> Iterator[_Finding]:
    for case in results.cases:
        rows = (case.detail.get("safety") or {}).get("findings")
        for row in rows if isinstance(rows, list) else ():
            if row.get("ruling") in _LEVELS:
                level = _LEVELS[row["ruling"]]
                yield _Finding(case, level, str(row.get("check")), str(row.get("rule")), row)


def _driver(rules: list[dict[str, Any]]) -> dict[str, Any]:
    return {"name": "rag-gate", "semanticVersion": __version__, "rules": rules}


def _rule(found: _Finding, hider: Hider) -> dict[str, Any]:
    title = f"{found.check.replace('_', ' ')}: {found.rule.replace('_', ' ').lower()}"
    properties: dict[str, Any] = {"tags": ["safety", found.check], "precision": "high"}
    if found.check in _SEVERITIES:
        properties["tags"].append("security")
        properties["security-severity"] = _SEVERITIES[found.check]
    return {
        "id": hider.text(found.rule_id, 255),
        "name": hider.text(found.rule, 255),
        "shortDescription": {"text": _said(title, hider)},
        "fullDescription": {"text": _said(str(found.row.get("note") or title), hider)},
        "help": {"text": _HELP},
        "properties": properties,
    }


def _said(text: str, hider: Hider) -> str:
    """Return a text as one line without links: SARIF reads ``[words](address)`` in a message as one."""
    return " ".join(hider.text(text, _MOST_TEXT).split()).replace("](", "] (")[:_MOST_TEXT]


def _numbered(found: list[_Finding]) -> Iterator[tuple[_Finding, str]]:
    """Yield each finding with what stays the same from run to run: case, rule, and which of several it is."""
    seen: dict[tuple[str, str], int] = {}
    for one in found:
        key = (one.case.question_id, one.rule_id)
        seen[key] = seen.get(key, 0) + 1
        text = canonical_json([*key, seen[key]])
        yield one, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _result(numbered: tuple[_Finding, str], rules: Mapping[str, int], places: "_Places", hider: Hider) -> Any:  # noqa: ANN401 - JSON
    found, digest = numbered
    note = str(found.row.get("note") or found.rule)
    message = f"Case {found.case.question_id}: {note}"
    locations = places.of(found.case.question_id)
    result: dict[str, Any] = {
        "ruleId": hider.text(found.rule_id, 255),
        "ruleIndex": rules[found.rule_id],
        "level": found.level,
        "message": {"text": _said(message, hider)},
        "locations": locations[:1],
        "partialFingerprints": {"primaryLocationLineHash": f"{digest}:1", "ragGateFinding/v1": digest},
    }
    if locations[1:]:
        result["relatedLocations"] = [{**place, "id": 1} for place in locations[1:]]
    return result


class _Places:
    """Finds where cases stand, as paths from the top of the repository."""

    def __init__(self, dataset: str | None, run: str | None, results_path: Path) -> None:
        self._top = _top(Path.cwd())
        self._files = [(name, _lines(name)) for name in (dataset, run) if name and Path(name).is_file()]
        self._otherwise = str(results_path)

    def of(self, question_id: str) -> list[dict[str, Any]]:
        found = [self._place(name, lines[question_id]) for name, lines in self._files if question_id in lines]
        return found or [self._place(self._files[0][0] if self._files else self._otherwise, 1)]

    def _place(self, name: str, line: int) -> dict[str, Any]:
        path = Path(os.path.realpath(name))
        inside = path.is_relative_to(self._top)
        uri = path.relative_to(self._top).as_posix() if inside else path.name
        where = {
            "artifactLocation": {"uri": _uri(uri), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line},
        }
        return {"physicalLocation": where}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/-._~")


def _top(folder: Path) -> Path:
    """Return the folder with ``.git`` above, else the folder itself."""
    real = Path(os.path.realpath(folder))
    return next((above for above in (real, *real.parents) if (above / ".git").exists()), real)


def _lines(name: str) -> dict[str, int]:
    """Return question id -> line; only files with a line per case have lines."""
    if needs_library(name):
        return {}
    found: dict[str, int] = {}
    for row in iter_rows(name):
        where = row.where.rpartition(":")[2]
        key = id_of(row.content)
        if key is not None and where.isdecimal():
            found.setdefault(key, int(where))
    return found
