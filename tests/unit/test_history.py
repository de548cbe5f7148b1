"""The history beside a baseline, and the trend that it shows."""

from pathlib import Path
from typing import Any

from rag_gate.history import append_history, history_path, read_history, trend
from rag_gate.records.history import HistoryRow


def row(day: int, mean: float | None = 0.9, **changes: Any) -> HistoryRow:
    known = {
        "promoted_at": f"2026-05-{day:02d}T09:30:00+00:00",
        "tier": "extended",
        "dataset": "set-1",
        "judge": "judge-1",
        "metrics": {name: {"mean": mean, "n": 50, "sd": 0.3} for name in ("recall@5", "faithfulness")},
    }
    return HistoryRow.model_validate(known | changes)


def means(rows: list[HistoryRow], metric: str) -> list[float]:
    return [point.mean for point in trend(rows, [metric]).get(metric, [])]


def test_a_trend_is_the_promoted_means_oldest_first() -> None:
    rows = [row(1, 0.90), row(2, 0.92), row(3, 0.91)]
    assert means(rows, "recall@5") == [0.90, 0.92, 0.91]
    assert means(rows, "mrr") == []


def test_one_promotion_is_no_trend() -> None:
    assert trend([row(1)], ["recall@5"]) == {}
    assert trend([], ["recall@5"]) == {}


def test_only_the_last_promotions_are_shown() -> None:
    assert means([row(n, n / 20) for n in range(1, 15)], "recall@5") == [n / 20 for n in range(7, 15)]


def test_a_trend_ends_where_another_tier_was_measured() -> None:
    rows = [row(1, 0.5), row(2, 0.6, tier="core"), row(3, 0.7), row(4, 0.8)]
    assert means(rows, "recall@5") == [0.7, 0.8]


def test_another_judge_ends_the_trend_of_what_it_judged_only() -> None:
    rows = [row(1, 0.5, judge="judge-0"), row(2, 0.7), row(3, 0.8)]
    assert means(rows, "faithfulness") == [0.7, 0.8]
    assert means(rows, "recall@5") == [0.5, 0.7, 0.8]


def test_another_golden_set_is_marked() -> None:
    points = trend([row(1, dataset="set-0"), row(2), row(3)], ["recall@5"])["recall@5"]
    assert [point.other_cases for point in points] == [True, False, False]


def test_a_promotion_that_did_not_measure_a_metric_is_passed_over() -> None:
    rows = [row(1, 0.5), row(2, None), row(3, 0.8, metrics={}), row(4, 0.9)]
    assert means(rows, "recall@5") == [0.5, 0.9]


def test_rows_survive_the_file_and_a_broken_line_does_not_hide_the_others(tmp_path: Path) -> None:
    path = history_path(tmp_path / "baseline.json")
    assert read_history(path) == []
    append_history(path, row(1, reason="最初"))
    with path.open("a", encoding="utf-8") as handle:
        handle.write('{"promoted_at":"2026')
    append_history(path, row(2))
    path.write_text(path.read_text("utf-8") + '["a list"]\n\nno json\n', encoding="utf-8")
    assert read_history(path) == [row(1, reason="最初"), row(2)]
