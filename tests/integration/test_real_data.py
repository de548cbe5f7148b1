"""Real runs and datasets through the documented commands."""

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from cli_runner import new_process, rag_gate

REAL = Path(__file__).resolve().parents[1] / "data" / "real"


def unpack(name: str, folder: Path) -> Path:
    target = folder / Path(name).name.removesuffix(".gz")
    target.write_bytes(gzip.decompress((REAL / name).read_bytes()))
    return target


def evaluate(*args: str | Path) -> dict[str, Any]:
    ended = rag_gate("retrieval", *args)
    assert ended.code == 0, ended.err
    document: dict[str, Any] = json.loads(Path(args[-1]).read_text(encoding="utf-8"))
    return document


def mean(document: dict[str, Any], metric: str) -> float:
    value = document["metrics"][metric]["mean"]
    assert isinstance(value, float)
    return value


def test_jqara_bm25_reproduces_the_published_figures(tmp_path: Path) -> None:
    qrels, run = (
        unpack("jqara-ja/qrels.trec.gz", tmp_path),
        unpack("jqara-ja/run_bm25.top20.jsonl.gz", tmp_path),
    )
    assert new_process("import", "trec-qrels", qrels, tmp_path / "gold.jsonl").code == 0
    found = evaluate(
        "--dataset", tmp_path / "gold.jsonl", "--run", run, "--k-values", "10", "--output", tmp_path / "r"
    )
    published = json.loads((REAL / "jqara-ja/published.json").read_text(encoding="utf-8"))["values"]["bm25"]
    assert round(mean(found, "ndcg@10"), 4) == published["ndcg@10"]
    assert round(mean(found, "mrr@10"), 4) == published["mrr@10"]
    assert found["metrics"]["ndcg@10"]["n_scored"] == 1667


@pytest.fixture
def trec(tmp_path: Path) -> list[str | Path]:
    qrels, run = (
        unpack("trec-rag24-chunks/qrels.txt.gz", tmp_path),
        unpack("trec-rag24-chunks/run.txt.gz", tmp_path),
    )
    assert rag_gate("import", "trec-qrels", qrels, tmp_path / "gold.jsonl").code == 0
    imported = rag_gate("import", "trec-run", run, tmp_path / "run.jsonl")
    assert "38 cases have tied scores" in imported.err
    return ["--dataset", tmp_path / "gold.jsonl", "--run", tmp_path / "run.jsonl"]


def over_all_topics(document: dict[str, Any], metric: str) -> float:
    """Undo the exclusion of the one topic without relevant passage, which trec_eval counts as 0."""
    summary = document["metrics"][metric]
    assert summary["n_excluded"] == 1
    scores: list[float] = [
        case["scores"][metric] for case in document["cases"] if case["scores"][metric] is not None
    ]
    return math.fsum(scores) / (int(summary["n_scored"]) + 1)


def test_trec_rag24_in_chunk_unit_equals_the_official_output(trec: list[str | Path], tmp_path: Path) -> None:
    found = evaluate(*trec, "--k-values", "5,10,15,20,30,100", "--output", tmp_path / "r.json")
    lines = (REAL / "trec-rag24-chunks/expected_trec_eval.txt").read_text(encoding="utf-8").splitlines()
    official = {
        fields[0]: float(fields[2]) for line in lines if (fields := line.split()) and fields[2][0].isdigit()
    }
    names = {
        "map": "map",
        "recip_rank": "mrr",
        **{f"P_{k}": f"precision@{k}" for k in (5, 10, 15, 20, 30, 100)},
    }
    for theirs, ours in names.items():
        assert over_all_topics(found, ours) == pytest.approx(official[theirs], abs=5.1e-5), theirs
    assert round(over_all_topics(found, "ndcg@10"), 3) == 0.598
    assert found["counts"]["unknown"] == 270


@pytest.mark.parametrize(("k_counts", "wanted"), [("slots", 0.460), ("documents", 0.689)])
def test_trec_rag24_in_document_unit(
    trec: list[str | Path], tmp_path: Path, k_counts: str, wanted: float
) -> None:
    unit = ["--unit", "document", "--document-id-regex", "^(.+)#", "--k-counts", k_counts]
    found = evaluate(*trec, *unit, "--k-values", "10", "--output", tmp_path / "r.json")
    assert round(over_all_topics(found, "ndcg@10"), 3) == wanted
    assert all(case["scores"]["ndcg@10"] is None or case["scores"]["ndcg@10"] <= 1 for case in found["cases"])


def test_litragbench_excludes_and_counts_unanswerable_cases(tmp_path: Path) -> None:
    run = unpack("litragbench-ja/run_bm25.jsonl.gz", tmp_path)
    found = evaluate(
        "--dataset", REAL / "litragbench-ja/gold.jsonl", "--run", run, "--output", tmp_path / "r.json"
    )
    recall = found["metrics"]["recall@5"]
    assert (round(recall["mean"], 4), recall["n_scored"], recall["n_excluded"]) == (0.7131, 60, 54)
    assert recall["reasons"] == {"unanswerable": 54}


def test_texts_without_ids_are_matched_as_evidence(tmp_path: Path) -> None:
    found = evaluate(
        "--dataset", REAL / "continuous-eval-en/retrieval_sm.jsonl", "--output", tmp_path / "r.json"
    )
    assert found["metrics"]["evidence@5"]["n_scored"] == 10
    assert mean(found, "evidence@3") == pytest.approx(0.6)
    assert found["metrics"]["recall@5"]["mean"] is None
    assert found["metrics"]["recall@5"]["reasons"] == {"no_gold_ids": 10}
