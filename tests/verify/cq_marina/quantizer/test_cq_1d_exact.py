"""Golden numbers of the specification for the exact variance in one dimension."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors.stratified_variance import stratified_variance, stratified_variance_literal
from verify.cq_marina.fixtures.sabotaged_thresholds import (
    Common,
    NoJitter,
    ShiftedCell,
    Unshared,
    enumerated_bits,
    enumerated_error,
)
from verify.cq_marina.quantizer.cq_1d_exact import divided, judge, stated

LAW = judge._law()
NINTHS = tuple(Fraction(item, 9) for item in (1, 2, 4, 8))
THREE = (Fraction(1, 3), Fraction(1, 2), Fraction(3, 5))
EIGHTHS = (Fraction(1, 8),) * 4

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def of_the_mean(rule, y):
    return enumerated_error(rule, y, (Fraction(1, len(y)),) * len(y))


def means(rule, y):
    outcomes = list(enumerated_bits(rule, y))
    return [sum(p * found[i] for p, found in outcomes) for i in range(len(y))]


@pytest.mark.parametrize(
    ("y", "golden", "decimal"),
    [
        (NINTHS, Fraction(47, 1944), 0.02417695473251),
        (THREE, Fraction(221, 8100), 0.02728395061728),
        (EIGHTHS, Fraction(1, 64), 1 / 64),
    ],
)
def test_variance_of_the_mean(y, golden, decimal):
    n = len(y)
    assert stated(LAW, "equal", y) == golden
    assert stated(LAW, "exact", y, c=(1,) * n) / n**2 == golden
    assert stratified_variance_literal(y) / n**2 == golden
    batched = stratified_variance(np.array(y, dtype=float)[:, None])[0] / n**2
    assert batched == pytest.approx(decimal, rel=DIGITS)


@pytest.mark.parametrize(("y", "golden"), [(NINTHS, Fraction(25, 648)), (THREE, Fraction(641, 8100))])
def test_independent_thresholds(y, golden):
    assert of_the_mean(Unshared(), y) == golden


def test_one_client_has_the_variance_of_one_bit():
    # Four float64 products.
    assert stratified_variance([[0.3]], [2.0])[0] == pytest.approx(4 * 0.3 * 0.7, rel=1e-15)


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
    wrong = LAW.replace(exact=divided)
    ratio = stated(wrong, "exact", NINTHS, c=(1,) * 4) / stated(LAW, "exact", NINTHS, c=(1,) * 4)
    assert ratio == Fraction(657, 752)
    assert stated(wrong, "exact", EIGHTHS, c=(1,) * 4) == stated(LAW, "exact", EIGHTHS, c=(1,) * 4)
