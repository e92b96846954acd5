"""Golden numbers of the specification: correlated against independent quantization, sign outside the grid."""

from fractions import Fraction

import numpy as np
import pytest

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.cq_marina.fixtures.grid_inputs import INPUTS
from verify.cq_marina.fixtures.sabotaged_thresholds import Antithetic, SabotagedQuantizer, SignMagnitude
from verify.cq_marina.quantizer.finding_sign_magnitude import GOLDEN

FINDING = theory.claim("cq_marina/finding-sign-magnitude")
OPPOSITE = [[Fraction(1)] * 4, [Fraction(-1)] * 4]

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def test_opposite_ones():
    assert SignMagnitude().variance(OPPOSITE) == 4
    assert IndependentQuantizer("ternary").variance(OPPOSITE) == 2
    assert CorrelatedQuantizer("ternary").variance(OPPOSITE) == 0
    assert FINDING.values["ones"] == (4, 2, 0)


@pytest.mark.parametrize(
    ("name", "golden"), [("P1", 0.8251897099218), ("P2", 0.2175452592862), ("P3", 1.279353924472)]
)
def test_sign_outside_at_the_inputs(name, golden):
    assert GOLDEN[name] == golden
    assert SignMagnitude().variance(np.array(INPUTS[name], dtype=float)) == pytest.approx(golden, rel=DIGITS)


def test_at_the_second_input_independent_quantization_is_better():
    x = np.array(INPUTS["P2"], dtype=float)
    independent = IndependentQuantizer("ternary").variance(x)
    assert independent == pytest.approx(0.2016091735974, rel=DIGITS)
    assert CorrelatedQuantizer("ternary").variance(x) < independent < SignMagnitude().variance(x)


@pytest.mark.parametrize("grid", ["binary", "ternary"])
def test_equal_thresholds_double_the_independent_variance_at_equal_inputs(grid):
    rows = [[Fraction(3), Fraction(-4)]] * 2
    independent = IndependentQuantizer(grid).variance(rows)
    assert SabotagedQuantizer(grid, Antithetic()).variance(rows) == 2 * independent
