"""The problem whose distance grows: its kernel, leaps against single steps, the slow phase step by step."""

import numpy as np
import pytest

import theory
from impl.compressors import TopK
from impl.compressors.contract import Draws
from verify.cat.descent.nested_problem import NestedProblem
from verify.formulas.evaluation import evaluate

# Leaps replace up to 10^5 products by one power.
LEAPS = 1e-9


@pytest.mark.parametrize("problem", [NestedProblem(4, 1e-3, 0.2, 1e-12), NestedProblem(5, 0.01, 0.4, 1e-9)])
def test_kernel_and_smoothness(problem):
    values = np.linalg.eigvalsh(problem.matrix)
    assert np.abs(problem.matrix @ problem.kernel).max() < 1e-15
    assert values[0] == pytest.approx(0, abs=1e-15)
    assert values[1] > 0
    assert values[-1] == problem.L
    assert problem.kernel @ problem.kernel == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("steps", [0, 1, 2, 17, 1000, 30_000])
@pytest.mark.parametrize("pull", [0.0, 1e-6, 1e-3])
def test_leaps_equal_single_steps(steps, pull):
    problem = NestedProblem(4, 0.03, 0.3, pull)
    np.testing.assert_allclose(problem.after_leaps(steps), problem.after_each_step(steps), rtol=0, atol=LEAPS)


def test_single_steps_are_those_of_the_method():
    problem, x = NestedProblem(5, 0.01, 0.4, 1e-4), NestedProblem(5, 0.01, 0.4, 1e-4).start
    for _ in range(200):
        x = x - TopK(1).compress(problem.gradient(x), Draws()) / problem.L
    np.testing.assert_allclose(problem.after_each_step(200), x, rtol=0, atol=1e-13)


def test_all_entries_are_gradient_descent():
    problem = NestedProblem(4, 0.03, 0.3, 1e-4)
    x = problem.start
    for _ in range(500):
        x = x - problem.gradient(x) / problem.L
    np.testing.assert_allclose(problem.after_all_entries(500), x, rtol=0, atol=1e-13)


def test_signs_change_nothing_else():
    plain, mirrored = NestedProblem(4, 0.03, 0.3, 1e-6), NestedProblem(4, 0.03, 0.3, 1e-6, (1, -1, 1, -1))
    signs = np.array([1, -1, 1, -1])
    np.testing.assert_allclose(
        mirrored.after_leaps(5000), plain.after_leaps(5000) * signs, rtol=0, atol=1e-12
    )


def test_slow_phase_step_by_step():
    # Gradient descent on c h_tau with c = L and c tau = 0.02, from u = 3 for half of the way.
    formulas = theory.claim("cat/finding-distance-grows").formulas
    L, f, u = 2.0, 0.02, 3.0
    tau = f / L
    count = evaluate(formulas["half_way"], {"u": u, "f": f, "L": L})
    assert count == 150
    point = u
    for _ in range(150):
        point -= min(point, tau) * L / L
    gap = L * tau * (point - tau / 2)
    assert gap == pytest.approx(
        evaluate(formulas["gap"], {"u": u, "f": f, "L": L, "tau": tau, "N": 150}), rel=1e-12
    )
    rate = evaluate(formulas["rate"], {"L": L, "R_0": 1.0, "Sigma": 150})
    assert gap / rate >= evaluate(formulas["ratio"], {"u": u, "tau": tau, "R_0": 1.0})
