"""Every change between baseline and run has the outcome that the reference promises."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from comparability_table import OUTCOMES

from rag_gate.cli import main
from rag_gate.config_models import GateConfig

Row = dict[str, Any]
MANIFEST = {
    "model": "small-1",
    "prompt_version": "answer-7",
    "index_embedding_model": "e5-small",
    "query_embedding_model": "e5-small",
    "corpus_id": "2026-05",
    "chunking_id": "paragraphs-400",
    "k": 5,
}
COUNT = 40


class Bench:
    """A golden set, a run and settings that a change can be made to."""

    def __init__(self, folder: Path, unit: str = "document") -> None:
        self.folder = folder
        self.manifest: Row = dict(MANIFEST)
        self.settings: Row = {
            "dataset": "golden.jsonl",
            "run": "run.jsonl",
            "baseline": "baseline.json",
            "output": "out",
            "retrieval": {"k_values": [3, 5], "unit": unit, "success": {"k": 5}},
            "tolerances": {"recall@5": 0.03, "correctness": 0.05, "mrr": 0.05},
        }
        self.golden = [self._case(n, unit) for n in range(COUNT)]
        self.run = [self._row(n) for n in range(COUNT)]
        for row in self.run[:2]:
            row["retrieved"] = [{"id": "other#1", "doc_id": "other", "text": "Nothing."}]

    @staticmethod
    def _case(number: int, unit: str) -> Row:
        gold = f"doc-{number}" if unit == "document" else f"doc-{number}#1"
        row = {"question_id": f"q{number:02}", "question": f"How long is offer {number} valid?"}
        tier = "extended" if number in {1, 2} else "core"
        return {**row, "expected_answer": f"{number + 3} days", "gold_ids": [gold], "tier": tier}

    @staticmethod
    def _row(number: int) -> Row:
        texts = (f"Offer {number} is valid for {number + 3} days.", "Offers cannot be sold.")
        found = [
            {"id": f"doc-{number}#{n}", "doc_id": f"doc-{number}", "text": text}
            for n, text in enumerate(texts, start=1)
        ]
        answer = f"It is valid for {number + 3} days."
        return {"question_id": f"q{number:02}", "retrieved": found, "answer": answer}

    def write(self) -> None:
        for name, rows in (("golden", self.golden), ("run", self.run)):
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (self.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        (self.folder / "run.meta.json").write_text(json.dumps(self.manifest), encoding="utf-8")
        (self.folder / "rag-gate.yml").write_text(yaml.safe_dump(self.settings), encoding="utf-8")

    def call(self, *words: str) -> tuple[int, str]:
        """Write the files as they are now, run a command in the folder, return its code and what it said."""
        self.write()
        config = str(self.folder / "rag-gate.yml")
        ended = CliRunner().invoke(main, [*words, "--config", config])
        assert ended.exception is None or isinstance(ended.exception, SystemExit), ended.output
        return ended.exit_code, ended.output

    def gate(self, *options: str) -> tuple[int, str]:
        code, said = self.call("run", *options)
        return code, said + (self.folder / "out" / "comment.md").read_text(encoding="utf-8")

    def check(self) -> tuple[int, str]:
        return self.call("check", str(self.folder / "out" / "results.json"))

    def promote(self) -> None:
        code, said = self.call("promote", str(self.folder / "out" / "results.json"), "--reason", "first")
        assert code == 0, said

    def edit(self, name: str, change: Callable[[Row], None]) -> None:
        path = self.folder / name
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture(scope="module")
def promoted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A promoted baseline of both tiers for each unit."""
    folders = {}
    for unit in ("document", "chunk"):
        bench = Bench(tmp_path_factory.mktemp(unit), unit)
        code, said = bench.call("run", "--tier", "extended")
        assert code == 0, said
        bench.promote()
        folders[unit] = bench.folder
    return folders


