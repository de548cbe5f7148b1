"""What holds for every import: ids, order, errors with their place, nothing lost, nothing half written."""

import csv
import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from format_material import FORMATS_DATA, bring, ranked
from hypothesis import HealthCheck, settings
from hypothesis import given as with_examples
from hypothesis import strategies as st

from rag_gate.cli import main
from rag_gate.dataset import load_golden
from rag_gate.formats.readers import READERS
from rag_gate.formats.registry import FORMATS

OK = {"user_input": "q1", "response": "a", "retrieved_contexts": ["t"], "reference_context_ids": ["d"]}


def jsonl(folder: Path, *rows: Any, name: str = "x.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_every_format_that_is_offered_can_be_read() -> None:
    assert [each.name for each in FORMATS] == list(READERS)


@pytest.mark.parametrize(
    "kind", [each for each in FORMATS if each.name != "beir"], ids=lambda kind: kind.name
)
@pytest.mark.parametrize("text", ['{"nothing": 1}\n', '"text"\n', "[]\n"])
def test_a_row_of_another_shape_is_an_error_that_shows_the_shape(
    kind: Any, text: str, tmp_path: Path
) -> None:
    ending = "csv" if kind.name == "open-rag-eval" else "jsonl"
    (tmp_path / f"x.{ending}").write_text("nothing\n1\n" if ending == "csv" else text, encoding="utf-8")
    found = bring(
        tmp_path, kind.name, tmp_path / f"x.{ending}", parts="run" if "run" in kind.gives else "golden"
    )
    assert found.code == 2
    assert f"x.{ending}" in found.said
    assert f"{kind.name} has rows like {kind.sample}" in found.said
    assert not list(tmp_path.glob("*golden*")) + list(tmp_path.glob("*run*"))


def test_beir_without_its_files_names_the_missing_one(tmp_path: Path) -> None:
    found = bring(tmp_path, "beir", tmp_path, parts="golden")
    assert (found.code, "qrels/test.tsv: no such file" in found.said) == (2, True)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**OK, "user_input": None}, "x.jsonl:2: has no user_input; ragas has rows like"),
        ({**OK, "user_input": [{"content": "hi", "type": "human"}]}, "x.jsonl:2: holds a conversation"),
        ({**OK, "user_input": "[{'content': 'hi', 'type': 'human'}]"}, "x.jsonl:2: holds a conversation"),
        ({**OK, "response": 5}, "x.jsonl:2: response must be text, found 5"),
        ({**OK, "retrieved_contexts": "t"}, "x.jsonl:2: retrieved_contexts must be a list"),
        ({**OK, "retrieved_contexts": [1]}, "x.jsonl:2: retrieved_contexts: entry 1 must be text, found 1"),
        ({**OK, "retrieved_context_ids": ["a", "b"]}, "has 2 entries and retrieved_contexts 1"),
        ({**OK, "reference_context_ids": [1.5]}, "entry 1 must be a text or a whole number, found 1.5"),
        ({**OK, "reference_context_ids": [True]}, "entry 1 must be a text or a whole number, found True"),
        ({**OK, "reference_context_ids": [None]}, "entry 1 is null"),
        ({"user_input": "only a question", "response": "a"}, "x.jsonl:2: no gold ids and"),
    ],
)
def test_a_wrong_row_is_an_error_with_its_line_and_nothing_is_written(
    row: Any, message: str, tmp_path: Path
) -> None:
    found = bring(tmp_path, "ragas", jsonl(tmp_path, {**OK, "user_input": "first"}, row))
    assert found.code == 2
    assert message in found.said
    assert not (tmp_path / "golden.jsonl").exists()
    assert not (tmp_path / "run.jsonl").exists()


def test_cases_without_gold_ids_need_somebody_to_say_that_they_have_an_answer(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"user_input": "q", "reference": "r", "response": "a"})
    assert "or say --answerable" in bring(tmp_path, "ragas", path).said
    found = bring(tmp_path, "ragas", path, "--answerable")
    assert (found.code, found.golden[0]["answerable"]) == (0, True)
    assert load_golden(str(tmp_path / "golden.jsonl")).cases[found.golden[0]["question_id"]].is_answerable


def test_a_question_that_is_asked_twice_stays_twice_and_is_said(tmp_path: Path) -> None:
    found = bring(tmp_path, "ragas", jsonl(tmp_path, OK, {**OK, "response": "b"}))
    first, second = (row["question_id"] for row in found.run)
    assert second == f"{first}-2"
    assert [row["answer"] for row in found.run] == ["a", "b"]
    assert "asked before" in found.said


