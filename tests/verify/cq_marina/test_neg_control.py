"""Golden numbers of the specification for the family where correlation cannot help."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.problems.hessian_variance import smoothness_constants
from verify.cq_marina.marina_settings import formula
from verify.cq_marina.neg_control import (
    CORRELATED,
    FIRST,
    INDEPENDENT,
    control,
    family,
    law,
    stated_variance,
    with_zero_variance_step,
)


def stated(name, **values):
    return formula("neg-control", name, **values)


@pytest.mark.parametrize(("n", "d"), [(4, 8), (10, 32), (2, 2), (9, 3)])
def test_both_rates_have_the_same_constant(n, d):
    found = smoothness_constants(family(n, d, 2.0))
    values = {"n": n, "d": d, "L_plus": found.L_plus}
    expected = (d - 1) * 4.0
    assert stated("X", d=d, L=2.0) == expected
    assert stated("X_independent", **values) == pytest.approx(expected, rel=1e-14)
    B = stated("B", n=n, d=d)
    assert stated("X_correlated", **values, L_pm=found.L_pm, B=B) == pytest.approx(expected, rel=1e-14)


def test_variances_and_laws_are_the_same():
    assert CORRELATED.variance(FIRST) == INDEPENDENT.variance(FIRST) == Fraction(98, 9)
    assert stated_variance(FIRST) == Fraction(98, 9)
    rows = [[Fraction(3), Fraction(4)], [Fraction(0)] * 2]
    assert law(CORRELATED, rows) == law(INDEPENDENT, rows)
    assert sum(law(CORRELATED, rows).values()) == 1


def test_the_step_for_zero_hessian_variance_diverges():
    setting = with_zero_variance_step(control())
    assert setting.trace.average(100) / setting.bound(100) > 1e6
    assert control().chi == pytest.approx(7, rel=1e-14)
    assert control().trace.average(100) < control().bound(100)


def test_large_hessian_variance_alone_is_no_control():
    """Eight random unit vectors in 64 dimensions: about 1.16 against 7.875."""
    x = np.random.default_rng(0).standard_normal((8, 64))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    assert IndependentQuantizer("binary").variance(x) == pytest.approx(7.875, rel=1e-12)
    # Four other draws of the vectors gave 1.155 to 1.179.
    assert CorrelatedQuantizer("binary").variance(x) == pytest.approx(1.16, abs=0.03)
