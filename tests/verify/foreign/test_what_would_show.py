"""What a report says its samples would have shown."""

import math

import numpy as np
import pytest

from verify.evidence.betting import BETS
from verify.foreign.second_moment import BoundTest
from verify.outcome import ALPHA


@pytest.mark.parametrize("samples", [1, 2, 30, 3000])
def test_outcomes_without_spread_promise_no_more_than_the_bets_can_show(samples):
    test = BoundTest("omega=1", 1.0)
    test.update(np.ones(samples))
    least = test.detectable()
    refuted, missed = BoundTest("omega=1", 1.0), BoundTest("omega=1", 1.0)
    refuted.update(np.full(samples, least * (1 + 1e-9)))
    assert refuted.refuted
    missed.update(np.full(samples, 1 + (math.exp(math.log(1 / ALPHA) / samples) - 1) / BETS[0] * 0.999))
    assert not missed.refuted


@pytest.mark.parametrize(("samples", "unresolved"), [(1, True), (2, True), (200, True), (20_000, False)])
def test_a_mean_above_the_bound_in_a_few_samples_that_are_alike_is_not_resolved(samples, unresolved):
    test = BoundTest("omega=1", 1.0)
    test.update(np.full(samples, 1.02))
    assert test.unresolved_above(0.01) == unresolved
    assert test.refuted != unresolved
