"""What validate finds in a golden set, with its place and what to do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from material import Row, lines

from rag_gate.cli import main
from rag_gate.curation.finding import Finding
from rag_gate.curation.grams import grams, likeness, plain
from rag_gate.curation.near import near_pairs
from rag_gate.curation.validate import validate


def case(name: str, question: str, gold: str = "d", **more: Any) -> Row:
    return {
        "question_id": name,
        "question": question,
        "gold_ids": [gold],
        "expected": f"answer {gold}",
        **more,
    }


def found(folder: Path, *rows: Row, rule: str = "", **also: Any) -> list[Finding]:
    path = lines(folder / "golden.jsonl", rows)
    return [finding for finding in validate(path, **also) if finding.id == rule or not rule]


def test_the_same_question_twice_is_found_whatever_its_form(tmp_path: Path) -> None:
    (only,) = found(tmp_path, case("a", "返金は いつ？"), case("b", "返金はいつ?"), rule="duplicate-question")
    assert (only.question_id, only.severity, only.where) == ("b", "warning", f"{tmp_path}/golden.jsonl:2")
    assert "asks the same as 'a'" in only.message


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("How long does the delivery of a parcel take?", "How long does delivery of a parcel take"),
        (
            "経費精算の締め切りはいつまでですか教えてください",
            "経費精算の締切りはいつまでですか教えてください",
        ),
    ],
)
def test_nearly_the_same_question_is_found_in_english_and_japanese(
    left: str, right: str, tmp_path: Path
) -> None:
    (only,) = found(tmp_path, case("a", left), case("b", right), rule="near-duplicate")
    assert only.question_id == "b"
    assert not found(tmp_path, case("a", left), case("b", "Who pays for the return?"), rule="near-duplicate")


def test_the_same_question_with_other_labels_contradicts(tmp_path: Path) -> None:
    rows = case("a", "Who pays?", "d1"), case("b", "who pays", "d2")
    assert [each.question_id for each in found(tmp_path, *rows, rule="contradicting-labels")] == ["b"]


def test_questions_that_differ_in_a_number_are_two_questions(tmp_path: Path) -> None:
    rows = (
        case("a", "What does the express delivery of parcel number 17 cost?", "d1"),
        case("b", "What does the express delivery of parcel number 18 cost?", "d2"),
    )
    assert not [each for each in found(tmp_path, *rows) if each.question_id]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("What was the revenue in the year 2022?", "What was the revenue in the year 2023?"),
        ("2022年の売上はいくらですか", "2023年の売上はいくらですか"),
        ("Can I return an item that was on sale?", "Can't I return an item that was on sale?"),
        ("正社員は有給休暇を取得できますか", "正社員は有給休暇を取得できませんか"),
        ("How is C++ code compiled here?", "How is C# code compiled here?"),
        ("May the room be at -5 degrees?", "May the room be at 5 degrees?"),
    ],
)
def test_questions_of_one_document_with_other_answers_are_two_questions(
    left: str, right: str, tmp_path: Path
) -> None:
    rows = case("a", left, expected="yes"), case("b", right, expected="no")
    assert not [each for each in found(tmp_path, *rows) if each.question_id]


def test_a_copy_is_found_among_questions_that_differ_in_a_number(tmp_path: Path) -> None:
    rows = [
        case(str(n), f"What does the express parcel number {n} cost?", expected=str(n)) for n in range(500)
    ]
    copy = case("copy", "What does the express parcel number 321 cost us?", expected="321")
    assert [each.question_id for each in found(tmp_path, *rows, copy, rule="near-duplicate")] == ["copy"]


@pytest.mark.parametrize("question", ["Who pays for the return parcel", "Who pays for the returned parcel?"])
def test_a_question_of_both_tiers_is_a_leak(question: str, tmp_path: Path) -> None:
    rows = case("a", "Who pays for the return parcel?"), case("b", question, tier="extended")
    assert [each.question_id for each in found(tmp_path, *rows, rule="tier-leak")] == ["b"]
    assert not found(tmp_path, *rows, rule="near-duplicate") + found(
        tmp_path, *rows, rule="duplicate-question"
    )


@pytest.mark.parametrize(
    ("more", "is_found"),
    [
        ({"negative_assertions": ["30 DAYS"], "expected": "within 30 days"}, True),
        ({"negative_assertions": ["30 days"], "expected": "within 130 days"}, False),
        ({"negative_assertions": ["３０日"], "expected": "30日以内"}, True),
        ({"negative_assertions": [{"regex": "30"}], "expected": "30"}, False),
    ],
)
def test_a_right_answer_must_not_hold_what_is_forbidden(more: Row, is_found: bool, tmp_path: Path) -> None:  # noqa: FBT001
    assert bool(found(tmp_path, case("a", "q", **more), rule="forbidden-in-expected")) is is_found


@pytest.mark.parametrize("answer", ["I could not find this in the documents.", "資料には記載がありません。"])
def test_an_expected_answer_that_declines_must_say_so(answer: str, tmp_path: Path) -> None:
    assert found(tmp_path, case("a", "q", expected=answer), rule="unanswerable-unsaid")
    said = {"question_id": "a", "question": "q", "expected": answer, "answerable": False}
    assert not found(tmp_path, said, rule="unanswerable-unsaid")
    given_one = {"question_id": "a", "question": "q", "expected": "12 euros", "answerable": False}
    assert found(tmp_path, given_one, rule="answer-to-unanswerable")


def test_gold_ids_that_the_corpus_lacks_are_found(tmp_path: Path) -> None:
    rows = case("a", "q1", "refunds"), case("b", "q2", "gone"), case("c", "q3", "guides/setup")
    files = tmp_path / "docs"
    (files / "guides").mkdir(parents=True)
    (files / "refunds.md").write_text("x")
    (files / "guides" / "setup.md").write_text("x")
    (tmp_path / "ids.txt").write_text("refunds\nguides/setup\n")
    corpus = lines(tmp_path / "corpus.jsonl", [{"_id": "refunds", "text": "x"}, {"id": "guides/setup"}])
    for source in (str(files), str(tmp_path / "ids.txt"), corpus):
        (only,) = found(tmp_path, *rows, rule="unknown-gold-id", corpus=source)
        assert (only.question_id, only.severity, "'gone'" in only.message) == ("b", "warning", True)


def test_without_a_corpus_what_no_run_retrieved_is_noted(tmp_path: Path) -> None:
    run = lines(
        tmp_path / "r.jsonl", [{"question_id": "a", "retrieved": [{"id": "c1", "doc_id": "refunds"}, "x"]}]
    )
    rows = case("a", "q1", "refunds"), case("b", "q2", "gone")
    (only,) = found(tmp_path, *rows, rule="never-retrieved", runs=[run])
    assert (only.question_id, only.severity) == ("b", "note")


def test_sizes_and_slices_that_say_nothing_are_noted(tmp_path: Path) -> None:
    rows = [case(f"q{n}", f"{'x' * n}{n}", category="faq" if n else "policy") for n in range(12)]
    assert [each.message for each in found(tmp_path, *rows, rule="thin-slice")] == [
        "category 'policy' has 1 case"
    ]
    assert found(tmp_path, *rows[:3], rule="tier-size")[0].severity == "warning"
    assert not found(tmp_path, *rows, rule="tier-size")
    assert found(tmp_path, *rows, rule="no-unanswerable")
    extended = [{**row, "tier": "extended"} for row in rows]
    assert "no case is of tier core" in found(tmp_path, *extended, rule="tier-size")[0].message


def test_rows_that_the_gate_refuses_are_errors_with_their_line(tmp_path: Path) -> None:
    rows = [case("a", "q"), {"question_id": "b", "question": "no gold"}, case("a", "again")]
    errors = found(tmp_path, *rows, rule="unusable")
    assert [(each.severity, each.where[-2:]) for each in errors] == [("error", ":2"), ("error", ":3")]
    assert "answerable" in errors[0].message


def test_a_key_that_means_nothing_is_a_warning(tmp_path: Path) -> None:
    (only,) = found(tmp_path, case("a", "q", catgory="faq"), rule="unknown-key")
    assert "did you mean 'category'" in only.message


def test_the_exit_code_is_that_of_bad_input(tmp_path: Path) -> None:
    def code(*rows: Row, options: tuple[str, ...] = ()) -> int:
        return CliRunner().invoke(main, ["validate", lines(tmp_path / "g.jsonl", rows), *options]).exit_code

    assert code(case("a", "q")) == 0
    assert code(case("a", "q"), options=("--strict",)) == 2
    assert code({"question_id": "b"}) == 2
    fine = [case(f"q{n}", f"{'xyz' * n}{n}") for n in range(12)]
    assert code(*fine, options=("--strict",)) == 0


def test_a_file_that_is_no_json_is_a_finding_too(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text("{\n", encoding="utf-8")
    ended = CliRunner().invoke(main, ["validate", str(tmp_path / "g.jsonl"), "--format", "json"])
    assert ended.exit_code == 2
    (only,) = json.loads(ended.stdout)
    assert (only["id"], only["severity"], only["where"]) == ("unusable", "error", f"{tmp_path}/g.jsonl:1")


def test_without_a_name_the_set_is_that_of_the_settings(tmp_path: Path) -> None:
    lines(tmp_path / "g.jsonl", [case("a", "q")])
    (tmp_path / "s.yml").write_text("dataset: g.jsonl\n", encoding="utf-8")
    ended = CliRunner().invoke(main, ["validate", "--config", str(tmp_path / "s.yml")])
    assert ended.exit_code == 0, ended.stderr
    assert "g.jsonl: 0 errors" in ended.stderr


WORDS = st.lists(
    st.sampled_from(["refund", "parcel", "返金", "期限", "pay", "who", "a", "b"]), min_size=1, max_size=6
)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=12))
def test_no_pair_of_like_texts_is_missed_and_none_is_made_up(texts: list[str]) -> None:
    named = {str(n): text for n, text in enumerate(texts)}
    pairs = {pair.name: pair for pair in near_pairs(named, 0.8)}
    sets = {name: grams(text) for name, text in named.items()}
    leaders: list[str] = []
    for name in named:
        alike = [other for other in leaders if likeness(sets[name], sets[other]) >= 0.8]
        assert bool(alike) == (name in pairs)
        if name in pairs:
            assert pairs[name].first in alike
        else:
            leaders.append(name)


def test_thousands_of_questions_of_one_template_compare_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counting(left: frozenset[str], right: frozenset[str]) -> float:
        nonlocal compared
        compared += 1
        return likeness(left, right)

    monkeypatch.setattr("rag_gate.curation.near.likeness", counting)
    texts = {
        str(n): f"how do i send parcel {n * 7919 % 10007} to {'abcdefghij'[n % 10] * 9}" for n in range(3000)
    }
    list(near_pairs(texts, 0.8))
    assert compared <= 16 * len(texts)


def test_plain_leaves_words() -> None:
    assert plain("  返金は、いつ？ ＡＢＣ-1!") == "返金は いつ abc 1"


def test_plain_leaves_signs_that_make_another_question() -> None:
    texts = ["C", "C++", "C#", "5", "-5", "5 %", "$5", "> 5", "5 €"]
    assert len({plain(text) for text in texts}) == len(texts)
    assert plain("well-known (a/b): c_d") == "well known a b c d"


def test_every_rule_is_in_the_documentation() -> None:
    root = Path(__file__).resolve().parents[2]
    code = "".join(
        path.read_text(encoding="utf-8") for path in (root / "eval/rag_gate/curation").glob("*.py")
    )
    code = re.sub(r'prefix="[^"]*"', "", code)
    rules = set(re.findall(r'"(unusable|[a-z]+-[a-z-]+)"', code))
    page = (root / "docs/how-to/keep-a-golden-set.md").read_text(encoding="utf-8")
    assert len(rules) > 10
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == rules
