"""Request logs: sketches, lines, comparison and causes, each worked out by hand."""

import gzip
import io
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.config_monitoring import DriftConfig, MonitoringConfig
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.monitoring import Phrases
from rag_gate.records.monitor import Drift, Signals
from rag_gate.request_logs.causes import causes
from rag_gate.request_logs.comparing import compare
from rag_gate.request_logs.entry import Entry, Reader
from rag_gate.request_logs.observing import observe
from rag_gate.request_logs.reading import log_lines
from rag_gate.request_logs.sketch import Sketch, value_of

numbers = st.floats(min_value=-1e6, max_value=1e6)


def sketch_of(values: list[float]) -> Sketch:
    sketch = Sketch()
    for value in values:
        sketch.add(value)
    return sketch


@given(st.lists(numbers, min_size=1, max_size=200), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_a_quantile_is_within_half_a_percent_of_a_value_at_its_rank(values: list[float], q: float) -> None:
    found = sketch_of(values).quantile(q)
    exact = sorted(values)[math.floor(q * (len(values) - 1))]
    assert found is not None
    assert abs(found - exact) <= 0.00501 * abs(exact) + 1e-9


@given(st.lists(numbers, min_size=2, max_size=50))
def test_bins_are_in_the_order_of_the_values(values: list[float]) -> None:
    keys = [next(iter(sketch_of([value]).bins)) for value in sorted(values)]
    assert keys == sorted(keys)


def test_a_sketch_stays_small_whatever_it_is_fed() -> None:
    sketch = sketch_of([10.0**power for power in range(-300, 300)] + [0.0, -0.0, 5e-324, 1e308])
    assert len(sketch.bins) < 60
    assert sketch.quantile(1.0) == pytest.approx(1e15, rel=0.01)
    assert value_of(0) == 0.0
    assert Sketch().quantile(0.5) is None


def test_values_above_a_limit_are_counted() -> None:
    assert sketch_of([10.0, 20.0, 30.0, 40.0]).above(25.0) == 2


def entry(line: Mapping[str, Any]) -> Entry:
    found = Reader(Phrases()).read(json.dumps(line).encode())
    assert found is not None
    return found


def signals(line: Mapping[str, Any]) -> dict[str, Any]:
    found = entry(line).signals
    assert found is not None
    return {key: value for key, value in found.as_dict().items() if value not in (None, "")}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {"request_id": "r", "retrieval_count": 0, "has_citation": False, "contains_hedging": True},
            {"request_id": "r", "retrieval_count": 0, "has_citation": False, "contains_hedging": True},
        ),
        (
            {"question_id": "q", "retrieved": [{"id": "a", "score": 0.5}], "answer": "14日です。[出典: a]"},
            {
                "request_id": "q",
                "retrieval_count": 1,
                "top_similarity_score": 0.5,
                "response_length_chars": 13,
                "has_citation": True,
                "language_detected": "ja",
                "contains_hedging": False,
            },
        ),
        ({"retrieved_contexts": ["a", "b"]}, {"retrieval_count": 2}),
        ({"retrieved": [], "citations": []}, {"retrieval_count": 0, "has_citation": False}),
        ({"retrieval_count": 3, "citations": ["a"]}, {"retrieval_count": 3, "has_citation": True}),
    ],
)
def test_a_line_may_hold_signals_or_a_request_with_its_texts(
    line: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert signals(line) == expected


@pytest.mark.parametrize(
    ("line", "latency"),
    [
        (
            {"retrieval_count": 1, "total_latency_ms": 5, "retrieval_latency_ms": 2.5},
            {"total": 5, "retrieval": 2.5},
        ),
        ({"retrieved": [], "latency_ms": 7}, {"total": 7}),
        (
            {"retrieved": [], "latency_ms": {"retrieval": 1, "generation": 2, "rerank": 3}},
            {"retrieval": 1, "generation": 2},
        ),
    ],
)
def test_latencies_are_read_in_all_their_forms(line: dict[str, Any], latency: dict[str, float]) -> None:
    assert entry(line).latency_ms == latency


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ({"request_id": "r", "feedback": "down", "feedback_category": "wrong"}, "wrong"),
        ({"request_id": "r", "feedback": -1}, "other"),
        ({"retrieved": [], "feedback": "up"}, None),
        ({"retrieved": []}, None),
    ],
)
def test_feedback_may_stand_alone_or_beside_a_request(line: dict[str, Any], category: str | None) -> None:
    assert entry(line).thumbs_down == category


