"""Golden numbers of the specification for total costs: the quadratic in 20 dimensions, the mutants."""

import functools

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.cat.golden_vectors import quad
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cat/cost-bound")
# Printed with 12 digits.
DIGITS = 1e-11


@pytest.fixture(scope="module")
def run():
    problem, rule = quad(), functools.partial(cat_s, cost=Affine(1, 5), entry_bits=1)
    rng = np.random.default_rng(0)
    return problem, cat_gd(problem, rule, step_size=1 / problem.L, rounds=60, rng=rng, start=np.ones(20))


@pytest.mark.parametrize(
    ("epsilon", "iterations", "cost", "e_bar", "bound", "whole"),
    [
        (0.1, 15, 191, 0.0437711049525, 2465.51950396, 2697.96282426),
        (0.02, 49, 740, 0.0416371309616, 12959.4079224, 13489.8141213),
    ],
)
def test_run_of_quad(run, epsilon, iterations, cost, e_bar, bound, whole):
    problem, result = run
    K = int(np.argmax(result.gradient_norm_sq[0] <= epsilon))
    assert iterations == K
    assert result.cost[0, K] == cost
    own = result.efficiencies[0, :K, 0].min()
    assert own == pytest.approx(e_bar, rel=DIGITS)
    values = {"L": problem.L, "Delta_0": result.objective[0, 0], "epsilon": epsilon}
    assert evaluate(CLAIM.bound, {**values, "e_bar": own}) == pytest.approx(bound, rel=DIGITS)
    assert evaluate(CLAIM.formulas["whole"], {**values, "C_d": 25}) == pytest.approx(whole, rel=DIGITS)


def test_one_coordinate_and_its_mutants():
    values = {"L": 1, "Delta_0": Rational(1, 2), "epsilon": Rational(9, 10)}
    # Without a fixed cost the message costs 1, with c_0 = 5 it costs 6.
    assert 1 / (evaluate_exact(CLAIM.bound, {**values, "e_bar": 1}) / 2) == Rational(9, 5)
    assert evaluate_exact(CLAIM.bound, {**values, "e_bar": Rational(1, 6)}) == 6 * Rational(10, 9)
    assert 6 / evaluate_exact(CLAIM.bound, {**values, "e_bar": 1}) == Rational(27, 5)


def test_flat_start_at_the_largest_efficiency():
    values = {"L": 1, "mu": 1, "Delta_0": 32, "epsilon": 32 * 0.99 / 64, "e_bar": 1}
    assert 64 / evaluate(CLAIM.formulas["polyak"], values) == pytest.approx(12.4, rel=0.01)


def test_at_the_efficiency_of_all_entries_the_bounds_are_those_of_gradient_descent():
    values = {"L": 2.0, "Delta_0": 3.0, "epsilon": 0.1, "e_bar": 1 / 25}
    whole = {"L": 2.0, "Delta_0": 3.0, "epsilon": 0.1, "C_d": 25}
    # Both are products of five doubles.
    assert evaluate(CLAIM.bound, values) == pytest.approx(evaluate(CLAIM.formulas["whole"], whole), rel=1e-14)
