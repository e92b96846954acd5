"""Golden numbers of the specification, from the formulas of the claims alone: bits."""

import math
from fractions import Fraction

import pytest
from sympy import Rational

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, evaluate_exact, names

BITS = theory.claim("squant/bits")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def given(formula, case):
    return {name: case.values[name] for name in names(formula)}


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


LENGTHS = [
    (Rational(45), Rational(318, 7), Rational(313, 7)),
    (Rational(760105, 19683), Rational(255110, 6561), Rational(341, 9)),
    (Rational(5259, 65), Rational(5259, 65), Rational(1060, 13)),
    (Rational(419, 10), Rational(1069, 25), Rational(421, 10)),
]


@pytest.mark.parametrize("position", range(4))
def test_bits_goldens(position):
    case = BITS.worst_cases[position]
    for name, expected in zip(
        ("sparse_gamma", "sparse_omega", "dense_gamma"), LENGTHS[position], strict=True
    ):
        formula = BITS.formulas[name]
        assert evaluate_exact(formula, given(formula, case)) == expected
        assert evaluate(formula, given(formula, case)) == digits(float(expected))
    assert case.value == LENGTHS[position][0]


@pytest.mark.parametrize("case", BITS.worst_cases, ids=lambda case: case.description)
def test_bits_cases_have_the_levels_of_their_input(case):
    values = {name: case.values[name] for name in ("x", "h", "N")}
    levels = tuple(evaluate_exact(VAR.formulas["level"], {**values, "j": j}) for j in range(case.values["d"]))
    assert levels == tuple(Rational(item) for item in case.values["u"])


@pytest.mark.parametrize(
    ("d", "expected"), [(16, 56.6119914161973), (64, 92.5553125373626), (100, 112.600564113253)]
)
def test_bits_of_all_ones(d, expected):
    values = {"u": (1 / math.sqrt(d),) * d, "d": d, "B": 1}
    assert evaluate(BITS.exact, values) == digits(expected)


def test_bits_agree_with_enumeration_of_all_messages():
    # An independent count: all rounding patterns, with the length of each literal message.
    u = (Fraction(4, 7), Fraction(9, 7), Fraction(24, 7))
    expected = Fraction(0)
    for pattern in range(8):
        levels, chance = [], Fraction(1)
        for place, level in enumerate(u):
            whole, part = divmod(level, 1)
            up = pattern >> place & 1
            chance *= part if up else 1 - part
            levels.append(int(whole) + up)
        length, last = 32, 0
        for place, level in enumerate(levels, start=1):
            if level:
                length += 2 * (place - last).bit_length() - 1 + 1 + 2 * level.bit_length() - 1
                last = place
        length += 2 * (len(u) + 1 - last).bit_length() - 1
        expected += chance * length
    found = evaluate_exact(BITS.exact, {"u": u, "d": 3, "B": 1})
    assert found == Rational(expected.numerator, expected.denominator) == 45


OMEGA = {1: 1, 2: 3, 3: 3, 4: 6, 7: 6, 8: 7, 15: 7, 16: 11, 31: 11, 32: 12, 100: 13, 2**16: 28, 2**63: 76}


def omega_code(number):
    """Return the Elias omega code as text, by its recursive definition."""
    code = "0"
    while number > 1:
        code = f"{number:b}{code}"
        number = number.bit_length() - 1
    return code


@pytest.mark.parametrize("number", sorted(OMEGA))
def test_omega_length(number):
    expected = len(omega_code(number))
    assert evaluate(BITS.formulas["omega_length"], {"k": number}) == expected
    assert evaluate_exact(BITS.formulas["omega_length"], {"k": number}) == expected
    assert expected == OMEGA[number]


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 10, 29, 31, 47, 62])
def test_gamma_length_changes_at_powers_of_two(exponent):
    formula = BITS.formulas["gamma_length"]
    for number in {2**exponent, 2 ** (exponent + 1) - 1}:
        expected = 2 * exponent + 1
        if number < 2**53:  # beyond it a double no longer holds the odd number
            assert evaluate(formula, {"k": number}) == expected
        assert evaluate_exact(formula, {"k": number}) == expected
