"""Escalation: where the core tier cannot tell, the extended tier is asked in the same run."""

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Ended, rag_gate

SETTINGS = """\
dataset: golden.jsonl
run: run.jsonl
baseline: baseline.json
safety: {engine: none}
gate: {on_inconclusive: escalate}
tolerances: {correctness: 0.03}
"""
CORE, ALL = 20, 200


class User:
    """A folder with 20 core and 180 extended cases, and a baseline of all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "rag-gate.yml").write_text(SETTINGS, encoding="utf-8")
        golden = [
            {
                "question_id": f"q{n:03d}",
                "relevant_doc_ids": [f"d{n}"],
                "expected_answer": "3 days",
                "tier": "core" if n < CORE else "extended",
            }
            for n in range(ALL)
        ]
        (folder / "golden.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in golden), encoding="utf-8"
        )
        self.record(lost=())
        assert rag_gate("run", "--tier", "extended", cwd=folder).code == 0
        config = ["--config", "rag-gate.yml", "--reason", "first", "--yes"]
        assert rag_gate("promote", "eval_results/results.json", *config, cwd=folder).code == 0

    def record(self, lost: tuple[int, ...], cases: int = ALL) -> None:
        rows = [
            {
                "question_id": f"q{n:03d}",
                "retrieved": [f"d{n}"],
                "answer": "5 days" if n in lost else "3 days",
            }
            for n in range(cases)
        ]
        (self.folder / "run.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
        )

    def gate(self) -> tuple[Ended, dict[str, Any]]:
        ended = rag_gate("run", cwd=self.folder)
        return ended, json.loads((self.folder / "eval_results/verdict.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def promoted(tmp_path_factory: pytest.TempPathFactory) -> User:
    return User(tmp_path_factory.mktemp("promoted"))


@pytest.fixture
def user(promoted: User, tmp_path: Path) -> User:
    return copied(promoted, tmp_path)


def copied(user: User, folder: Path) -> User:
    own = copy.copy(user)
    own.folder = folder / "user"
    shutil.copytree(user.folder, own.folder)
    return own


def test_a_loss_that_goes_on_in_the_extended_tier_becomes_a_regression(user: User) -> None:
    user.record(lost=(0, 1, *range(CORE, CORE + 18)))
    ended, verdict = user.gate()
    assert (ended.code, verdict["overall"]) == (1, "regressed")
    assert verdict["metrics"]["correctness"]["n_pairs"] == ALL
    assert verdict["notices"][0].endswith("so the extended tier was measured as well: 200 cases decide")
    comment = (user.folder / "eval_results/comment.md").read_text(encoding="utf-8")
    assert "200 cases decide" in comment
    assert ended.out.count("\n") == 1


def test_a_loss_by_chance_is_taken_back(user: User) -> None:
    user.record(lost=(0, 1))
    ended, verdict = user.gate()
    assert (ended.code, verdict["overall"]) == (0, "pass")
    assert verdict["dataset"]["tier"] == "extended"
    assert sorted(path.name for path in (user.folder / "eval_results").iterdir()) == [
        "comment.md",
        "judge.json",
        "report.html",
        "results.json",
        "retrieval.json",
        "verdict.json",
    ]


def test_a_core_tier_that_can_tell_is_enough(user: User) -> None:
    user.record(lost=tuple(range(10)))
    ended, verdict = user.gate()
    assert (ended.code, verdict["dataset"]["tier"]) == (1, "core")
    assert "could not tell" not in ended.err


def test_a_run_without_the_extended_tier_stays_inconclusive_and_says_so(user: User) -> None:
    user.record(lost=(0, 1), cases=CORE)
    ended, verdict = user.gate()
    assert (ended.code, verdict["overall"]) == (0, "inconclusive")
    assert "the extended tier cannot be judged, so it was not asked: " in verdict["notices"][0]
    assert verdict["dataset"]["tier"] == "core"


def test_extended_cases_that_were_not_answered_are_not_asked(user: User) -> None:
    """A core run that retrieves for all and answers the core tier alone is what the docs advise."""
    user.record(lost=(0, 1))
    rows = [json.loads(line) for line in (user.folder / "run.jsonl").read_text("utf-8").splitlines()]
    rows[CORE:] = [row | {"answer": None} for row in rows[CORE:]]
    (user.folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ended, verdict = user.gate()
    assert (ended.code, verdict["overall"], verdict["dataset"]["tier"]) == (0, "inconclusive", "core")
    assert "could not be scored" in verdict["notices"][0]


def test_retrieval_has_nothing_left_to_ask(user: User) -> None:
    settings = user.folder / "rag-gate.yml"
    settings.write_text(SETTINGS.replace("correctness: 0.03", "recall@5: 0.009"), encoding="utf-8")
    user.record(lost=())
    lines = (user.folder / "run.jsonl").read_text(encoding="utf-8").splitlines()
    lines[:2] = [line.replace('["d', '["other-') for line in lines[:2]]
    (user.folder / "run.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ended, verdict = user.gate()
    assert (ended.code, verdict["overall"]) == (0, "inconclusive")
    assert (verdict["metrics"]["recall@5"]["n_pairs"], verdict["dataset"]["tier"]) == (ALL, "core")
    assert "could not tell" not in ended.err


BOT = """
import json
from pathlib import Path

