import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.calibrate.agreement import Confusion, balanced_accuracy, confusion, kappa, share
from rag_gate.calibrate.auc import auc, hanley_mcneil_variance

#: Two readers of 50 grant proposals, the usual textbook table: both yes 20, both no 15.
PROPOSALS = Confusion(true_positive=20, false_negative=5, true_negative=15, false_positive=10)

#: Hanley and McNeil (1982), table I: ratings of 58 normal and 51 abnormal CT images, from 1 to 5.
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
CT_LABELS = [False] * 58 + [True] * 51
CT_SCORES = [
    float(rating) for counts in (NORMAL, ABNORMAL) for rating, n in enumerate(counts, 1) for _ in range(n)
]

cases = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])), min_size=1, max_size=40
)
counts = st.builds(Confusion, *[st.integers(0, 40)] * 4)


def test_counts_say_who_said_what() -> None:
    found = confusion([True, True, True, False, False], [True, True, False, False, True])
    assert found == Confusion(true_positive=2, false_negative=1, true_negative=1, false_positive=1)
    assert found.n == 5


def test_kappa_of_the_textbook_table() -> None:
    found = kappa(PROPOSALS)
    assert found is not None
    assert found.value == pytest.approx(0.4)
    assert found.interval == pytest.approx((0.15, 0.65), abs=0.005)


def kappa_of(shares: list[float]) -> float:
    a, b, c, d = shares
    expected = (a + b) * (a + c) + (c + d) * (b + d)
    return (a + d - expected) / (1 - expected)


@pytest.mark.parametrize("table", [PROPOSALS, Confusion(40, 3, 12, 5), Confusion(9, 9, 9, 8)])
def test_the_error_of_kappa_is_that_of_the_delta_method(table: Confusion) -> None:
    order = [table.true_positive, table.false_negative, table.false_positive, table.true_negative]
    shares = [count / table.n for count in order]
    slopes = []
    for i in range(4):
        up, down = shares.copy(), shares.copy()
        up[i] += 1e-6
        down[i] -= 1e-6
        slopes.append((kappa_of(up) - kappa_of(down)) / 2e-6)
    centre = sum(p * slope for p, slope in zip(shares, slopes, strict=True))
    # The formula holds on the line where the shares add up to 1.
    variance = sum(p * (slope - centre) ** 2 for p, slope in zip(shares, slopes, strict=True)) / table.n
    found = kappa(table)
    assert found is not None
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(
        1.959964 * math.sqrt(variance), rel=1e-4
    )


def test_perfect_agreement_does_not_claim_certainty() -> None:
    found = kappa(Confusion(20, 0, 20, 0))
    assert found is not None
    assert found.value == 1.0
    assert found.interval == pytest.approx((0.825, 1.0), abs=0.001)
    balanced = balanced_accuracy(Confusion(20, 0, 20, 0))
    assert balanced is not None
    assert balanced.interval.low < 0.93


@pytest.mark.parametrize(
    "table", [Confusion(0, 0, 0, 0), Confusion(9, 0, 0, 0), Confusion(5, 5, 0, 0), Confusion(5, 0, 0, 5)]
)
def test_one_label_only_says_nothing_about_kappa(table: Confusion) -> None:
    assert kappa(table) is None


@given(counts)
def test_kappa_is_at_most_one_inside_its_interval_and_the_same_for_both_sides(table: Confusion) -> None:
    found = kappa(table)
    other = kappa(
        Confusion(table.true_positive, table.false_positive, table.true_negative, table.false_negative)
    )
    if found is None or other is None:
        assert found is other
        return
    assert -1 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert found.value == pytest.approx(other.value)
    assert found.interval == pytest.approx(other.interval)


def test_balanced_accuracy_is_the_mean_of_both_shares() -> None:
    found = balanced_accuracy(PROPOSALS)
    assert found is not None
    assert found.value == pytest.approx((20 / 25 + 15 / 25) / 2)
    # Wilson: 20 of 25 from 0.6087, 15 of 25 from 0.4074.
    down = math.hypot(0.8 - 0.60869, 0.6 - 0.40738) / 2
    assert found.interval.low == pytest.approx(found.value - down, abs=1e-4)


def test_a_share_of_nothing_and_a_missing_class_have_no_value() -> None:
    assert share(0, 0) is None
    assert balanced_accuracy(Confusion(5, 1, 0, 0)) is None
    assert auc([True, True], [0.1, 0.9]) is None


def test_auc_of_the_published_ct_ratings() -> None:
    found = auc(CT_LABELS, CT_SCORES)
    assert found is not None
    assert found.value == pytest.approx(0.893, abs=0.0005)
    assert math.sqrt(hanley_mcneil_variance(found.value, 51, 58)) == pytest.approx(0.032, abs=0.001)
    assert found.interval == pytest.approx((0.812, 0.940), abs=0.001)


def test_auc_counts_ties_half_and_by_hand() -> None:
    found = auc([True, True, False, False], [0.9, 0.5, 0.5, 0.1])
    assert found is not None
    assert found.value == (1 + 1 + 0.5 + 1) / 4


def test_a_perfect_order_does_not_claim_certainty() -> None:
    found = auc([True] * 20 + [False] * 20, [1.0] * 20 + [0.0] * 20)
    assert found is not None
    assert found.value == 1.0
    assert 0.85 < found.interval.low < 0.95


@given(cases)
def test_auc_is_symmetric_and_counts_every_pair(rows: list[tuple[bool, float]]) -> None:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    found, turned = auc(labels, scores), auc([not label for label in labels], scores)
    if found is None or turned is None:
        assert found is turned
        return
    pairs = [(a > b) + (a == b) / 2 for x, a in rows if x for y, b in rows if not y]
    assert found.value == pytest.approx(sum(pairs) / len(pairs))
    assert found.value == pytest.approx(1 - turned.value)
    assert found.interval.low == pytest.approx(1 - turned.interval.high)
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1


@given(cases)
def test_the_order_of_the_cases_does_not_matter(rows: list[tuple[bool, float]]) -> None:
    mixed = sorted(rows, reverse=True)
    assert auc(*columns(rows)) == auc(*columns(mixed))
    assert table_of(rows) == table_of(mixed)


def columns(rows: list[tuple[bool, float]]) -> tuple[list[bool], list[float]]:
    return [label for label, _ in rows], [score for _, score in rows]


def table_of(rows: list[tuple[bool, float]]) -> Confusion:
    labels, scores = columns(rows)
    return confusion(labels, [score >= 0.5 for score in scores])
