"""Put what the safety stage leaves open to the model judge: the one place where the two stages meet in memory."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rag_gate.config_models import Config
from rag_gate.judge.engine import JudgeRequest
from rag_gate.judge.spent import Spent
from rag_gate.records.judging import Judging
from rag_gate.safety.findings import SafetyCase, SafetyFinding
from rag_gate.safety.open_points import Judged, OpenCase, Resolver

if TYPE_CHECKING:
    from rag_gate.judge.llm.ruling.engine import RulingEngine
    from rag_gate.judge.llm.ruling.points import Point


def resolver_of(
    config: Config, spent: Spent | None = None, environ: Mapping[str, str] = os.environ
) -> Resolver | None:
    """Return who rules on what rules leave open; None where no model judge is configured for it.

    Args:
        config: the settings.
        spent: what counts against the judge's limits already, and what is added to; by default nothing.
        environ: where keys come from.

    Raises:
        ConfigError: if a setting of the judge is missing or wrong.
        InputError: if a file that the settings name cannot be read.
    """
    if config.judge.engine != "llm" or config.safety.judge == "never":
        return None
    from rag_gate.judge.llm.ruling.build import ruling_engine

    return JudgeResolver(ruling_engine(config.judge, environ, spent))


class JudgeResolver:
    """Asks the model judge.

    Args:
        engine: the model that rules.
    """

    def __init__(self, engine: "RulingEngine") -> None:
        self.settings: Mapping[str, Any] = engine.settings
        self._engine = engine

    def resolve(self, cases: Sequence[OpenCase]) -> list[list[Judged]]:
        """Return for each case what the judge says of its findings, in their order."""
        from rag_gate.judge.llm.ruling.points import Asked

        asked = [
            Asked.of(_request(each.case), [_point(finding, each.case) for finding in each.findings])
            for each in cases
        ]
        return [
            [Judged(self._engine.name, ruled.violates, ruled.evidence, ruled.reason) for ruled in rulings]
            for rulings in self._engine.rule_on(asked)
        ]

    def report(self) -> Judging:
        """Return what that cost and how it went."""
        return self._engine.report()

    def warnings(self) -> list[str]:
        """Return what people should know of it, one line each."""
        return self._engine.warnings()


def _request(case: SafetyCase) -> JudgeRequest:
    golden = case.case
    return JudgeRequest(
        question_id=golden.question_id,
        question=golden.question,
        answer=case.answer,
        contexts=tuple(text for text in case.contexts if text),
        expected=tuple(golden.expected_answers),
        language=golden.language,
    )


def _point(finding: SafetyFinding, case: SafetyCase) -> "Point":
    from rag_gate.judge.llm.ruling.points import Point

    asked = finding.asks
    if asked is None:
        raise ValueError("a finding that asks nothing cannot be ruled on")
    words = None if finding.start is None else case.answer[finding.start : finding.end]
    return Point(asked.kind, asked.text, words)
