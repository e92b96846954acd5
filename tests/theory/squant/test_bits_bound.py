"""Golden numbers of the specification, from the formulas of `squant/bits-bound` alone."""

import math

import pytest
from sympy import Integer, Rational

import theory
from theory.squant.bits_bound import worst_case_length
from verify.evaluation import evaluate

CLAIM = theory.claim("squant/bits-bound")

# Goldens are printed with 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


@pytest.mark.parametrize(
    ("beta", "d", "B", "expected"),
    [
        (4, 64, 1, 86.2502999447953),
        (16, 256, 16, 711.201109123618),
        (300, 100, 1, 700.608985274744),
        (10, 100, 1, 143.987913918980),
    ],
)
def test_goldens(beta, d, B, expected):
    values = {"beta": beta, "d": d, "B": B}
    assert evaluate(CLAIM.bound, values) == pytest.approx(expected, rel=DIGITS)
    assert float(worst_case_length(Integer(beta), Integer(d), Integer(B))) == pytest.approx(
        expected, rel=DIGITS
    )


def test_only_the_norms_depend_on_the_blocks():
    lengths = [evaluate(CLAIM.bound, {"beta": 16, "d": 256, "B": B}) for B in (1, 16)]
    assert lengths[1] - lengths[0] == pytest.approx(32 * 15, rel=DIGITS)


@pytest.mark.parametrize(
    ("beta", "d", "nonzeros", "gaps", "levels"),
    [
        (4, 64, 4, 5, 4 / math.e),
        (60, 100, 60, 101 * math.sqrt(2) / math.e, 60 / math.e),
        (150, 100, 100, 101 * math.sqrt(2) / math.e, 150 / math.e),
        (300, 100, 100, 101 * math.sqrt(2) / math.e, 100),
    ],
)
def test_maximisers_in_each_region(beta, d, nonzeros, gaps, levels):
    names = ("nonzeros", "gap_maximiser", "level_maximiser")
    found = [evaluate(CLAIM.formulas[name], {"beta": beta, "d": d}) for name in names]
    assert found == pytest.approx([nonzeros, gaps, levels], rel=1e-15)


def test_one_coordinate_without_budget_needs_three_bits():
    length = evaluate(CLAIM.bound, {"beta": Rational(1, 10**12), "d": 1, "B": 1})
    assert length == pytest.approx(35, rel=1e-10)
