"""Retrieval needs no model, so a core run measures it on every case that was retrieved for."""

import json
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
    words = f"the run holds results of {len(held) - CORE} of 40 extended cases, so retrieval is measured on"
    assert (words in ended.err) is said


def test_a_core_baseline_keeps_what_retrieval_found_for_the_others(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    assert user.measure(tier="core").code == 0
    assert user.promote("--reason", "core only").code == 0
    assert (len(user.baseline["cases"]), len(user.baseline["extended_retrieval"])) == (CORE, ALL - CORE)
    assert user.measure(lost=1, tier="core").code == 0
    verdict = files(user, "verdict.json")
    assert verdict["metrics"]["recall@5"]["n_pairs"] == ALL
    assert verdict["cases"]["added"] == []


def test_stages_of_another_golden_set_are_not_merged(user: Promoter) -> None:
    user.measure(tier="core")
    path = user.folder / "eval_results/retrieval.json"
    path.write_text(
        path.read_text("utf-8").replace('"tier":"core"', '"tier":"extended"', 1), encoding="utf-8"
    )
    parts = [str(user.folder / f"eval_results/{stage}.json") for stage in ("retrieval", "safety")]
    ended = here("merge", *parts, "--stages", "retrieval,safety", "--output", str(user.folder / "r.json"))
    assert ended.code == 3
    assert "all tiers of another golden set" in ended.err


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
    user.write("rag-gate.yml", SETTINGS + "gate: {removed_ok: [q099]}\n")
    assert user.run("core").code == 0
