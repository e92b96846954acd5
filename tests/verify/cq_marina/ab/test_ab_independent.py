"""Mixtures of compressors, and the sabotaged thresholds."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import IndependentQuantizer
from verify.cq_marina.ab.ab_independent import largest, unweighted
from verify.cq_marina.ab.mixtures import CommonThresholds, Mixture
from verify.cq_marina.fixtures.joint.joint_enumeration import enumerate_joint

QUANTIZER = IndependentQuantizer("binary")
ROWS = ((F(3), F(4)), (F(0), F(-5)))


def test_mixture_of_one_kind_is_that_kind():
    mixed = enumerate_joint(Mixture((QUANTIZER,) * 2), ROWS)
    joint = enumerate_joint(QUANTIZER, ROWS)
    assert (mixed.probability, mixed.mean, mixed.error) == (1, joint.mean, joint.error)


@pytest.mark.parametrize("n", [2, 3])
def test_common_thresholds_multiply_the_error_of_equal_inputs(n):
    rows = (ROWS[0],) * n
    common = enumerate_joint(CommonThresholds("binary"), rows)
    assert common.probability == 1
    assert common.error == n * enumerate_joint(QUANTIZER, rows).error


def test_common_thresholds_are_common():
    draws = CommonThresholds("binary").draw(np.random.default_rng(1), (10, 3, 4)).private
    assert (draws == draws[..., :1, :]).all()
    assert len(np.unique(draws)) == 40


def test_constants_of_weights():
    weights = (F(1, 4), F(3, 4))
    assert largest((4, 2), weights) == F(3, 2)
    assert unweighted((4, 2), weights) == 2
