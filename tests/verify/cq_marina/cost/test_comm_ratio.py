"""Golden numbers of the specification on `cq_marina/comm-ratio` and `cq_marina/finding-ratio-not-maximum`."""

import math

import pytest

import theory
from verify.cq_marina.cost.ratios import best_ratio, binary, length, quarters, ratio, true_ternary
from verify.cq_marina.fixtures.psi import cost, psi
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/comm-ratio")
FINDING = theory.claim("cq_marina/finding-ratio-not-maximum")

# Given with 13 digits; a printed number is off by at most half a unit of the last one.
DIGITS = 1e-12
LIMIT = 7.287354011971


def test_limit_and_its_probability():
    best = psi(0.25, 1 / 32)
    assert 32 * best.value == pytest.approx(LIMIT, rel=DIGITS)
    # The specification's note: last digits of optimised p to 1e-8.
    assert best.probability == pytest.approx(0.02105410680098, rel=1e-8)
    lower, upper = (evaluate(CLAIM.formulas[f"limit_{end}"], {}) for end in ("lower", "upper"))
    assert lower < LIMIT < upper
    assert evaluate(CLAIM.bound, {"p": best.probability}) == pytest.approx(LIMIT, rel=DIGITS)


@pytest.mark.parametrize(
    ("n", "expected", "digits"),
    [
        (100, 3.532594392779, DIGITS),
        (1000, 5.141727908382, DIGITS),
        (10**4, 6.168, 1e-4),
        (10**6, 7.022, 1e-4),
    ],
)
def test_ratios_at_as_many_coordinates_as_clients(n, expected, digits):
    assert ratio(n, n, 1, quarters) == pytest.approx(expected, rel=digits)


@pytest.mark.parametrize(("n", "fixed", "honest"), [(100, 3.990, 3.533), (1000, 11.20, 5.14)])
def test_probability_one_over_n(n, fixed, honest):
    A_iq, A_cq = quarters(n, n)
    c = length(1, n)
    assert cost(A_iq, c, 1 / n) / cost(A_cq, c, 1 / n) == pytest.approx(fixed, rel=1e-3)
    assert best_ratio(A_iq, A_cq, c) == pytest.approx(honest, rel=1e-3)


def test_other_mutants():
    A_iq, A_cq = quarters(10, 10)
    assert best_ratio(A_iq, A_cq, 1 / 32) == pytest.approx(2.185, abs=5e-4)
    assert best_ratio(A_iq, A_cq, length(1, 10)) == pytest.approx(1.838, abs=5e-4)
    A_iq, A_cq = quarters(100, 100)
    c = length(1, 100)
    reused = psi(A_iq, c).value / cost(A_cq, c, psi(A_iq, c).probability)
    assert reused == pytest.approx(3.078, abs=5e-4)


@pytest.mark.parametrize(
    ("multiple", "A", "c", "expected", "digits"),
    [
        (32, 1.0, 1 / 32, 12.85916228257, 1e-11),
        (16, 0.25, 1 / 16, 5.518916346626, DIGITS),
        (32 / math.log2(3), 0.25, math.log2(3) / 32, 6.05274, 1e-6),
    ],
)
def test_limits_of_consistent_choices(multiple, A, c, expected, digits):
    assert multiple * psi(A, c).value == pytest.approx(expected, rel=digits)


def test_brackets_of_the_finding():
    formulas = FINDING.formulas
    for name, value in (("binary", 12.85916228257), ("ternary", 5.518916346626)):
        assert evaluate(formulas[f"{name}_lower"], {}) < value < evaluate(formulas[f"{name}_upper"], {})


def test_binary_grid_at_a_thousand():
    assert ratio(1000, 1000, 1, binary) == pytest.approx(7.632228002294, rel=DIGITS)


@pytest.mark.parametrize(
    ("beta", "place", "height"), [(2, 229, 2.260), (math.log2(3), 262, 2.355), (1, 348, 2.556)]
)
def test_peaks_of_the_real_ternary_grid(beta, place, height):
    found = {n: ratio(n, n, beta, true_ternary) for n in range(2, 600)}
    assert max(found, key=found.__getitem__) == place
    assert found[place] == pytest.approx(height, abs=5e-4)


def test_kink_at_a_million_coordinates():
    assert ratio(33300, 10**6, 1, quarters) == pytest.approx(23.03, abs=5e-3)
    case = FINDING.worst_cases[0]
    assert float(case.value) == pytest.approx(23.03, abs=5e-3)
