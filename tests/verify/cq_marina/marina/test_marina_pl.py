"""Golden numbers of the specification for the linear rate of MARINA."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from verify.cq_marina.fixtures.marina_settings import formula, stated_step
from verify.cq_marina.marina.marina_pl import SETTINGS, bounds, convexity, one_client, with_pl_step
from verify.cq_marina.marina.waves import PL_CONSTANT, SMOOTHNESS, Waves

STATED = partial(formula, "marina-pl")


def potential(setting):
    weight = STATED("weight", gamma=setting.step_size, p=setting.probability)
    return setting.trace.gap + weight * setting.trace.error


def test_the_smaller_step_is_taken():
    setting = with_pl_step(one_client(), STATED)
    assert setting.step_size == pytest.approx(0.05, rel=1e-14)  # p / (2 mu), below 1 / (1 + sqrt(126))
    noisy = with_pl_step(SETTINGS["tridiagonal-one-bit"](), STATED)
    chi = STATED("X", A=2.5, B=0.0, L_plus=0.9414499824666, L_pm=0.0)
    assert noisy.step_size == pytest.approx(1 / (0.9109688679024 + (6 * chi) ** 0.5), rel=1e-12)
    assert convexity(noisy.problem) == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize(("k", "expected"), [(50, 30.3), (100, 691)])
def test_step_of_the_sublinear_rate_is_rejected(k, expected):
    # Printed with three digits.
    setting = replace(one_client(), step=stated_step)
    assert potential(setting)[k] / bounds(setting, STATED)[k] == pytest.approx(expected, rel=1e-3)


def test_waves_are_not_convex_and_meet_the_pl_condition():
    problem = Waves(np.array([[1.0], [2.0]]))
    points = np.linspace(-6, 6, 12_001)[:, None]
    squares, gaps = problem.gradient(points)[:, 0] ** 2, problem.objective(points)
    assert np.all(squares >= 2 * PL_CONSTANT * gaps)
    curvatures = [problem.hessian(point)[0, 0] for point in points[::10]]
    assert min(curvatures) == pytest.approx(-4, abs=1e-3)
    assert max(curvatures) == SMOOTHNESS
    step = 1e-6
    slope = (problem.objectives(points + step) - problem.objectives(points - step)) / (2 * step)
    np.testing.assert_allclose(slope, problem.gradients(points)[..., 0], rtol=0, atol=1e-7)
