"""A baseline of another judge is judged again from its stored answers, so that both sides have one judge."""

import json
from pathlib import Path
from typing import Any

import pytest
from promoter import SETTINGS, Promoter, here

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
        """Make the baseline one of an earlier judge, to which half of the answers were wrong."""
        baseline = self.baseline
        baseline["stages"]["judge"]["version"] = "0"
        for case in baseline["cases"][10:20]:
            case["scores"]["correctness"] = 0.0
            case["status"] = "generation_failure"
        baseline["metrics"]["correctness"] = 0.5
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
def user(tmp_path: Path) -> User:
    user = User(tmp_path, cases=20, extended=5)
    user.write("rag-gate.yml", JUDGED)
    user.first()
    user.other_judge()
    return user


def test_another_judge_is_not_compared_until_both_sides_have_one(user: User) -> None:
    assert user.run().code == 3
    code, said = user.check()
    assert (code, "stage 'judge' was measured otherwise in the baseline" in said) == (3, True)
    before = user.baseline
    code, said = user.check("--rejudge")
    assert (code, f"{AGAIN} 1); it moved correctness 0.5000 -> 1.0000" in said) == (0, True), said
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
    assert user.promote("--rejudge").code == 0
    assert user.run().code == 0


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


def test_answers_are_not_kept_where_the_promoter_says_so(user: User) -> None:
    user.measure()
    assert user.promote("--no-keep-answers", "--reason", "answers are private").code == 0
    assert user.baseline["kept_run"] is None
    assert list(user.folder.glob("baseline.run.*")) == []


def test_a_run_that_changed_since_it_was_measured_is_not_kept(user: User) -> None:
    user.measure()
    user.record(answer="5 days")
    promoted = user.promote("--reason", "next")
    assert (promoted.code, user.baseline["kept_run"]) == (0, None)
    assert "are not kept: " in promoted.err
    assert "name that with --run" in promoted.err


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
