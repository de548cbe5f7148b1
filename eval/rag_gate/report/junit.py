"""The report as JUnit XML, for the test views of CI services."""

import re
from collections import Counter
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rag_gate.records.results import CaseResult, Results
from rag_gate.records.verdict import MetricVerdict
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.hiding import Hider, refuse_values
from rag_gate.report.html.index_data import FAILING, changes_of
from rag_gate.report.html.said import Said
from rag_gate.report.html.words import page_words

#: What XML 1.0 has no form for.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 2_000
_NAME = 200


def junit_xml(results: Results | Mapping[str, float | None], verdict: Verdict) -> str:
    """Return JUnit XML: the verdict, each deciding metric, and a test per golden case.

    A failing case is a ``failure`` with its cause; what could not be judged is an ``error``, never a failure.

    Raises:
        NotJudgedError: if it would show a found value that cannot be masked.
    """
    writer = _Writer()
    root = Element("testsuites", name="rag-gate")
    writer.gate(root, verdict)
    if isinstance(results, Results):
        writer.cases(root, results, verdict)
    for kind in ("tests", "failures", "errors"):
        root.set(kind, str(sum(int(suite.get(kind, "0")) for suite in root)))
    refuse_values(writer.texts, writer.hider.masker, "the JUnit report")
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


class _Writer:
    def __init__(self) -> None:
        self.hider = Hider()
        self.texts: list[str] = []
        self._said = Said("en")
        self._words = page_words("en")

    def _text(self, text: str, limit: int = _LONGEST) -> str:
        shown = _ILLEGAL.sub("\ufffd", self.hider.text(text, limit))
        self.texts.append(shown)
        return shown

    def gate(self, root: Element, verdict: Verdict) -> None:
        """Add the suite of the gate: the verdict, and one test per metric that decides."""
        suite = SubElement(root, "testsuite", name="rag-gate.gate")
        test = SubElement(suite, "testcase", classname="rag-gate.gate", name="verdict")
        lines = [verdict.summary, *verdict.problems[1:], *verdict.notices]
        if verdict.passed:
            SubElement(test, "system-out").text = self._text("\n".join(lines))
        else:
            kind = "error" if verdict.overall == "error" else "failure"
            self._add(test, kind, verdict.overall, verdict.summary, "\n".join(lines))
        for name, found in verdict.metrics.items():
            self._metric(suite, name, found)
        _count(suite)

    def _metric(self, suite: Element, name: str, found: MetricVerdict) -> None:
        test = SubElement(suite, "testcase", classname="rag-gate.gate", name=self._text(name, _NAME))
        said = ", ".join(reason.replace("_", " ") for reason in found.reasons) or found.verdict
        numbers = self._numbers(name, found)
        if found.verdict in {"regressed", "error"}:
            kind = "failure" if found.verdict == "regressed" else "error"
            self._add(test, kind, found.verdict, said, numbers)
        else:
            SubElement(test, "system-out").text = self._text(f"{said}: {numbers}")

    def _numbers(self, name: str, found: MetricVerdict) -> str:
        """Return both means and the tolerance, ``none`` for what there is not."""
        then, now = (
            "none" if mean is None else self._said.number(mean, name)
            for mean in (found.mean_base, found.mean_current_all)
        )
        allowed = "none" if found.tolerance is None else f"{found.tolerance:g}"
        return f"baseline {then}, now {now}, tolerance {allowed}"

    def cases(self, root: Element, results: Results, verdict: Verdict) -> None:
        """Add the suite of the golden cases."""
        suite = SubElement(root, "testsuite", name="rag-gate.cases")
        why, changes = self._said.why(results), changes_of(results, verdict)
        for case in results.cases:
            category = case.info.slices.get("category", "uncategorised")
            test = SubElement(
                suite,
                "testcase",
                classname=f"rag-gate.cases.{self._text(category, _NAME)}",
                name=self._text(case.question_id, _NAME),
            )
            if case.status != "passed":
                self._case(test, case, changes[case.question_id], why(case))
        _count(suite)

    def _case(self, test: Element, case: CaseResult, change: str, why: str) -> None:
        kind = "failure" if case.status in FAILING else "error"
        since = self._words(f"change.{change}")
        body = f"{since}\n{why}\n{case.info.question or ''}".rstrip()
        self._add(test, kind, case.status, f"{self._words(f'status.{case.status}')} ({since}): {why}", body)

    def _add(self, test: Element, kind: str, type_: str, message: str, body: str) -> None:
        added = SubElement(test, kind, type=type_, message=self._text(message))
        added.text = self._text(body)


def _count(suite: Element) -> None:
    found = Counter(child.tag for test in suite for child in test)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(found["failure"]))
    suite.set("errors", str(found["error"]))
    suite.set("skipped", "0")
