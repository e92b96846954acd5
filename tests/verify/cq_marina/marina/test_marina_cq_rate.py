"""Golden numbers of the specification for MARINA with the correlated quantizer."""

import numpy as np
import pytest

import theory
from verify.cq_marina.marina.marina_cq_rate import equal_hessians_run, judge, quarter_constant
from verify.evaluation import evaluate

STATED = judge._law()
QUARTER = quarter_constant(STATED)
CLAIM = theory.claim("cq_marina/marina-cq-rate")

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def value(name, **values):
    return evaluate(CLAIM.formulas[name], values)


@pytest.mark.parametrize(("L_pm", "golden"), [(0.0, 0.32), (0.1, 0.3508888888889), (0.5, 1.092222222222)])
def test_constant_at_ten_clients(L_pm, golden):
    assert value("X", n=10, d=32, L_plus=1, L_pm=L_pm) == pytest.approx(golden, rel=DIGITS, abs=0)


# Monte Carlo goldens at T = 150: the specification has 2000 replicates and one or two digits, here are 500
# with four standard errors of the mean beside them (deviations as measured: 0.5 and 1.9 at most).
@pytest.mark.parametrize(
    ("n", "d", "p", "law", "golden", "tolerance"),
    [
        (2, 4, 0.05, STATED, 0.87, 0.09),
        (4, 64, 0.02, STATED, 0.78, 0.05),
        (2, 4, 0.05, QUARTER, 1.77, 0.34),
        (2, 16, 0.05, QUARTER, 1.78, 0.28),
        (4, 64, 0.02, QUARTER, 1.68, 0.20),
        (3, 8, 0.05, QUARTER, 0.78, 0.07),
    ],
)
def test_ratio_of_average_and_bound(n, d, p, law, golden, tolerance):
    averages, bounds = equal_hessians_run(law, n, d, p, np.random.default_rng(5), 500)
    assert averages[:, -1].mean() / bounds[-1] == pytest.approx(golden, abs=tolerance)
