"""Descent in rationals: the quadratics, and the same steps as in double precision."""

import functools
from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_s, cat_sq, cat_st
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from impl.problems import Quadratic
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend, squared_norm

COUPLED = RationalQuadratic((3, 1, 2), (1, -1, 2))


def dense(problem):
    w = np.array(problem.coupling or [0] * len(problem.diagonal), dtype=float)
    return np.diag(np.array(problem.diagonal, dtype=float)) + np.outer(w, w)


@pytest.mark.parametrize("problem", [COUPLED, RationalQuadratic((1, 4))])
def test_values_gradients_and_constants(problem):
    x = [F(j + 1, 3) for j in range(len(problem.diagonal))]
    H, point = dense(problem), np.array([float(item) for item in x])
    assert [float(item) for item in problem.gradient(x)] == pytest.approx(H @ point, rel=1e-15)
    assert float(problem.value(x)) == pytest.approx(point @ H @ point / 2, rel=1e-14)
    eigenvalues = np.linalg.eigvalsh(H)
    assert problem.mu <= eigenvalues[0] + 1e-12
    assert eigenvalues[-1] <= problem.L + 1e-12


@pytest.mark.parametrize("rule", [cat_s, cat_sq])
def test_runs_are_those_of_the_method(rule):
    choose = functools.partial(rule, cost=Affine(1, 3), entry_bits=1)
    states = descend(COUPLED, choose, (1, 2, -1), 6)
    result = cat_gd(
        Quadratic(dense(COUPLED)[None]),
        choose,
        step_size=1 / float(COUPLED.L),
        rounds=6,
        rng=np.random.default_rng(0),
        start=[1.0, 2.0, -1.0],
        trace=True,
    )
    for k, state in enumerate(states):
        assert result.iterates[0, k] == pytest.approx([float(item) for item in state.x], rel=1e-12)
        assert result.sizes[0, k, 0] == state.choice.size
        assert float(state.next_value) == pytest.approx(result.objective[0, k + 1], rel=1e-12)


def test_random_messages_are_unbiased_entries_or_nothing():
    choose = functools.partial(cat_st, cost=Affine(1, 3), entry_bits=1)
    states = descend(COUPLED, choose, (1, 2, -1), 3, rng=np.random.default_rng(1))
    assert len(states) == 3
    p = states[0].choice.compressor.probabilities
    for j, (before, after) in enumerate(zip(states[0].x, states[1].x, strict=True)):
        kept = states[0].choice.share * states[0].gradient[j] / p[j] / COUPLED.L
        assert before - after in (0, kept)


def test_a_run_ends_where_it_is_told():
    rule = fixed_size(1, Affine(1, 0))
    problem = RationalQuadratic((1, 1, 1))
    assert len(descend(problem, rule, (1, 1, 1), 9)) == 3
    assert descend(problem, rule, (0, 0, 0), 9) == []
    assert len(descend(problem, rule, (1, 1, 1), 9, reached=lambda value, _: value <= 1)) == 1
    assert squared_norm((1, F(1, 2))) == F(5, 4)


def test_a_fixed_size_pays_for_zeros_too():
    choice = fixed_size(3, Affine(2, 1), entry_bits=4)([F(0), F(2), F(0), F(-1)])
    assert (choice.size, choice.cost, choice.share, choice.efficiency) == (3, 25, 1, F(1, 25))
    assert fixed_size(3, Affine(1, 0))(np.zeros(4)).size == 0