Change = Callable[[Bench], tuple[int, str]]
CHANGES: dict[str, Change] = {}


def change(name: str) -> Callable[[Change], Change]:
    """Register what makes the change of that name."""

    def add(function: Change) -> Change:
        CHANGES[name] = function
        return function

    return add


def states(**keys: Any) -> Change:
    """A change of the manifest."""

    def run(bench: Bench) -> tuple[int, str]:
        bench.manifest.update(keys)
        return bench.gate()

    return run


def sets(section: str, **keys: Any) -> Change:
    """A change of the settings."""

    def run(bench: Bench) -> tuple[int, str]:
        bench.settings[section] = {**bench.settings.get(section, {}), **keys}
        return bench.gate()

    return run


CHANGES |= {
    "nothing": Bench.gate,
    "k-values": sets("retrieval", k_values=[5, 10]),
    "k-not-measured": sets("retrieval", k_values=[3, 10]),
    "k-of-the-run": states(k=8),
    "unit": sets("retrieval", unit="chunk"),
    "success-rule": sets("retrieval", success={"rule": "any", "k": 5}),
    "chunking-of-documents": states(chunking_id="characters-300"),
    "chunking-of-chunks": states(chunking_id="characters-300"),
    "corpus-of-documents": states(corpus_id="2026-06"),
    "corpus-of-chunks": states(corpus_id="2026-06"),
    "chunking-unstated": states(chunking_id=None),
    "embedding": states(index_embedding_model="e5-large", query_embedding_model="e5-large"),
    "embedding-of-queries": states(query_embedding_model="e5-large"),
    "prompt": states(prompt_version="answer-8"),
    "model": states(model="small-2"),
    "frozen-equal": sets("gate", frozen_retrieval=True),
}


@change("judge")
def _judge(bench: Bench) -> tuple[int, str]:
    bench.gate()
    out = bench.folder / "out"
    bench.edit("out/judge.json", lambda partial: partial["evaluator"].update(version="99"))
    partials = [str(out / f"{stage}.json") for stage in ("retrieval", "judge", "safety")]
    assert bench.call("merge", *partials, "--output", str(out / "results.json"))[0] == 0
    return bench.check()


@change("judge-rejudged")
def _judge_rejudged(bench: Bench) -> tuple[int, str]:
    bench.edit("baseline.json", lambda baseline: baseline["stages"]["judge"].update(version="0"))
    assert bench.gate()[0] == 3
    return bench.gate("--rejudge")


@change("success-rejudged")
def _success_rejudged(bench: Bench) -> tuple[int, str]:
    assert CHANGES["success-rule"](bench)[0] == 3
    return bench.gate("--rejudge")


@change("question")
def _question(bench: Bench) -> tuple[int, str]:
    bench.golden[7]["question"] = "For how many days is offer 7 valid?"
    return bench.gate()


@change("gold")
def _gold(bench: Bench) -> tuple[int, str]:
    bench.golden[7]["gold_ids"] = ["doc-7", "doc-8"]
    return bench.gate()


@change("added")
def _added(bench: Bench) -> tuple[int, str]:
    bench.golden.append(bench.golden[7] | {"question_id": "q99"})
    bench.run.append(bench.run[7] | {"question_id": "q99"})
    return bench.gate()


def without(bench: Bench, number: int, *acknowledged: str) -> tuple[int, str]:
    del bench.golden[number], bench.run[number]
    bench.settings["gate"] = {"removed_ok": list(acknowledged)}
    return bench.gate()


@change("removed")
def _removed(bench: Bench) -> tuple[int, str]:
    return without(bench, 7)


@change("removed-failing")
def _removed_failing(bench: Bench) -> tuple[int, str]:
    return without(bench, 0, "q07")


@change("removed-acknowledged")
def _removed_acknowledged(bench: Bench) -> tuple[int, str]:
    return without(bench, 0, "q00")


