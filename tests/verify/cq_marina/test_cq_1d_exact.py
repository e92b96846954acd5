"""Golden numbers of the specification for the exact variance in one dimension."""

from fractions import Fraction

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors.stratified_variance import stratified_variance, stratified_variance_literal
from verify.cq_marina.cq_1d_exact import divided
from verify.cq_marina.sabotaged_thresholds import (
    Common,
    NoJitter,
    ShiftedCell,
    Unshared,
    enumerated_bits,
    enumerated_error,
)
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/cq-1d-exact")
NINTHS = tuple(Fraction(item, 9) for item in (1, 2, 4, 8))
THREE = (Fraction(1, 3), Fraction(1, 2), Fraction(3, 5))
EIGHTHS = (Fraction(1, 8),) * 4

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def of_the_mean(rule, y):
    return enumerated_error(rule, y, (Fraction(1, len(y)),) * len(y))


@pytest.mark.parametrize(
    ("y", "golden", "decimal"),
    [
        (NINTHS, Rational(47, 1944), 0.02417695473251),
        (THREE, Rational(221, 8100), 0.02728395061728),
        (EIGHTHS, Rational(1, 64), 1 / 64),
    ],
)
def test_variance_of_the_mean(y, golden, decimal):
    n = len(y)
    assert evaluate_exact(CLAIM.formulas["equal"], {"y": y, "n": n}) == golden
    ones = {"y": y, "c": (1,) * n, "n": n}
    for form in (CLAIM.exact, CLAIM.formulas["pairwise"]):
        assert evaluate_exact(form, ones) / n**2 == golden
    assert Rational(str(stratified_variance_literal(y))) / n**2 == golden
    assert evaluate(CLAIM.exact, ones) / n**2 == pytest.approx(decimal, rel=DIGITS)
    batched = stratified_variance(np.array(y, dtype=float)[:, None])[0] / n**2
    assert batched == pytest.approx(decimal, rel=DIGITS)


@pytest.mark.parametrize(("y", "golden"), [(NINTHS, Fraction(25, 648)), (THREE, Fraction(641, 8100))])
def test_independent_thresholds(y, golden):
    assert of_the_mean(Unshared(), y) == golden


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value


def means(rule, y):
    outcomes = list(enumerated_bits(rule, y))
    return [sum(p * found[i] for p, found in outcomes) for i in range(len(y))]


def test_without_jitter_the_mean_is_off_by_a_twelfth():
    assert (sum(means(NoJitter(), NINTHS)) - sum(NINTHS)) / 4 == Fraction(1, 12)


def test_shifted_cell_is_biased_by_up_to_a_cell():
    for y in (NINTHS, THREE, EIGHTHS):
        expected = [-min(item, Fraction(1, len(y))) for item in y]
        assert [mean - item for mean, item in zip(means(ShiftedCell(), y), y, strict=True)] == expected


def test_common_threshold_has_up_to_n_times_the_independent_variance():
    assert of_the_mean(Common(), EIGHTHS) == 4 * of_the_mean(Unshared(), EIGHTHS)
    assert of_the_mean(Common(), NINTHS) < 4 * of_the_mean(Unshared(), NINTHS)


def test_divisor_n_loses_an_eighth_of_the_variance():
    values = {"y": NINTHS, "c": (1,) * 4, "n": 4}
    assert evaluate_exact(divided(), values) / evaluate_exact(CLAIM.exact, values) == Rational(657, 752)
    assert Rational(657, 752) == pytest.approx(0.874, abs=5e-4)
    equal = {"y": EIGHTHS, "c": (1,) * 4, "n": 4}
    assert evaluate_exact(divided(), equal) == evaluate_exact(CLAIM.exact, equal)
