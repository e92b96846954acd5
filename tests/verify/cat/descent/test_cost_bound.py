"""Golden numbers of the specification for total costs: the quadratic in 20 dimensions."""

import functools

import numpy as np
import pytest

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.cat.fixtures.golden_vectors import quad
from verify.evaluation import evaluate

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