FOLDER = Path(__file__).parent


def answer(question, question_id):
    with (FOLDER / "calls.log").open("a") as log:
        log.write(question_id + "\\n")
    lost = json.loads((FOLDER / "lost.json").read_text())
    number = int(question_id[1:])
    return {"retrieved": [f"d{number}"], "answer": "5 days" if number in lost else "3 days"}
"""


@pytest.fixture(scope="module")
def with_bot(promoted: User, tmp_path_factory: pytest.TempPathFactory) -> User:
    """A user whose baseline was promoted from what the bot said."""
    user = copied(promoted, tmp_path_factory.mktemp("bot"))
    folder = user.folder
    golden = [json.loads(line) for line in (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = "".join(
        json.dumps({**row, "question": f"Question {row['question_id']}?"}) + "\n" for row in golden
    )
    (folder / "golden.jsonl").write_text(rows, encoding="utf-8")
    (folder / "slow.py").write_text(BOT, encoding="utf-8")
    (folder / "lost.json").write_text("[]", encoding="utf-8")
    target = "target:\n  python: {answer: 'slow:answer'}\n"
    settings = SETTINGS.replace("run: run.jsonl\n", target)
    (folder / "rag-gate.yml").write_text(settings, encoding="utf-8")
    for path in folder.glob("baseline*"):
        path.unlink()
    assert rag_gate("run", "--tier", "extended", cwd=folder).code == 0
    config = ["--config", "rag-gate.yml", "--reason", "first", "--yes"]
    assert rag_gate("promote", "eval_results/results.json", *config, cwd=folder).code == 0
    (folder / "calls.log").unlink()
    return user


@pytest.mark.parametrize(
    ("lost", "overall", "asked"),
    [((0, 1, *range(CORE, CORE + 18)), "regressed", ALL), ((0, 1), "pass", ALL), ((), "pass", CORE)],
)
def test_a_bot_is_asked_the_extended_tier_only_where_the_core_tier_cannot_tell(
    lost: tuple[int, ...], overall: str, asked: int, with_bot: User, tmp_path: Path
) -> None:
    user = copied(with_bot, tmp_path)
    folder = user.folder
    (folder / "lost.json").write_text(json.dumps(lost), encoding="utf-8")
    _, verdict = user.gate()

    assert verdict["overall"] == overall
    assert sorted((folder / "calls.log").read_text().split()) == [f"q{n:03d}" for n in range(asked)]
    run = (folder / "eval_results" / "run.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(run) == asked
    assert not list((folder / "eval_results").glob("run.extended.*"))
