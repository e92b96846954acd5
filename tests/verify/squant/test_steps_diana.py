import math

import numpy as np
import pytest

from verify.squant.fixtures.step_rules import mixture_block_steps, mixture_probabilities, mixture_steps

# Weights with zeros and with repeated entries.
DIAGONAL = np.array([4.0, 1.0, 0.0, 0.25, 1.0, 0.0, 2.0])


def mixture(n=3, mu=0.1):
    return 1 + DIAGONAL / (n * mu)


def test_steps_are_the_closed_form_at_any_weights():
    steps = np.array(mixture_steps(DIAGONAL, 3, 0.1, 2.5))
    np.testing.assert_allclose(steps, np.sqrt(mixture().sum() / mixture()) / 2.5, rtol=1e-14)
    assert mixture_steps(DIAGONAL.tolist(), 3, 0.1, 2.5) == tuple(steps)


def test_block_steps_spend_the_budget_on_equal_mixtures():
    blocks = [3, 2, 2]
    steps = mixture_block_steps(DIAGONAL, blocks, 3, 0.1, 2.5)
    parts = np.split(DIAGONAL, np.cumsum(blocks)[:-1])
    mixtures = [
        step * (math.sqrt(len(part)) + np.linalg.norm(part) / 0.3)
        for step, part in zip(steps, parts, strict=True)
    ]
    np.testing.assert_allclose(mixtures, mixtures[0], rtol=1e-13)
    assert sum(math.sqrt(len(p)) / h for p, h in zip(parts, steps, strict=True)) == pytest.approx(2.5)


def test_zero_block_has_a_finite_step():
    assert all(map(math.isfinite, mixture_block_steps([0.0, 0.0, 1.0], [2, 1], 2, 0.5, 1.0)))


@pytest.mark.parametrize("tau", [0.5, 1.0, 3.0, 6.5, 7.0])
def test_probabilities_equalise_the_mixture(tau):
    p = np.array(mixture_probabilities(DIAGONAL, 3, 0.1, tau))
    assert p.sum() == pytest.approx(tau, rel=1e-12)
    constants = mixture() * (1 / p - 1)
    # At tau = d nothing is left out: all constants are 0.
    np.testing.assert_allclose(constants, constants[0], rtol=1e-9, atol=1e-12)


def test_equal_weights_give_equal_choices():
    assert set(mixture_steps([2.0] * 5, 2, 0.5, 1.0)) == {math.sqrt(5)}
    assert mixture_probabilities([2.0] * 5, 2, 0.5, 2.0) == pytest.approx((0.4,) * 5)
