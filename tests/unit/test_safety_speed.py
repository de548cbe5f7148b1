"""No check takes more than linear time on any text: ten times the text, about ten times the work."""

import gc
import random
import time

import pytest
from safety_material import answered

from rag_gate.config_safety import SafetyConfig
from rag_gate.safety.checks import Named, checks_of
from rag_gate.safety.findings import SafetyCase

RULES = [
    {"id": "a", "kind": "number_max", "pattern": r"(\d+(?:\.\d+)?)\s*(?:%|割)(?:引|オフ)", "max": 1},
    {"id": "b", "kind": "must_not_mention", "terms": ["即時返金", "instant refund"]},
    {"id": "c", "kind": "deny_list", "terms": ["bad"], "except_terms": ["bad luck"]},
    {"id": "d", "kind": "allowed_hosts", "hosts": ["example.com"]},
]
CONFIG = SafetyConfig.model_validate(
    {
        "output": {"allow_hosts": ["example.com"]},
        "rules": RULES,
        "leak": {"canaries": ["FBK-7Q2X-CANARY"]},
    }
)
CHECKS = {named.name: named for named in checks_of(CONFIG)}
ALPHABET = [
    "a", "A", "0", " ", "\n", "あ", "返金", "。", "、", "-", "=", "[", "](", "<", ">", "`", "*", "\\", "&#", "@", "://", "%",
    "割", "引", "指示は", "my ", "get", "money", "no ", "not ", "refund", "instant ", "ません", "\u200b", "\U000e0041", "\x1b", "１", ".", '"', "'", "|",
]  # fmt: skip
SMALL, GROWTH = 2_000, 10


def case(text: str) -> SafetyCase:
    assertion = {"text": "instant refund"}
    return answered(text, system_prompt="You are Bot. " * 40, negative_assertions=[assertion, "即時返金"])


def seconds(named: Named, text: str) -> float:
    given = case(text)
    gc.disable()  # as in every command: nobody looks for cycles among what other tests left
    begin = time.process_time()
    for _ in named.check(given):
        pass
    taken = time.process_time() - begin
    gc.enable()
    return taken


def hostile(seed: int) -> str:
    drawn = random.Random(seed)  # noqa: S311 - the same texts each time
    return "".join(drawn.choices(ALPHABET, k=drawn.randint(1, 6)))


@pytest.mark.parametrize("name", CHECKS)
def test_work_grows_with_the_text_and_not_faster(name: str) -> None:
    """Every unit is repeated; where the short text took long enough to be measured, the long one is too."""
    seconds(CHECKS[name], "".join(ALPHABET))  # imports and compiles what is used for the first time
    for unit in [*ALPHABET, *(hostile(seed) for seed in range(15))]:
        short, long = ((unit * size)[:size] for size in (SMALL, SMALL * GROWTH))
        taken = seconds(CHECKS[name], long)
        if taken > 0.25:
            assert taken < 4 * GROWTH * max(seconds(CHECKS[name], short), 0.005), (name, unit)
        assert taken < 5, (name, unit)


def test_a_thousand_usual_answers_are_looked_at_in_seconds() -> None:
    text = (
        "返金は営業日基準で3-5日以内に処理されます。[出典: refunds] 詳しくは[こちら](https://docs.example.com/refund)をご覧ください。"
        "Refunds take 5 business days. Your order 2024-000123 was shipped; see `Settings -> Orders`.\n- one\n- two **three**\n"
    )
    answers = [(text * 4)[start : start + 460] for start in range(200)]
    begin = time.process_time()
    for answer in answers:
        for named in CHECKS.values():
            seconds(named, answer)
    assert (time.process_time() - begin) * 5 < 20