def test_an_error_is_a_request_without_signals() -> None:
    found = entry({"error": "timeout", "retrieved": [], "answer": "x"})
    assert (found.is_error, found.signals) == (True, None)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{", "is not valid JSON"),
        (b"[1]", "is not a JSON object"),
        (b'{"retrieval_count": NaN}', "is not valid JSON"),
        (b'{"answer": "\xff"}', "is not valid JSON"),
        (b'{"level": "info"}', "holds no signal"),
        (b'{"retrieval_count": "3"}', "retrieval_count: expected int | null, got str"),
        (b'{"retrieval_count": -3}', "retrieval_count: expected int >= 0"),
        (b'{"retrieval_count": true}', "retrieval_count: expected int | null, got bool"),
        (b'{"has_citation": 1}', "has_citation: expected bool | null, got int"),
        (b'{"language_detected": 5, "answer": "x"}', "language_detected: expected str | null, got int"),
        (b'{"answer": 5}', "answer: expected str | null, got int"),
        (b'{"retrieved": "a"}', "retrieved: expected array | null, got str"),
        (
            b'{"retrieved": [], "latency_ms": {"total": "1"}}',
            "latency_ms.total: must be a number that is not negative",
        ),
    ],
)
def test_a_line_that_cannot_be_used_says_why(raw: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        Reader(Phrases()).read(raw)


def test_bad_lines_are_counted_and_the_first_ones_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"retrieved": []}\n\n' + "broken\n" * 7, encoding="utf-8")
    seen = observe([str(path)], MonitoringConfig())
    assert (seen.lines, seen.bad.count, len(seen.bad.named)) == (8, 7, 5)
    assert seen.bad.named[0].startswith(f"{path}:3: is not valid JSON")
    assert seen.result().requests == 1
    with pytest.raises(NotJudgedError, match=r"7 of 8 lines \(87.5%\) cannot be read, more than the 1.0%"):
        seen.bad.refuse_too_many(seen.lines, 0.01)
    seen.bad.refuse_too_many(seen.lines, 0.9)


def test_compressed_logs_are_recognised_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"a": 1}\r\n{"b": 2}'))
    assert list(log_lines([str(path)])) == [(f"{path}:1", b'{"a": 1}'), (f"{path}:2", b'{"b": 2}')]


def test_a_compressed_log_that_is_cut_off_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000)[:-20])
    with pytest.raises(InputError, match=r"log\.gz: is cut off or damaged"):
        list(log_lines([str(path)]))


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"retrieved": []}\n{"x": "' + b"a" * 25_000_000 + b'"}\n{"retrieved": []}\n')
    found = list(log_lines([str(path)]))
    assert [where.rpartition(":")[2] for where, _ in found] == ["1", "2", "3"]
    assert max(len(line) for _, line in found) == 10_000_000


def test_the_standard_input_is_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b'{"a": 1}\n')))
    monkeypatch.setattr("sys.stdin", stream)
    assert list(log_lines(["-"])) == [("-:1", b'{"a": 1}')]


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.jsonl: no such file"):
        list(log_lines([str(tmp_path / "absent.jsonl")]))