def test_an_id_that_is_given_twice_is_an_error_with_both_lines(tmp_path: Path) -> None:
    found = bring(tmp_path, "ragas", jsonl(tmp_path, {**OK, "id": 1}, {**OK, "id": "1"}))
    assert found.code == 2
    assert "x.jsonl:2: question_id '1' was already used at" in found.said


def test_whole_numbers_are_ids_as_text(tmp_path: Path) -> None:
    row = {**OK, "id": 7, "retrieved_context_ids": [3], "reference_context_ids": [3]}
    found = bring(tmp_path, "ragas", jsonl(tmp_path, row))
    assert (found.run[0]["question_id"], ranked(found.run[0]), found.golden[0]["relevant_doc_ids"]) == (
        "7",
        ["3"],
        ["3"],
    )


def test_rows_find_their_case_by_the_question(tmp_path: Path) -> None:
    gold = jsonl(
        tmp_path,
        {"question_id": "g1", "question": "返金は いつ？", "gold_ids": ["d"]},
        {"question_id": "g2", "question": "twice", "gold_ids": ["d"]},
        {"question_id": "g3", "question": "Twice", "gold_ids": ["d"]},
        name="gold.jsonl",
    )
    path = jsonl(tmp_path, {"input": "返金はいつ？", "context": []}, {"input": "unknown", "context": []})
    found = bring(tmp_path, "langchain", path, "--dataset", str(gold), parts="run")
    assert found.run[0]["question_id"] == "g1"
    assert found.run[1]["question_id"].startswith("q-")
    assert "not in the golden set; its id is made from the question (in 1 row)" in found.said
    path = jsonl(tmp_path, {"input": "TWICE", "context": []})
    assert (
        "stands in 2 cases of the golden set (g2, g3)"
        in bring(tmp_path, "langchain", path, "--dataset", str(gold), parts="run").said
    )


@pytest.mark.parametrize("score", ["NaN", "Infinity", "1e999", '"high"', "true"])
def test_a_score_that_is_no_finite_number_is_an_error_with_its_place(score: str, tmp_path: Path) -> None:
    document = f'{{"page_content": "t", "metadata": {{}}, "score": {score}}}'
    (tmp_path / "x.jsonl").write_text(f'{{"input": "q", "context": [{document}]}}', encoding="utf-8")
    found = bring(tmp_path, "langchain", tmp_path / "x.jsonl", parts="run")
    assert found.code == 2
    assert "x.jsonl: result 1: score must be a finite number" in found.said.replace("x.jsonl:1", "x.jsonl")


def test_a_nan_deep_in_the_metadata_is_an_error_and_one_in_a_left_out_key_is_not(tmp_path: Path) -> None:
    deep = '{"input": "q", "context": [{"page_content": "t", "metadata": {"x": [NaN]}}]}'
    (tmp_path / "x.jsonl").write_text(deep, encoding="utf-8")
    assert bring(tmp_path, "langchain", tmp_path / "x.jsonl", parts="run").code == 2
    (tmp_path / "x.jsonl").write_text(
        '{"user_input": "q", "response": "a", "faithfulness": NaN}', encoding="utf-8"
    )
    assert bring(tmp_path, "ragas", tmp_path / "x.jsonl", parts="run").code == 0


def test_repeated_and_tied_results_keep_their_places(tmp_path: Path) -> None:
    context: list[Any] = [
        {"id": key, "page_content": "t", "metadata": {}, "score": 0.5} for key in ("z", "a", "z", "b")
    ]
    found = bring(tmp_path, "langchain", jsonl(tmp_path, {"input": "q", "context": context}), parts="run")
    assert ranked(found.run[0]) == ["z", "a", "z", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user_input,response\nq\n", "x.csv:2: has 1 cells, but the header has 2"),
        ("user_input,user_input\nq,q\n", "x.csv:1: the column 'user_input' stands twice"),
        (
            'user_input,retrieved_contexts\nq,"[array([1])]"\n',
            "x.csv:2: retrieved_contexts: is neither a JSON list",
        ),
        ('user_input,response\nq,"open\n', "is no valid CSV"),
        ("user_input,response\n", "holds no row"),
    ],
)
def test_a_table_that_is_not_whole_is_an_error_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    found = bring(tmp_path, "ragas", tmp_path / "x.csv", parts="run")
    assert (found.code, message in found.said) == (2, True), found.said


def test_a_cell_is_read_as_data_and_never_run(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "user_input,retrieved_contexts\nq,\"[__import__('os').mkdir('made')]\"\n", encoding="utf-8"
    )
    assert bring(tmp_path, "ragas", tmp_path / "x.csv", parts="run").code == 2
    assert not Path("made").exists()


@pytest.mark.parametrize("place", ["question", "question=", "colour=x", "question=a[", "=x"])
def test_a_place_that_is_no_place_is_a_usage_error(place: str, tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"input": "q", "context": []})
    found = bring(tmp_path, "langchain", path, "--at", place, parts="run")
    assert found.code == 2
    assert "--at" in found.said


