"""A declared variance: evidence has mean 1 where it is true, and grows where it is too small."""

import itertools
import math

import numpy as np
import pytest

from verify.evidence.spread import SpreadTest


@pytest.mark.parametrize("p", [0.5, 0.1, 0.003])
def test_under_the_declared_variance_the_evidence_has_mean_one(p):
    """All outcomes of six draws of 0 or 1, with their chances: the level is exact, not asymptotic."""
    total = 0.0
    for outcome in itertools.product((0.0, 1.0), repeat=6):
        test = SpreadTest(p * (1 - p))
        test.update(outcome[:2])
        test.update(outcome[2:])
        total += math.prod(p if z else 1 - p for z in outcome) * math.exp(test.log_evidence())
    assert total == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("declared", "refuted"), [(1.0, False), (1.2, False), (0.9, True), (0.01, True)])
def test_a_variance_that_is_too_small_is_refuted_whatever_the_mean(declared, refuted):
    test = SpreadTest(declared)
    test.update(np.random.default_rng(1).normal(1e3, 1.0, 20_000))
    assert (test.log_evidence() > math.log(1e9)) is refuted
    assert test.seen == pytest.approx(1.0, abs=0.05)


def test_round_off_is_no_spread_and_what_is_left_over_waits_for_nobody():
    test = SpreadTest(0.0)
    test.update(1.0 + 1e-13 * np.random.default_rng(1).random(999))
    assert test.log_evidence() < 0
    test.update([1e200, -1e200])
    assert test.log_evidence() > math.log(1e9)
