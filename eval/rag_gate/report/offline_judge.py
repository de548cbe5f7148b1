"""What a reader of the comment should know about the offline judge: which one it is, and how sure its rates are."""

import re
from collections import Counter
from collections.abc import Mapping

from rag_gate.measures import measure_of
from rag_gate.records.partial import Evaluator
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.markdown import Markdown
from rag_gate.report.words import IN_ENGLISH, Words
from rag_gate.statistics import wilson

_ENGINE = re.compile(r"lexical-v[0-9]{1,4}(?:@[0-9a-f]{12})?", re.ASCII)
_RATES = ("correctness", "number_match", "refusal_accuracy")
_HALF = 0.5


def judge_note(
    results: Results | Mapping[str, float | None], verdict: Verdict, words: Words = IN_ENGLISH
) -> Markdown | None:
    """Return what the offline judge is, where one of its metrics decides."""
    if not isinstance(results, Results):
        return None
    evaluator = results.stages.get("judge")
    decides = any((m := measure_of(name)) is not None and m.stage == "judge" for name in verdict.metrics)
    if evaluator is None or not decides or not is_lexical(evaluator):
        return None
    said = [
        words("offline.judge", engine=Markdown(engine_of(evaluator)), known=_calibrated(evaluator, words))
    ]
    rates = [text for name in _RATES if (text := _rate(results, name, words))]
    if rates:
        said.append(words("offline.rates", rates=Markdown(words("list.comma").join(rates))))
    said += _left_for_review(results, words)
    return Markdown(words("join.sentences").join(said))


def _calibrated(evaluator: Evaluator, words: Words) -> Markdown:
    known = evaluator.settings.get("calibrated")
    if known is False:
        return words("offline.uncalibrated")
    if isinstance(known, int) and known is not True:
        return words("offline.calibrated", n=known)
    return Markdown("")


def is_lexical(evaluator: Evaluator) -> bool:
    """Tell whether the evaluator is the offline judge."""
    return evaluator.name.startswith("lexical")


def engine_of(evaluator: Evaluator) -> str:
    """Return ``lexical-v1@`` with the digest of its weights as far as stated; nothing else passes unescaped."""
    for engine in (evaluator.settings.get("judge"), evaluator.name, f"lexical-v{evaluator.version}"):
        if isinstance(engine, str) and _ENGINE.fullmatch(engine):
            return engine
    return "lexical"


def _rate(results: Results, name: str, words: Words) -> Markdown | None:
    scores = [score for case in results.cases if (score := case.scores.get(name)) is not None]
    if not scores or any(score not in (0.0, 1.0) for score in scores):
        return None
    share = _share(sum(score == 1.0 for score in scores), len(scores), words)
    return words("offline.rate", metric=Markdown(name), share=share)


def _left_for_review(results: Results, words: Words) -> list[Markdown]:
    """Say how many claims the judge abstained on; beyond a half, its support says nothing."""
    undecided, total = _claims(results)
    if not total:
        return []
    key = "offline.left_most" if leaves_most(results) else "offline.left"
    return [words(key, count=undecided, total=total, share=_share(undecided, total, words))]


def leaves_most(results: Results) -> bool:
    """Tell whether the judge abstained on more than half of the claims: its support says nothing then."""
    undecided, total = _claims(results)
    return undecided > _HALF * total


def _claims(results: Results) -> tuple[int, int]:
    claims = Counter(verdict for case in results.cases for verdict in _verdicts(case.detail.get("judge")))
    return claims["needs_review"], claims.total()


def _verdicts(detail: object) -> list[str]:
    claims = detail.get("claims") if isinstance(detail, Mapping) else None
    found = (
        [claim.get("verdict") for claim in claims if isinstance(claim, Mapping)]
        if isinstance(claims, list)
        else []
    )
    return [verdict for verdict in found if isinstance(verdict, str)]


def _share(count: int, total: int, words: Words) -> Markdown:
    low, high = wilson(count, total)
    numbers = {"value": count / total, "low": low, "high": high}
    return words("offline.share", **{key: Markdown(f"{value:.3f}") for key, value in numbers.items()})
