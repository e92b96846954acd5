"""The recursion for whole runs: rationals, weights, factored sums, and its errors."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import Independent, IndependentQuantizer, PermK, PermKQuantizer, RandK
from verify.cq_marina.fixtures.marina_settings import golden_tridiagonal, identity, perm_quantized, rand_k
from verify.cq_marina.fixtures.second_moments import (
    QuadraticRun,
    one_bit_noise,
    partition_noise,
    perm_k_noise,
    perm_quantized_noise,
    rand_k_noise,
    sampled_rand_k_noise,
)
from verify.cq_marina.marina.enumerated_run import enumerated_levels, level_moments

F = Fraction
A2 = [[[F(1), F(1, 2)], [F(1, 2), F(-1, 3)]], [[F(2), F(-1)], [F(-1), F(1)]]]


@pytest.mark.parametrize(
    ("compressor", "noise"), [(Independent(RandK(1)), rand_k_noise(1)), (PermK(), perm_k_noise)]
)
def test_recursion_equals_all_outcomes_in_rationals(compressor, noise):
    gamma, p, start = F(1, 2), F(1, 5), [F(1), F(-2)]
    run = QuadraticRun(np.array(A2, dtype=object), None, np.array(start, dtype=object), gamma, p, noise)
    trace = run.trace(3)
    levels = enumerated_levels(A2, start, compressor, step_size=gamma, probability=p, rounds=3)
    for k, leaves in enumerate(levels):
        assert sum(leaf.probability for leaf in leaves) == 1
        found = (trace.gap[k], trace.gradient_norm_sq[k], trace.error[k])
        assert found == level_moments(A2, leaves)
        assert all(isinstance(item, Fraction) for item in found)


def test_a_scaled_compressor_in_rationals():
    """Half of RandK: the outcomes are those of RandK with half the estimate."""

    class Half:
        inner = Independent(RandK(1))

        def outcomes(self, x):
            return self.inner.outcomes(x)

        def reference(self, x, draws):
            return [[item / 2 for item in row] for row in self.inner.reference(x, draws)]

    gamma, p, start = F(1, 2), F(1, 5), [F(1), F(-2)]
    run = QuadraticRun(
        np.array(A2, dtype=object),
        None,
        np.array(start, dtype=object),
        gamma,
        p,
        rand_k_noise(1),
        gain=F(1, 2),
    )
    trace = run.trace(3)
    levels = enumerated_levels(A2, start, Half(), step_size=gamma, probability=p, rounds=3)
    for k, leaves in enumerate(levels):
        assert (trace.gap[k], trace.gradient_norm_sq[k], trace.error[k]) == level_moments(A2, leaves)


@pytest.mark.parametrize("weights", [None, [0.1, 0.2, 0.3, 0.15, 0.25]])
def test_few_products_give_the_same_sums(weights):
    """Five commuting matrices that span two dimensions, against a sixth one that spoils it."""
    setting = golden_tridiagonal(5, 4, rand_k(5, 4, 2), "", 1)
    run = QuadraticRun(setting.problem.matrices, None, np.ones(4), 0.3, 0.2, rand_k_noise(2), weights=weights)
    seen = []

    def spy(Y, Z, n):
        seen.append((Y, Z))
        return 0 * Y

    QuadraticRun(run.matrices, None, run.start, 0.3, 0.2, spy, weights=weights).trace(1)
    A, g = run.matrices, run.matrices.mean(axis=0) @ np.ones(4)
    w = np.full(5, 0.2) if weights is None else np.array(weights)
    vectors = A @ g
    np.testing.assert_allclose(
        seen[0][0], np.einsum("i,ij,ik->jk", 1 / (25 * w), vectors, vectors), rtol=1e-12
    )
    np.testing.assert_allclose(seen[0][1], np.outer(vectors.mean(axis=0), vectors.mean(axis=0)), rtol=1e-12)


def test_covariances_of_weighted_schemes():
    rng = np.random.default_rng(0)
    a, w = rng.standard_normal((3, 4)), np.array([0.2, 0.3, 0.5])
    Y, mean = np.einsum("i,ij,ik->jk", 1 / (9 * w), a, a), a.mean(axis=0)
    Z = np.outer(mean, mean)
    # Partition: coordinate j is a_ij / (n w_i) with probability w_i.
    second = ((a / (3 * w[:, None])) ** 2 * w[:, None]).sum(axis=0) - mean**2
    np.testing.assert_allclose(partition_noise(Y, Z, 3), np.diag(second))
    # One client drawn, all coordinates sent: Y - Z; RandK on top adds its own share.
    np.testing.assert_allclose(sampled_rand_k_noise(1, 4)(Y, Z, 3), Y - Z)
    half = sampled_rand_k_noise(2, 2)(Y, Z, 3)
    np.testing.assert_allclose(np.diag(half), (2 * np.diag(Y) - np.diag(Z)) / 2)


def test_groups_contain_permk_and_the_one_bit_quantizer():
    rng = np.random.default_rng(1)
    a = rng.standard_normal((4, 4))
    Y, Z = a.T @ a / 4, np.outer(a.mean(axis=0), a.mean(axis=0))
    np.testing.assert_allclose(perm_quantized_noise(4)(Y, Z, 4), perm_k_noise(Y, Z, 4), atol=1e-14)
    np.testing.assert_allclose(perm_quantized_noise(1)(Y, Z, 4), one_bit_noise(Y, Z, 4), atol=1e-14)
    scheme = perm_quantized(4, 4, 2)
    error = np.trace(scheme.noise(Y, Z, 4))
    assert error == pytest.approx(scheme.A * np.trace(Y) - scheme.B * np.trace(Z))


def test_first_estimates_count_as_error():
    run = identity(2, 3, 0.5, 4)
    trace = QuadraticRun(
        run.problem.matrices, None, np.ones(3), 0.1, 0.5, one_bit_noise, initial=np.zeros(3)
    ).trace(1)
    assert trace.error[0] == 3
    assert trace.gap[1] == trace.gap[0]


def test_a_singular_mean_and_sizes_that_do_not_divide_are_errors():
    with pytest.raises(np.linalg.LinAlgError):
        QuadraticRun(np.zeros((1, 2)), np.ones((1, 2)), np.ones(2), 0.1, 0.5, one_bit_noise).trace(1)
    with pytest.raises(ValueError, match="n=2 and d=3"):
        perm_k_noise(np.eye(3), np.eye(3), 2)
    with pytest.raises(ValueError, match="groups=2"):
        perm_quantized_noise(2)(np.eye(3), np.eye(3), 4)
    with pytest.raises(ValueError, match="in rationals"):
        QuadraticRun(
            np.array(A2, dtype=object),
            np.array([[F(1), F(1)]] * 2, dtype=object),
            np.array([F(1), F(1)], dtype=object),
            F(1, 2),
            F(1, 2),
            rand_k_noise(1),
        ).trace(1)


@pytest.mark.parametrize(
    ("compressor", "noise"),
    [
        (PermKQuantizer(2, correlated=False), perm_quantized_noise(2)),
        (PermK(), perm_k_noise),
        (IndependentQuantizer("binary"), one_bit_noise),
    ],
    ids=["groups-of-one", "perm-k", "one-bit"],
)
def test_covariances_are_those_of_all_outcomes(compressor, noise):
    # Two clients in R^4, blocks of two coordinates: entries off the diagonal have both of their parts.
    a = np.array([[1.0, -2.0, 0.5, 3.0], [0.25, 1.0, -1.5, 2.0]])
    covariance, mean = np.zeros((4, 4)), a.mean(axis=0)
    for chance, draws in compressor.outcomes(a.tolist()):
        error = np.mean(compressor.reference(a.tolist(), draws), axis=0) - mean
        covariance += chance * np.outer(error, error)
    np.testing.assert_allclose(noise(a.T @ a / 2, np.outer(mean, mean), 2), covariance, atol=1e-13)