@change("removed-extended")
def _removed_extended(bench: Bench) -> tuple[int, str]:
    return without(bench, 1)


@change("removed-other-tier")
def _removed_other_tier(bench: Bench) -> tuple[int, str]:
    del bench.run[2]
    return without(bench, 1)


@change("half-the-set")
def _half_the_set(bench: Bench) -> tuple[int, str]:
    for case in bench.golden[20:]:
        case["question"] += " Please tell me."
    return bench.gate()


@change("frozen-order")
def _frozen_order(bench: Bench) -> tuple[int, str]:
    bench.run[7]["retrieved"].reverse()
    bench.run[8]["retrieved"] = bench.run[8]["retrieved"][:1]
    assert bench.gate()[0] == 0, "without the setting neither matters"
    return CHANGES["frozen-equal"](bench)


@change("frozen-unknown")
def _frozen_unknown(bench: Bench) -> tuple[int, str]:
    def forget(baseline: Row) -> None:
        for case in baseline["cases"]:
            del case["retrieved_fp"]

    bench.edit("baseline.json", forget)
    assert bench.gate()[0] == 0, "a baseline of before can still be read"
    return CHANGES["frozen-equal"](bench)


def lost(bench: Bench, tolerance: float) -> tuple[int, str]:
    """Lose a fifth of the core cases, then only check the stored results by another tolerance."""
    for row in bench.run[2:10]:
        row["retrieved"] = bench.run[0]["retrieved"]
    bench.settings["tolerances"] = {"recall@5": 0.03}
    assert bench.gate()[0] == 1
    stored = (bench.folder / "out" / "results.json").read_bytes()
    bench.settings["tolerances"] = {"recall@5": tolerance}
    found = bench.check()
    assert (bench.folder / "out" / "results.json").read_bytes() == stored
    return found


@change("tolerance-loose")
def _tolerance_loose(bench: Bench) -> tuple[int, str]:
    return lost(bench, 0.5)


@change("tolerance-tight")
def _tolerance_tight(bench: Bench) -> tuple[int, str]:
    return lost(bench, 0.03)


def test_every_change_of_the_table_is_tried() -> None:
    assert CHANGES.keys() == OUTCOMES.keys()


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_change_has_the_outcome_that_the_reference_promises(
    name: str, promoted: dict[str, Path], tmp_path: Path
) -> None:
    unit = "chunk" if name.endswith("-of-chunks") or name == "chunking-unstated" else "document"
    folder = shutil.copytree(promoted[unit], tmp_path / "bench")
    code, said = CHANGES[name](Bench(folder, unit))
    assert OUTCOMES[name].said in said
    assert code == OUTCOMES[name].code


def test_a_baseline_moves_over_what_cannot_be_compared_only_with_a_reason(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["chunk"], tmp_path / "bench"), "chunk")
    bench.manifest["chunking_id"] = "characters-300"
    bench.golden = [case | {"tier": "core"} for case in bench.golden[1:]]
    bench.call("run", "--tier", "extended")
    results = str(bench.folder / "out" / "results.json")
    code, said = bench.call("promote", results)
    assert code == 3
    assert "these are other chunks" in said
    assert "removing cases that failed hides them: q00" in said


def test_what_was_measured_otherwise_is_neither_better_nor_worse(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["document"], tmp_path / "bench"))
    bench.edit("baseline.json", lambda document: document["stages"]["judge"].update(version="0"))
    for row in bench.run[2:30]:
        row["answer"] = "It is valid for 900 days."
    code, said = bench.gate()
    assert code == 3
    assert "not judged: measured otherwise in the baseline" in said
    assert "regressed" not in said
    assert "newly failing" not in said.lower()
    verdict = json.loads((bench.folder / "out" / "verdict.json").read_text(encoding="utf-8"))
    metric = verdict["metrics"]["correctness"]
    assert (metric["verdict"], metric["reasons"], metric["delta"]) == ("error", ["measured_otherwise"], None)
    assert metric["mean_current_all"] < 0.5
    assert verdict["metrics"]["recall@5"]["verdict"] == "pass"
    assert (verdict["regressions"], verdict["failing_dimensions"], verdict["worsened"]) == ([], [], {})
    assert (verdict["cases"]["compared"], verdict["cases"]["newly_failing"]) == (False, [])
    code, said = bench.call("check", str(bench.folder / "out" / "results.json"), "--explain", "correctness")
    assert code == 3
    assert "[measured_otherwise]" in said
    assert "worsened:" not in said


