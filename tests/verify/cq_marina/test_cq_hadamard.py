"""Golden numbers of `cq_marina/cq-hadamard`, from the formulas and the exact oracle."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.compressors import RotatedQuantizer
from verify.cq_marina.grid_inputs import P2
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/cq-hadamard")


# Printed with three digits.
@pytest.mark.parametrize(("d", "omega"), [(2, 3.77), (4, 5.16), (8, 6.55), (16, 7.93)])
def test_bound(d, omega):
    assert evaluate(CLAIM.bound, {"d": d}) == pytest.approx(omega, abs=6e-3)


def test_goldens_of_the_oracle():
    rows = [list(row) for row in P2]
    assert RotatedQuantizer(False).variance(rows) == F(435, 1000)
    assert RotatedQuantizer(True).variance(rows) == F(19, 75)
    # Printed with 13 digits.
    assert RotatedQuantizer(True).variance(np.array(P2, dtype=float)) == pytest.approx(
        0.2533333333333, rel=2e-13
    )


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_largest_relative_variances(case):
    x = np.array(case.values["x"], dtype=float)
    found = RotatedQuantizer(False).variance(x[None]) / (x @ x)
    assert found == pytest.approx(float(case.value), rel=1e-13)


def test_constants_belong_together():
    for d in (2, 16, 1024):
        omega, scale = (evaluate(CLAIM.expressions[name], {"d": d}) for name in ("bound", "sup_norm"))
        # The bound is d times the sup norm, less one.
        assert d * scale - 1 == pytest.approx(omega, rel=1e-14)
        equal = evaluate(CLAIM.formulas["equal_inputs"], {"d": d, "n": 3})
        assert 9 * equal == pytest.approx(omega + 1, rel=1e-14)
    assert evaluate(CLAIM.formulas["unrotated"], {"d": 8}) == 7
