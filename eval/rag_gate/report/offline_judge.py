"""What a reader of the comment should know about the offline judge: which one it is, and how sure its rates are."""

import re
from collections import Counter
from collections.abc import Mapping

from rag_gate.measures import measure_of
from rag_gate.records.partial import Evaluator
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import LEXICAL
from rag_gate.statistics import wilson
from rag_gate.text import counted

_ENGINE = re.compile(r"lexical-v[0-9]{1,4}(?:@[0-9a-f]{12})?", re.ASCII)
_RATES = ("correctness", "number_match", "refusal_accuracy")
_HALF = 0.5


def judge_note(results: Results | Mapping[str, float | None], verdict: Verdict) -> Markdown | None:
    """Return what the offline judge is, where one of its metrics decides."""
    if not isinstance(results, Results):
        return None
    evaluator = results.stages.get("judge")
    decides = any((m := measure_of(name)) is not None and m.stage == "judge" for name in verdict.metrics)
    if evaluator is None or not decides or not is_lexical(evaluator):
        return None
    said = [f"The judge, {engine_of(evaluator)}, {LEXICAL}{_calibrated(evaluator)}."]
    rates = [text for name in _RATES if (text := _rate(results, name))]
    if rates:
        said.append(f"Shares with their 95 % intervals, cases taken as independent: {', '.join(rates)}.")
    said += _left_for_review(results)
    return Markdown(" ".join(said))


def _calibrated(evaluator: Evaluator) -> str:
    known = evaluator.settings.get("calibrated")
    if known is False:
        return "; it is not calibrated on your data"
    if isinstance(known, int) and known is not True:
        return f"; its scores were compared with {counted(known, 'label')} of people"
    return ""


def is_lexical(evaluator: Evaluator) -> bool:
    """Tell whether the evaluator is the offline judge."""
    return evaluator.name.startswith("lexical")


def engine_of(evaluator: Evaluator) -> str:
    """Return ``lexical-v1@`` with the digest of its weights as far as stated; nothing else passes unescaped."""
    for engine in (evaluator.settings.get("judge"), evaluator.name, f"lexical-v{evaluator.version}"):
        if isinstance(engine, str) and _ENGINE.fullmatch(engine):
            return engine
    return "lexical"


def _rate(results: Results, name: str) -> str | None:
    scores = [score for case in results.cases if (score := case.scores.get(name)) is not None]
    if not scores or any(score not in (0.0, 1.0) for score in scores):
        return None
    return f"{name} ({_share(sum(score == 1.0 for score in scores), len(scores))})"


def _left_for_review(results: Results) -> list[str]:
    """Say how many claims the judge abstained on; beyond a half, its support says nothing."""
    claims = Counter(verdict for case in results.cases for verdict in _verdicts(case.detail.get("judge")))
    total, undecided = sum(claims.values()), claims["needs_review"]
    if not total:
        return []
    text = f"It left {undecided} of {total} claims for review ({_share(undecided, total)})"
    return [
        f"{text}: more than half, so read its support as unknown."
        if undecided > _HALF * total
        else f"{text}."
    ]


def _verdicts(detail: object) -> list[str]:
    claims = detail.get("claims") if isinstance(detail, Mapping) else None
    found = (
        [claim.get("verdict") for claim in claims if isinstance(claim, Mapping)]
        if isinstance(claims, list)
        else []
    )
    return [verdict for verdict in found if isinstance(verdict, str)]


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{count / total:.3f}, {low:.3f} to {high:.3f}"
