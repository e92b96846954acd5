"""Intervals for medians: the ranks by hand, coverage by enumeration, cut-off samples."""

import math
from itertools import product

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence.median import median_interval, replicates_needed, simultaneous_intervals


def test_the_range_of_31_samples_is_the_first_to_reach_one_in_a_billion():
    assert replicates_needed(1e-9) == 31
    assert 2 * 2.0**-31 <= 1e-9 < 2 * 2.0**-30
    assert median_interval(np.arange(31.0)) == (0.0, 30.0)
    with pytest.raises(ArgumentError, match="at least 31 are needed"):
        median_interval(np.arange(30.0))


@pytest.mark.parametrize(("R", "alpha", "rank"), [(5, 0.1, 1), (8, 0.1, 2), (10, 0.05, 2), (10, 0.2, 3)])
def test_ranks_are_those_of_the_sign_test(R, alpha, rank):
    tail = [2 * sum(math.comb(R, j) for j in range(k)) / 2**R for k in range(R + 1)]
    assert tail[rank] <= alpha < tail[rank + 1]
    assert median_interval(np.arange(R)[::-1].astype(float), alpha=alpha) == (rank - 1, R - rank)


def test_coverage_over_all_outcomes_of_a_fair_coin():
    # The median 1/2 of values 0 and 1 with equal chances lies between: misses are one-sided samples only.
    R, alpha = 8, 0.02
    misses = 0
    for outcome in product((0.0, 1.0), repeat=R):
        low, high = median_interval(outcome, alpha=alpha)
        misses += not low <= 0.5 <= high
    assert misses / 2**R <= alpha


def test_a_cut_off_sample_widens_the_upper_end_only():
    low = np.arange(8.0)
    high = low.copy()
    high[-3:] = np.inf
    assert median_interval(low, high, alpha=0.1) == (1.0, math.inf)
    assert median_interval(low, alpha=0.1) == (1.0, 6.0)


def test_simultaneous_intervals_share_the_level():
    samples = {name: (np.arange(34.0), np.arange(34.0)) for name in "abcdefgh"}
    assert set(simultaneous_intervals(samples, 1e-9).values()) == {(0.0, 33.0)}
    with pytest.raises(ArgumentError, match="needed"):
        simultaneous_intervals({**samples, "i": (np.arange(34.0), np.arange(34.0))}, 1e-9)


def test_mistakes_are_named():
    with pytest.raises(ArgumentError) as error:
        median_interval([[1.0]], [1.0], alpha=2.0)
    for word in ("lower has shape", "upper has shape", "alpha=2.0"):
        assert word in str(error.value)
    with pytest.raises(ArgumentError, match="NaN"):
        median_interval([math.nan] * 40)
