"""Squared errors of samples by kernels, which make none: those of their draws, and of the exact law."""

import math

import numpy as np
import pytest

import impl
from impl import tiers
from impl.compressors import (
    CorrelatedQuantizer,
    StochasticQuantizer,
    TernGrad,
    squared_errors,
)
from impl.compressors.philox_draws import PhiloxUniforms
from impl.errors import ArgumentError

KERNELS = [
    StochasticQuantizer(1 / 4),
    StochasticQuantizer([0.3, 0.01], blocks=[100, 1100]),
    TernGrad(),
    TernGrad(blocks=[100, 1100]),
    CorrelatedQuantizer("binary"),
    CorrelatedQuantizer("ternary"),
]


def is_joint(member):
    return hasattr(member, "aggregate")


def inputs(member, d=1200):
    return np.random.default_rng(0).standard_normal((5, d) if is_joint(member) else d)


@pytest.mark.parametrize("member", KERNELS, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_kernels_sum_what_the_samples_of_their_draws_give(member, weighted):
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    x, size = inputs(member), 30
    w = np.arange(1200.0) if weighted else np.ones(1200)
    weight = w if weighted else None
    found = squared_errors(member, x, np.random.default_rng(1), size, weight, tier="fused")
    with impl.tier("fused"):
        draws = member.draw(np.random.default_rng(1), (size, *x.shape))
    if is_joint(member):
        error = member.estimate(x, draws) - x.mean(axis=0)
    else:
        assert isinstance(draws.private, PhiloxUniforms)
        error = member.compress(x, draws) - x
    np.testing.assert_allclose(found, (w * error**2).sum(axis=-1), rtol=1e-9)


@pytest.mark.parametrize("member", KERNELS, ids=repr)
@pytest.mark.parametrize("by", tiers.TIERS)
def test_their_mean_is_the_exact_variance(member, by):
    if by == "fused" and not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    x, size = inputs(member), 2000
    found = squared_errors(member, x, np.random.default_rng(3), size, tier=by)
    assert found.shape == (size,)
    # Sums over 1200 coordinates are nearly normal: a false alarm below 1e-9 beyond 6.5 deviations.
    slack = 6.5 * found.std() / math.sqrt(size)
    assert abs(found.mean() - member.variance(x)) < slack
    assert 0 < slack < 0.02 * found.mean()


def test_a_subclass_is_sampled():
    class Twice(StochasticQuantizer):
        def compress(self, x, draws, side=None):
            return 2 * super().compress(x, draws, side)

        def sample_chunks(self, x, rng, size):
            yield self.compress(x, self.draw(rng, (size, *x.shape)))

    x = inputs(KERNELS[0])
    for tier in tiers.TIERS if tiers.is_installed() else ("numpy",):
        found = squared_errors(Twice(1 / 4), x, np.random.default_rng(1), 4, tier=tier)
        assert (found > 0.9 * (x @ x)).all()


def test_what_does_not_fit_is_named():
    x, rng = np.ones(4), np.random.default_rng(1)
    with pytest.raises(ArgumentError) as error:
        squared_errors("quantizer", x, 7, -1, tier="gpu")
    for words in ("compressor='quantizer'", "rng=7", "must not be negative", "tier='gpu'"):
        assert words in str(error.value)
    with pytest.raises(ArgumentError, match=r"x has shape \(2, 4\); give one vector \(d,\)"):
        squared_errors(StochasticQuantizer(1), np.ones((2, 4)), rng, 3)
    with pytest.raises(ArgumentError, match=r"x has shape \(1, 2, 4\); give one input \(n, d\)"):
        squared_errors(CorrelatedQuantizer("binary"), np.ones((1, 2, 4)), rng, 3)
    with pytest.raises(ArgumentError, match="weight must be diagonal"):
        squared_errors(CorrelatedQuantizer("binary"), np.ones((2, 4)), rng, 3, np.eye(4))
    with pytest.raises(ArgumentError, match="weight"):
        squared_errors(StochasticQuantizer(1), x, rng, 3, -x)
    with pytest.raises(ArgumentError, match=r"x\[0\] = nan"):
        squared_errors(StochasticQuantizer(1), [np.nan], rng, 3)
    assert squared_errors(StochasticQuantizer(1), x, rng, 0).shape == (0,)
