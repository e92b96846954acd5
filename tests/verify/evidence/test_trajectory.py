import math

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import TrajectoryTest

ROWS = [(1, 0.6, 0.5), (1, 0.4, 0), (1, 0.9, 0.6)]
BOUNDS = (1, 0.5, 0.25)


def test_golden():
    test = TrajectoryTest(BOUNDS)
    for row in ROWS:
        test.update(row)
    # Logarithms of order one: a few units of the last place.
    assert test.log_evidence() == pytest.approx(0.0356686883312059, rel=1e-13)
    assert test.verdict() == "consistent"


def test_batches_order_and_merging_do_not_matter():
    whole, first, second = TrajectoryTest(BOUNDS), TrajectoryTest(BOUNDS), TrajectoryTest(BOUNDS)
    whole.update(ROWS)
    second.update(ROWS[2])
    second.update(ROWS[0])
    first.update(ROWS[1])
    first.merge(second.state())
    assert first.log_evidence() == pytest.approx(whole.log_evidence(), abs=1e-14)  # sums in another order
    assert first.state().replicates == 3


def squared_distances(step, rounds, replicates, rng):
    """Run x <- x - step C(x) with C = Rand-2 in dimension 20 on the isotropic quadratic; omega = 9."""
    x = np.full((replicates, 20), 20**-0.5)
    rows = np.empty((replicates, rounds))
    for k in range(rounds):
        kept = np.argpartition(rng.random(x.shape), 2, axis=1)[:, :2]
        sent = np.zeros_like(x)
        np.put_along_axis(sent, kept, 10 * np.take_along_axis(x, kept, 1), 1)
        x -= step * sent
        rows[:, k] = (x**2).sum(axis=1)
    return rows


def test_a_tight_true_bound_is_never_violated_and_a_step_mutant_is():
    rng = np.random.default_rng(7)
    bounds = 0.9 ** np.arange(1, 101)
    base, mutant = TrajectoryTest(bounds), TrajectoryTest(bounds)
    for row in squared_distances(0.1, 100, 256, rng):
        base.update(row)
        assert base.verdict() == "consistent"
    mutant.update(squared_distances(0.15, 100, 64, rng))
    assert mutant.verdict() == "violated"


def test_deterministic_values_at_their_bound_are_harmless():
    bounds = 0.5 ** np.arange(30)
    test = TrajectoryTest(bounds)
    test.update(np.tile(bounds * (1 + 1e-15), (10_000, 1)))
    assert test.verdict() == "consistent"


def test_overflow_counts_as_huge():
    test, same = TrajectoryTest(BOUNDS), TrajectoryTest(BOUNDS)
    test.update((1, 0.5, math.inf))
    same.update((1, 0.5, 1e300))
    assert test.log_evidence() == same.log_evidence()
    assert test.verdict() == "violated"


def test_a_bound_of_zero_allows_nothing_but_round_off():
    test = TrajectoryTest((1, 0))
    test.update((1, 0))
    test.update((1, 1e-13))
    assert test.verdict() == "consistent"
    test.update((1, 1e-9))
    assert test.verdict() == "violated"
    merged = TrajectoryTest((1, 0))
    merged.merge(test.state())
    assert merged.verdict() == "violated"
    only_zero = TrajectoryTest([0.0])
    only_zero.update([0.0])
    assert only_zero.log_evidence() == 0
    only_zero.update([1e-200])
    assert only_zero.verdict() == "violated"


def test_a_long_curve_is_tested_row_by_row():
    # 14 bets times 10 000 points are more than one block of factors holds.
    bounds = 1 / np.arange(1, 10_001)
    test, rows = TrajectoryTest(bounds), TrajectoryTest(bounds)
    values = np.stack([bounds, 1.5 * bounds, 0.5 * bounds])
    test.update(values)
    for row in values:
        rows.update(row)
    assert test.log_evidence() == pytest.approx(rows.log_evidence(), rel=1e-12)
    assert test.verdict() == rows.verdict() == "consistent"


def test_no_data():
    test = TrajectoryTest(BOUNDS)
    test.update(np.empty((0, 3)))
    assert test.verdict() == "inconclusive"
    assert test.log_evidence() == 0


@pytest.mark.parametrize("bad", [(1, math.nan, 0), (1, -0.1, 0), (1, 2), [[[1, 1, 1]]]])
def test_bad_values_are_refused_and_leave_no_trace(bad):
    test = TrajectoryTest(BOUNDS)
    with pytest.raises(ArgumentError, match=r"TrajectoryTest\.update"):
        test.update(bad)
    assert test.verdict() == "inconclusive"


def test_negative_round_off_is_accepted():
    test = TrajectoryTest(BOUNDS)
    test.update((1, 0.5, -1e-13))
    assert test.verdict() == "consistent"


@pytest.mark.parametrize(
    ("bounds", "alpha", "message"),
    [
        ([], 1e-9, "shape"),
        ([[1.0]], 1e-9, "shape"),
        ([1, -1], 1e-9, r"bounds\[1\]=-1"),
        ([1, math.inf], 1e-9, r"bounds\[1\]=inf"),
        ([1], 1, "alpha=1"),
    ],
)
def test_bad_arguments(bounds, alpha, message):
    with pytest.raises(ArgumentError, match=message):
        TrajectoryTest(bounds, alpha)


def test_merging_another_test_is_refused():
    with pytest.raises(ArgumentError, match="other bounds"):
        TrajectoryTest(BOUNDS).merge(TrajectoryTest((1, 0.5, 0.2)).state())
