"""The objective of the checks of the linear rate: not convex, and it meets the PL condition."""

import numpy as np
import pytest

from verify.cq_marina.marina.waves import PL_CONSTANT, SMOOTHNESS, Waves


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
