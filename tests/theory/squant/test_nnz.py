"""Golden numbers of the specification, from the formulas of the claim alone: expected number of nonzeros."""

import math
from fractions import Fraction

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("squant/nnz")


@pytest.mark.parametrize("d", [1, 4, 9, 16, 100, 10000])
def test_ones_with_step_one_have_root_d_nonzeros(d):
    root = math.isqrt(d)
    values = {"x": (1,) * d, "h": (1,) * d, "N": (root,) * d, "d": d}
    assert evaluate(CLAIM.exact, values) == pytest.approx(root, rel=2e-14)
    assert evaluate_exact(CLAIM.formulas["budget"], {"h": (1,) * 4, "d": 4}) == 2
    assert evaluate(CLAIM.bound, {"d": d, "beta": root}) == root


@pytest.mark.parametrize(("s", "d"), [(1, 16), (2, 100), (7, 3)])
def test_standard_budget_and_the_customary_bound(s, d):
    standard = evaluate(CLAIM.formulas["standard"], {"s": s, "d": d})
    budget = evaluate(CLAIM.formulas["budget"], {"h": (1 / s,) * d, "d": d})
    # Sums of at most 100 roundings of doubles.
    assert budget == pytest.approx(standard, rel=1e-13)
    assert evaluate(CLAIM.formulas["customary"], {"s": s, "d": d}) == pytest.approx(standard + s**2)


def test_worst_cases_have_their_value():
    for case in CLAIM.worst_cases:
        given = {name: value for name, value in case.values.items() if name != "beta"}
        assert evaluate_exact(CLAIM.exact, given) == case.value
        bound = evaluate_exact(CLAIM.bound, {"d": case.values["d"], "beta": case.values["beta"]})
        assert bound == case.value


def test_no_equality_where_a_step_is_too_small():
    """At h = (1, 2/3, 1/3) the budget is 7/2 and the largest inverse square is 9."""
    proportional = {"x": (2, 3, 6), "h": (1, Fraction(2, 3), Fraction(1, 3)), "N": (7, 7, 7), "d": 3}
    # Levels 2/7, 9/14 and 18/7, the last one counted as 1.
    assert evaluate_exact(CLAIM.exact, proportional) == Rational(27, 14)
    assert evaluate_exact(CLAIM.formulas["levels"], proportional) == Rational(7, 2)
