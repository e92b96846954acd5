"""Runs for the figures: costs of messages, where a run ends, means over runs at a cost."""

import numpy as np
import pytest

from verify.cat.fixtures.golden_vectors import ls
from verify.experiments.cat.adaptive_runs import ACCURACY, Comparison, CostedRun, mean_and_interval


@pytest.fixture(scope="module")
def comparison():
    return Comparison(ls(), 0, "test")


def test_gradient_descent_sends_no_indices_and_fixed_sizes_do(comparison):
    dense, whole = comparison.run("gd", "payload"), comparison.run("top-d", "payload")
    assert dense.costs[0, 1] == 32 * 512
    assert whole.costs[0, 1] == 41 * 512
    assert np.array_equal(dense.gaps, whole.gaps)
    assert comparison.run("top-8", "eth").costs[0, 1] == 12304  # one packet


def test_a_run_ends_where_the_accuracy_is_reached(comparison):
    run = comparison.run("cat_s", "affine")
    assert run.reached.all()
    end = int(run.ends[0])
    assert run.gaps[0, end] <= ACCURACY < run.gaps[0, end - 1]
    assert (end, run.costs[0, end]) == (18, 13897)
    cut = Comparison(ls(), 0, "test", most=3).run("cat_s", "affine")
    assert not cut.reached.any()
    assert cut.ends.tolist() == [3]


def test_means_over_runs_are_taken_at_the_same_cost():
    runs = CostedRun(np.array([[1.0, 0.5, 0.0], [1.0, 0.0, 0.0]]), np.array([[0.0, 2, 4], [0, 4, 8]]), None)
    mean, low, high = mean_and_interval(runs, np.array([0.0, 2.0, 4.0, 9.0]))
    assert mean.tolist() == [1.0, 0.5, 0.0, 0.0]
    assert low.tolist() == mean.tolist() == high.tolist()  # both runs are on one line
    one = CostedRun(runs.gaps[:1], runs.costs[:1], None)
    assert mean_and_interval(one, np.array([1.0]))[0].tolist() == [0.75]


def test_the_interval_is_that_of_a_mean():
    gaps = np.array([[1.0, 0.1], [1.0, 0.2], [1.0, 0.3]])
    mean, low, high = mean_and_interval(CostedRun(gaps, np.tile([0.0, 1.0], (3, 1)), None), np.array([1.0]))
    reach = 4.302652729911275 * 0.1 / 3**0.5  # t with two degrees of freedom
    assert mean[0] == pytest.approx(0.2)
    assert (low[0], high[0]) == pytest.approx((0.2 - reach, 0.2 + reach))
