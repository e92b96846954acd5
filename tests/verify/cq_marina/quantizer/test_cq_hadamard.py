"""Golden numbers of `cq_marina/cq-hadamard`, from the formulas and the exact oracle."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.compressors import RotatedQuantizer
from verify.cq_marina.fixtures.grid_inputs import P2
from verify.cq_marina.fixtures.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.quantizer.rotated_quantizers import (
    CommonScale,
    NoRotation,
    PrivateSigns,
    mean_square_of_sup_norm,
)
from verify.evaluation import evaluate

CLAIM = theory.claim("cq_marina/cq-hadamard")


# Printed with three digits.
@pytest.mark.parametrize(("d", "omega"), [(2, 3.77), (4, 5.16), (8, 6.55), (16, 7.93)])
def test_bound(d, omega):
    assert evaluate(CLAIM.bound, {"n": 1, "d": d, "A": (1,)}) == pytest.approx(omega, abs=6e-3)


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


def test_unrotated():
    assert evaluate(CLAIM.formulas["unrotated"], {"d": 8}) == 7


def test_sup_norm_over_signs():
    assert mean_square_of_sup_norm((F(1), F(1))) == 2
    assert mean_square_of_sup_norm((F(1), F(0), F(0), F(0))) == F(1, 4)


def test_sabotaged_rotations():
    assert NoRotation(False).variance(np.array([[0.0, 0.0, 2.0, 0.0]])) == 12
    rng, rows = np.random.default_rng(20240601), np.array([[0.0, 1.0, 1.0, 1.0]] * 2)
    draws = PrivateSigns(True).draw(rng, (50_000, 2, 4))
    # Still unbiased: five standard errors of a mean with variance below 3.
    assert np.abs(PrivateSigns(True).estimate(rows, draws).mean(axis=0) - rows[0]).max() < 0.04


@pytest.mark.parametrize("correlated", [False, True])
def test_a_common_scale_is_unbiased_and_its_error_is_that_of_its_oracle(correlated):
    rows = ((F(2), F(1)), (F(-1), F(3)))
    moments = enumerate_joint(CommonScale(correlated), rows)
    assert list(moments.mean) == mean_of(rows)
    assert moments.error == CommonScale(correlated).variance([list(row) for row in rows])
