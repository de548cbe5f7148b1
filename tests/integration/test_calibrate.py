"""The commands that measure the gate itself, as a user starts them."""

import json
from pathlib import Path

from calibrate_material import flipped, results, written
from cli_runner import new_process, rag_gate
from material import lines

RIGHT = [1.0] * 40 + [0.0] * 10
AGAIN = flipped(RIGHT, 0, 1, 45)


def two_runs(folder: Path) -> tuple[Path, Path]:
    return (
        written(folder, "first.json", results({"recall@5": RIGHT, "correctness": RIGHT}, "run-1")),
        written(folder, "second.json", results({"recall@5": AGAIN, "correctness": RIGHT}, "run-2")),
    )


def test_noise_writes_a_table_that_the_check_takes(tmp_path: Path) -> None:
    first, second = two_runs(tmp_path)
    (tmp_path / "t.yml").write_text("recall@5: {tolerance: 0.01, floor: 0.4}\n", encoding="utf-8")
    ended = new_process("calibrate", "noise", first, second, "--tolerances", "t.yml", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "recall@5: narrower_than_noise: " in ended.err
    assert "wrote calibration.json" in ended.err
    written_file = json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))
    assert written_file["kind"] == "calibration"
    assert written_file["tolerances"]["recall@5"] == {"tolerance": 0.058, "floor": 0.4}
    checked = rag_gate(
        "check", second, "--tolerances", "calibration.json", "--output", "v.json", cwd=tmp_path
    )
    assert checked.code == 0, checked.err
    verdict = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    assert (verdict["metrics"]["recall@5"]["tolerance"], verdict["metrics"]["recall@5"]["floor"]) == (
        0.058,
        0.4,
    )


def test_noise_gives_the_same_bytes_every_time(tmp_path: Path) -> None:
    first, second = two_runs(tmp_path)
    outputs = [tmp_path / "a.json", tmp_path / "b.json"]
    for output in outputs:
        assert rag_gate("calibrate", "noise", first, second, "--output", output, cwd=tmp_path).code == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_runs_of_different_settings_have_no_verdict_and_one_run_is_bad_input(tmp_path: Path) -> None:
    first, second = two_runs(tmp_path)
    other = written(tmp_path, "other.json", results({"recall@5": RIGHT}, settings="other"))
    ended = rag_gate("calibrate", "noise", first, other, cwd=tmp_path)
    assert (ended.code, "measure both alike" in ended.err) == (3, True)
    ended = rag_gate("calibrate", "noise", second, cwd=tmp_path)
    assert (ended.code, "two or more runs" in ended.err) == (2, True)
    ended = rag_gate("calibrate", "noise", first, second, "--output", first, cwd=tmp_path)
    assert (ended.code, "is an input" in ended.err) == (2, True)
    assert not (tmp_path / "calibration.json").exists()


def test_judge_compares_labels_with_scores(tmp_path: Path) -> None:
    first, _ = two_runs(tmp_path)
    rows = [{"question_id": f"q{i:03}", "label": int(i < 38)} for i in range(20, 50)]
    labels = lines(tmp_path / "labels.jsonl", rows)
    ended = rag_gate("calibrate", "judge", labels, "--results", first, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "balanced_accuracy" in ended.err
    found = json.loads((tmp_path / "agreement.json").read_text(encoding="utf-8"))
    # 18 right answers, all called right; 12 wrong ones, 2 of them called right.
    assert found["counts"] == {
        "true_positive": 18, "false_negative": 0, "true_negative": 10, "false_positive": 2,
    }  # fmt: skip
    assert found["correction"]["labels_only"]["n"] == 30


def test_judge_names_a_bad_label_and_an_absent_metric(tmp_path: Path) -> None:
    first, _ = two_runs(tmp_path)
    labels = lines(tmp_path / "labels.jsonl", [{"question_id": "q000", "label": "yes"}])
    ended = rag_gate("calibrate", "judge", labels, "--results", first, cwd=tmp_path)
    assert (ended.code, "labels.jsonl:1: label: must be 0 or 1" in ended.err) == (2, True)
    labels = lines(tmp_path / "labels.jsonl", [{"question_id": "q000", "label": 1}])
    ended = rag_gate("calibrate", "judge", labels, "--results", first, "--metric", "relevance", cwd=tmp_path)
    assert (ended.code, "no scores of 'relevance'" in ended.err) == (2, True)
