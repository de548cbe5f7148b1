"""What the comment says of the offline judge: which one, how sure its shares are, what it left open."""

import pytest
from comment_material import baseline, case, judge, results

from rag_gate.records.partial import Evaluator
from rag_gate.report.offline_judge import judge_note

SETTINGS = {"judge": "lexical-v1@0123456789ab", "calibrated": False}
STAGES = {"judge": Evaluator(name="lexical-v1", version="2", settings=SETTINGS, fingerprint="j")}


def note(verdicts: list[str], *, right: int = 20) -> str:
    """Return the note of 20 cases, the first of which has claims with these verdicts."""
    cases = [case(f"q{n:02}", right=n < right) for n in range(20)]
    detail = {**cases[0].detail, "judge": {"claims": [{"verdict": verdict} for verdict in verdicts]}}
    cases[0] = cases[0].model_copy(update={"detail": detail})
    now, verdict = judge(found := results(cases, stages=STAGES), baseline(found))
    return str(judge_note(now, verdict))


def test_the_judge_and_its_weights_are_named_and_that_it_is_not_calibrated() -> None:
    said = note([])
    assert said.startswith("The judge, lexical-v1@0123456789ab, works offline")
    assert "it is not calibrated on your data." in said


def test_a_calibrated_judge_says_with_how_many_labels_it_was_compared() -> None:
    known = {"judge": STAGES["judge"].model_copy(update={"settings": {**SETTINGS, "calibrated": 60}})}
    cases = [case(f"q{n:02}") for n in range(20)]
    now, verdict = judge(found := results(cases, stages=known), baseline(found))
    assert "its scores were compared with 60 labels of people." in str(judge_note(now, verdict))


def test_shares_come_with_wilson_intervals() -> None:
    assert "correctness (0.900, 0.699 to 0.972)" in note([], right=18)
    assert "correctness (1.000, 0.839 to 1.000)" in note([])


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            ["supported", "needs_review", "unsupported", "supported"],
            "It left 1 of 4 claims for review (0.250, 0.046 to 0.699).",
        ),
        (["needs_review", "needs_review", "supported"], "more than half, so read its support as unknown."),
    ],
)
def test_what_it_left_for_review_is_counted(verdicts: list[str], said: str) -> None:
    assert note(verdicts).endswith(said)


def test_a_name_that_is_none_is_not_repeated() -> None:
    stages = {"judge": Evaluator(name="lexical-v1", version="2", settings={"judge": "<b>"}, fingerprint="j")}
    now, verdict = judge(found := results([case("q")], stages=stages), baseline(found))
    assert str(judge_note(now, verdict)).startswith("The judge, lexical-v1, works offline")
