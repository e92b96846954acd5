"""The protocol of MARINA's own code: its loss, its steps, and a run."""

import numpy as np
import pytest

from verify.errors import UsageError
from verify.experiments.cq_marina import original_marina
from verify.experiments.cq_marina.original_marina import METHODS, SquaredSigmoid, spent, steps


@pytest.fixture
def small():
    rng = np.random.default_rng(3)
    return SquaredSigmoid(rng.standard_normal((40, 6)), np.sign(rng.standard_normal(40)))


def test_steps_are_those_of_the_specification():
    inverse = {name: 1 / step for name, step in steps(69, 1, 1.0).items()}
    assert inverse["MARINA"] == pytest.approx(31.4, abs=0.05)
    assert inverse["DIANA, their step"] == pytest.approx(2675, abs=0.5)
    assert inverse["DIANA, their step"] / inverse["MARINA"] == pytest.approx(85, abs=0.5)
    assert inverse["DIANA, proved step"] < inverse["DIANA, their step"]


def test_the_gradient_is_that_of_the_loss(small):
    x = np.random.default_rng(0).standard_normal((2, 6))
    found = small.gradients(x)
    assert found.shape == (2, 5, 6)
    for j in range(6):
        shift = 1e-6 * np.eye(6)[j]
        slope = (small.objectives(x + shift) - small.objectives(x - shift)) / 2e-6
        assert found[..., j] == pytest.approx(slope, abs=1e-8)
    for i in range(5):
        value, gradient = small.evaluate_node(i, x[0])
        assert value == pytest.approx(small.objectives(x[0])[i], rel=1e-12)
        assert gradient == pytest.approx(found[0, i], rel=1e-9, abs=1e-14)


def test_the_curvature_that_the_code_takes_is_nearly_right():
    t = np.linspace(-5, 5, 1_000_001)
    p = 1 / (1 + np.exp(t))
    largest = np.abs((4 - 6 * p) * p**2 * (1 - p)).max()
    assert largest == pytest.approx(0.1540586, abs=1e-7)
    assert 0 < largest - original_marina.CURVATURE < 1e-5


def test_far_points_do_not_overflow(small):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert np.isfinite(small.gradients(np.full(6, 1e4))).all()
        assert np.isfinite(small.evaluate_node(0, np.full(6, 1e4))[1]).all()


def test_a_solution_is_not_asked_for(small):
    with pytest.raises(UsageError, match="no certified solution"):
        _ = small.solution


@pytest.mark.parametrize("name", METHODS)
def test_a_run_is_charged_by_entries(small, name):
    found = spent(small, name, 2, 0.5, seed=1, rounds=3000)
    whole, part = 32 * 6 / 1000, 32 * 2 / 1000
    assert part * found.rounds <= found.kbits <= whole * found.rounds
    if name != "MARINA":
        assert found.kbits == pytest.approx(part * found.rounds)
    assert spent(small, name, 2, 1e-9, seed=1, rounds=2) is None
