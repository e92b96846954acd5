r"""Exact second moments of whole MARINA runs on quadratics (claim `cq_marina/marina-exact-oracle`).

The state is $(e,h,u)$ with $e=x-x^\star$, $h=\nabla f(x)=\bar Ae$ and the error $u=g-h$ of the estimate:
$e^+=e-\gamma g$, $h^+=h-\gamma\bar Ag$, and $u^+=0$ in a round with full gradients, else $u^+=u+\xi$. That is
the recursion of the claim with its outputs carried along, so that small ones do not come from cancellation.
The noise $\xi$ of the schemes here has a covariance that is linear in $G=\mathbb Egg^\top$.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# From Y = sum_i A_i G A_i / (n^2 w_i) (the mean for equal weights), Z = mean(A) G mean(A) and n to the
# covariance of the estimate of the mean of the vectors A_i g, all (d, d).
Noise = Callable[[Array, Array, int], Array]


@dataclass(frozen=True)
class MomentTrace:
    """Expectations along a run, (K + 1,) each; entry k belongs to x^k and g^k.

    Args:
        gap: E f(x^k) - f*.
        gradient_norm_sq: E||grad f(x^k)||^2.
        error: E||g^k - grad f(x^k)||^2.
    """

    gap: Array
    gradient_norm_sq: Array
    error: Array

    def average(self, rounds: int) -> float:
        """Return the mean of E||grad f||^2 over the first `rounds` iterates."""
        return float(np.sum(self.gradient_norm_sq[:rounds]) / rounds)


@dataclass(frozen=True)
class QuadraticRun:
    r"""A MARINA run on $f_i(x)=\frac12x^\top A_ix-b_i^\top x$ in the exact reals.

    Args:
        matrices: A_i, (n, d, d), or (n, d) when all are diagonal; symmetric, possibly indefinite. The mean
            is invertible.
        linear: b_i, (n, d); None for zero.
        start: x^0, (d,).
        step_size: gamma.
        probability: p.
        noise: covariance of the estimate of the mean, for the unbiased compressor.
        gain: the compressor is this factor times the unbiased one (`noise` is that of the latter).
        initial: g^0, (d,); None for the gradient at the start.
        weights: w, (n,), positive with sum 1, for schemes that sample clients; None for equal ones.
    """

    matrices: Any
    linear: Any
    start: Any
    step_size: Any
    probability: Any
    noise: Noise
    gain: Any = 1
    initial: Any = None
    weights: Any = None

    def trace(self, rounds: int) -> MomentTrace:
        """Return the expectations after 0..`rounds` rounds."""
        matrices = _dense(np.asarray(self.matrices))
        n, d, _ = matrices.shape
        mean = matrices.sum(axis=0) / n
        e = np.asarray(self.start) - self._solution(mean, n)
        h = mean @ e
        u = 0 * h if self.initial is None else np.asarray(self.initial) - h
        state = np.concatenate([e, h, u])
        S = np.outer(state, state)
        spread = _Spread(matrices, self.weights)
        one, none = np.eye(d, dtype=matrices.dtype), np.zeros((d, d), dtype=matrices.dtype)
        gamma, p = self.step_size, self.probability
        step, bias = gamma * mean, (1 - self.gain) * gamma * mean
        move = np.block([[one, -gamma * one, -gamma * one], [none, one - step, -step]])
        compressed = np.vstack([move, np.hstack([none, bias, one + bias])])
        to_g = np.hstack([none, one, one])
        gap, gradient, error = [], [], []
        for k in range(rounds + 1):
            gap.append(np.trace(S[:d, d : 2 * d]) / 2)
            gradient.append(np.trace(S[d : 2 * d, d : 2 * d]))
            error.append(np.trace(S[2 * d :, 2 * d :]))
            if k == rounds:
                break
            G = to_g @ S @ to_g.T
            S_next = (1 - p) * (compressed @ S @ compressed.T)
            S_next[: 2 * d, : 2 * d] = move @ S @ move.T  # the same whatever the coin shows
            S_next[2 * d :, 2 * d :] += self.fresh_noise(self.noise(spread(G), mean @ G @ mean, n))
            S = (S_next + S_next.T) / 2
        return MomentTrace(np.array(gap), np.array(gradient), np.array(error))

    def fresh_noise(self, covariance: Array) -> Array:
        """Return what a round adds to the second moment of u; only rounds without full gradients do."""
        return np.asarray((1 - self.probability) * self.step_size**2 * self.gain**2 * covariance)

    def _solution(self, mean: Array, n: int) -> Array:
        if self.linear is None:
            return np.asarray(0 * mean[0])
        linear = np.asarray(self.linear).sum(axis=0) / n
        if mean.dtype != object:
            return np.asarray(np.linalg.solve(mean, linear))
        if np.count_nonzero(mean - np.diag(np.diag(mean))):
            raise ValueError("in rationals the mean matrix must be diagonal, or linear None")
        return np.asarray(linear / np.diag(mean))


class _Spread:
    """G -> sum_i A_i G A_i / (n^2 w_i), by as few products as the A_i span dimensions."""

    def __init__(self, matrices: Array, weights: Any) -> None:
        n, d, _ = matrices.shape
        equal = np.full(n, _ratio(1, n, matrices))
        self.terms, self.weights = matrices, equal if weights is None else 1 / (n**2 * np.asarray(weights))
        if matrices.dtype == object or n == 1:
            return
        flat = np.sqrt(self.weights)[:, None] * matrices.reshape(n, d * d)
        values, vectors = np.linalg.eigh(flat @ flat.T)
        keep = values > n * np.finfo(float).eps * values[-1]
        if 2 * keep.sum() < n:
            self.terms = (vectors[:, keep].T @ flat).reshape(-1, d, d)
            self.weights = np.ones(len(self.terms))

    def __call__(self, G: Array) -> Array:
        return np.asarray(np.tensordot(self.weights, self.terms @ G @ self.terms, axes=1))


def rand_k_noise(k: int) -> Noise:
    """RandK at each client, independently: (1/n) W o Y."""

    def noise(Y: Array, Z: Array, n: int) -> Array:
        d = len(Y)
        diagonal, off = _ratio(d, k, Y) - 1, 0 * Y[0, 0]
        if d > 1:
            off = _ratio(d * (k - 1), k * (d - 1), Y) - 1
        return np.asarray(_pattern(diagonal, off, Y) * Y / n)

    return noise


def partition_noise(Y: Array, Z: Array, n: int) -> Array:
    """Each coordinate from one client, drawn by the weights on its own: diag(Y - Z)."""
    return np.asarray(np.diag(np.diag(Y - Z)))


def sampled_rand_k_noise(draws: int, k: int) -> Noise:
    """RandK at each of `draws` clients, drawn by the weights: (W o Y + Y - Z) / draws."""
    inner = rand_k_noise(k)

    def noise(Y: Array, Z: Array, n: int) -> Array:
        return np.asarray((inner(Y, Z, 1) + Y - Z) / draws)

    return noise


def one_bit_noise(Y: Array, Z: Array, n: int) -> Array:
    """One-bit quantization at each client, independently: (1/n)(tr Y I - diag Y)."""
    return np.asarray(np.diag(np.trace(Y) - np.diag(Y)) / n)


def perm_k_noise(Y: Array, Z: Array, n: int) -> Array:
    """PermK where one of n, d divides the other: theta (Y - Z), off the diagonal -(Y - Z) / (max(n, d) - 1).

    Raises:
        ValueError: Neither divides the other.
    """
    d = len(Y)
    if d % n and n % d:
        raise ValueError(f"n={n} and d={d}: one must divide the other")
    theta = _ratio(1, 1, Y) if d >= n else _ratio(d - 1, n - 1, Y)
    off = _ratio(-1, max(n, d) - 1, Y) if max(n, d) > 1 else 0 * Y[0, 0]
    return np.asarray(_pattern(theta, off, Y) * (Y - Z))


def perm_quantized_noise(groups: int) -> Noise:
    """PermK over `groups` groups of clients with one-bit quantizers with independent thresholds inside."""

    def noise(Y: Array, Z: Array, n: int) -> Array:
        d = len(Y)
        if n % groups or d % groups:
            raise ValueError(f"groups={groups} must divide n={n} and d={d}")
        q, b = n // groups, d // groups
        theta, off, share = (0 * Y[0, 0],) * 3
        if n > 1:
            theta = _ratio(n - q, q * (n - 1), Y)
        if d > 1:
            share = _ratio(b - 1, d - 1, Y)
            off = share * theta - (_ratio(d - b, (d - 1) * (n - 1), Y) if n > 1 else 0)
        bits = np.diag((np.trace(Y) - np.diag(Y)) * share / q)
        return np.asarray(_pattern(theta, off, Y) * (Y - Z) + bits)

    return noise


def _pattern(diagonal: Any, off: Any, like: Array) -> Array:
    """Return the matrix with one value on the diagonal and one off it."""
    matrix = np.full(like.shape, off, dtype=like.dtype)
    np.fill_diagonal(matrix, diagonal)
    return matrix


def _ratio(a: int, b: int, like: Array) -> Any:
    """Return a / b, exactly where `like` holds Fractions."""
    from fractions import Fraction

    return Fraction(a, b) if like.dtype == object else a / b


def _dense(matrices: Array) -> Array:
    if matrices.ndim == 3:
        return matrices
    return np.asarray(matrices[..., :, None] * np.eye(matrices.shape[-1], dtype=matrices.dtype))
