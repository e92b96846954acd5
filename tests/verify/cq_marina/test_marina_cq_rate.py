"""Golden numbers of the specification for MARINA with the correlated quantizer."""

import numpy as np
import pytest

import theory
from verify.cq_marina.marina_cq_rate import QUARTER, STATED, equal_hessians_run
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/marina-cq-rate")

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def value(name, **values):
    return evaluate(CLAIM.formulas[name], values)


@pytest.mark.parametrize(("L_pm", "golden"), [(0.0, 0.32), (0.1, 0.3508888888889), (0.5, 1.092222222222)])
def test_constant_at_ten_clients(L_pm, golden):
    assert value("X", n=10, d=32, L_plus=1, L_pm=L_pm) == pytest.approx(golden, rel=DIGITS, abs=0)


def test_independent_thresholds():
    assert value("X_independent", n=10, d=32, L_plus=1) == pytest.approx(3.1, rel=1e-15)


@pytest.mark.parametrize(("n", "d"), [(2, 2), (4, 8), (10, 32), (50, 1000)])
def test_no_hessian_variance_gains_the_number_of_clients(n, d):
    alone = value("X", n=n, d=d, L_plus=3, L_pm=0)
    assert alone == pytest.approx(d / n**2 * 9, rel=1e-14)
    ratio = value("X_independent", n=n, d=d, L_plus=3) / alone
    assert ratio == pytest.approx(value("gain_equal_hessians", n=n, d=d), rel=1e-14)


@pytest.mark.parametrize(("n", "d"), [(2, 2), (4, 8), (10, 32)])
def test_gain_disappears_with_large_hessian_variance(n, d):
    L_pm = (1 - 1 / n) ** 0.5
    independent = value("X_independent", n=n, d=d, L_plus=1)
    assert value("X", n=n, d=d, L_plus=1, L_pm=L_pm) == pytest.approx(independent, rel=1e-14)
    for share in (0.1, 0.5, 0.9):
        found = value("X", n=n, d=d, L_plus=1, L_pm=share * L_pm)
        assert independent / found >= value("gain", n=n, d=d, L_plus=1, L_pm=share * L_pm) * (1 - 1e-14)
        assert found <= value("X_wide", n=n, d=d, L_plus=1, L_pm=share * L_pm)


# Monte Carlo goldens at T = 150: the specification has 2000 replicates and one or two digits, here are 500
# with four standard errors of the mean beside them (deviations as measured: 0.5 and 1.9 at most).
@pytest.mark.parametrize(
    ("n", "d", "p", "rule", "golden", "tolerance"),
    [
        (2, 4, 0.05, STATED, 0.87, 0.09),
        (4, 64, 0.02, STATED, 0.78, 0.05),
        (2, 4, 0.05, QUARTER, 1.77, 0.34),
        (2, 16, 0.05, QUARTER, 1.78, 0.28),
        (4, 64, 0.02, QUARTER, 1.68, 0.20),
        (3, 8, 0.05, QUARTER, 0.78, 0.07),
    ],
)
def test_ratio_of_average_and_bound(n, d, p, rule, golden, tolerance):
    averages, bounds = equal_hessians_run(n, d, p, rule, np.random.default_rng(5), 500)
    assert averages[:, -1].mean() / bounds[-1] == pytest.approx(golden, abs=tolerance)
