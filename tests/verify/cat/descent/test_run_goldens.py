"""Golden numbers of the specification on the run of `quad` with C = T + 5: constants, rates and costs."""

from decimal import Decimal
from functools import partial

import numpy as np
import pytest

from impl.adaptive import cat_s
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of
from verify.cat.fixtures.golden_vectors import quad

COST = Affine(1, 5)
RATES = checks_of("cat/s-rates")._law()
COSTS = checks_of("cat/cost-bound")._law()


def same(found, printed):
    """Assert that a number is as printed: half a unit of the last digit, and what sixty rounds lose."""
    unit = 10.0 ** Decimal(printed).as_tuple().exponent
    assert found == pytest.approx(float(printed), rel=1e-12, abs=0.501 * unit)


@pytest.fixture(scope="module")
def problem():
    return quad()


@pytest.fixture(scope="module")
def run(problem):
    rule = partial(cat_s, cost=COST, entry_bits=1)
    rng = np.random.default_rng(0)
    return cat_gd(problem, rule, step_size=1 / problem.L, rounds=60, rng=rng, start=np.ones(problem.d))


def test_constants(problem, run):
    same(problem.L, "2.80537255109")
    same(problem.mu, "0.0517521900558")
    same(run.objective[0, 0], "1.92342569489")


def test_rates(problem, run):
    shares, first = [float(item) for item in run.shares[0, :, 0]], float(run.objective[0, 0])
    total = RATES("total", K=60, alpha=shares)
    same(total, "43.2972477901")
    known = {"L": problem.L, "Delta_0": first}
    same(RATES("bound", **known, Sigma=total), "0.249250283744")
    same(RATES("exponential", **known, mu=problem.mu, Sigma=total), "0.865351583467")
    same(RATES("product", **known, mu=problem.mu, K=60, alpha=shares), "0.860686693157")
    same(2 * first / problem.mu, "74.3321468257")
    same(RATES("convex", L=problem.L, R=(2 * first / problem.mu) ** 0.5, Sigma=total), "8.81782235170")


@pytest.mark.parametrize(
    ("epsilon", "K", "cost", "e_bar", "bound", "whole"),
    [
        (0.1, 15, 191, "0.0437711049525", "2465.51950396", "2697.96282426"),
        (0.02, 49, 740, "0.0416371309616", "12959.4079224", "13489.8141213"),
    ],
)
def test_costs(problem, run, epsilon, K, cost, e_bar, bound, whole):
    assert int(np.argmax(run.gradient_norm_sq[0] <= epsilon)) == K
    assert float(run.cost[0, K]) == cost
    least = float(run.efficiencies[0, :K, 0].min())
    same(least, e_bar)
    known = {"L": problem.L, "Delta_0": float(run.objective[0, 0]), "epsilon": epsilon}
    same(COSTS("bound", **known, e_bar=least), bound)
    same(COSTS("whole", **known, C_d=COST(problem.d)), whole)
