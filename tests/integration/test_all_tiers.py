"""Retrieval needs no model, so a core run measures it on every case that was retrieved for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from promoter import SETTINGS, Promoter, here

CORE, ALL = 60, 100


@pytest.fixture
def user(tmp_path: Path) -> Promoter:
    return Promoter(tmp_path).first()


def files(user: Promoter, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((user.folder / "eval_results" / name).read_text(encoding="utf-8"))
    return found


def rewrite_run(user: Promoter, keep: range, **change: Any) -> None:
    """Keep only these cases of the run, with something else in each extended one."""
    rows = [json.loads(line) for line in (user.folder / "run.jsonl").read_text("utf-8").splitlines()]
    rows = [row | (change if number >= CORE else {}) for number, row in enumerate(rows) if number in keep]
    user.write("run.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def test_a_core_run_compares_retrieval_on_all_tiers_and_the_rest_on_its_own(user: Promoter) -> None:
    user.record(lost=2)
    rewrite_run(user, range(ALL), answer=None)
    ended = user.run("core")
    verdict, results = files(user, "verdict.json"), files(user, "results.json")
    assert ended.code == 0, ended.err
    assert verdict["metrics"]["recall@5"]["n_pairs"] == ALL
    assert verdict["metrics"]["safety_pass_rate"]["n_current"] == CORE
    assert verdict["dataset"]["tier"] == "core"
    assert (len(results["cases"]), len(results["extended_retrieval"])) == (CORE, ALL - CORE)
    assert results["metrics"]["recall@5"] | {"reasons": {}} == {
        "mean": 0.98,
        "n_scored": ALL,
        "n_excluded": 0,
        "n_unscored": 0,
        "n_missing": 0,
        "reasons": {},
    }
    assert "100 cases, all tiers" in user.comment
    assert "60 cases" in user.comment


def test_a_loss_in_the_extended_tier_alone_fails_a_core_run(user: Promoter) -> None:
    user.record()
    rewrite_run(user, range(ALL), retrieved=["other"])
    ended = user.run("core")
    assert ended.code == 1
    assert "recall@5 fell by 0.4" in ended.err
    worsened = files(user, "verdict.json")["worsened"]["recall@5"]
    assert [row["question_id"] for row in worsened] == [f"q{n:03d}" for n in range(CORE, ALL)]
    assert "q060" in user.comment


@pytest.mark.parametrize(
    ("held", "cases", "said"),
    [
        (range(CORE), CORE, False),
        (range(CORE + 12), CORE, True),
        (range(ALL - 3), CORE, True),
        (range(ALL - 2), ALL - 2, False),
    ],
)
def test_what_was_never_asked_does_not_count_as_not_found(
    user: Promoter, held: range, cases: int, *, said: bool
) -> None:
    user.record()
    rewrite_run(user, held)
    ended = user.run("core")
    assert (ended.code, files(user, "verdict.json")["metrics"]["recall@5"]["n_pairs"]) == (0, cases), (
        ended.err
    )
    words = f"the run holds results of {len(held) - CORE} cases of the extended tier, too few to measure"
    assert (words in user.comment) is said


def test_a_core_baseline_keeps_what_retrieval_found_for_the_others(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    assert user.measure(tier="core").code == 0
    assert user.promote("--reason", "core only").code == 0
    assert (len(user.baseline["cases"]), len(user.baseline["extended_retrieval"])) == (CORE, ALL - CORE)
    assert user.measure(lost=1, tier="core").code == 0
    verdict = files(user, "verdict.json")
    assert verdict["metrics"]["recall@5"]["n_pairs"] == ALL
    assert verdict["cases"]["added"] == []


def test_a_stage_of_all_tiers_is_not_merged_with_one_of_the_core_tier(user: Promoter) -> None:
    user.measure(tier="core")
    config = str(user.folder / "rag-gate.yml")
    whole = str(user.folder / "r.json")
    assert here("retrieval", "--config", config, "--tier", "extended", "--output", whole).code == 0
    parts = [whole, str(user.folder / "eval_results/safety.json")]
    ended = here("merge", *parts, "--stages", "retrieval,safety", "--output", str(user.folder / "m.json"))
    assert (ended.code, "measured different golden sets" in ended.err) == (3, True)


def test_shards_carry_the_extended_cases_and_a_missing_one_is_noticed(user: Promoter) -> None:
    user.measure(tier="core")
    config = str(user.folder / "rag-gate.yml")
    parts = []
    for index in (1, 2, 3):
        parts.append(str(user.folder / f"r{index}.json"))
        shard = ("--shard", f"{index}/3", "--output", parts[-1])
        assert here("retrieval", "--config", config, *shard).code == 0
    safety = str(user.folder / "eval_results/safety.json")
    merged = user.folder / "merged.json"
    assert here("merge", *parts, safety, "--config", config, "--output", str(merged)).code == 0
    assert merged.read_bytes() == (user.folder / "eval_results/results.json").read_bytes()
    partial = json.loads(Path(parts[1]).read_text("utf-8"))
    partial["extended_retrieval"].pop()
    Path(parts[1]).write_text(json.dumps(partial), encoding="utf-8")
    ended = here("merge", *parts, safety, "--config", config, "--output", str(merged))
    assert (ended.code, "holds 39 of 40 extended cases" in ended.err) == (3, True)


@pytest.mark.parametrize("failed", [3, 40])
def test_what_was_asked_and_failed_does_not_hide_the_loss_of_the_others(user: Promoter, failed: int) -> None:
    user.record()
    rewrite_run(user, range(ALL), retrieved=["other"])
    rows = [json.loads(line) for line in (user.folder / "run.jsonl").read_text("utf-8").splitlines()]
    rows[-failed:] = [{"question_id": row["question_id"], "error": "timeout"} for row in rows[-failed:]]
    user.write("run.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    ended = user.run("core")
    assert ended.code == (1 if failed == 3 else 3), ended.err


def edit_golden(user: Promoter, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    rows = [json.loads(line) for line in (user.folder / "golden.jsonl").read_text("utf-8").splitlines()]
    changed = [row for row in map(change, rows) if row is not None]
    user.write("golden.jsonl", "".join(json.dumps(row) + "\n" for row in changed))


def test_edited_removed_and_added_extended_cases_are_named_in_a_core_run(user: Promoter) -> None:
    user.record()
    edit_golden(user, lambda row: row | {"question": "Other?"} if row["question_id"] >= "q095" else row)
    edit_golden(user, lambda row: None if row["question_id"] == "q090" else row)
    assert user.run("core").code == 0
    cases = files(user, "verdict.json")["cases"]
    assert (cases["edited"], cases["removed"]) == ([f"q{n:03d}" for n in range(95, ALL)], ["q090"])
    assert "5 cases were edited and cannot be compared" in user.comment
    edit_golden(user, lambda row: row | {"question": "Else?"} if row["tier"] == "extended" else row)
    edit_golden(user, lambda row: row | {"question": "Else?"} if row["question_id"] < "q005" else row)
    ended = user.run("core")
    assert (ended.code, "are still in the golden set unchanged" in ended.err) == (3, True)


def test_a_case_that_changes_its_tier_keeps_its_partner(user: Promoter) -> None:
    user.record()
    edit_golden(user, lambda row: row | {"tier": "core"})
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace("3 days", "instant refund")
    user.write("run.jsonl", rows)
    assert user.run("core").code == 1
    verdict = files(user, "verdict.json")
    assert (verdict["cases"]["added"], len(verdict["cases"]["newly_failing"])) == ([], ALL)
    user.record()
    edit_golden(user, lambda row: row | ({"tier": "extended"} if row["question_id"] < "q010" else {}))
    assert user.run("core").code == 0
    assert files(user, "verdict.json")["cases"]["removed"] == []


def test_frozen_retrieval_holds_for_every_case_that_was_retrieved_for(user: Promoter) -> None:
    user.write("rag-gate.yml", SETTINGS + "gate: {frozen_retrieval: true}\n")
    user.record()
    assert user.run("core").code == 0
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace('["d99"]', '["d99", "more"]')
    user.write("run.jsonl", rows)
    ended = user.run("core")
    assert (ended.code, "the results of 1 case are not the baseline's: q099" in ended.err) == (3, True)


def test_an_extended_must_pass_case_that_retrieval_loses_fails_a_core_run(user: Promoter) -> None:
    user.record()
    edit_golden(user, lambda row: row | ({"must_pass": True} if row["question_id"] == "q099" else {}))
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace('["d99"]', '["other"]')
    user.write("run.jsonl", rows)
    ended = user.run("core")
    assert (ended.code, "must-pass cases fail: q099" in ended.err) == (1, True), ended.err
    assert files(user, "verdict.json")["stage"] == "retrieval"
    assert "`q099`" in user.comment


def test_metrics_that_are_only_reported_are_compared_on_all_tiers_too(user: Promoter) -> None:
    user.record()
    rewrite_run(user, range(ALL), retrieved=["other"])
    user.run("core")
    found = files(user, "verdict.json")["report_only"]["hit@5"]
    assert (found["n_pairs"], found["delta"]) == (ALL, pytest.approx(-0.4))


def test_results_that_lost_extended_rows_are_not_judged(user: Promoter) -> None:
    user.measure(tier="core")
    path = user.folder / "eval_results/results.json"
    document = json.loads(path.read_text("utf-8"))
    for broken, said in (
        (
            document | {"extended_retrieval": document["extended_retrieval"][:20]},
            "counts 100 cases, and 80 have it",
        ),
        (document | {"extended_retrieval": []}, "counts 100 cases, and 60 have it"),
    ):
        path.write_text(json.dumps(broken), encoding="utf-8")
        ended = here("check", str(path), "--config", str(user.folder / "rag-gate.yml"))
        assert (ended.code, said in ended.err) == (2, True), ended.err


def test_an_extended_case_that_failed_in_retrieval_cannot_leave_unseen(user: Promoter) -> None:
    user.record()
    rewrite_run(user, range(ALL))
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace('"d99"', '"other"')
    user.write("run.jsonl", rows)
    assert user.run().code == 0
    assert user.promote("--reason", "one is lost").code == 0
    golden = (user.folder / "golden.jsonl").read_text("utf-8").splitlines()
    user.write("golden.jsonl", "\n".join(golden[:-1]))
    ended = user.run("core")
    assert (ended.code, "removing cases that failed hides them: q099" in ended.err) == (3, True), ended.err
    edit_golden(user, lambda row: row | {"tier": "core"} if row["tier"] == "core" else None)
    ended = user.run("core")
    assert (ended.code, "removing cases that failed hides them: q099" in ended.err) == (3, True), ended.err
    user.write("rag-gate.yml", SETTINGS + "gate: {removed_ok: [q099], min_overlap: 0.5}\n")
    assert user.run("core").code == 0


def test_a_core_baseline_remembers_which_extended_cases_failed(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    user.record()
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace('["d99"]', '["other"]')
    user.write("run.jsonl", rows)
    assert user.run("core").code == 0
    assert user.promote("--reason", "core only").code == 0
    edit_golden(user, lambda row: None if row["question_id"] == "q099" else row)
    ended = user.run("core")
    assert (ended.code, "removing cases that failed hides them: q099" in ended.err) == (3, True), ended.err
