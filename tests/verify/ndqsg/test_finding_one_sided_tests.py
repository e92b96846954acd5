"""Numbers of the finding on one-sided tests, and of the specification's mutant with rounding."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.finding_one_sided_tests import rounded
from verify.ndqsg.fixtures.fixed_scale_runs import STYLES
from verify.ndqsg.fixtures.quadratic_oracle import moment

CLAIM = theory.claim("ndqsg/finding-one-sided-tests")


def exact(T):
    return sum(moment(laws[T], 2) for laws in rounded(100))


# .400 / .0008 measured in the specification; exactly 0.39950 and 0.00084993.
@pytest.mark.parametrize(("T", "measured", "digits"), [(10, 0.400, 1e-3), (100, 0.0008, 5.1e-5)])
def test_rounding(T, measured, digits):
    assert exact(T) == pytest.approx(measured, abs=digits)


def test_factor_at_the_end():
    # "Factor 80 at T = 100 in favour of rounding": 85.
    assert 0.0723011899627709 / exact(100) == pytest.approx(85.07, abs=5e-3)


def test_exact_laws_agree_with_runs():
    found = STYLES["stochastic-rounding"].run(20, np.random.default_rng(5), 64 * 100)
    assert found.mean() == pytest.approx(exact(20), abs=6 * found.std() / 80)


def test_worst_case_and_crossing():
    case = CLAIM.worst_cases[0]
    values = dict(case.values)
    assert evaluate_exact(CLAIM.formulas["rounding_variance"], values) == case.value
    dither = evaluate_exact(CLAIM.bound, {"delta": 1, "P": 4})
    assert float(case.value / dither) == pytest.approx(0.57, abs=5e-3)
    assert evaluate(CLAIM.formulas["crossing"], {"delta": 1}) == pytest.approx(0.09175, abs=5e-6)
    assert F(1, 20) < 0.09175
