"""What leaves for other tools: they read it, and find the same ranks, texts and ids."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from click.testing import CliRunner
from format_material import bring
from hypothesis import example, given, settings
from hypothesis import strategies as st
from material import Row, lines, scored

from rag_gate.cli import main
from rag_gate.dataset import load_golden
from rag_gate.exports.table import neutral

REAL = Path(__file__).resolve().parents[1] / "data" / "real"
GOLD: list[Row] = [
    {
        "question_id": "a",
        "question": "返金は？",
        "expected": "5日",
        "gold_ids": ["d1", {"id": "d2", "grade": 2}],
    },
    {"question_id": "b", "question": "none", "answerable": False},
]
RUN: list[Row] = [
    {"question_id": "a", "retrieved": [{"id": "d2", "text": "t", "score": 0.1}, "d1"], "answer": "5日です"},
    {"question_id": "b", "retrieved": [], "answer": "わかりません"},
]


def export(*args: str | Path) -> tuple[int, str]:
    ended = CliRunner().invoke(main, ["export", *map(str, args)])
    return ended.exit_code, ended.stderr


def read_back(folder: Path, kind: str, name: str, output: str) -> None:
    assert CliRunner().invoke(main, ["import", kind, str(folder / name), str(folder / output)]).exit_code == 0


IDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0~"),
    min_size=1,
)


@settings(deadline=None, max_examples=30)
@given(st.dictionaries(IDS, st.lists(IDS, unique=True, min_size=1, max_size=5), min_size=1, max_size=4))
def test_a_run_that_goes_out_and_comes_back_has_the_same_ranks(
    tmp_path_factory: pytest.TempPathFactory, ranks: dict[str, list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("x")
    # trec_eval splits before decoding, so an id whose bytes end a field cannot be one.
    rows = [{"question_id": key, "retrieved": ids} for key, ids in ranks.items()]
    assert export("trec-run", lines(folder / "run.jsonl", rows), folder / "run.txt")[0] == 0
    read_back(folder, "trec-run", "run.txt", "back.jsonl")
    back = [
        json.loads(line) for line in (folder / "back.jsonl").read_text(encoding="utf-8").split("\n") if line
    ]
    assert {row["question_id"]: [item["id"] for item in row["retrieved"]] for row in back} == ranks


@settings(deadline=None, max_examples=30)
@given(
    st.dictionaries(
        IDS, st.dictionaries(IDS, st.integers(-100, 100), min_size=1, max_size=4), min_size=1, max_size=4
    )
)
def test_qrels_that_go_out_and_come_back_have_the_same_grades(
    tmp_path_factory: pytest.TempPathFactory, grades: dict[str, dict[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("x")
    rows = [
        {
            "question_id": key,
            "gold_ids": [{"id": document, "grade": grade} for document, grade in judged.items()],
        }
        for key, judged in grades.items()
    ]
    assert export("trec-qrels", lines(folder / "gold.jsonl", rows), folder / "qrels.txt")[0] == 0
    read_back(folder, "trec-qrels", "qrels.txt", "back.jsonl")
    back = load_golden(str(folder / "back.jsonl"), "extended").cases
    assert {key: case.grades for key, case in back.items()} == grades


def theirs(folder: Path, measures: set[str]) -> dict[str, dict[str, float]]:
    """Return what pytrec_eval finds in exported files, case by case."""
    with (
        (folder / "qrels.txt").open(encoding="utf-8") as qrels,
        (folder / "run.txt").open(encoding="utf-8") as run,
    ):
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), measures)
        found: dict[str, dict[str, float]] = evaluator.evaluate(pytrec_eval.parse_run(run))
    return found


def unpacked(name: str, folder: Path) -> Path:
    target = folder / Path(name).name.removesuffix(".gz")
    target.write_bytes(gzip.decompress((REAL / name).read_bytes()))
    return target


@pytest.mark.parametrize("data", ["jqara-ja", "trec-rag24-chunks"])
def test_pytrec_eval_finds_our_metrics_in_what_we_export(data: str, tmp_path: Path) -> None:
    qrels = unpacked(f"{data}/{'qrels.trec.gz' if data == 'jqara-ja' else 'qrels.txt.gz'}", tmp_path)
    qrels.rename(tmp_path / "q")
    read_back(tmp_path, "trec-qrels", "q", "gold.jsonl")
    if data == "jqara-ja":
        unpacked(f"{data}/run_bm25.top20.jsonl.gz", tmp_path).rename(tmp_path / "run.jsonl")
    else:
        unpacked(f"{data}/run.txt.gz", tmp_path).rename(tmp_path / "r")
        read_back(tmp_path, "trec-run", "r", "run.jsonl")
    output = tmp_path / "r.json"
    options = ["--k-values", "5,10", "--output", str(output)]
    evaluated = ["retrieval", "--dataset", str(tmp_path / "gold.jsonl"), "--run", str(tmp_path / "run.jsonl")]
    assert CliRunner().invoke(main, [*evaluated, *options]).exit_code == 0
    assert export("trec-qrels", tmp_path / "gold.jsonl", tmp_path / "qrels.txt")[0] == 0
    assert export("trec-run", tmp_path / "run.jsonl", tmp_path / "run.txt")[0] == 0
    names = {"recall_5": "recall@5", "ndcg_cut_10": "ndcg@10", "recip_rank": "mrr", "P_10": "precision@10"}
    found = theirs(tmp_path, set(names))
    scores = {row["question_id"]: row["scores"] for row in json.loads(output.read_text())["cases"]}
    compared = 0
    for key, values in found.items():
        for name, ours in names.items():
            if scores[key][ours] is not None:
                assert scores[key][ours] == pytest.approx(values[name], abs=1e-9), (key, ours)
                compared += 1
    assert compared == 4 * {"jqara-ja": 1667, "trec-rag24-chunks": 30}[data]


def test_a_document_that_is_listed_again_keeps_its_place(tmp_path: Path) -> None:
    gold = [{"question_id": "a", "gold_ids": ["x", "y"]}]
    run = [{"question_id": "a", "retrieved": ["x", "x", "x", "y"]}]
    code, said = export("trec-run", lines(tmp_path / "run.jsonl", run), tmp_path / "run.txt")
    assert (code, "2 repeated documents kept" in said) == (0, True)
    export("trec-qrels", lines(tmp_path / "gold.jsonl", gold), tmp_path / "qrels.txt")
    ours = scored(tmp_path, gold, run).cases[0].scores
    found = theirs(tmp_path, {"recall_3", "map", "ndcg_cut_5"})["a"]
    assert found["recall_3"] == ours["recall@3"]
    assert found["ndcg_cut_5"] == pytest.approx(ours["ndcg@5"])


def test_cases_without_lines_are_counted(tmp_path: Path) -> None:
    rows = [*RUN, {"question_id": "c", "error": "timeout"}]
    code, said = export("trec-run", lines(tmp_path / "run.jsonl", rows), tmp_path / "run.txt")
    assert (code, "1 case without results and 1 case with an error have no line" in said) == (0, True)
    code, said = export("trec-qrels", lines(tmp_path / "gold.jsonl", GOLD), tmp_path / "qrels.txt")
    assert (code, "1 case without gold ids left out" in said) == (0, True)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"retrieved": ["a b"]}, "id 'a b' holds white space"),
        ({"retrieved": [{"text": "t"}]}, "result 1 has no id"),
        ({"retrieved": []}, "holds no results"),
    ],
)
def test_what_a_trec_file_cannot_hold_is_an_error_and_leaves_no_file(
    row: Any, message: str, tmp_path: Path
) -> None:
    code, said = export(
        "trec-run", lines(tmp_path / "run.jsonl", [{"question_id": "q", **row}]), tmp_path / "run.txt"
    )
    assert (code, message in said, (tmp_path / "run.txt").exists()) == (2, True, False)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text.strip())


@example([("[{", "[{}]", [], "[{")])
@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(TEXT, TEXT, st.lists(st.tuples(IDS, TEXT), max_size=3), TEXT), min_size=1, max_size=4)
)
def test_ragas_samples_that_go_out_and_come_back_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, cases: list[tuple[str, str, list[tuple[str, str]], str]]
) -> None:
    folder = tmp_path_factory.mktemp("x")
    gold = [
        {"question_id": f"q{n}", "question": question, "expected_answer": expected, "relevant_doc_ids": ["g"]}
        for n, (question, expected, _, _) in enumerate(cases)
    ]
    run = [
        {
            "question_id": f"q{n}",
            "answer": answer,
            "retrieved": [{"id": key, "text": text} for key, text in found],
        }
        for n, (_, _, found, answer) in enumerate(cases)
    ]
    files = lines(folder / "g.jsonl", gold), lines(folder / "r.jsonl", run)
    assert export("ragas", files[0], folder / "samples.jsonl", "--run", files[1])[0] == 0
    back = bring(folder, "ragas", folder / "samples.jsonl")
    assert back.code == 0, back.said
    assert back.golden == gold
    assert back.run == run


def test_a_case_with_an_error_is_a_sample_without_response(tmp_path: Path) -> None:
    run = [{"question_id": "a", "error": "x"}, RUN[1]]
    files = lines(tmp_path / "g.jsonl", GOLD), lines(tmp_path / "r.jsonl", run)
    assert export("ragas", files[0], tmp_path / "s.jsonl", "--run", files[1])[0] == 0
    first, second = (
        json.loads(line) for line in (tmp_path / "s.jsonl").read_text(encoding="utf-8").splitlines()
    )
    assert "response" not in first
    assert (second["retrieved_contexts"], second["response"]) == ([], "わかりません")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"])
def test_no_cell_begins_like_a_formula(cell: str, tmp_path: Path) -> None:
    rows = [
        {"question_id": cell, "question": cell, "gold_ids": [cell, "d"], "answer": cell, "retrieved": [cell]}
    ]
    code, said = export("csv", lines(tmp_path / "g.jsonl", rows), tmp_path / "t.csv")
    assert (code, "an apostrophe was put before it" in said) == (0, True)
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as handle:
        _, row = csv.reader(handle)
    assert not [found for found in row if found.startswith(("=", "+", "-", "@", "\t", "\r", "＝"))]
    assert neutral("plain") == "plain"


def test_a_table_is_read_again_as_the_same_set_and_run(tmp_path: Path) -> None:
    gold = [
        *GOLD,
        {
            "question_id": "c",
            "question": "q;1\n2",
            "ground_truths": ["x", "y"],
            "gold_ids": ["a;b", "c"],
            "tier": "extended",
            "must_pass": True,
            "tags": ["t"],
            "negative_assertions": ["30 days"],
            "evidence": [{"doc_id": "c", "text": "p"}],
            "category": "faq",
            "language": "ja",
        },
    ]
    run = [
        *RUN,
        {"question_id": "c", "retrieved": [{"id": "a;b", "text": "p"}], "answer": "x", "latency_ms": 12.5},
    ]
    files = lines(tmp_path / "g.jsonl", gold), lines(tmp_path / "r.jsonl", run)
    assert export("csv", files[0], tmp_path / "t.csv", "--run", files[1])[0] == 0
    back, before = load_golden(str(tmp_path / "t.csv"), "extended"), load_golden(files[0], "extended")
    assert back.fingerprints == before.fingerprints
    assert (back.cases["c"].tier, back.cases["c"].must_pass, back.cases["c"].category) == (
        "extended",
        True,
        "faq",
    )
    assert {key: row.content["retrieved_ids"] for key, row in back.run_rows.items()} == {
        "a": ["d2", "d1"],
        "b": [],
        "c": ["a;b"],
    }
