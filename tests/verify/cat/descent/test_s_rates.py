"""Golden numbers of the specification for the three rates along the largest entries."""

import numpy as np
import pytest

from impl.optimizers.cat_gd import cat_gd
from verify.cat.descent.s_rates import judge, run_bounds
from verify.cat.fixtures.golden_vectors import flat, isotropic, quad
from verify.cat.fixtures.top_runs import fixed, per_entry

LAW = judge._law()
# Printed with 12 digits; sixty float64 iterations.
DIGITS = 5e-11


def run(rule, rounds=60):
    problem = quad()
    return cat_gd(
        problem, rule, step_size=1 / problem.L, rounds=rounds, rng=np.random.default_rng(0), start=flat(20)
    )


def test_constants_of_quad():
    problem = quad()
    assert pytest.approx(2.80537255109, rel=DIGITS) == problem.L
    assert problem.mu == pytest.approx(0.0517521900558, rel=DIGITS)
    assert float(problem.objective(flat(20))) == pytest.approx(1.92342569489, rel=DIGITS)


def test_run_with_five_entries_for_each_message():
    found = run(per_entry(5))
    assert found.objective[0, -1] == pytest.approx(0.0703527978745, rel=DIGITS)
    assert found.cost[0, -1] == 916
    assert found.sizes.sum() == 616
    assert found.shares.sum() == pytest.approx(43.2972477901, rel=DIGITS)
    assert found.gradient_norm_sq[0, :60].min() == pytest.approx(0.0121786338071, rel=DIGITS)
    assert found.sizes[0, :8, 0].tolist() == [2, 3, 4, 6, 5, 7, 7, 9]
    problem, start = quad(), float(found.objective[0, 0])
    bounds = run_bounds(LAW, problem.L, problem.mu, start, found.shares[0, :, 0])
    assert bounds["bound"][-1] == pytest.approx(0.249250283744, rel=DIGITS)
    assert bounds["exponential"][-1] == pytest.approx(0.865351583467, rel=DIGITS)
    assert bounds["product"][-1] == pytest.approx(0.860686693157, rel=DIGITS)
    assert bounds["convex"][-1] == pytest.approx(8.81782235170, rel=DIGITS)
    assert 2 * start / problem.mu == pytest.approx(74.3321468257, rel=DIGITS)


def test_runs_with_other_costs_and_sizes():
    payload = run(per_entry(0))
    assert payload.objective[0, -1] == pytest.approx(0.618328320484, rel=DIGITS)
    assert payload.shares.sum() == pytest.approx(8.0360234553, rel=DIGITS)
    dear = run(per_entry(60))
    assert dear.objective[0, -1] == pytest.approx(0.0231170568431, rel=DIGITS)
    assert dear.cost[0, -1] == 4607
    assert run(fixed(4)).objective[0, -1] == pytest.approx(0.27130508551, rel=DIGITS)
    assert run(fixed(20)).objective[0, -1] == pytest.approx(0.0208955795473, rel=DIGITS)


def test_gradient_descents_bound_without_the_share():
    # Isotropic, flat, d = 64, T = 1: 33 against 2, 16.5; the correct bound is 93.3767.
    problem = isotropic(64)
    found = cat_gd(problem, fixed(1), step_size=1.0, rounds=32, rng=np.random.default_rng(0), start=flat(64))
    assert float(found.gradient_norm_sq[0, :32].min()) == pytest.approx(33, rel=1e-14)
    assert LAW("bound", L=1, Delta_0=32, Sigma=32) == 2
    total = float(found.shares.sum())
    assert LAW("bound", L=1, Delta_0=32, Sigma=total) == pytest.approx(93.3767, abs=5e-5)
