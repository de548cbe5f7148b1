"""Two references: many small steps, each inside its tolerance, do not add up unnoticed."""

import json
from pathlib import Path

import pytest
from promoter import SETTINGS, Promoter


@pytest.fixture
def user(tmp_path: Path) -> Promoter:
    return Promoter(tmp_path).first(manifest={"commit": "4f2a9c1"})


def test_twelve_small_drops_are_stopped_by_the_anchor(user: Promoter) -> None:
    day = user.baseline["anchor"]["promoted_at"][:10]
    codes, said = [], ""
    for lost in range(1, 13):
        assert user.measure(lost=lost).code in {0, 1}
        ended = user.promote("--reason", f"step {lost}")
        codes.append(ended.code)
        said = said or ("" if ended.code == 0 else ended.err)
    assert codes == [0, 0, 0] + [2] * 9
    assert (
        f"recall@5 is 0.040 below the anchor of {day} (commit 4f2a9c1), more than its budget 0.03: each step "
        "was inside the tolerance"
    ) in said
    assert said.count("[") == said.count("[anchor_budget_exceeded]") == 1
    assert user.baseline["metrics"]["recall@5"] == 0.97
    assert user.baseline["anchor"]["metrics"]["recall@5"] == 1.0


def test_check_names_the_anchor_and_does_not_fail_for_it(user: Promoter) -> None:
    assert user.measure(lost=3).code == 0
    assert not any("anchor" in notice for notice in user.notices)
    assert user.promote("--reason", "known").code == 0
    ended = user.measure(lost=5)
    assert ended.code == 0
    sentence = next(notice for notice in user.notices if "anchor" in notice)
    assert sentence.startswith("recall@5 is 0.050 below the anchor of ")
    assert "the anchor of" in user.comment
    assert "more than its budget 0.03" in ended.err


def test_a_run_of_the_core_tier_is_not_measured_against_the_anchor(user: Promoter) -> None:
    user.measure(lost=3)
    assert user.promote("--reason", "known").code == 0
    assert user.measure(lost=4, tier="core").code == 0
    assert not any("anchor" in notice for notice in user.notices)


def test_the_anchor_moves_only_on_request_and_for_a_reason(user: Promoter) -> None:
    before = user.baseline
    assert user.measure(lost=3).code == 0
    assert user.promote("--new-anchor").code == 2
    assert "--new-anchor needs a reason" in user.promote("--new-anchor", "--reason", " ").err
    assert user.baseline == before
    moved = user.promote("--new-anchor", "--reason", "release 2.0")
    assert moved.code == 0
    assert "this run becomes the anchor, instead of the anchor of" in moved.err
    anchor = user.baseline["anchor"]
    assert (anchor["reason"], anchor["tier"], anchor["metrics"]) == (
        "release 2.0",
        "extended",
        {"recall@5": 0.97},
    )
    assert anchor["cases"][0].keys() == {"question_id", "fingerprint", "scores"}
    assert anchor["cases"][0]["scores"] == {"recall@5": 0.0}
    assert user.measure(lost=6).code == 0
    assert user.promote("--reason", "counts from the new anchor").code == 0


def test_a_used_up_budget_needs_its_own_flag(user: Promoter) -> None:
    user.measure(lost=3)
    user.promote("--reason", "known")
    user.measure(lost=6)
    refused = user.promote("--accept-regression", "--reason", "this flag is for something else")
    assert (refused.code, refused.err.count("[anchor_budget_exceeded]")) == (2, 1)
    assert "[anchor_budget_exceeded]" in user.promote("--new-anchor").err
    assert user.promote("--new-anchor", "--reason", "new corpus").code == 0


def test_a_core_run_is_no_anchor_where_there_is_an_extended_tier(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    user.measure(tier="core")
    assert "needs a run of the extended tier" in user.promote("--new-anchor", "--reason", "x").err
    assert user.promote("--reason", "first").code == 0
    assert "anchor" not in user.baseline
    user.measure()
    promoted = user.promote("--reason", "all cases")
    assert (promoted.code, user.baseline["anchor"]["reason"]) == (0, "all cases")
    assert "this run becomes the anchor" in promoted.err


def test_without_an_extended_tier_every_run_counts(tmp_path: Path) -> None:
    user = Promoter(tmp_path, extended=0).first(tier="core")
    assert user.baseline["anchor"]["tier"] == "core"
    user.measure(lost=3, tier="core")
    assert user.promote("--reason", "known").code == 0
    user.measure(lost=4, tier="core")
    assert "[anchor_budget_exceeded]" in user.promote("--reason", "once more").err


def test_a_metric_that_the_anchor_does_not_hold_is_named(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS.replace("recall@5: 0.03", "recall@5: 0.03, mrr: 0.03"))
    user.measure()
    assert "mrr: not in the anchor of" in user.promote("--reason", "now mrr too").err


def test_a_metric_that_was_measured_otherwise_is_not_silently_passed_over(tmp_path: Path) -> None:
    settings = SETTINGS.replace("recall@5: 0.03", "recall@5: 0.03, citation_rate: 0.03")
    user = Promoter(tmp_path)
    user.write("rag-gate.yml", settings)
    user.first()
    user.write("rag-gate.yml", settings + "safety: {strict: true}\n")
    assert user.measure().code == 3
    refused = user.promote()
    assert (refused.code, "[gate_error]" in refused.err) == (3, True)
    refused = user.promote("--reason", "strict now")
    assert (refused.code, refused.err.count("promote:")) == (2, 1)
    assert "citation_rate cannot be compared with the anchor of" in refused.err
    assert user.promote("--new-anchor", "--reason", "strict now").code == 0


def test_an_anchor_of_which_nothing_can_be_compared_starts_anew_for_a_reason(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS + "retrieval: {success: {rule: any}}\n")
    assert user.measure().code == 3
    assert "[anchor_budget_exceeded]" in user.promote().err
    promoted = user.promote("--reason", "another rule")
    assert (promoted.code, user.baseline["anchor"]["reason"]) == (0, "another rule")


def test_an_anchor_of_which_little_is_left_is_named(user: Promoter) -> None:
    user.measure()
    golden = (user.folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    changed = [
        line.replace("Question", "Asked anew: question") if n < 30 else line for n, line in enumerate(golden)
    ]
    user.write("golden.jsonl", "\n".join(changed))
    assert user.run().code == 0
    assert any("only 70 of the 100 cases of the anchor of" in notice for notice in user.notices)


def test_a_baseline_that_lags_behind_is_pointed_out(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    user.measure(lost=10)
    assert user.promote("--reason", "first").code == 0
    user.measure(lost=7)
    assert not any("promote to keep the gain" in notice for notice in user.notices)
    user.measure(lost=4)
    sentence = "recall@5: the baseline is lower than this run by 0.060; promote to keep the gain"
    assert sentence in user.notices
    assert "promote to keep the gain" in user.comment


def test_a_baseline_of_before_there_were_anchors_gets_one(user: Promoter) -> None:
    old = user.baseline
    del old["anchor"]
    user.write("baseline.json", json.dumps(old))
    assert user.measure(lost=1).code == 0
    assert user.promote("--reason", "next").code == 0
    assert user.baseline["anchor"]["reason"] == "next"


def test_an_anchor_that_was_changed_by_hand_is_refused(user: Promoter) -> None:
    broken = user.baseline
    broken["anchor"]["cases"].append(broken["anchor"]["cases"][0])
    user.write("baseline.json", json.dumps(broken))
    ended = user.measure()
    assert (ended.code, "anchor: cases: 'q000' stands twice" in ended.err) == (2, True)
