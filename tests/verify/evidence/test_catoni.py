import numpy as np
import pytest

from verify.evidence.betting import log_mean_exp
from verify.evidence.catoni import catoni_sums


def test_golden():
    z = np.array([0.5] * 30 + [2.0] * 5)
    # 35 logarithms agree with 40-digit arithmetic to a few units of the last place.
    assert log_mean_exp(catoni_sums(z, 1.01, 0.5)) == pytest.approx(1.23334394528314, rel=1e-14)


@pytest.mark.parametrize("p", [0.5, 0.1, 0.001])
def test_each_factor_has_mean_at_most_one_under_the_null(p):
    # Z is 1/p with probability p, else 0: mean 1, variance 1/p - 1.
    variance = 1 / p - 1
    factors = [np.exp(catoni_sums(np.array([z]), 1.0, variance)) for z in (1 / p, 0.0)]
    assert np.all(p * factors[0] + (1 - p) * factors[1] <= 1)


def test_evidence_for_a_mean_below_the_bound_despite_rare_large_values():
    rng = np.random.default_rng(1)
    z = np.where(rng.random(20_000) < 1e-3, 500.0, 0.4)  # mean 0.8996, variance 249.6
    assert log_mean_exp(catoni_sums(z, 2.0, 249.6)) > 20


def test_extreme_values_do_not_overflow():
    sums = catoni_sums(np.array([1e300, -1e300]), 0.0, 1e-300)
    assert np.all(np.isfinite(sums))


def test_influence_is_continuous_where_the_formula_changes():
    below, above = (catoni_sums(np.array([-t]), 0.0, 4.0) for t in (0.99e150, 1.01e150))
    assert np.all(above - below > 0)
    assert np.all(above - below < 0.05)  # 2 ln(1.01 / 0.99) = 0.04
