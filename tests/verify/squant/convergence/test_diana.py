"""Golden one-step values of squant-diana, through the same code that the checks use."""

import numpy as np
import pytest

from verify.squant.convergence.diana import judge, one_step, visited
from verify.squant.fixtures.convergence.diana_settings import golden_setting, with_factors

LAW = judge._law()


def zero_shifts(chosen):
    return np.zeros((1, chosen.problem.n, chosen.problem.d))


@pytest.mark.parametrize(
    ("name", "before", "after", "bound", "sigmas"),
    [
        ("S1", 14.8095074380165, 6.14311992653811, 10.5012870924117, (0.26, 5.19086419753086)),
        ("S2", 50.1330002827788, 45.0023705322392, 47.2126313342674, (10.375, 155.155076237994)),
        ("S3", 6.72101795909158, 6.16439979300548, 6.55981463892485, (11.16, None)),
    ],
)
def test_lyapunov_function_before_and_after_one_step(name, before, after, bound, sigmas):
    chosen, state = golden_setting(name)
    drift, shifts = one_step(LAW, chosen, state, zero_shifts(chosen))
    # Goldens have 15 digits; matrix roots of these small matrices lose one or two of them.
    assert drift.value == pytest.approx(after, rel=3e-14)
    assert drift.bound == pytest.approx(bound, rel=3e-14)
    sigma = chosen.shift_error(chosen.offset_norms(zero_shifts(chosen)))[0]
    distance = ((state - chosen.problem.solution) ** 2).sum()
    assert chosen.lyapunov(distance, sigma) == pytest.approx(before, rel=3e-14)
    assert sigma == pytest.approx(sigmas[0], rel=3e-14)
    if sigmas[1] is not None:
        assert shifts.value == pytest.approx(sigmas[1], rel=3e-14)


@pytest.mark.parametrize(("step", "rate"), [(1.0, 1.0), (1.0, 0.01), (0.01, 1.0)])
def test_the_rate_is_the_larger_factor(step, rate):
    chosen = with_factors(golden_setting("S2")[0], step=step, rate=rate)
    factor = max(1 - chosen.step_size * chosen.problem.mu, 1 - chosen.learning_rate / 2)
    np.testing.assert_allclose(chosen.rate(3.0, 4), 3.0 * factor ** np.arange(1, 5), rtol=1e-13)


def test_visited_states_have_shifts_of_their_own():
    chosen, _ = golden_setting("S2")
    x, h = visited(chosen, np.random.default_rng(0), rounds=6, replicates=3, every=2)
    assert x.shape == (3 * 4, 2)
    assert h.shape == (3 * 4, 2, 2)
    assert len(np.unique(x, axis=0)) == 1 + 3 * 3  # one start, three later points of each run
    assert np.all(np.abs(h[1:4]).sum(axis=(1, 2)) > 0)
