"""The golden set: the names users have, and what is refused or warned about."""

from pathlib import Path

import pytest
from material import Row, lines

from rag_gate.dataset import GoldenSet, load_golden
from rag_gate.errors import InputError
from rag_gate.records.golden import GoldenCase


def load(folder: Path, *rows: object) -> GoldenSet:
    return load_golden(lines(folder / "gold.jsonl", rows))


def one(folder: Path, row: Row) -> GoldenCase:
    return next(iter(load(folder, row).cases.values()))


@pytest.mark.parametrize("key", ["question_id", "id"])
@pytest.mark.parametrize("value", ["q-1", "質問1", 17])
def test_the_id_may_be_text_or_a_whole_number(tmp_path: Path, key: str, value: str | int) -> None:
    assert one(tmp_path, {key: value, "relevant": ["a"]}).question_id == str(value)


@pytest.mark.parametrize("value", [1.5, True, "", ["q"], {}])
def test_any_other_id_is_refused_with_file_and_line(tmp_path: Path, value: object) -> None:
    with pytest.raises(InputError, match=r"gold\.jsonl:1: id must be a non-empty text or a whole number"):
        load(tmp_path, {"id": value, "relevant": ["a"]})


@pytest.mark.parametrize("key", ["question", "user_input", "input", "query"])
def test_aliases_of_the_question(tmp_path: Path, key: str) -> None:
    assert one(tmp_path, {"id": "q", key: "何日ですか", "relevant": ["a"]}).question == "何日ですか"


@pytest.mark.parametrize(
    "key", ["expected_answer", "expected", "ground_truth", "ground_truths", "reference", "expected_output"]
)
@pytest.mark.parametrize("value", ["5日", ["5日"]])
def test_aliases_of_the_expected_answer(tmp_path: Path, key: str, value: object) -> None:
    assert one(tmp_path, {"id": "q", key: value, "relevant": ["a"]}).expected_answers == ("5日",)


@pytest.mark.parametrize("key", ["relevant_doc_ids", "gold_ids", "relevant", "reference_context_ids"])
@pytest.mark.parametrize("value", [["a", 2], ["a", {"id": "2", "grade": 1}], ["a", {"doc_id": 2}]])
def test_aliases_of_the_gold_ids(tmp_path: Path, key: str, value: object) -> None:
    assert one(tmp_path, {"id": "q", key: value}).grades == {"a": 1, "2": 1}


def test_a_single_gold_id_needs_no_list(tmp_path: Path) -> None:
    assert one(tmp_path, {"id": "q", "gold_ids": "a"}).grades == {"a": 1}
    assert one(tmp_path, {"id": "q", "gold_ids": 5}).grades == {"5": 1}


@pytest.mark.parametrize("key", ["evidence", "ground_truth_contexts", "reference_contexts"])
def test_aliases_of_the_evidence(tmp_path: Path, key: str) -> None:
    case = one(tmp_path, {"id": "q", key: [{"doc_id": "a", "text": "x"}, "y"]})
    assert [(item.doc_id, item.text) for item in case.evidence] == [("a", "x"), (None, "y")]


def test_null_means_not_said_for_every_key(tmp_path: Path) -> None:
    empty = dict.fromkeys(GoldenCase.model_fields, None)
    case = one(
        tmp_path, {**empty, "question_id": None, "id": "q", "question": None, "query": "x", "gold_ids": ["a"]}
    )
    assert (case.question_id, case.question, case.tier, case.must_pass, case.grades) == (
        "q",
        "x",
        "core",
        False,
        {"a": 1},
    )


def test_a_repeated_id_names_both_lines(tmp_path: Path) -> None:
    rows = [{"id": "q", "relevant": ["a"]}, {"id": "p", "relevant": ["a"]}, {"id": "q", "relevant": ["b"]}]
    with pytest.raises(
        InputError, match=r"gold\.jsonl:3: question_id 'q' was already used at .*gold\.jsonl:1"
    ):
        load(tmp_path, *rows)


