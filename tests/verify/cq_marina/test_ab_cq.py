"""Golden numbers of the specification on `cq_marina/ab-cq`."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import CorrelatedQuantizer
from verify.cq_marina.ab_cq import WRONG_PAIRS, batch_bound, one_client, stated_pair
from verify.evaluation import evaluate_exact
from verify.evidence.supremum_search import search_supremum

CLAIM = theory.claim("cq_marina/ab-cq")
QUANTIZER = CorrelatedQuantizer("binary")

# The pairs are given with 13 digits.
DIGITS = 1e-12
# Ratios of mutants are given with three digits, some of them cut off.
THREE_DIGITS = 1e-2


@pytest.mark.parametrize(
    ("n", "d", "A", "B"),
    [
        (10, 32, 3.408888888889, 3.088888888889),
        (5, 2, 0.455, 0.375),
        (4, 8, 2.166666666667, 1.666666666667),
        (10, 3, 0.4744444444444, 0.4444444444444),
    ],
)
def test_pairs(n, d, A, B):
    found = stated_pair(n, d)
    assert [float(item) for item in found] == pytest.approx([A, B], rel=DIGITS)
    assert found[0] - found[1] == F(d, n * n)
    larger = max(F(n - 2, 2 * (n - 1)), F(d, n) - F(1, n - 1))
    assert found[1] == larger


def ratio(a, pair):
    inputs = np.array([[[float(item) for item in row] for row in a]])
    return float(QUANTIZER.variance(inputs)[0] / batch_bound(inputs, pair)[0])


@pytest.mark.parametrize(
    ("mutant", "n", "d", "expected"),
    [
        ("reciprocal-b", 2, 5, 1.14),
        ("reciprocal-b", 3, 4, 1.28),
        ("quarter-b", 2, 4, 1.33),
        ("quarter-b", 2, 5, 1.45),
        ("quarter-b", 3, 4, 1.63),
    ],
)
def test_one_client_refutes_smaller_constants(mutant, n, d, expected):
    found = ratio(one_client(n, d), WRONG_PAIRS[mutant](n, d))
    assert found == pytest.approx(expected, rel=THREE_DIGITS)


def test_equal_inputs_refute_a_quarter_of_the_rounding_term():
    assert ratio(((3, *(1,) * 7),) * 4, WRONG_PAIRS["quarter-rounding-term"](4, 8)) == pytest.approx(4)


@pytest.mark.parametrize(("n", "first"), [(4, 4), (8, 6)])
def test_half_fails_for_one_client_from_this_dimension_on(n, first):
    for d in range(1, 12):
        found = ratio(one_client(n, d), WRONG_PAIRS["half-for-all-norms"](n, d))
        assert (found > 1 + 1e-9) == (d >= first) == (d > F(n * (n + 1), 2 * (n - 1)))


def test_worst_cases_are_attained():
    for case in CLAIM.worst_cases:
        values = {name: case.values[name] for name in ("n", "d", "M", "m")}
        assert evaluate_exact(CLAIM.bound, values) == case.value
        rows = [[F(item) for item in row] for row in case.values["a"]]
        assert Rational(*QUANTIZER.variance(rows).as_integer_ratio()) == case.value


def test_two_clients_never_exceed_a_sixteenth():
    values = {"n": 2, "width": 1, "spread": Rational(1, 5)}
    assert evaluate_exact(CLAIM.formulas["one_dimension"], values) == Rational(1, 16)


@pytest.mark.parametrize(("n", "d", "expected"), [(3, 2, 0.985), (4, 2, 0.971), (6, 2, 0.996)])
def test_largest_ratios_found_by_search(n, d, expected):
    pair = stated_pair(n, d)

    def f(inputs):
        a = inputs.reshape(-1, n, d)
        return QUANTIZER.variance(a) / batch_bound(a, pair)

    found = search_supremum(f, n * d, budget=6000, batch=True)
    assert found.value == pytest.approx(expected, abs=5e-4)


def test_five_clients_with_three_coordinates():
    # The specification's search found .997; these five inputs of equal norms do a little better.
    a = ((1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 2, 1), (2, 1, 1))
    assert 0.997 < ratio(a, stated_pair(5, 3)) < 1
