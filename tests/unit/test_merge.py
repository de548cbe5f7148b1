"""Merging partials: proof that nothing is missing, and that shards change nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from material import Row, lines

from rag_gate.config_models import RetrievalConfig
from rag_gate.config_safety import SafetyConfig
from rag_gate.dataset import load_golden
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.merge import merge_files
from rag_gate.records.partial import Shard
from rag_gate.retrieval import evaluate_retrieval
from rag_gate.safety.stage import evaluate_safety

GOLD: list[Row] = [
    {"id": f"q{n}", "question": "いつ", "relevant": [f"g{m}" for m in range(1 + n % 3)], "expected": "5日"}
    for n in range(11)
]
RUN: list[Row] = [
    {"id": f"q{n}", "retrieved": [f"g{m}" for m in range(n % 4)], "answer": "5日" if n % 2 else "6日"}
    for n in range(9)
] + [{"id": "q9", "error": "timeout"}, {"id": "stranger", "retrieved": []}]


class Bench:
    """A folder with a golden set and a run, and partials of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.golden = load_golden(lines(folder / "gold.jsonl", GOLD))
        self.run = lines(folder / "run.jsonl", RUN)

    def retrieval(self, name: str = "r.json", index: int = 1, total: int = 1, **config: Any) -> Path:
        path = self.folder / name
        shard = Shard(index=index, total=total)
        evaluate_retrieval(self.golden, self.run, RetrievalConfig.model_validate(config), path, shard)
        return path

    def safety(self, name: str = "s.json", index: int = 1, total: int = 1) -> Path:
        path = self.folder / name
        evaluate_safety(self.golden, self.run, SafetyConfig(), path, Shard(index=index, total=total))
        return path

    def shards(self, total: int) -> list[Path]:
        return [self.retrieval(f"r{index}.json", index, total) for index in range(1, total + 1)]

    def edited(self, path: Path, **changes: Any) -> Path:
        document = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("merge"))


def merged(bench: Bench, *paths: Path) -> bytes:
    output = bench.folder / "results.json"
    merge_files(paths, output, ["retrieval"])
    return output.read_bytes()


@given(st.integers(1, 13), st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_number_of_shards_in_any_order_gives_the_bytes_of_one(
    bench: Bench, total: int, random: Any
) -> None:
    whole = merged(bench, bench.retrieval("whole.json"), bench.safety())
    parts = [*bench.shards(total), *(bench.safety(f"s{index}.json", index, 2) for index in (1, 2))]
    random.shuffle(parts)
    assert merged(bench, *parts) == whole


def test_counts_cover_all_shards(bench: Bench) -> None:
    results = json.loads(merged(bench, *bench.shards(3)))
    assert results["counts"] == {
        "cases": 11,
        "executed": 9,
        "empty": 3,
        "missing": 1,
        "error": 1,
        "unknown": 1,
    }
    assert results["metrics"]["mrr"]["n_missing"] == 1
    assert sum(results["statuses"].values()) == 11


def test_a_missing_shard_is_named(bench: Bench) -> None:
    first, _, third, _ = bench.shards(4)
    with pytest.raises(NotJudgedError, match=r"shard 2/4, 4/4 of stage 'retrieval' is missing"):
        merged(bench, first, third)


def test_a_shard_given_twice_is_named_with_both_files(bench: Bench) -> None:
    first, _ = bench.shards(2)
    copy = bench.retrieval("copy.json", 1, 2)
    with pytest.raises(
        NotJudgedError, match=r"shard 1/2 of stage 'retrieval' is given twice .*r1\.json and .*copy\.json"
    ):
        merged(bench, first, copy)


def test_shards_of_different_totals_do_not_mix(bench: Bench) -> None:
    with pytest.raises(NotJudgedError, match=r"r2\.json is of 3 shards, .*r1\.json of 2"):
        merged(bench, bench.retrieval("r1.json", 1, 2), bench.retrieval("r2.json", 2, 3))


def test_a_shard_beyond_the_total_does_not_exist(bench: Bench) -> None:
    odd = bench.edited(bench.retrieval("odd.json", 1, 2), shard={"index": 3, "total": 2})
    with pytest.raises(NotJudgedError, match=r"odd\.json is shard 3 of 2; there is no such shard"):
        merged(bench, odd)


def test_a_missing_stage_is_named_with_what_to_do(bench: Bench) -> None:
    with pytest.raises(
        NotJudgedError, match=r"stage judge and safety are missing \(given: retrieval\); .*--stages retrieval"
    ):
        merge_files([bench.retrieval()], bench.folder / "x.json")


def test_other_settings_of_a_stage_are_refused(bench: Bench) -> None:
    with pytest.raises(NotJudgedError, match=r"measured with different settings of stage 'retrieval'"):
        merged(bench, bench.retrieval("r1.json", 1, 2), bench.retrieval("r2.json", 2, 2, min_grade=2))


def test_another_golden_set_or_tier_is_refused(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path)
    other.golden = load_golden(lines(tmp_path / "gold.jsonl", [{**GOLD[0], "expected": "7日"}, *GOLD[1:]]))
    with pytest.raises(NotJudgedError, match=r"measured different golden sets .* tiers core and core"):
        merged(bench, bench.retrieval(), other.safety())


def test_another_run_is_refused(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path)
    other.run = lines(tmp_path / "run.jsonl", [{**RUN[0], "answer": "7日"}, *RUN[1:]])
    with pytest.raises(NotJudgedError, match="measured different runs"):
        merged(bench, bench.retrieval(), other.safety())


def test_another_manifest_is_another_run(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path)
    (tmp_path / "run.meta.json").write_text('{"model": "other"}', encoding="utf-8")
    with pytest.raises(NotJudgedError, match="measured different runs"):
        merged(bench, bench.retrieval(), other.safety())


def cases_of(path: Path) -> list[Row]:
    found: list[Row] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def test_a_hole_is_an_error(bench: Bench) -> None:
    path = bench.retrieval("hole.json")
    bench.edited(path, cases=cases_of(path)[1:])
    with pytest.raises(NotJudgedError, match="stage 'retrieval' holds 10 of 11 cases; run it again"):
        merged(bench, path)


def test_a_case_in_two_shards_is_an_error(bench: Bench) -> None:
    first, second = bench.shards(2)
    bench.edited(second, cases=[cases_of(first)[0], *cases_of(second)])
    with pytest.raises(NotJudgedError, match=r"r2\.json: case 'q0' was measured twice in stage 'retrieval'"):
        merged(bench, first, second)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"recall@5": 0.8}', "is not a partial file; write one with rag-gate retrieval, judge or safety"),
        ("[]", "is not a partial file"),
        (
            '{"schema_version": 99, "kind": "retrieval"}',
            r"schema_version 99 is unknown .*write the file again with rag-gate retrieval",
        ),
        (
            '{"schema_version": 1, "kind": "results"}',
            "is a file of kind 'results', and a partial file is needed here; give one of rag-gate retrieval",
        ),
        ("{", "is not valid JSON"),
    ],
)
def test_what_is_no_partial_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"p\.json.*{message}"):
        merge_files([path], tmp_path / "x.json")


def test_a_number_that_is_none_in_a_partial_is_refused(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        bench.retrieval().read_text(encoding="utf-8").replace('"mean":', '"mean":1e999,"x":', 1),
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="finite number"):
        merge_files([path], tmp_path / "x.json", ["retrieval"])
    assert not (tmp_path / "x.json").exists()
