from pathlib import Path

import pytest
from calibrate_material import results

from rag_gate.calibrate.agreement_report import agreement
from rag_gate.calibrate.labels import read_labels
from rag_gate.errors import InputError, NotJudgedError


def labelled(folder: Path, text: str) -> Path:
    path = folder / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_are_read_for_one_metric(tmp_path: Path) -> None:
    text = """{"question_id": "a", "label": 1, "by": "Ada"}
{"question_id": 7, "label": false}

{"question_id": "b", "label": true, "metric": "correctness"}
{"question_id": "a", "label": "good", "metric": "relevance"}
"""
    assert read_labels(labelled(tmp_path, text), "correctness") == {"a": True, "7": False, "b": True}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[1]", "must be an object, found list"),
        ('{"label": 1}', "question_id: must be text or a whole number"),
        ('{"question_id": true, "label": 1}', "question_id: must be text"),
        ('{"question_id": "a"}', "label: must be 0 or 1"),
        ('{"question_id": "a", "label": 2}', "found '2'"),
        ('{"question_id": "a", "label": 0.5}', "found '0.5'"),
        ('{"question_id": "a", "label": "1"}', "label: must be 0 or 1"),
        ('{"question_id": "a", "label": 1, "metric": 5}', "metric: must be the name"),
        ('{"question_id": "z", "label": 1}', "'z' is labelled twice for correctness"),
        ("{", "is not valid JSON"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    path = labelled(tmp_path, f'{{"question_id": "z", "label": 0}}\n{row}\n')
    with pytest.raises(InputError, match=r"labels\.jsonl:2: ") as caught:
        read_labels(path, "correctness")
    assert message in str(caught.value)


def test_no_label_of_the_metric_is_an_error(tmp_path: Path) -> None:
    path = labelled(tmp_path, '{"question_id": "z", "label": 0, "metric": "relevance"}\n')
    with pytest.raises(InputError, match="holds no label for correctness"):
        read_labels(path, "correctness")


RESULTS = results({"correctness": [1.0, 1.0, 0.0, 0.0, None, 1.0, 0.0, 1.0]})
LABELS = {"q000": True, "q001": False, "q002": False, "q003": True, "q004": True, "elsewhere": True}


def test_agreement_joins_labels_and_scores() -> None:
    found = agreement(RESULTS, LABELS, "correctness")
    assert found.counts == {
        "true_positive": 1, "false_negative": 1, "true_negative": 1, "false_positive": 1,
    }  # fmt: skip
    assert (found.unscored, found.unknown) == (("q004",), ("elsewhere",))
    assert (found.sensitivity.value, found.sensitivity.n) == (0.5, 2)
    assert found.kappa.value == 0
    assert found.judge_mean == pytest.approx(4 / 7)
    assert found.correction is not None
    assert found.correction.labels_only.n == 4
    assert found.correction.prediction_powered.n == 7
    assert len(found.notices) == 2


def test_agreement_does_not_depend_on_the_order_of_the_labels() -> None:
    turned = dict(reversed(LABELS.items()))
    assert agreement(RESULTS, LABELS, "correctness") == agreement(RESULTS, turned, "correctness")


def test_labels_of_one_kind_leave_the_others_unknown() -> None:
    found = agreement(RESULTS, {"q000": True, "q002": True}, "correctness")
    assert (found.specificity.value, found.auc.value, found.kappa.value) == (None, None, None)
    assert found.sensitivity.value == 0.5


def test_a_metric_without_scores_and_labels_of_other_cases_are_errors() -> None:
    with pytest.raises(InputError, match="no scores of 'relevance'; they have correctness"):
        agreement(RESULTS, LABELS, "relevance")
    with pytest.raises(NotJudgedError, match="none of the 1 labelled cases"):
        agreement(RESULTS, {"elsewhere": True}, "correctness")
