"""Golden numbers of the specification on runs of `quad`: constants, rates, costs; C = T + 5 and others."""

from decimal import Decimal
from functools import partial

import numpy as np
import pytest

from impl.adaptive import cat_s, cat_sq
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import flat, isotropic, quad

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


def sixty(problem, rule, rounds=60):
    rng = np.random.default_rng(0)
    return cat_gd(problem, rule, step_size=1 / problem.L, rounds=rounds, rng=rng, start=flat(problem.d))


@pytest.fixture(scope="module")
def run(problem):
    return sixty(problem, partial(cat_s, cost=COST, entry_bits=1))


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


def test_the_run(run):
    same(run.objective[0, -1], "0.0703527978745")
    same(run.gradient_norm_sq[0, :60].min(), "0.0121786338071")
    assert (run.cost[0, -1], run.sizes.sum()) == (916, 616)
    assert run.sizes[0, :8, 0].tolist() == [2, 3, 4, 6, 5, 7, 7, 9]


@pytest.mark.parametrize(
    ("rule", "fixed", "objective", "cost"),
    [
        (cat_s, 0, "0.618328320484", None),
        (cat_s, 60, "0.0231170568431", 4607),
        (cat_sq, 5, "0.0685830432594", 933),
        (cat_sq, 60, "0.0285752848809", 4506),
    ],
)
def test_other_runs(problem, rule, fixed, objective, cost):
    found = sixty(problem, partial(rule, cost=Affine(1, fixed), entry_bits=1))
    same(found.objective[0, -1], objective)
    assert cost in (None, found.cost[0, -1])
    if fixed == 0:
        same(found.shares.sum(), "8.0360234553")
    if (rule, fixed) == (cat_sq, 5):
        assert found.sizes[0, :8, 0].tolist() == [2, 2, 2, 5, 5, 5, 8, 5]


@pytest.mark.parametrize(("size", "objective"), [(4, "0.27130508551"), (20, "0.0208955795473")])
def test_runs_of_fixed_sizes(problem, size, objective):
    same(sixty(problem, fixed_size(size, COST)).objective[0, -1], objective)


def test_one_entry_of_a_flat_start():
    # 33 against 2 without the share, 16.5 times too much.
    found = sixty(isotropic(64), fixed_size(1, COST), rounds=32)
    assert found.gradient_norm_sq[0, :32].min() == pytest.approx(33, rel=1e-14)
    assert RATES("bound", L=1, Delta_0=32, Sigma=32) == 2
    same(RATES("bound", L=1, Delta_0=32, Sigma=float(found.shares.sum())), "93.3767")