def test_every_problem_is_listed_up_to_twenty(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, *({"id": f"q{n}"} for n in range(23)))
    assert len(caught.value.problems) == 21
    assert caught.value.problems[0].split(": ")[0].endswith("gold.jsonl:1")
    assert caught.value.problems[-1] == "... and 3 more problems"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, r"no gold ids and \"answerable\" is not said"),
        ({"relevant": []}, r"no gold ids and \"answerable\" is not said"),
        ({"relevant": ["a"], "answerable": False}, r"\"answerable\" is false but gold ids are given"),
        ({"relevant": ["a"], "answerable": "no"}, "answerable: must be true or false"),
        ({"relevant": ["a"], "must_pass": 1}, "must_pass: must be true or false"),
        ({"relevant": [{"id": "a", "grade": 1.5}]}, "grade"),
        ({"relevant": [{"id": "a", "grade": 1000}]}, "grade.*less than or equal to 100"),
        (
            {"relevant": [{"id": "a", "grade": 1}, {"id": "a", "grade": 0}]},
            "'a' stands twice with grades 1 and 0",
        ),
        ({"relevant": [{"id": "a", "rank": 1}]}, "rank: unknown key"),
        ({"relevant": [""]}, "at least 1 character"),
        ({"relevant": [1.5]}, "should be a valid string"),
        ({"evidence_groups": [["a"], []]}, "an empty group"),
        ({"evidence": [" "]}, "evidence text is empty"),
        ({"relevant": ["a"], "tier": "gold"}, "tier: Input should be 'core' or 'extended'"),
        ({"relevant": ["a"], "kind": "odd"}, "kind: Input should be 'normal' or 'adversarial'"),
        ({"relevant": ["a"], "question": 5}, "question: Input should be a valid string"),
    ],
)
def test_a_wrong_case_is_refused_with_line_and_key(tmp_path: Path, row: Row, message: str) -> None:
    with pytest.raises(InputError, match=rf"gold\.jsonl:2: .*{message}"):
        load(tmp_path, {"id": "fine", "relevant": ["a"]}, {"id": "q", **row})


@pytest.mark.parametrize(
    "row", [{"answerable": False}, {"answerable": False, "relevant": [{"id": "a", "grade": 0}]}]
)
def test_an_unanswerable_case_needs_no_gold_ids(tmp_path: Path, row: Row) -> None:
    assert not one(tmp_path, {"id": "q", **row}).is_answerable


def test_the_same_gold_id_twice_with_one_grade_counts_once_with_a_warning(tmp_path: Path) -> None:
    golden = load(tmp_path, {"id": "q", "relevant": ["a", "b", "a"]})
    assert golden.cases["q"].grades == {"a": 1, "b": 1}
    assert golden.warnings[0].endswith("gold.jsonl:1: gold id 'a' is repeated; counted once")


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("catgory", "category"),
        ("difficulti", "difficulty"),
        ("expected_anser", "expected_answer"),
        ("mustpass", "must_pass"),
    ],
)
def test_an_unknown_key_is_warned_about_with_a_near_name(tmp_path: Path, key: str, near: str) -> None:
    golden = load(tmp_path, *({"id": f"q{n}", "relevant": ["a"], key: "x", "owner": "me"} for n in range(2)))
    assert f"key '{key}' means nothing here (in 2 cases); did you mean '{near}'?" in golden.warnings[0]
    assert golden.warnings[1].endswith("key 'owner' means nothing here (in 2 cases)")


@pytest.mark.parametrize("key", ["gold_id", "relevnat", "relevant_doc_id"])
def test_a_misspelled_key_explains_why_the_case_has_no_gold_ids(tmp_path: Path, key: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, {"id": "q", key: ["a"]})
    assert any("did you mean" in line for line in caught.value.problems)


def test_results_in_a_golden_row_are_no_unknown_keys(tmp_path: Path) -> None:
    row = {"id": "q", "relevant": ["a"], "retrieved": ["a"], "actual": "x", "latency_ms": 5, "error": None}
    golden = load(tmp_path, row)
    assert golden.warnings == ()
    assert set(golden.run_rows) == {"q"}


def test_made_ids_depend_on_what_is_asked_and_not_on_the_order_or_the_run(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"question": "same", "gold_ids": ["a"]},
        {"question": "same", "gold_ids": ["b"]},
        {"question": "other", "gold_ids": ["a"]},
    ]
    first = {key: case.grades for key, case in load(tmp_path, *rows).cases.items()}
    again = load(tmp_path, *({**row, "retrieved": ["x"]} for row in reversed(rows)))
    assert {key: case.grades for key, case in again.cases.items()} == first
    assert len(first) == 3


def test_equal_rows_without_ids_are_kept_apart(tmp_path: Path) -> None:
    ids = list(load(tmp_path, *[{"question": "same", "gold_ids": ["a"]}] * 3).cases)
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


def test_a_made_id_leaves_a_given_one_alone_wherever_it_stands(tmp_path: Path) -> None:
    made = next(iter(load(tmp_path, {"question": "x", "gold_ids": ["a"]}).cases))
    golden = load(tmp_path, {"question": "x", "gold_ids": ["a"]}, {"id": made, "gold_ids": ["b"]})
    assert golden.cases[made].grades == {"b": 1}
    assert golden.cases[f"{made}-2"].question == "x"