def test_a_log_cannot_make_the_result_large(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    rows = (
        {
            "retrieval_count": 1,
            "language_detected": f"x{n}",
            "model": f"m{n}",
            "feedback": "down",
            "feedback_category": f"c{n}",
        }
        for n in range(500)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = observe([str(path)], MonitoringConfig()).result()
    assert found.thumbs_down == {"other": 500}
    assert len(found.languages) == len(found.conditions["model"]) == 51


def seen(**counts: Any) -> Signals:
    given = {
        "requests": 1000,
        "retrievals": 1000,
        "empty": 20,
        "answers": 1000,
        "cited": 800,
        "hedge_known": 1000,
    }
    return Signals(**{**given, **counts})


def verdicts(baseline: Signals, now: Signals, **config: Any) -> dict[str, str]:
    drifts = compare(baseline, now, DriftConfig(**config))
    return {drift.signal: drift.verdict for drift in drifts if drift.verdict != "not_compared"}


def test_equal_signals_pass() -> None:
    assert verdicts(seen(), seen()) == {"empty_rate": "pass", "citation_rate": "pass", "hedging_rate": "pass"}


@pytest.mark.parametrize(
    ("counts", "signal", "verdict"),
    [
        ({"empty": 70}, "empty_rate", "pass"),  # 0.05 more, which is the tolerance
        ({"empty": 90}, "empty_rate", "regressed"),
        ({"empty": 0}, "empty_rate", "pass"),
        ({"cited": 750}, "citation_rate", "pass"),
        ({"cited": 740}, "citation_rate", "regressed"),
        ({"cited": 1000}, "citation_rate", "pass"),
        ({"hedging": 110}, "hedging_rate", "regressed"),
        ({"retrievals": 40, "empty": 3}, "empty_rate", "inconclusive"),
    ],
)
def test_a_share_regresses_beyond_its_tolerance_and_chance(
    counts: dict[str, int], signal: str, verdict: str
) -> None:
    assert verdicts(seen(), seen(**counts))[signal] == verdict


def test_too_few_requests_are_not_compared_and_it_is_said_which_side() -> None:
    drifts = {drift.signal: drift for drift in compare(seen(), seen(retrievals=29, empty=29), DriftConfig())}
    assert drifts["empty_rate"].verdict == "not_compared"
    assert drifts["empty_rate"].reason == (
        "the log has only 29 values; 30 are needed (monitoring.drift.min_requests)"
    )
    assert drifts["similarity"].reason == "neither side has a value"


def scored(scale: float) -> Signals:
    return seen(top_similarity=sketch_of([scale * (0.5 + n / 400) for n in range(100)]).pairs())


def test_scores_that_moved_down_regress_and_those_that_moved_up_do_not() -> None:
    assert verdicts(scored(1.0), scored(0.7))["similarity"] == "regressed"
    assert verdicts(scored(0.7), scored(1.0))["similarity"] == "pass"
    assert verdicts(scored(1.0), scored(0.98))["similarity"] == "pass"


def timed(scale: float, count: int = 1000) -> Signals:
    values = [scale * (100 + 100 * n / count) for n in range(count)]
    return seen(latency_ms={"total": sketch_of(values).pairs()})


@pytest.mark.parametrize(
    ("scale", "count", "verdict"),
    [(1.2, 1000, "pass"), (1.4, 1000, "regressed"), (0.5, 1000, "pass"), (1.28, 30, "inconclusive")],
)
def test_the_95th_percentile_of_a_latency_may_rise_by_a_quarter(
    scale: float, count: int, verdict: str
) -> None:
    assert verdicts(timed(1.0, count), timed(scale, count))["total_latency"] == verdict


def bad(*names: Any) -> list[Drift]:
    return [Drift(signal=name, verdict="regressed") for name in names]


def named(baseline: Signals, now: Signals, drifts: list[Drift]) -> list[tuple[str, bool]]:
    return [(cause.name, cause.certain) for cause in causes(baseline, now, drifts)]


@pytest.mark.parametrize("signal", ["empty_rate", "similarity"])
def test_fewer_or_worse_results_point_to_an_index_that_does_not_fit(signal: str) -> None:
    (cause,) = causes(seen(), seen(), bad(signal))
    assert (cause.name, cause.certain) == ("index_mismatch", False)
    assert "embedding model was changed without re-indexing" in cause.text


def test_two_embedding_models_are_a_certain_cause_also_without_a_change() -> None:
    now = seen(conditions={"index_embedding_model": ["e-1"], "query_embedding_model": ["e-2"]})
    (cause,) = causes(seen(), now, [])
    assert (cause.name, cause.certain) == ("embedding_models_differ", True)
    assert "'e-1'" in cause.text
    assert "'e-2'" in cause.text
    same = seen(conditions={"index_embedding_model": ["e-1"], "query_embedding_model": ["e-1"]})
    assert causes(seen(), same, []) == []


def test_another_model_or_prompt_than_the_baselines_is_named() -> None:
    before = seen(conditions={"model": ["m-2024"], "prompt_version": ["v1"]})
    now = seen(conditions={"model": ["m-2026"], "prompt_version": ["v1"]})
    (cause,) = causes(before, now, bad("citation_rate"))
    assert cause.text == "Changed since the baseline: the model, from 'm-2024' to 'm-2026'."


def test_questions_in_another_language_and_a_slow_stage_are_named() -> None:
    before, now = seen(languages={"ja": 90, "en": 10}), seen(languages={"ja": 50, "en": 50})
    assert named(before, now, bad("empty_rate")) == [("index_mismatch", False), ("traffic_changed", False)]
    assert named(seen(), seen(), bad("generation_latency", "total_latency")) == [("slow_stage", True)]
    assert named(before, now, []) == []
