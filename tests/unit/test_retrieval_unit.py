"""Chunks or documents: what gold ids are compared with."""

from pathlib import Path

import pytest
from material import Row, lines, scored

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.errors import ConfigError, InputError
from rag_gate.partials import read_partial
from rag_gate.records.partial import Shard
from rag_gate.retrieval import evaluate_retrieval

CHUNKS: list[Row] = [
    {"id": "guide#2", "doc_id": "guide", "metadata": {"source": {"file": "guide"}}},
    {"id": "guide#7", "doc_id": "guide", "metadata": {"source": {"file": "guide"}}},
    {"id": "faq#1", "doc_id": "faq", "metadata": {"source": {"file": "faq"}}},
]


def bare(*keys: str) -> list[Row]:
    return [{key: item[key] for key in ("id", *keys)} for item in CHUNKS]


@pytest.mark.parametrize(
    ("results", "rule"),
    [
        (bare("doc_id"), None),
        (bare(), {"regex": "^(.+)#"}),
        (bare("metadata"), {"metadata": "source.file"}),
        ([item["id"] for item in CHUNKS], {"regex": "^([^#]+)"}),
        ([{"id": item["id"], "document_id": item["doc_id"]} for item in CHUNKS], None),
    ],
)
@pytest.mark.parametrize("unit", ["auto", "document"])
def test_several_chunks_of_a_document_count_once(
    tmp_path: Path, results: list[Row], rule: Row | None, unit: str
) -> None:
    gold = [{"id": "q", "relevant": ["guide", "faq"]}]
    found = scored(tmp_path, gold, [{"id": "q", "retrieved": results}], unit=unit, document_id=rule)
    scores = found.cases[0].scores
    assert found.evaluator.settings["unit"] == "document"
    assert (scores["recall@1"], scores["recall@3"], scores["precision@3"]) == (0.5, 1.0, 2 / 3)
    assert found.cases[0].detail["gold_ranks"] == {"faq": 3, "guide": 1}


def test_k_can_count_distinct_documents_instead_of_slots(tmp_path: Path) -> None:
    gold, run = [{"id": "q", "relevant": ["faq"]}], [{"id": "q", "retrieved": CHUNKS}]
    assert scored(tmp_path, gold, run).cases[0].scores["mrr"] == 1 / 3
    collapsed = scored(tmp_path, gold, run, k_counts="documents")
    assert collapsed.cases[0].scores["mrr"] == 1 / 2
    assert collapsed.cases[0].detail["retrieved"] == ["guide", "faq"]


def test_gold_chunk_ids_stand_for_their_document_with_the_best_grade(tmp_path: Path) -> None:
    gold = [{"id": "q", "relevant": [{"id": "guide#9", "grade": 3}, {"id": "guide#1", "grade": 1}, "faq#1"]}]
    run = [{"id": "q", "retrieved": ["faq#5", "guide#2"]}]
    found = scored(tmp_path, gold, run, unit="document", document_id={"regex": "^(.+)#"})
    assert found.cases[0].detail["gold_ranks"] == {"faq": 1, "guide": 2}
    best = 3 + 1 / 1.5849625007211562
    assert found.cases[0].scores["ndcg@3"] == pytest.approx((1 + 3 / 1.5849625007211562) / best)


def test_evidence_groups_are_compared_in_document_unit_too(tmp_path: Path) -> None:
    gold = [{"id": "q", "evidence_groups": [["guide#9", "other"], ["faq"]]}]
    run = [{"id": "q", "retrieved": CHUNKS}]
    found = scored(tmp_path, gold, run, unit="document", document_id={"regex": "^(.+)#"})
    assert (found.cases[0].scores["coverage@1"], found.cases[0].scores["complete@3"]) == (0.5, 1.0)


def test_auto_takes_result_ids_where_gold_names_them(tmp_path: Path) -> None:
    found = scored(tmp_path, [{"id": "q", "relevant": ["guide#7"]}], [{"id": "q", "retrieved": CHUNKS}])
    assert found.evaluator.settings["unit"] == "chunk"
    assert found.cases[0].scores["mrr"] == 1 / 2


