"""Speed of the correlated quantizer of 16 clients at d = 10^5 against the obvious expressions."""

import numpy as np

from impl.compressors import CorrelatedQuantizer
from impl.compressors.joint.correlated.stratified_thresholds import draw_strata

CLIENTS, D = 16, 10**5
# Required of what correlates the clients: sorted keys in blocks against argsort of an (n, d) array.
TARGET = 2.5


def naive(x, rng):
    strata = np.argsort(rng.random(x.shape), axis=0)
    thresholds = (strata + rng.random(x.shape)) / CLIENTS
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return np.where(thresholds < (1 + x / norms) / 2, norms, -norms)


def check(x, decoded):
    """Fail unless the clients send plus or minus their norms and the mean has the exact variance."""
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(np.abs(decoded), np.broadcast_to(norms, x.shape), rtol=1e-12)
    error = float(((decoded.mean(axis=0) - x.mean(axis=0)) ** 2).sum())
    # The errors of 1e5 coordinates are independent: their sum is within a few percent of its mean.
    assert abs(error / CorrelatedQuantizer("binary").variance(x) - 1) < 0.05


def test_record_of_the_whole_quantizer(cpu_ratio):
    # Drawing the jitter and writing the decoded array cost both the same: recorded, no target.
    x, rng = np.random.default_rng(0).standard_normal((CLIENTS, D)), np.random.default_rng(1)
    quantizer = CorrelatedQuantizer("binary")

    def ours():
        return quantizer.compress(x, quantizer.draw(rng, x.shape))

    check(x, naive(x, rng))
    check(x, ours())
    measured = cpu_ratio(lambda: naive(x, rng), ours)
    print(f"\nnaive {measured.a_ms:.1f} ms, ours {measured.b_ms:.1f} ms: {measured.ratio:.2f} times")
    assert measured.ratio > 1


def test_strata_are_faster_than_argsort_of_uniforms(cpu_ratio):
    rng = np.random.default_rng(1)
    measured = cpu_ratio(
        lambda: np.argsort(rng.random((CLIENTS, D)), axis=0), lambda: draw_strata(rng, (CLIENTS, D))
    )
    print(f"\nargsort {measured.a_ms:.1f} ms, strata {measured.b_ms:.1f} ms: {measured.ratio:.2f} times")
    assert measured.ratio >= TARGET
