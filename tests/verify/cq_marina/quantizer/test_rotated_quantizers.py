"""Sup norms over all signs, and the sabotaged rotations."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.quantizer.rotated_quantizers import (
    CommonScale,
    NoRotation,
    PrivateSigns,
    mean_square_of_sup_norm,
)


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
