"""The numerical minimisation and the rounds behind the checks of the gains."""

import pytest

from verify.squant.fixtures.best_budget import minimal_cost
from verify.squant.gains.gain_vary import family_w, matched, rounds


def test_minimum_at_a_known_place():
    # (4 + beta)(1 + 4 / beta) = 8 + beta + 16 / beta is smallest at beta = 4.
    cost, budget = minimal_cost(a=4, kappa=1, c=8, L=1, n=4, mu=1)
    assert cost == pytest.approx(16, rel=1e-15)
    assert budget == pytest.approx(4, rel=1e-14)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_minimum_follows_the_scale_of_the_budget(scale):
    cost, budget = minimal_cost(a=4, kappa=1 / scale, c=8 * scale, L=1, n=4, mu=1)
    assert cost == pytest.approx(16, rel=1e-12)
    assert budget == pytest.approx(4 * scale, rel=1e-14)


def test_rounds_in_family_w_by_hand():
    # n = d = 2, beta = 1: L = (1 + 1/4) / 2, omega = min(sqrt 2 sqrt 2, 2 * 2 / 4) = 1, mu = 1/4.
    std, vary = rounds(family_w(2, 2), matched(2, 2))
    assert std == pytest.approx((5 / 8 + 1) / (1 / 4), rel=1e-14)
    # tr = 5/4, so h^2 = (5/4, 5): coarse 5/4, quarter (5/4 + 5/4) / 4 = 5/8.
    assert vary == pytest.approx((5 / 8 + 5 / 8) / (1 / 4), rel=1e-14)
