import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_gate.regression import CaseScoreIn, pair_cases
from rag_gate.regression.inputs import Score
from rag_gate.regression.pairing import score_of


def case(score: Score, fp: str = "v1") -> CaseScoreIn:
    return CaseScoreIn(fp=fp, score=score)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (None, None),
        (math.nan, None),
        (math.inf, None),
        ([], None),
        ([None, math.nan], None),
        (0, 0.0),
        (True, 1.0),
        ([0.5, None, math.nan, 1.0], 0.75),
        ([1.0, 1.0, 1.0], 1.0),
    ],
)
def test_only_finite_numbers_are_scores(score: Score, expected: float | None) -> None:
    assert score_of(score) == expected


def test_every_case_lands_in_its_class() -> None:
    base = {
        "gone": case(1), "same": case(1), "edited": case(1, "v1"), "lost": case(0.5),
        "new_score": case(None), "never": case(math.nan),
    }  # fmt: skip
    current = {
        "added": case(0), "same": case(0), "edited": case(0, "v2"), "lost": case(math.nan),
        "new_score": case(1), "never": case(None),
    }  # fmt: skip
    found = pair_cases(base, current)
    assert [(pair.case_id, pair.base, pair.current) for pair in found.pairs] == [("same", 1.0, 0.0)]
    assert (found.added, found.removed, found.edited) == (("added",), ("gone",), ("edited",))
    assert found.missing_current == ("lost", "never")
    assert found.missing_base == ("never", "new_score")
    assert found.lost_base_scores == (0.5,)
    assert found.missing_fraction == pytest.approx(2 / 3)


def test_nothing_in_common_has_no_missing_fraction() -> None:
    assert pair_cases({}, {"a": case(1)}).missing_fraction is None


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=3), st.sampled_from([0.0, 0.5, 1.0, None])), st.randoms())
def test_order_of_the_maps_does_not_matter(scores: dict[str, float | None], shuffler: random.Random) -> None:
    base = {case_id: case(score) for case_id, score in scores.items()}
    items = list(base.items())
    shuffler.shuffle(items)
    assert pair_cases(base, dict(items)) == pair_cases(dict(items), base)