def test_a_place_that_is_named_wins(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"input": {"ask": "real"}, "meta": {"id": 9}, "context": []})
    at = ["--at", "question=input.ask", "--at", "question_id=meta.id"]
    assert bring(tmp_path, "langchain", path, *at, parts="run").run[0]["question_id"] == "9"


def test_an_output_must_be_named_and_may_not_be_an_input(tmp_path: Path) -> None:
    path = jsonl(tmp_path, OK, name="run.jsonl")
    assert "say where to write" in bring(tmp_path, "ragas", path, parts="").said
    assert "is an input of this command" in bring(tmp_path, "ragas", path, parts="run").said
    assert json.loads(path.read_text(encoding="utf-8")) == OK


@with_examples(
    st.lists(
        st.tuples(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=4)), min_size=1, max_size=6
    )
)
def test_as_many_cases_leave_as_came_in_and_every_rank_is_kept(
    tmp_path_factory: pytest.TempPathFactory, cases: list[tuple[str, list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("x")
    rows = [
        {"question": question, "retrieved": [{"id": key, "page_content": ""} for key in ids]}
        for question, ids in cases
    ]
    found = bring(folder, "langchain", jsonl(folder, *rows), parts="run")
    assert found.code == 0, found.said
    assert [ranked(row) for row in found.run] == [ids for _, ids in cases]
    assert len({row["question_id"] for row in found.run}) == len(cases)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_may_be_separated_as_other_countries_do(separator: str, tmp_path: Path) -> None:
    names = ["user_input", "response", "retrieved_contexts", "", ""]
    row = ["q, really; yes", "line\n\u2028\u0085line", '["a, b", "c; d"]', "", ""]
    with (tmp_path / "x.csv").open("w", encoding="utf-8-sig", newline="") as handle:
        csv.writer(handle, delimiter=separator).writerows([names, row])
    found = bring(tmp_path, "ragas", tmp_path / "x.csv", parts="run")
    assert found.code == 0, found.said
    assert ranked(found.run[0], "text") == ["a, b", "c; d"]
    assert found.run[0]["answer"] == row[1]


@pytest.mark.parametrize("cell", ["['a' 'b']", "['a'\n 'b']", "['a', 'b' \"c\"]", "[['a' 'b'], ['c']]"])
def test_an_array_as_numpy_prints_it_is_refused_and_not_joined(cell: str, tmp_path: Path) -> None:
    with (tmp_path / "x.csv").open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([["user_input", "retrieved_contexts"], ["q", cell]])
    found = bring(tmp_path, "ragas", tmp_path / "x.csv", parts="run")
    assert (found.code, found.run) == (2, [])
    assert "save the rows as JSONL instead" in found.said


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (lambda text: text.encode("cp932"), "is not UTF-8 (byte "),
        (lambda text: text.encode("utf-16"), "is not UTF-8 but UTF-16; save it as UTF-8"),
        (lambda text: gzip.compress(text.encode()), "is compressed (gzip); unpack it"),
    ],
)
def test_a_file_that_is_no_text_in_utf8_says_what_to_do(
    encode: Callable[[str], bytes], message: str, ending: str, tmp_path: Path
) -> None:
    text = (
        "user_input,response\n質問,答え\n"
        if ending == "csv"
        else '{"user_input": "質問", "response": "答え"}\n'
    )
    (tmp_path / f"x.{ending}").write_bytes(encode(text))
    found = bring(tmp_path, "ragas", tmp_path / f"x.{ending}", parts="run")
    assert (found.code, message in found.said) == (2, True), found.said


def test_the_oldest_names_of_ragas_are_read(tmp_path: Path) -> None:
    row = {"question": "q", "answer": "a", "contexts": ["c"], "ground_truths": ["x", "y"]}
    found = bring(tmp_path, "ragas", jsonl(tmp_path, row), "--answerable")
    assert found.golden[0]["expected_answer"] == ["x", "y"]
    assert "left out" not in found.said


WRONG = [
    *(None, True, -1, 1.5, float("nan"), 10**400, "", "x", "[", '{"a":1}', [], {}, [None], {"a": [1]}),
    *([{"a": 1}], "\u202e\x1b[31m::error::", "\x00"),
]
JSON_FIXTURES = [
    (path.parent.name if "rank_eval" not in path.name and path.stem != "judgments" else "rank-eval", path)
    for path in sorted(FORMATS_DATA.glob("*/*.json*"))
    if path.parent.name != "beir"
]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*at, key)
        yield from places(each, (*at, key))


