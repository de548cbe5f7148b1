"""Score a large synthetic run with rag-gate and with pytrec_eval, in turn, from the same files."""

import json
import random
import sys
import tempfile
from pathlib import Path

from processes import measure, show

DEPTH = 100
DOCUMENTS = 50_000
PEER = """
import json, sys
import pytrec_eval
gold, run, out = sys.argv[1:]
qrels, results = {}, {}
with open(gold) as handle:
    for line in handle:
        row = json.loads(line)
        qrels[row["id"]] = {item["id"]: item["grade"] for item in row["relevant"]}
with open(run) as handle:
    for line in handle:
        row = json.loads(line)
        results[row["id"]] = {item["id"]: item["score"] for item in row["retrieved"]}
measures = {"recall_5,10", "recip_rank", "ndcg_cut_10"}
found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(results)
names = {"recall_5": "recall@5", "recall_10": "recall@10", "recip_rank": "mrr", "ndcg_cut_10": "ndcg@10"}
means = {ours: sum(row[theirs] for row in found.values()) / len(qrels) for theirs, ours in names.items()}
with open(out, "w") as handle:
    json.dump(means, handle)
"""


def write_data(cases: int, folder: Path) -> tuple[Path, Path]:
    """Write a golden set and a run of ``cases`` x 100 results; the same bytes every time."""
    chance = random.Random(7)  # noqa: S311 - data, not secrets
    gold_path, run_path = folder / "gold.jsonl", folder / "run.jsonl"
    with gold_path.open("w", encoding="utf-8") as gold, run_path.open("w", encoding="utf-8") as run:
        for number in range(cases):
            key = f"case-{number:06d}"
            grades = {
                f"doc-{chance.randrange(DOCUMENTS):06d}": chance.choice((1, 1, 2, 3))
                for _ in range(chance.randint(1, 5))
            }
            first = chance.randrange(DOCUMENTS)
            ids = [f"doc-{(first + 37 * step) % DOCUMENTS:06d}" for step in range(DEPTH)]
            for document in grades:
                if chance.random() < 0.7 and document not in ids:  # noqa: PLR2004 - share of found documents
                    ids[min(DEPTH - 1, int(chance.expovariate(0.15)))] = document
            ids = list(dict.fromkeys(ids))
            relevant = [{"id": document, "grade": grade} for document, grade in grades.items()]
            retrieved = [{"id": item, "score": round(1 - n / DEPTH, 4)} for n, item in enumerate(ids)]
            gold.write(json.dumps({"id": key, "relevant": relevant}) + "\n")
            run.write(json.dumps({"id": key, "retrieved": retrieved}) + "\n")
    return gold_path, run_path


def main() -> None:
    """Measure, compare the values, print the ratio."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, run = map(str, write_data(cases, folder))
        ours, theirs = folder / "ours.json", folder / "theirs.json"
        options = ["--dataset", gold, "--run", run, "--k-values", "5,10", "--output", str(ours)]
        measured = measure(
            {
                "rag-gate retrieval": [
                    str(Path(sys.executable).with_name("rag-gate")),
                    "retrieval",
                    *options,
                ],
                "pytrec_eval": [sys.executable, "-c", PEER, gold, run, str(theirs)],
            }
        )
        means = json.loads(ours.read_text(encoding="utf-8"))["metrics"]
        for metric, value in json.loads(theirs.read_text(encoding="utf-8")).items():
            difference = abs(means[metric]["mean"] - value)
            print(f"{metric:10} {value:.6f}  difference {difference:.1e}")
    show(measured)
    wall, cpu, _ = (
        a / b for a, b in zip(measured["rag-gate retrieval"], measured["pytrec_eval"], strict=True)
    )
    print(
        f"{cases} cases x {DEPTH} results: rag-gate takes {wall:.2f} x the time of pytrec_eval ({cpu:.2f} x its CPU)"
    )


if __name__ == "__main__":
    main()