@pytest.mark.parametrize("order", [1, -1])
def test_auto_looks_at_every_case_whatever_their_order(tmp_path: Path, order: int) -> None:
    gold = [{"id": "q1", "relevant": ["guide"]}, {"id": "q2", "relevant": ["faq"]}]
    run: list[Row] = [{"id": "q1", "retrieved": ["x"]}, {"id": "q2", "retrieved": bare("doc_id")}]
    found = scored(tmp_path, gold, run[::order])
    assert found.evaluator.settings["unit"] == "document"
    assert [case.reasons.get("mrr") for case in found.cases] == ["result_without_id", None]


@pytest.mark.parametrize("index", [1, 2])
def test_auto_decides_on_the_whole_run_also_for_a_shard(tmp_path: Path, index: int) -> None:
    golden = load_golden(
        lines(tmp_path / "g.jsonl", [{"id": f"q{n}", "relevant": ["guide"]} for n in (1, 2)])
    )
    run = lines(tmp_path / "r.jsonl", [{"id": "q1", "retrieved": []}, {"id": "q2", "retrieved": CHUNKS}])
    shard = Shard(index=index, total=2)
    evaluate_retrieval(golden, run, RetrievalConfig(), tmp_path / "out.json", shard)
    assert read_partial(tmp_path / "out.json").evaluator.settings["unit"] == "document"


def test_auto_refuses_gold_ids_of_both_kinds_and_names_one_of_each(tmp_path: Path) -> None:
    gold = [{"id": "q", "relevant": ["guide#2", "faq"]}]
    with pytest.raises(ConfigError, match=r"'guide#2'.*'faq'.*unit: chunk or unit: document"):
        scored(tmp_path, gold, [{"id": "q", "retrieved": CHUNKS}])


def test_a_document_of_one_chunk_with_the_same_id_makes_nothing_ambiguous(tmp_path: Path) -> None:
    results = [*CHUNKS, {"id": "notice", "doc_id": "notice"}]
    found = scored(
        tmp_path, [{"id": "q", "relevant": ["guide", "notice"]}], [{"id": "q", "retrieved": results}]
    )
    assert found.evaluator.settings["unit"] == "document"
    assert found.cases[0].scores["recall@5"] == 1.0


@pytest.mark.parametrize(
    "result", [{"id": "a#1"}, {"id": "a#1", "doc_id": ""}, {"id": "a#1", "doc_id": None}]
)
def test_document_unit_refuses_results_without_any_document_id(tmp_path: Path, result: Row) -> None:
    with pytest.raises(InputError, match=r"no result carries a document id.*doc_id \(or set retrieval"):
        scored(
            tmp_path, [{"id": "q", "relevant": ["a"]}], [{"id": "q", "retrieved": [result]}], unit="document"
        )


def test_document_unit_refuses_gold_ids_that_are_ids_of_results(tmp_path: Path) -> None:
    gold, run = [{"id": "q", "relevant": ["guide#2"]}], [{"id": "q", "retrieved": CHUNKS}]
    with pytest.raises(ConfigError, match=r"retrieval\.unit: the gold ids are ids of results.*unit: chunk"):
        scored(tmp_path, gold, run, unit="document")
    lost = scored(tmp_path, [{"id": "q", "relevant": ["elsewhere"]}], run, unit="document")
    assert lost.cases[0].scores["mrr"] == 0.0
    same = scored(
        tmp_path,
        [{"id": "q", "relevant": ["n"]}],
        [{"id": "q", "retrieved": [{"doc_id": "n"}]}],
        unit="document",
    )
    assert same.cases[0].scores["mrr"] == 1.0


def test_numeric_document_ids_are_compared_as_text(tmp_path: Path) -> None:
    run = [{"id": "q", "retrieved": [{"id": 71, "doc_id": 7}]}]
    assert scored(tmp_path, [{"id": "q", "relevant": [7]}], run).cases[0].scores["mrr"] == 1.0
