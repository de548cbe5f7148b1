"""What a pull request can meet, each as results with their verdict."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from comment_material import (
    MANIFEST,
    TOLERANCES,
    Scenario,
    baseline,
    case,
    good,
    judge,
    missing,
    results,
    with_changes,
)

from rag_gate.config_models import Tolerance
from rag_gate.records.judging import Judging, ModelUse
from rag_gate.records.partial import CaseInfo, DatasetInfo, Evaluator, RunInfo
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict


def passes() -> Scenario:
    return judge(results(good()), baseline(results(good())))


def retrieval_regression() -> Scenario:
    lost = {n: {"found": False, "right": n % 3 == 0} for n in range(10, 22)}
    late = {n: {"scores": {**case("x").scores, "mrr": 0.5}} for n in range(30, 36)}
    return judge(results(with_changes(lost | late)), baseline(results(good())))


def answer_regression() -> Scenario:
    wrong = with_changes({n: {"right": False} for n in range(10, 20)})
    wrong[3] = case(
        "q-003", safe=False,
        detail={"safety": {"findings": [forbidden("refunds are instant")]}},
    )  # fmt: skip
    return judge(results(wrong), baseline(results(with_changes({50: {"found": False}}))))


def forbidden(quote: str) -> dict[str, Any]:
    """What the safety stage writes of a forbidden statement."""
    note = "the answer makes the statement of negative assertion 1"
    check, rule = "negative_assertions", "FORBIDDEN_STATEMENT"
    return {"check": check, "rule": rule, "ruling": "fail", "note": note, "quote": quote}


def inconclusive() -> Scenario:
    return judge(
        results(with_changes({n: {"found": False} for n in range(3)}, 30)), baseline(results(good(30)))
    )


def inconclusive_that_fails() -> Scenario:
    now = results(with_changes({n: {"right": False} for n in range(3)}, 30))
    return judge(now, baseline(results(good(30))), strict=True)


def not_evaluated() -> Scenario:
    now = [missing(row.question_id) if n % 6 == 5 else row for n, row in enumerate(good())]
    return judge(results(now), baseline(results(good())))


def no_baseline() -> Scenario:
    return judge(results(with_changes({7: {"found": False}, 8: {"right": False}})), None)


def flat() -> Scenario:
    then = {"recall@5": 0.88, "mrr": 0.75, "faithfulness": 0.91}
    now: dict[str, float | None] = {"recall@5": 0.83, "mrr": 0.72, "faithfulness": 0.91}
    user = {name: Tolerance(tolerance=0.03) for name in then}
    return judge(now, dict(then), tolerances=user)


def hostile(
    text: str = "|`<img src=x onerror=a()> @org/team #1 [x](http://e.vil) **b**\n## h\u202e",
) -> Scenario:
    rows = [
        case(
            f"{text}{n}",
            found=n > 12,
            right=n > 16,
            safe=n != 5,
            answer=text,
            info=CaseInfo(question=text, must_pass=n == 1, slices={"category": text}),
            detail=_hostile_detail(text),
        )
        for n in range(40)
    ]
    lost = missing(f"{text}lost")
    lost = lost.model_copy(update={"reasons": dict.fromkeys(lost.scores, text or "?")})
    now = results([*rows, lost], manifest=dict.fromkeys(MANIFEST, f"now {text}") | {"extra": text})
    then = results(
        [case(f"{text}{n}", safe=True, info=row.info) for n, row in enumerate(rows)],
        manifest=dict.fromkeys(MANIFEST, f"then {text}"),
    )
    gone = baseline(results([*then.cases, case(f"{text}gone")], manifest=dict.fromkeys(MANIFEST, "then")))
    own = {f"own {text}": Tolerance(direction="higher", tolerance=0.1)}
    return judge(now, gone, tolerances=TOLERANCES | own)


def _hostile_detail(text: str) -> dict[str, Any]:
    finding = {"check": text, "rule": text, "ruling": "fail", "note": text, "quote": text}
    claim = {"text": text, "verdict": "unsupported", "evidence": text, "flags": [text]}
    return {
        "retrieval": {"gold_ranks": {text: 7, f"{text}b": None}, "evidence_ranks": [None], "retrieved": [text, None]},
        "judge": {"answer": text, "expected": [text], "claims": [claim], "missing": [f"m{text}"], "flags": [text]},
        "safety": {"findings": [finding], "cited": [text], "unknown_citations": [text]},
    }  # fmt: skip


@cache  # thousands of cases take a second
def too_many() -> Scenario:
    return judge(
        results(with_changes({n: {"found": False, "right": False} for n in range(3000)}, 3200)),
        baseline(results(good(3200))),
    )


def changed_conditions() -> Scenario:
    then = {**MANIFEST, "model": "gpt-4o-mini-2024-07-18", "prompt_version": "v11"}
    wrong = {n: {"right": False} for n in range(10, 20)}
    return judge(results(with_changes(wrong)), baseline(results(good(), manifest=then)))


def japanese() -> Scenario:
    question, right, wrong = "返金には何日かかりますか？", "5営業日です。", "14日ほどかかります。"
    rows = []
    for n, row in enumerate(good()):
        ok = not 10 <= n < 20
        detail = {
            "retrieval": {"gold_ranks": {"返金規定": 1 if ok else None}, "evidence_ranks": [1 if ok else None],
                          "retrieved": ["返金規定" if ok else "配送案内", "よくある質問"]},
            "judge": {"answer": right if ok else wrong, "expected": [right], "missing": [] if ok else ["5営業日"]},
        }  # fmt: skip
        info = CaseInfo(question=question, must_pass=n == 12, slices={"category": "返金"})
        rows.append(case(f"質問-{n:02}", found=ok, right=ok, safe=row.safety_ok, info=info, detail=detail))
    then = [case(row.question_id, safe=row.safety_ok, info=row.info) for row in rows]
    return judge(results(rows), baseline(results(then)))


def changed_set() -> Scenario:
    then = [
        *with_changes({4: {"found": False}, 5: {"right": False}}),
        case("old-1"),
        case("q-new"),
    ]
    now = [*with_changes({4: {"found": True}, 5: {"right": False}})]
    now[7] = case("q-007", found=False, fingerprint="edited")
    return judge(results([*now, case("q-added", right=False)]), baseline(results(then)))


def used(calls: int, tokens: tuple[int, int], usd: float, *, cached: bool) -> ModelUse:
    if cached:
        return ModelUse(prompt="v1", cached=calls, cost_usd=0.0, saved_usd=usd)
    return ModelUse(
        prompt="v1", calls=calls, requests=calls + 2, cost_usd=usd, saved_usd=0.0,
        prompt_tokens=tokens[0], completion_tokens=tokens[1],
    )  # fmt: skip


def model_judge(*, cached: bool = False) -> Scenario:
    """A cascade of two models, paid for or all from the cache."""
    judging = Judging(
        models={
            "gpt-4o-2024-11-20": used(8, (5760, 2660), 0.041, cached=cached),
            "gpt-4o-mini-2024-07-18": used(61, (43_920, 11_000), 0.0132, cached=cached),
        },
        asked=60,
        by_rule=2,
        second_look=7,
        canary="caught",
    )
    stages = {**results(good()).stages, "judge": Evaluator(name="llm", version="1", fingerprint="j")}
    now = results(good(), judging=judging, stages=stages)
    return judge(now, baseline(now))


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "pass": passes,
    "regression-retrieval": retrieval_regression,
    "regression-answer": answer_regression,
    "inconclusive": inconclusive,
    "inconclusive-that-fails": inconclusive_that_fails,
    "not-evaluated": not_evaluated,
    "no-baseline": no_baseline,
    "flat-results": flat,
    "hostile-text": hostile,
    "too-many-cases": too_many,
    "changed-conditions": changed_conditions,
    "changed-golden-set": changed_set,
    "japanese": japanese,
    "model-judge": model_judge,
    "model-judge-cached": partial(model_judge, cached=True),
}


def rewritten(verdict: Verdict, text: str) -> Verdict:
    """A verdict whose texts are all the same hostile one."""
    first = next(iter(verdict.metrics.values()))
    return verdict.model_copy(
        update={
            "summary": text,
            "problems": [text, text],
            "notices": [text, text],
            "metrics": {**verdict.metrics, text: first.model_copy(update={"reasons": (text,), "notes": (text,)})},
            "worsened": {text: verdict.worsened["recall@5"]} | verdict.worsened,
            "slices": [row.model_copy(update={"slice": text, "metric": text}) for row in verdict.slices],
            "conditions": {text: (text, None), f"{text}2": (None, text)},
            "cases": verdict.cases.model_copy(update={key: [text, text] for key in ("added", "removed", "edited")}),
            "baseline_commit": text,
            "baseline_promoted_at": text,
            "dataset": DatasetInfo(fingerprint=text, tier="core", n_cases=1),
            "run": RunInfo(fingerprint=text, manifest=RunManifest.model_validate({text: text, "model": text})),
        }
    )  # fmt: skip