def test_no_case_is_newly_failing_by_another_judge_that_only_reports(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["document"], tmp_path / "bench"))
    bench.settings["tolerances"] = {"recall@5": 0.03}
    bench.edit("baseline.json", lambda document: document["stages"]["judge"].update(version="0"))
    for row in bench.run[2:30]:
        row["answer"] = "It is valid for 900 days."
    code, said = bench.gate()
    assert (code, "measured otherwise in the baseline (judge: lexical-v1 0 -> " in said) == (0, True)
    assert "newly failing:" not in said
    assert "did not in the baseline" not in said
    verdict = json.loads((bench.folder / "out" / "verdict.json").read_text(encoding="utf-8"))
    assert (verdict["cases"]["compared"], verdict["cases"]["newly_failing"]) == (False, [])


def test_a_floor_holds_whatever_the_baseline_was_measured_with(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["document"], tmp_path / "bench"))
    bench.settings["tolerances"]["correctness"] = {"tolerance": 0.05, "floor": 0.9}
    bench.edit("baseline.json", lambda document: document["stages"]["judge"].update(version="0"))
    for row in bench.run[2:30]:
        row["answer"] = "It is valid for 900 days."
    assert bench.gate()[0] == 3
    verdict = json.loads((bench.folder / "out" / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["metrics"]["correctness"]["reasons"] == ["below_floor"]


def test_ranks_of_other_chunks_are_not_compared_and_texts_are(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["chunk"], tmp_path / "bench"), "chunk")
    bench.manifest["chunking_id"] = "characters-300"
    for row in bench.run[2:20]:
        row["retrieved"] = bench.run[0]["retrieved"]
    assert bench.gate()[0] == 3
    metrics = json.loads((bench.folder / "out" / "verdict.json").read_text(encoding="utf-8"))["metrics"]
    assert {name: found["reasons"] for name, found in metrics.items() if found["verdict"] == "error"} == {
        "recall@5": ["measured_otherwise"],
        "mrr": ["measured_otherwise"],
    }
    assert metrics["correctness"]["verdict"] == "pass"


def test_explaining_a_metric_changes_neither_verdict_nor_results(
    promoted: dict[str, Path], tmp_path: Path
) -> None:
    bench = Bench(shutil.copytree(promoted["document"], tmp_path / "bench"))
    for row in bench.run[2:10]:
        row["retrieved"] = bench.run[0]["retrieved"]
    assert bench.gate()[0] == 1
    verdict = (bench.folder / "out" / "verdict.json").read_bytes()
    results = str(bench.folder / "out" / "results.json")
    code, said = bench.call("check", results, "--explain", "recall@5, correctness", "--explain", "mrr")
    assert code == 1
    for name in ("recall@5", "correctness", "mrr"):
        assert f"rag-gate: {name}: " in said
    assert "worsened: q02 1 -> 0; q03 1 -> 0" in said
    assert (bench.folder / "out" / "verdict.json").read_bytes() == verdict
    code, said = bench.call("check", results, "--explain", "recall@7")
    assert code == 2
    assert "no metric 'recall@7' in this verdict; there are " in said


def test_acknowledged_ids_may_be_numbers_as_question_ids_may() -> None:
    assert GateConfig.model_validate({"removed_ok": [7, "q08"]}).removed_ok == ("7", "q08")
