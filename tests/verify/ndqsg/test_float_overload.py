"""Golden counts of indices that overflow in single precision, and edges of floating point."""

import numpy as np
import pytest

import theory
from verify.evaluation import evaluate_exact
from verify.ndqsg.fixtures.dithers import grid_chunks
from verify.ndqsg.finding_float_index import half_to_even, overloads, stated
from verify.ndqsg.float_overload import honest, nearest_scale, reciprocal, single_precision

CLAIM = theory.claim("ndqsg/finding-float-index")
COUNTS = {1: 1, 3: 2, 7: 4, 127: 64}
TOP = 0.5 - 2.0**-25


@pytest.mark.parametrize(("levels", "count"), COUNTS.items())
def test_overloads_at_the_largest_entry(levels, count):
    assert stated("exact", levels) == count
    assert overloads(single_precision, levels) == count
    assert overloads(half_to_even, levels) == count


@pytest.mark.parametrize(("levels", "count"), COUNTS.items())
def test_half_to_even_overloads_at_both_ends(levels, count):
    x = np.array([-1.0])
    found = [half_to_even(x, levels, u[:, None]) for u in grid_chunks()]
    assert sum(int(np.count_nonzero(q < -levels)) for q in found) == count
    up = [single_precision(x, levels, u[:, None]) for u in grid_chunks()]
    assert sum(int(np.count_nonzero(np.abs(q) > levels)) for q in up) == 0


def test_half_to_even_at_the_end_of_a_closed_dither():
    for levels in (1, 3, 7):
        assert half_to_even(np.array([-1.0]), levels, np.array([[-0.5]]))[0, 0] == -(levels + 1)
        assert np.floor(-levels - 0.5 + 0.5) == -levels


def test_float64_never_overflows_below_two_to_the_28():
    claim = theory.claim("ndqsg/float-overload")
    limit = int(evaluate_exact(claim.formulas["levels"], {"bits": 24}))
    assert limit == 2**28
    assert np.floor((float(limit - 1) + TOP) + 0.5) == limit - 1
    # One bit more and the largest sum is rounded up to the next integer.
    assert np.floor((float(2 * limit) + TOP) + 0.5) == 2 * limit + 1


def test_subnormal_scales_need_a_true_division():
    f = np.float32
    with np.errstate(all="ignore"):
        assert np.isinf(f(1) / f(1e-39))
        assert f(5e-40) / f(1e-39) == pytest.approx(0.5, rel=1e-5)  # subnormal numbers have few digits
        assert np.isnan(f(0) * (f(1) / f(1e-39)))
    block, u = np.array([5e-324, 0.0]), np.array([[0.25, 0.25]])
    assert reciprocal(block, 1, u).max() == 2
    assert honest(block, 1, u).max() == 1


def test_nearest_scale_overflows_at_seven_tenths():
    u = np.array([[TOP]])
    assert nearest_scale(np.array([0.7]), 3, u)[0, 0] == 4
    assert honest(np.array([0.7]), 3, u)[0, 0] == 3
    assert nearest_scale(np.array([1.0]), 127, u)[0, 0] == 127


@pytest.mark.parametrize("id", ["ndqsg/float-overload", "ndqsg/finding-float-index"])
def test_worst_cases(id):
    claim = theory.claim(id)
    formula = claim.bound if claim.bound is not None else claim.exact
    for case in claim.worst_cases:
        assert evaluate_exact(formula, case.values) == case.value
