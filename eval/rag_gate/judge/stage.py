"""Judge every recorded answer with one engine; one streaming pass over the joined run."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_gate.dataset import GoldenSet, Joined, JoinedRun, open_run
from rag_gate.judge.engine import CaseJudgment, Engine, JudgeRequest
from rag_gate.judge.requests import Nothing, request_of
from rag_gate.judging import never_judged
from rag_gate.partials import PartialWriter, evaluator_of
from rag_gate.records.partial import Shard
from rag_gate.terminal.progress import tracked

#: Metrics that only a model judge can measure; an engine that does not is said to be so, with null.
MODEL_METRICS = ("faithfulness", "relevance")
_NAMES = frozenset({"model", "prompts", "endpoint"})


@dataclass(frozen=True, slots=True)
class Judged:
    """How the stage went; its file is written in any case.

    Attributes:
        warnings: one line each.
        problems: why the file is no measurement to go by; empty where it is.
    """

    warnings: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def evaluate_judge(
    golden: GoldenSet, run_source: str | None, engine: Engine, output: Path, shard: Shard | None = None
) -> Judged:
    """Judge the answers and write the partial ``judge.json``.

    A judgment that cannot be had leaves its case unscored, with the reason.

    Raises:
        InputError: if the run cannot be read.
    """
    shard = shard or Shard()
    unmeasured = tuple(name for name in MODEL_METRICS if name not in engine.metrics)
    writer = PartialWriter((*engine.metrics, *unmeasured))
    writer.spare(_names(engine.settings))
    run = open_run(golden, run_source, shard, other_answers=writer.learn)
    error = ""
    for joined, found in tracked(_judgments(run, engine), len(run), "judging", lambda: _cost(engine)):
        error = found.detail.get("error") or error
        scores = {**dict.fromkeys(unmeasured), **found.scores}
        reasons = {**dict.fromkeys(unmeasured, "not_measured"), **found.reasons}
        writer.add(joined, scores, reasons, found.detail)
    evaluator = evaluator_of(engine.name, engine.version, engine.settings)
    report = engine.report()
    writer.write(output, "judge", evaluator, run, shard, report)
    judged = Judged(engine.warnings(), list(report.problems) if report else [])
    if report and not report.problems:
        lost = [f"{problem}: {error}" if error else problem for problem in never_judged(writer.metrics())]
        # A shard without a verdict is told; whether the whole run has one is known when all are merged.
        (judged.problems if shard.total == 1 else judged.warnings).extend(lost)
    return judged


def _names(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the models and the fingerprints that settings of an engine give."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _names(value)
        elif key in _NAMES and isinstance(value, str):
            yield value


def _cost(engine: Engine) -> float | None:
    """Return what judging has cost so far in USD; None where that is not known, or nothing."""
    judging = engine.report()
    costs = [use.cost_usd for use in judging.models.values()] if judging else []
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known and len(known) == len(costs) else None


def _judgments(run: JoinedRun, engine: Engine) -> Iterator[tuple[Joined, CaseJudgment]]:
    """Yield each case with its judgment, in order, while the engine reads as far ahead as it likes."""
    waiting: deque[tuple[Joined, CaseJudgment | None]] = deque()

    def requests() -> Iterator[JudgeRequest]:
        for joined in run:
            found = request_of(joined)
            if isinstance(found, Nothing):
                waiting.append((joined, _unscored(engine, found)))
            else:
                waiting.append((joined, None))
                yield found

    for judgment in engine.judge_many(requests()):
        yield from _known(waiting)
        yield waiting.popleft()[0], judgment
    yield from _known(waiting)


def _known(waiting: deque[tuple[Joined, CaseJudgment | None]]) -> Iterator[tuple[Joined, CaseJudgment]]:
    """Take the cases off the front that were not put to the engine."""
    while waiting and (found := waiting[0][1]) is not None:
        yield waiting.popleft()[0], found


def _unscored(engine: Engine, nothing: Nothing) -> CaseJudgment:
    detail = {} if nothing.message is None else {"error": nothing.message}
    reasons = dict.fromkeys(engine.metrics, nothing.reason)
    return CaseJudgment(dict.fromkeys(engine.metrics), reasons, detail)
