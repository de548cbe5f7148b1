"""A baseline of another judge is judged again from its stored answers, so that both sides have one judge."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from promoter import SETTINGS, Promoter, here

from rag_gate.judge.offline import LexicalEngine

JUDGED = SETTINGS.replace("judge: {engine: none}\n", "").replace("recall@5", "correctness: 0.03, recall@5")
AGAIN = "the baseline's stored answers were measured again as this run was (judge by lexical-v1"
Row = dict[str, Any]


class User(Promoter):
    """A user whose bot answers with a number of days that the golden set expects."""

    def record(self, lost: int = 0, answer: str = "3 days", manifest: Row | None = None) -> None:
        """Record a run; ``answer`` is what the first half of the questions is answered."""
        super().record(lost, "3 days", manifest)
        for name, change in (("golden.jsonl", self._expect), ("run.jsonl", self._answer(answer))):
            rows = [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]
            self.write(name, "".join(json.dumps(change(row)) + "\n" for row in rows))

    @staticmethod
    def _expect(row: Row) -> Row:
        return row | {"expected_answer": "3 days"}

    @staticmethod
    def _answer(answer: str) -> Any:
        return lambda row: row | ({"answer": answer} if row.get("question_id", "q9") < "q010" else {})

    def other_judge(self) -> None:
        """Make the baseline one of an earlier judge, to which half of the answers were wrong.

        So they were for its anchor, but for one: the baseline is 0.05 below it.
        """
        baseline = self.baseline
        for reference, right in ((baseline, 10), (baseline["anchor"], 11)):
            reference["stages"]["judge"]["version"] = "0"
            for case in reference["cases"][right:20]:
                case["scores"]["correctness"] = 0.0
            reference["metrics"]["correctness"] = right / 20
        for case in baseline["cases"][10:20]:
            case["status"] = "generation_failure"
        self.write("baseline.json", json.dumps(baseline))

    def check(self, *options: str) -> tuple[int, str]:
        results, settings = self.folder / "eval_results/results.json", self.folder / "rag-gate.yml"
        ended = here("check", str(results), "--config", str(settings), *options)
        return ended.code, ended.err

    @property
    def verdict(self) -> Row:
        found: Row = json.loads((self.folder / "eval_results/verdict.json").read_text("utf-8"))
        return found


@pytest.fixture
def promoted(tmp_path: Path) -> User:
    """A user with a baseline of the present judge."""
    user = User(tmp_path, cases=20, extended=5)
    user.write("rag-gate.yml", JUDGED)
    user.first()
    return user


@pytest.fixture
def user(promoted: User) -> User:
    """A user whose baseline is of another judge."""
    promoted.other_judge()
    return promoted


def test_another_judge_is_not_compared_until_both_sides_have_one(user: User) -> None:
    assert user.run().code == 3
    code, said = user.check()
    assert (code, "stage 'judge' was measured otherwise in the baseline" in said) == (3, True)
    before = user.baseline
    code, said = user.check("--rejudge")
    assert (code, f"{AGAIN} {LexicalEngine.version}); it moved correctness 0.5000 -> 1.0000" in said) == (
        0,
        True,
    ), said
    assert user.verdict["metrics"]["correctness"]["mean_base"] == 1.0
    assert user.verdict["cases"]["fixed"] == []
    assert user.baseline == before, "check writes no baseline"


def test_a_loss_is_found_although_the_judge_is_another(user: User) -> None:
    assert user.measure(answer="5 days").code == 3
    code, said = user.check("--rejudge")
    assert (code, "correctness fell by 0.5" in said) == (1, True), said
    assert len(user.verdict["cases"]["newly_failing"]) == 10


def test_nothing_is_measured_again_where_both_sides_have_one_judge(tmp_path: Path) -> None:
    user = User(tmp_path, cases=20, extended=5)
    user.write("rag-gate.yml", JUDGED)
    user.first()
    user.kept.unlink()
    assert user.run().code == 0
    code, said = user.check("--rejudge")
    assert (code, "measured again" in said) == (0, False), said


def test_a_core_run_judges_the_core_answers_again(user: User) -> None:
    assert user.run("core").code == 3
    code, _ = user.check("--rejudge")
    assert (code, user.verdict["metrics"]["correctness"]["n_pairs"]) == (0, 15)


def test_a_core_run_measures_retrieval_of_all_tiers_again(user: User) -> None:
    user.record()
    lines = [json.loads(line) for line in (user.folder / "run.jsonl").read_text("utf-8").splitlines()]
    lines[15:] = [row | {"retrieved": ["other"]} for row in lines[15:]]
    user.write("run.jsonl", "".join(json.dumps(row) + "\n" for row in lines))
    assert user.run("core").code == 3
    code, said = user.check("--rejudge")
    assert user.verdict["metrics"]["recall@5"]["n_pairs"] == 20
    assert (code, user.verdict["metrics"]["recall@5"]["beyond"]) == (0, True), said
    assert user.verdict["overall"] == "inconclusive"


def test_what_a_core_baseline_knows_of_extended_cases_is_measured_again(tmp_path: Path) -> None:
    user = Promoter(tmp_path)
    grades = [{"id": "good", "grade": 2}, {"id": "fair", "grade": 1}]
    golden = [
        {
            "question_id": f"q{n:02d}",
            "relevant_doc_ids": grades,
            "tier": "core" if n < 20 else "extended",
            "negative_assertions": ["no"],
        }
        for n in range(40)
    ]
    run = [{"question_id": f"q{n:02d}", "retrieved": ["fair"], "answer": "yes"} for n in range(40)]
    for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
        user.write(name, "".join(json.dumps(row) + "\n" for row in rows))
    assert user.run("core").code == 0
    assert user.promote("--reason", "core").code == 0
    user.write("rag-gate.yml", SETTINGS + "retrieval: {min_grade: 2}\n")
    assert user.run("core").code == 3
    ended = here("run", "--config", str(user.folder / "rag-gate.yml"), "--rejudge")
    assert ended.code == 0, ended.err
    found = json.loads((user.folder / "eval_results/verdict.json").read_text("utf-8"))["metrics"]["recall@5"]
    assert (found["n_pairs"], found["delta"], found["mean_base"]) == (40, 0.0, 0.0)


def test_a_judge_that_the_baseline_did_not_have_judges_its_answers(tmp_path: Path) -> None:
    user = User(tmp_path, cases=20, extended=5)
    user.write("rag-gate.yml", SETTINGS)
    user.first()
    user.write("rag-gate.yml", JUDGED)
    assert user.measure(answer="5 days").code == 0
    assert user.verdict["metrics"]["correctness"]["reasons"] == ["no_baseline"]
    code, said = user.check("--rejudge")
    assert (code, "correctness fell by 0.5" in said) == (1, True), said


def test_a_golden_set_of_other_cases_cannot_be_compared_either_way(user: User) -> None:
    for name in ("golden.jsonl", "run.jsonl"):
        user.write(name, (user.folder / name).read_text("utf-8").replace('"q0', '"new-'))
    assert user.run().code == 3
    code, said = user.check("--rejudge")
    assert (code, "promote a new baseline" in said) == (3, True), said


def test_edited_and_removed_cases_have_no_partner(user: User) -> None:
    path = user.folder / "golden.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[3]["question"] = "Another question?"
    user.write("golden.jsonl", "".join(json.dumps(row) + "\n" for row in rows if row is not rows[4]))
    assert user.run().code == 3
    code, _ = user.check("--rejudge")
    assert (code, user.verdict["metrics"]["correctness"]["n_pairs"]) == (0, 18)
    assert (user.verdict["cases"]["edited"], user.verdict["cases"]["removed"]) == (["q003"], ["q004"])


def test_a_run_that_is_judged_again_can_be_promoted_after_an_honest_comparison(user: User) -> None:
    assert user.measure(answer="5 days").code == 3
    refused = user.promote("--rejudge")
    assert (refused.code, "[gate_regressed]" in refused.err) == (2, True), refused.err
    assert user.measure().code == 3
    refused = user.promote("--rejudge")
    assert (refused.code, "correctness is 0.050 below the anchor" in refused.err) == (2, True), refused.err


def test_what_was_lost_before_the_judge_changed_stays_lost(user: User) -> None:
    """A judge that changes must neither reset the budget of slow decay nor use it up."""
    user.write("rag-gate.yml", JUDGED.replace("correctness: 0.03", "correctness: 0.06"))
    assert user.measure().code == 3
    promoted = user.promote("--rejudge")
    assert promoted.code == 0, promoted.err
    anchor = user.baseline["anchor"]
    assert anchor["carried"] == {"correctness": pytest.approx(-0.05)}
    assert (anchor["metrics"]["correctness"], anchor["stages"]["judge"]["version"]) == (
        1.0,
        LexicalEngine.version,
    )
    assert user.baseline["provenance"]["changes"] == {}, "the same run, measured alike"
    assert user.run().code == 0
    rows = (user.folder / "run.jsonl").read_text("utf-8").replace("3 days", "5 days", 1)
    user.write("run.jsonl", rows)
    assert user.run().code == 0
    refused = user.promote("--reason", "next")
    assert (refused.code, "correctness is 0.100 below the anchor" in refused.err) == (2, True), refused.err


@pytest.mark.parametrize(
    ("damage", "code", "said"),
    [
        ("gone", 2, "no such file"),
        ("changed", 2, "is not the run that was promoted with baseline.json"),
        ("not kept", 3, "keeps no answers that could be judged again"),
    ],
)
def test_answers_that_are_not_there_are_not_made_up(user: User, damage: str, code: int, said: str) -> None:
    assert user.run().code == 3
    if damage == "gone":
        user.kept.unlink()
    elif damage == "changed":
        user.kept.write_bytes(user.kept.read_bytes().replace(b"3 days", b"4 days", 1))
    else:
        user.write("baseline.json", json.dumps(user.baseline | {"kept_run": None}))
    ended = user.check("--rejudge")
    assert (ended[0], said in ended[1]) == (code, True), ended


def test_what_has_no_answers_at_all_says_so(user: User) -> None:
    user.run()
    results = str(user.folder / "eval_results/results.json")
    user.write("flat.json", '{"correctness": 1.0}')
    flat = str(user.folder / "flat.json")
    ended = here("check", results, "--baseline", str(user.folder / "baseline.json"), "--rejudge")
    assert (ended.code, "name them with --config" in ended.err) == (2, True)
    code, said = user.check("--rejudge", "--baseline", flat)
    assert (code, "a flat table holds no answers" in said) == (3, True)


def test_answers_are_not_kept_where_the_promoter_says_so(promoted: User) -> None:
    promoted.measure()
    assert promoted.promote("--no-keep-answers", "--reason", "answers are private").code == 0
    assert promoted.baseline["kept_run"] is None
    assert list(promoted.folder.glob("baseline.run.*")) == []


def test_a_run_that_changed_since_it_was_measured_is_not_kept(promoted: User) -> None:
    promoted.measure()
    promoted.record(answer="5 days")
    ended = promoted.promote("--reason", "next")
    assert (ended.code, promoted.baseline["kept_run"]) == (0, None)
    assert "are not kept: " in ended.err
    assert "name that with --run" in ended.err


@pytest.mark.parametrize("gone", ["golden.jsonl", "run.jsonl"])
def test_a_run_that_is_not_at_hand_is_not_kept(promoted: User, gone: str) -> None:
    promoted.measure()
    (promoted.folder / gone).unlink()
    ended = promoted.promote("--reason", "next")
    assert (ended.code, promoted.baseline["kept_run"]) == (0, None), ended.err
    assert f"the run's answers are not kept: {promoted.folder / gone}" in ended.err


def test_baselines_of_like_names_do_not_share_their_copies(promoted: User) -> None:
    promoted.measure()
    for name in ("base.json", "base.core", "base.run.json"):
        ended = promoted.promote("--baseline", str(promoted.folder / name), "--reason", "first")
        assert ended.code == 0, ended.err
    promoted.measure(answer="4 days")
    assert promoted.promote("--baseline", str(promoted.folder / "base.core"), "--reason", "b").code == 2
    forced = ("--accept-regression", "--new-anchor", "--reason", "b")
    assert promoted.promote("--baseline", str(promoted.folder / "base.core"), *forced).code == 0
    for name, stem in (("base.json", "base"), ("base.core", "base.core"), ("base.run.json", "base.run")):
        digest = json.loads((promoted.folder / name).read_text("utf-8"))["kept_run"]
        assert (promoted.folder / f"{stem}.run.{digest[:12]}.jsonl").is_file()


def test_a_copy_that_cannot_be_removed_is_said_and_does_no_harm(promoted: User) -> None:
    odd = promoted.folder / "baseline.run.0123456789ab.jsonl"
    odd.mkdir()
    os.utime(odd, (0, 0))
    promoted.measure()
    ended = promoted.promote("--reason", "next")
    assert (ended.code, f"{odd}: belongs to no baseline any more" in ended.err) == (0, True)


def test_copies_of_promotions_under_way_are_left_alone_and_old_ones_go(promoted: User) -> None:
    young, old = (promoted.folder / f"baseline.run.{digit * 12}.jsonl" for digit in "01")
    for path in (young, old):
        path.write_text("{}", encoding="utf-8")
    os.utime(old, (0, 0))
    promoted.measure(answer="3  days")
    assert promoted.promote("--reason", "next").code == 0
    assert sorted(promoted.folder.glob("baseline.run.*")) == sorted([young, promoted.kept])


def test_the_copy_stands_beside_the_file_that_a_link_points_to(promoted: User) -> None:
    shared = promoted.folder / "shared"
    shared.mkdir()
    (promoted.folder / "baseline.json").rename(shared / "baseline.json")
    (promoted.folder / "baseline.json").symlink_to(shared / "baseline.json")
    promoted.measure()
    assert promoted.promote("--reason", "next").code == 0
    names = sorted(path.name for path in shared.iterdir())
    assert names == ["baseline.history.jsonl", "baseline.json", promoted.kept.name]


def test_a_baseline_that_is_no_file_is_refused(promoted: User) -> None:
    promoted.measure()
    ended = promoted.promote("--baseline", "/dev/full", "--reason", "next")
    assert (ended.code, "/dev/full is no file" in ended.err) == (2, True)


def test_the_run_of_a_short_form_is_kept_too(tmp_path: Path) -> None:
    rows = [
        {
            "question": f"{n}?",
            "expected": "3 days",
            "gold_ids": [f"d{n}"],
            "retrieved": [f"d{n}"],
            "actual": "3 days",
            "negative_assertions": ["instant refund"],
        }
        for n in range(8)
    ]
    user = User(tmp_path)
    user.write("golden.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    user.write("rag-gate.yml", JUDGED.replace("run: run.jsonl\n", ""))
    assert user.run().code == 0
    assert user.promote("--reason", "first").code == 0
    kept = [json.loads(line) for line in user.kept.read_text("utf-8").splitlines()]
    assert all(row.keys() == {"question_id", "retrieved", "actual"} for row in kept)
    baseline = user.baseline
    baseline["stages"]["judge"]["version"] = "0"
    user.write("baseline.json", json.dumps(baseline))
    assert user.run().code == 3
    code, said = user.check("--rejudge")
    assert (code, "no mean moved" in said) == (0, True), said
