"""Judge every recorded answer with one engine; one streaming pass over the joined run."""

from pathlib import Path

from rag_gate.dataset import GoldenSet, Joined, open_run
from rag_gate.judge.engine import CaseJudgment, Engine, JudgeError, JudgeRequest
from rag_gate.partials import PartialWriter, evaluator_of
from rag_gate.reasons import MISSING
from rag_gate.records.partial import Shard

#: Metrics that only a model judge can measure; an engine that does not is said to be so, with null.
MODEL_METRICS = ("faithfulness", "relevance")


def evaluate_judge(
    golden: GoldenSet, run_source: str | None, engine: Engine, output: Path, shard: Shard | None = None
) -> list[str]:
    """Judge the answers and write the partial ``judge.json``.

    A judgment that cannot be had leaves its case unscored with the reason ``judge_error``.

    Returns:
        Warnings, one line each.

    Raises:
        InputError: if the run cannot be read.
    """
    shard = shard or Shard()
    unmeasured = tuple(name for name in MODEL_METRICS if name not in engine.metrics)
    writer = PartialWriter((*engine.metrics, *unmeasured))
    run = open_run(golden, run_source, shard, other_answers=writer.learn)
    for joined in run:
        found = _judge(joined, engine)
        scores = {**dict.fromkeys(unmeasured), **found.scores}
        reasons = {**dict.fromkeys(unmeasured, "not_measured"), **found.reasons}
        writer.add(joined, scores, reasons, found.detail)
    evaluator = evaluator_of(engine.name, engine.version, engine.settings)
    writer.write(output, "judge", evaluator, run, shard)
    return []


def _judge(joined: Joined, engine: Engine) -> CaseJudgment:
    case, record = joined.case, joined.record
    if record is None:
        return _unscored(engine, MISSING)
    if joined.state == "error":
        return _unscored(engine, "run_error", record.error)
    if record.answer is None:
        return _unscored(engine, "no_answer_recorded")
    request = JudgeRequest(
        question_id=case.question_id,
        question=case.question,
        answer=record.answer,
        contexts=tuple(text for text in record.texts() if text is not None),
        expected=case.expected_answers,
        answerable=case.is_answerable,
        language=case.language,
    )
    try:
        return engine.judge(request)
    except JudgeError as error:
        return _unscored(engine, "judge_error", str(error))


def _unscored(engine: Engine, reason: str, message: str | None = None) -> CaseJudgment:
    detail = {} if message is None else {"error": message}
    return CaseJudgment(dict.fromkeys(engine.metrics), dict.fromkeys(engine.metrics, reason), detail)
