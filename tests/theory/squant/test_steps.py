"""Golden numbers of the specification, from the formulas of the claims alone: steps."""

import pytest

import theory

SPARSE = theory.claim("squant/sparse")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)