@pytest.mark.parametrize(("name", "path"), JSON_FIXTURES, ids=lambda value: Path(str(value)).name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@with_examples(st.data())
def test_whatever_stands_in_a_place_is_read_or_is_an_error_of_one_line(
    name: str, path: Path, tmp_path: Path, data: st.DataObject
) -> None:
    text = path.read_text(encoding="utf-8")
    read = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    *way, last = data.draw(st.sampled_from(list(places(read))))
    inner = read
    for key in way:
        inner = inner[key]
    inner[last] = data.draw(st.sampled_from(WRONG))
    target = tmp_path / f"x{path.suffix}"
    rows = read if path.suffix == ".jsonl" else [read]
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    kind = next(each for each in FORMATS if each.name == name)
    more = ("--provider", "bot") if name == "promptfoo" else ()
    found = bring(tmp_path, name, target, *more, parts=" ".join(kind.gives))
    assert found.code in {0, 2}, found.said
    assert all(line.startswith("rag-gate: ") and line.isprintable() for line in found.said.splitlines())


def writer_of(path: Path) -> str:
    is_rating = "rank_eval" in path.name or path.stem == "judgments"
    return "rank-eval" if is_rating else path.relative_to(FORMATS_DATA).parts[0]


OTHERS = [
    pytest.param(kind, path, id=f"{kind.name}-{path.parent.name}-{path.name}")
    for kind in FORMATS
    for path in sorted(FORMATS_DATA.glob("*/*.*"))
    if path.suffix in {".json", ".jsonl", ".csv"} and "run" in kind.gives
    if writer_of(path) not in {kind.name, "beir"}
    and {kind.name, writer_of(path)} != {"openinference", "otel-genai"}
]


@pytest.mark.parametrize(("kind", "path"), OTHERS)
def test_a_file_of_another_tool_is_recognised_and_nothing_of_it_is_lost_in_silence(
    kind: Any, path: Path, tmp_path: Path
) -> None:
    found = bring(tmp_path, kind.name, path, parts="run")
    assert f"try: rag-gate import {writer_of(path)}" in found.said
    assert (found.code, found.run) == (2, [])


def test_answers_without_results_are_said(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"user_input": "q", "response": "a"}, {**OK, "user_input": "q2"})
    said = bring(tmp_path, "ragas", path, parts="run").said
    assert "an answer without results: retrieval cannot be measured there (in 1 row)" in said


def test_a_text_in_a_cell_may_begin_with_a_bracket(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "input,actual_output,retrieval_context\nq,a,[1] one|[2] two\n", encoding="utf-8"
    )
    found = bring(tmp_path, "deepeval", tmp_path / "x.csv", parts="run")
    assert ranked(found.run[0], "text") == ["[1] one", "[2] two"]


@pytest.mark.parametrize(
    "row", [{"query": 5}, {"query": "q", "passage_id": ["p"]}, {"query": "q", "query_run": 1}]
)
def test_a_passage_row_is_text(row: Any, tmp_path: Path) -> None:
    found = bring(tmp_path, "open-rag-eval", jsonl(tmp_path, row), parts="run")
    assert (found.code, "must be text, found" in found.said) == (2, True)


def test_no_file_of_a_folder_that_is_read_is_written_over(tmp_path: Path) -> None:
    shutil.copytree(FORMATS_DATA / "beir", tmp_path / "set")
    before = (tmp_path / "set" / "queries.jsonl").read_bytes()
    target = str(tmp_path / "set" / "queries.jsonl")
    ended = CliRunner().invoke(main, ["import", "beir", str(tmp_path / "set"), "--golden", target])
    assert (ended.exit_code, "is an input of this command" in ended.stderr) == (2, True)
    assert (tmp_path / "set" / "queries.jsonl").read_bytes() == before


def test_golden_set_and_run_are_two_files_whatever_they_are_called(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    target, same = tmp_path / "x.out", tmp_path / "sub" / ".." / "x.out"
    options = ["--golden", str(target), "--run", str(same)]
    ended = CliRunner().invoke(main, ["import", "ragas", str(jsonl(tmp_path, OK)), *options])
    assert (ended.exit_code, "name two files" in ended.stderr) == (2, True)


def test_where_one_file_cannot_be_written_the_other_is_not_written_either(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    options = ["--golden", str(tmp_path / "golden.jsonl"), "--run", str(tmp_path / "file" / "run.jsonl")]
    ended = CliRunner().invoke(main, ["import", "ragas", str(jsonl(tmp_path, OK)), *options])
    assert (ended.exit_code, "run.jsonl: cannot be written" in ended.stderr) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "x.jsonl"]


def test_promptfoo_without_results_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"results": {"results": []}}', encoding="utf-8")
    assert "x.json: holds no result; promptfoo has rows like" in bring(tmp_path, "promptfoo", path).said
