"""The run whose errors are tested: its steps, its normalised errors, and what they are tested beside."""

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer
from verify.ndqsg.fixtures.dithered_run import arms_of, dithered_run, unit

M = 2


def run(**options):
    return dithered_run(DitheredQuantizer(M), np.random.default_rng(3), iterations=50, **options)


def test_errors_are_in_steps():
    trace = run()
    step = np.abs(trace.gradients).max(axis=-1, keepdims=True) / M
    assert trace.errors(M) == pytest.approx((trace.decoded - trace.gradients) / step, abs=1e-12)
    # 3200 errors: the largest misses one half by 2e-4 on average.
    assert 0.498 < np.abs(trace.errors(M)).max() <= 0.5 + 1e-12


def test_each_step_goes_along_the_decoded_average():
    trace = run(d=5, step=0.25)
    curvature = np.linspace(0.1, 1.0, 5)
    moved = np.diff(trace.gradients, axis=0)
    expected = -0.25 * curvature * trace.decoded[:-1].mean(axis=1, keepdims=True)
    assert moved == pytest.approx(np.broadcast_to(expected, moved.shape), abs=1e-12)


def test_arms_are_the_errors_their_past_and_a_covariate():
    errors, gradients = np.array([[[0.1]], [[-0.2]], [[0.3]]]), np.array([[[1.0]], [[-1.0]], [[0.0]]])
    alone, past, beside = arms_of(errors, gradients)
    assert alone[1] is None
    assert past[0].ravel().tolist() == [-0.2, 0.3]
    assert past[1].ravel() == pytest.approx(unit(np.array([0.1, -0.2])))
    assert beside[1].ravel() == pytest.approx([0.75, 0.25, 0.5])
