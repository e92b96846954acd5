"""Grids with a shift for each client, and the levels that a grid uses."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cq_marina.grids.cq_klevel import used_levels
from verify.cq_marina.grids.shifted_grids import IndependentShifts


# The ratio n/2 + 1/(2n) of the specification, at two clients.
def test_independent_shifts_at_equal_inputs():
    quantizer = IndependentShifts(F(1), "random")
    assert quantizer.variance([[F(3, 10)]] * 2) == F(5, 4) * F(1, 24)
    with pytest.raises(ValueError, match="two clients"):
        quantizer.variance([[F(0)]] * 3)


@pytest.mark.parametrize(("n", "ratio"), [(2, 1.25), (4, 2.125), (8, 4.0625)])
def test_independent_shifts_when_sampled(n, ratio):
    rng = np.random.default_rng(20240601)
    errors = IndependentShifts(1.0, "random").sample(np.full((n, 1), 0.3), rng, size=100_000)[:, 0] - 0.3
    # The standard error is below half a percent of the mean.
    assert (errors**2).mean() * 6 * n**2 == pytest.approx(ratio, rel=0.03)


def test_used_levels():
    assert used_levels(F(1, 2), F(0)) == 3
    assert used_levels(F(1, 2), F(1, 4)) == 4
