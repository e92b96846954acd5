"""Golden numbers of the specification for `squant/bits` and `squant/bits-bound`, and the smallest message."""

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact, names
from verify.squant.fixtures.literal_length import literal_bound

BITS = theory.claim("squant/bits")
BOUND = theory.claim("squant/bits-bound").bound

# Goldens are printed with 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


# Of sparse gamma, sparse omega and dense gamma.
LENGTHS = [
    (Rational(45), Rational(318, 7), Rational(313, 7)),
    (Rational(760105, 19683), Rational(255110, 6561), Rational(341, 9)),
    (Rational(5259, 65), Rational(5259, 65), Rational(1060, 13)),
    (Rational(419, 10), Rational(1069, 25), Rational(421, 10)),
]


@pytest.mark.parametrize("position", range(4))
def test_lengths(position):
    case = BITS.worst_cases[position]
    for name, expected in zip(
        ("sparse_gamma", "sparse_omega", "dense_gamma"), LENGTHS[position], strict=True
    ):
        formula = BITS.formulas[name]
        values = {key: case.values[key] for key in names(formula)}
        assert evaluate_exact(formula, values) == expected
        assert evaluate(formula, values) == pytest.approx(float(expected), rel=DIGITS)
    assert case.value == LENGTHS[position][0]


@pytest.mark.parametrize(
    ("d", "expected"), [(16, 56.6119914161973), (64, 92.5553125373626), (100, 112.600564113253)]
)
def test_length_of_all_ones(d, expected):
    assert evaluate(BITS.exact, {"u": (d**-0.5,) * d, "d": d, "B": 1}) == pytest.approx(expected, rel=DIGITS)


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
