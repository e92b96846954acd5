"""Golden numbers of `cq_marina/cq-klevel`, from the formulas alone."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from verify.cq_marina.quantizer.cq_klevel import used_levels
from verify.cq_marina.quantizer.shifted_grids import IndependentShifts
from verify.evaluation import evaluate_exact

CLAIM = theory.claim("cq_marina/cq-klevel")
X, BETA = (F(1, 10), F(9, 10), F(17, 10), F(26, 10)), F(4, 5)


def table(name, size, **values):
    return [
        [evaluate_exact(CLAIM.formulas[name], {**values, "i": i, "l": l}) for l in range(size)]
        for i in range(size)
    ]


def variance(x, beta, s=0):
    y, n = [(item - s) / beta % 1 for item in x], len(x)
    values = {"x": x, "beta": beta, "n": n, "kappa": table("within", n, n=n, y=y)}
    return evaluate_exact(CLAIM.exact, values)


def averaged(x, beta):
    n, values = len(x), {"x": x, "beta": beta, "n": len(x)}
    cells = table("overlap", n, tau=table("distance", n, **values))
    return evaluate_exact(CLAIM.formulas["averaged"], {**values, "apart": cells})


def test_goldens():
    assert variance(X, BETA) == F(9375, 10**6)
    assert averaged(X, BETA) == F(8125, 10**6)


# The specification's own check has errors of 4e-8 with 1000 midpoints; of a quadratic between kinks.
def test_mean_over_midpoints_approaches_the_average():
    points = 100
    shifts = [BETA * F(2 * k + 1, 2 * points) for k in range(points)]
    assert abs(sum(variance(X, BETA, s) for s in shifts) / points - averaged(X, BETA)) < 1e-5


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert variance(*(case.values[name] for name in ("x", "beta", "s"))) == case.value


def test_equal_inputs_average_a_sixth():
    for n in (2, 4, 8):
        assert averaged((F(3, 7),) * n, F(2)) == F(4, 6 * n**2)


def test_leading_term_does_not_depend_on_the_shift():
    # All inputs in cells of their own, whatever the shift: only the first term is left.
    x = (F(0), F(1, 3), F(2, 3))
    assert {variance(x, F(1), s) for s in (F(0), F(1, 7), F(5, 11))} == {averaged(x, F(1))}


def test_grids_of_few_levels():
    assert evaluate_exact(CLAIM.formulas["fixed_step"], {"width": 6, "levels": 4}) == 2
    assert evaluate_exact(CLAIM.formulas["shifted_step"], {"width": 6, "levels": 4}) == 3


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
