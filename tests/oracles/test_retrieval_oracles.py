"""Every case file of the retrieval oracles, through the metric functions and through the whole stage.

Another folder of the same kinds is run with ``RAG_GATE_ORACLES=<folder>`` (it holds ``retrieval/``).
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rag_gate import metrics
from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import load_golden
from rag_gate.errors import InputError
from rag_gate.evidence import evidence_recall_at_k
from rag_gate.formats.trec import import_qrels, import_run
from rag_gate.partials import read_partial
from rag_gate.retrieval import evaluate_retrieval

FOLDER = Path(os.environ.get("RAG_GATE_ORACLES", Path(__file__).parent)) / "retrieval"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
RANKED = {name: case for name, case in FILES.items() if "qrels" in case and "run" in case}
DUPS = {name: case for name, case in FILES.items() if "retrieved_doc_of_each_chunk" in case}
GROUPS = {name: case for name, case in FILES.items() if "gold_groups" in case}
TSV = {name: case for name, case in FILES.items() if "expected_4_decimals" in case}
CONTAINMENT = [(n, c) for n, case in FILES.items() if "containment" in n for c in case["cases"]]


def value(name: str, ranked: list[str], grades: dict[str, int], level: int) -> float:
    """Compute one named measure with the public functions."""
    family, _, cutoff = name.partition("@")
    k = int(cutoff) if cutoff else None
    if family in {"recall", "hit", "precision"}:
        assert k is not None
        function = {
            "recall": metrics.recall_at_k,
            "hit": metrics.hit_at_k,
            "precision": metrics.precision_at_k,
        }[family]
        return function(ranked, grades, k, level)
    if family == "ndcg":
        return metrics.ndcg_at_k(ranked, grades, k)
    function_k = {"mrr": metrics.reciprocal_rank, "map": metrics.average_precision}[family]
    return function_k(ranked, grades, k, level)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def stage(tmp_path: Path, gold: list[dict[str, Any]], run: list[dict[str, Any]], **config: Any) -> Any:
    golden = load_golden(write_lines(tmp_path / "gold.jsonl", gold))
    settings = RetrievalConfig(k_values=(1, 3, 5, 10), **config)
    evaluate_retrieval(golden, write_lines(tmp_path / "run.jsonl", run), settings, tmp_path / "out.json")
    return read_partial(tmp_path / "out.json")


def golden_rows(qrels: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    return [
        {
            "id": q,
            "relevant": [{"id": d, "grade": g} for d, g in docs.items()],
            **({} if docs else {"answerable": False}),
        }
        for q, docs in qrels.items()
    ]


def test_the_folder_holds_case_files() -> None:
    assert len(FILES) >= 20
    assert RANKED
    assert DUPS
    assert GROUPS


@pytest.mark.parametrize("name", RANKED)
def test_metric_functions_reproduce_each_query(name: str) -> None:
    case = RANKED[name]
    level = case.get("policy", {}).get("relevance_level", 1)
    for query, expected in case["expected"]["per_query"].items():
        ranked = case["run"].get(query, [])
        for measure, wanted in expected.items():
            got = value(measure, ranked, case["qrels"][query], level)
            assert got == pytest.approx(wanted, abs=case["tolerance"]), (query, measure)
    for query, expected in case.get("expected_judged", {}).items():
        for measure, wanted in expected.items():
            k = int(measure.partition("@")[2])
            got = metrics.judged_at_k(case["run"][query], case["qrels"][query], k)
            assert got == pytest.approx(wanted, abs=case["tolerance"]), (query, measure)


@pytest.mark.parametrize("name", RANKED)
def test_the_stage_reproduces_means_and_counts(name: str, tmp_path: Path) -> None:
    case = RANKED[name]
    level = case.get("policy", {}).get("relevance_level", 1)
    run = [{"id": q, "retrieved": docs} for q, docs in case["run"].items()]
    found = stage(tmp_path, golden_rows(case["qrels"]), run, min_grade=level)
    for measure, wanted in case["expected"]["mean"].items():
        if measure not in found.metrics:
            continue
        summary = found.metrics[measure]
        assert (summary.mean is None) == (wanted is None), measure
        if wanted is not None:
            assert summary.mean == pytest.approx(wanted, abs=case["tolerance"]), measure
    recall = found.metrics["recall@5"]
    assert recall.n_scored == case["expected"]["n_scored"]
    assert recall.n_excluded == case["expected"]["n_excluded_no_relevant"]
    assert found.dataset.n_cases == case["expected"]["n_cases"]


@pytest.mark.parametrize("name", DUPS)
@pytest.mark.parametrize(
    ("key", "k_counts"), [("expected_slots", "slots"), ("expected_collapsed", "documents")]
)
def test_repeated_documents_count_once(name: str, key: str, k_counts: str, tmp_path: Path) -> None:
    case = DUPS[name]
    for query, expected in case[key]["per_query"].items():
        docs = case["retrieved_doc_of_each_chunk"][query]
        ranked = docs if key == "expected_slots" else list(dict.fromkeys(docs))
        for measure, wanted in expected.items():
            assert value(measure, ranked, case["qrels"][query], 1) == pytest.approx(wanted, abs=1e-9), measure
    run = [
        {"id": q, "retrieved": [{"id": f"{d}#{n}", "doc_id": d} for n, d in enumerate(docs)]}
        for q, docs in case["retrieved_doc_of_each_chunk"].items()
    ]
    found = stage(tmp_path, golden_rows(case["qrels"]), run, unit="document", k_counts=k_counts)
    for measure, wanted in case[key]["mean"].items():
        if measure in found.metrics:
            assert found.metrics[measure].mean == pytest.approx(wanted, abs=1e-9), measure


@pytest.mark.parametrize("name", GROUPS)
def test_evidence_groups_need_one_member_each(name: str, tmp_path: Path) -> None:
    case = GROUPS[name]
    for query, expected in case["expected"]["per_query"].items():
        groups = [set(group) for group in case["gold_groups"][query]]
        for measure, wanted in expected.items():
            family, _, k = measure.partition("@")
            function = {"coverage": metrics.coverage_at_k, "complete": metrics.complete_at_k}[family]
            assert function(case["run"][query], groups, int(k)) == pytest.approx(wanted, abs=1e-9)
    gold = [{"id": q, "evidence_groups": groups} for q, groups in case["gold_groups"].items()]
    found = stage(tmp_path, gold, [{"id": q, "retrieved": docs} for q, docs in case["run"].items()])
    for measure, wanted in case["expected"]["mean"].items():
        assert found.metrics[measure].mean == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", TSV)
def test_trec_eval_output_is_reproduced_to_four_decimals(name: str, tmp_path: Path) -> None:
    case = TSV[name]
    qrels_file = next(FOLDER / path for path in case["files"] if ".qrels." in path)
    run_file = next(FOLDER / path for path in case["files"] if ".run." in path)
    import_qrels(qrels_file, tmp_path / "gold.jsonl")
    import_run(run_file, tmp_path / "run.jsonl")
    qrels = {key: dict(case.grades) for key, case in load_golden(str(tmp_path / "gold.jsonl")).cases.items()}
    rows = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()]
    runs = {row["question_id"]: [item["id"] for item in row["retrieved"]] for row in rows}
    renamed = {"P": "precision", "recall": "recall", "ndcg_cut": "ndcg", "map_cut": "map", "success": "hit"}
    checked = 0
    for query, expected in case["expected_4_decimals"].items():
        for measure, wanted in expected.items():
            family, _, cutoff = measure.rpartition("_")
            name_ = {"map": "map", "recip_rank": "mrr", "ndcg": "ndcg"}.get(measure)
            if name_ is None and family in renamed:
                name_ = f"{renamed[family]}@{cutoff}"
            if name_ is not None:
                assert value(name_, runs[query], qrels[query], 1) == pytest.approx(wanted, abs=5.1e-5), (
                    measure
                )
                checked += 1
    assert checked >= 40


@pytest.mark.parametrize(("name", "case"), CONTAINMENT, ids=[f"{n}-{c['id']}" for n, c in CONTAINMENT])
def test_evidence_containment(name: str, case: dict[str, Any]) -> None:
    del name
    if case["expected"] == "error":
        with pytest.raises(ValueError, match="empty"):
            evidence_recall_at_k(case["evidence"], case["chunks"], case["k"])
    else:
        got = evidence_recall_at_k(case["evidence"], case["chunks"], case["k"])
        assert got == pytest.approx(case["expected"], abs=1e-9), case["why"]


def test_an_empty_evidence_text_is_an_input_error(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "gold.jsonl", [{"id": "q", "evidence": [" "]}])
    with pytest.raises(InputError, match=r"gold\.jsonl:1.*empty"):
        load_golden(path)
