"""Golden numbers of the specification for side information."""

from fractions import Fraction as F

import pytest
from sympy import Rational

from theory.ndqsg.side_information import CLAIM
from verify.evaluation import evaluate_exact

GOLDEN = {"sigma_n_sq": F(1, 16), "D": F(1, 12)}


@pytest.mark.parametrize(
    ("m", "golden"), [(1, Rational(5, 24)), (4, Rational(19, 192)), (7, Rational(1, 12))]
)
def test_innovation(m, golden):
    assert evaluate_exact(CLAIM.exact, {**GOLDEN, "m": m}) == golden


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value


@pytest.mark.parametrize(("m", "deficit"), [(1, -0.40), (4, -0.21), (7, -0.14)])
def test_omitted_quantization_of_the_side_information(m, deficit):
    # Two digits in the specification.
    exact = evaluate_exact(CLAIM.exact, {**GOLDEN, "m": m})
    omitted = Rational(1, 16) * (1 + Rational(1, m))
    assert float(omitted / exact) - 1 == pytest.approx(deficit, abs=5e-3)


def test_estimate_without_subtraction_is_1_84_times_too_large():
    message = evaluate_exact(CLAIM.formulas["message"], GOLDEN)
    exact = evaluate_exact(CLAIM.exact, {**GOLDEN, "m": 4})
    assert float(message * Rational(5, 4) / exact) == pytest.approx(1.84, abs=5e-3)


def test_estimate_is_cut_at_zero():
    values = {"sample_sq": F(1, 24), "D": F(1, 12), "m": 2}
    assert evaluate_exact(CLAIM.formulas["estimate"], values) == Rational(1, 48)
