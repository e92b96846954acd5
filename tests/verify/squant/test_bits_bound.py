"""Golden numbers of the specification for `squant/bits-bound`, and the smallest message."""

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate
from verify.squant.fixtures.literal_length import literal_bound

BOUND = theory.claim("squant/bits-bound").bound

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
    assert evaluate(BOUND, {"beta": beta, "d": d, "B": B}) == pytest.approx(expected, rel=DIGITS)
    assert literal_bound(beta, d, B) == pytest.approx(expected, rel=DIGITS)


def test_one_coordinate_without_budget_needs_three_bits():
    length = evaluate(BOUND, {"beta": Rational(1, 10**12), "d": 1, "B": 1})
    assert length == pytest.approx(35, rel=1e-10)
