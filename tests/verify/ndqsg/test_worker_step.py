"""Exact steps over all dithers, and the sabotaged estimators."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer
from impl.optimizers import quantized_sgd
from impl.problems import Quadratic
from verify.ndqsg.fixtures.sabotaged_dither import StochasticRounding
from verify.ndqsg.fixtures.worker_step import (
    FrozenScale,
    SharedDither,
    Uncoded,
    expected_square,
    on_a_fine_grid,
)


@pytest.mark.parametrize("shared", [False, True])
def test_expected_square_of_independent_and_shared_dithers(shared):
    codec = DitheredQuantizer(1, points=8)
    found = expected_square(codec, [F(1), F(1)], F(1), F(1, 2), shared)
    fine = on_a_fine_grid(found, F(1, 4), 8)
    assert fine == F(1, 4) + F(1, 4) * F(1, 12) / (1 if shared else 2)


def test_expected_square_takes_bias_along():
    codec = DitheredQuantizer(1, scale=1, points=1)  # plain rounding, 3/10 becomes 0
    assert expected_square(codec, [F(3, 10)], F(1), F(1), shared=False) == 1


def run(estimator, codec, replicates=400, **options):
    return quantized_sgd(
        Quadratic(np.ones((4, 1))),
        codec,
        step_size=0.5,
        rounds=1,
        rng=np.random.default_rng(0),
        replicates=replicates,
        start=np.ones(1),
        estimator=estimator,
        **options,
    )


def test_shared_dither_makes_all_errors_equal():
    seen = []
    run(SharedDither, DitheredQuantizer(1), replicates=5, observe=seen.append)
    assert np.ptp(seen[0].decoded, axis=1).max() == 0
    assert np.unique(seen[0].decoded).size == 5


def test_uncoded_uses_what_a_sabotaged_codec_makes():
    found = run(Uncoded, StochasticRounding(2, scale=3.0)).x
    # Steps of 3/2: the average of four rounded gradients 1 is a multiple of 3/8.
    assert np.allclose(((1 - found) / 0.5) % 0.375 % 0.3749999, 0, atol=1e-6)
    assert np.unique(found).size > 1


def test_frozen_scale_keeps_the_first_one():
    class Later(FrozenScale):
        first = np.full((1, 1, 1), 8.0)

    wide = run(Later, DitheredQuantizer(1)).x
    usual = run(FrozenScale, DitheredQuantizer(1)).x
    # Eight times the step, sixteen sigma of 400 samples apart.
    assert wide.std() > 6 * usual.std()
