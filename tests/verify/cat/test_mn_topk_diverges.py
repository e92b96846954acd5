"""Golden numbers of the specification for the mean of each node's largest entries."""

from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from impl.problems import Quadratic
from verify.cat.mn_topk_diverges import (
    EXAMPLE,
    RULES,
    SMOOTHNESS,
    compare_decrease,
    compare_growth,
    decrease,
    growth,
)
from verify.cat.outcome_tree import square

# All numbers below are printed with twelve digits.
TWELVE = 1e-11
ONES = (F(1),) * 3


def test_growth():
    gamma = 6 / 103
    assert growth(gamma, 1) == pytest.approx(1.10679611650, rel=TWELVE)
    assert growth(gamma, 10) == pytest.approx(2.75852082102, rel=TWELVE)


def test_smoothness_of_the_example():
    problem = Quadratic(np.array(EXAMPLE.matrices, dtype=float))
    assert pytest.approx(103 / 6, rel=1e-13) == problem.L
    assert theory.claim("cat/mn-topk-diverges").formulas["smoothness"] == SMOOTHNESS


def test_local_gradients_are_in_the_proportion_11_9_9():
    for place, g in enumerate(EXAMPLE.gradients(ONES)):
        assert sorted(map(abs, g)) == [F(9, 2), F(9, 2), F(11, 2)]
        assert g[place] == F(-11, 2)


@pytest.mark.parametrize(("ratio", "size"), [(F(40, 81), 1), (F(41, 81), 3)])
def test_threshold(ratio, size):
    for g in EXAMPLE.gradients(ONES):
        assert cat_s(list(g), Affine(1, ratio), entry_bits=1).size == size


def test_the_bound_without_what_is_left_out_is_exceeded():
    after = EXAMPLE.objective(tuple(F(114, 103) * item for item in ONES))
    first = EXAMPLE.objective(ONES)
    assert after > first > first - decrease(EXAMPLE, SMOOTHNESS, ONES, 1, left_out=0)
    assert after <= first - decrease(EXAMPLE, SMOOTHNESS, ONES, 1)
    assert decrease(EXAMPLE, SMOOTHNESS, ONES, 3) == square(EXAMPLE.gradient(ONES)) / (2 * SMOOTHNESS)


def test_mutants_are_rejected():
    assert any(item.excess for item in compare_growth(RULES["sign-error"]))
    assert any(item.excess for item in compare_decrease("example", RULES["nothing-left-out"]))
