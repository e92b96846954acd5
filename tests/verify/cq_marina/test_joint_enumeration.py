"""Enumeration of joint compressors: a compressor whose moments are known, and the squares of inputs."""

from fractions import Fraction as F

import pytest

from impl.compressors import CorrelatedQuantizer, WeightedPartition
from verify.cq_marina.fixtures.grid_inputs import P1
from verify.cq_marina.fixtures.joint_enumeration import enumerate_joint, estimates, mean_of, mean_squares


class Coin:
    """Both clients send twice their input or nothing, on one coin; or always too much."""

    def __init__(self, chances=(F(1, 2), F(1, 2)), extra=0):
        self.chances, self.extra = chances, extra

    def outcomes(self, x):
        yield from zip(self.chances, (0, 2), strict=True)

    def reference(self, x, factor):
        return [[factor * item + self.extra for item in row] for row in x]


ROWS = ((F(1), F(2)), (F(3), F(-2)))


def test_moments_of_a_coin():
    found = enumerate_joint(Coin(), ROWS)
    assert (found.probability, found.outcomes) == (1, 2)
    assert found.mean == (2, 0)
    assert found.coordinate_errors == (4, 0)
    assert found.error == 4
    assert all(isinstance(item, F) for item in (*found.mean, found.error, *found.coordinate_errors))


def test_bias_and_a_wrong_probability_show():
    assert enumerate_joint(Coin(extra=1), ROWS).mean == (3, 1)
    assert enumerate_joint(Coin(extra=1), ROWS).error == 4 + 1 + 1
    assert enumerate_joint(Coin((F(1, 2), F(1, 4))), ROWS).probability == F(3, 4)


def test_estimates_of_a_partition():
    found = list(estimates(WeightedPartition((F(1, 4), F(3, 4))), ((F(1),), (F(3),))))
    assert found == [(F(1, 4), [F(2)]), (F(3, 4), [F(2)])]


def test_mean_and_squares():
    assert mean_of(ROWS) == [2, 0]
    assert mean_squares(ROWS) == (9, 4)
    assert mean_squares(P1) == (F(13, 4), F(43, 36))


def test_floats_are_taken_as_well():
    rows = ((1.0, 2.0), (0.5, -1.0))
    quantizer = CorrelatedQuantizer("binary")
    found = enumerate_joint(quantizer, rows)
    assert found.probability == pytest.approx(1, rel=1e-14)
    assert found.error == pytest.approx(quantizer.variance(rows), rel=1e-13)
