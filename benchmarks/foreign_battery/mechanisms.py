"""Right compressors, written as others write them: functions of one vector and a generator."""

import math
from typing import Any

import numpy as np


def steps(d: int) -> int:
    """Return the number of levels at which rounding relative to the norm has omega = 1."""
    return math.isqrt(d) // 2


def rounded(x: Any, rng: Any, scale: float, s: int) -> Any:
    """Round |x| s / scale to one of the integers around it; the mean is x."""
    return on_grid(x, scale, s, rng.random(len(x)))


def on_grid(x: Any, scale: float, s: int, u: Any) -> Any:
    """Round up where the uniform is below the fraction."""
    if scale == 0:
        return np.zeros_like(x)
    y = np.abs(x) * (s / scale)
    low = np.floor(y)
    return np.sign(x) * (low + (u < y - low)) * (scale / s)


def norm(x: Any) -> float:
    return math.sqrt(float(x @ x))


def qsgd(x: Any, rng: Any, s: int | None = None) -> Any:
    """Round relative to the Euclidean norm: omega = sqrt(d) / s - 1 where that is at least 1."""
    return rounded(x, rng, norm(x), s or steps(len(x)))


def by_largest(x: Any, rng: Any, s: int) -> Any:
    """Round relative to the largest entry."""
    return rounded(x, rng, float(np.abs(x).max()), s)


def omega_by_largest(d: int, s: int) -> float:
    """Return its constant, attained where one entry is largest and the others are equal."""
    return (math.sqrt(s * s + d - 1) - s) / (2 * s)


def natural(x: Any, rng: Any) -> Any:
    """Round to one of the powers of two around each entry: omega = 1 / 8."""
    mantissa, exponent = np.frexp(np.abs(x))
    up = rng.random(len(x)) < 2 * mantissa - 1
    return np.sign(x) * np.ldexp(1.0, exponent - 1 + up) * (x != 0)


def rand_k(x: Any, rng: Any, k: int) -> Any:
    """Keep k entries: omega = d / k - 1."""
    kept = np.zeros_like(x)
    at = rng.choice(len(x), k, replace=False)
    kept[at] = x[at] * (len(x) / k)
    return kept


def bernoulli(x: Any, rng: Any, p: float = 0.25) -> Any:
    """Keep each entry with probability p: omega = 1 / p - 1."""
    return np.where(rng.random(len(x)) < p, x / p, 0.0)


def top_k(x: Any, k: int) -> Any:
    """Keep the k largest entries: contraction k / d."""
    kept = np.zeros_like(x)
    at = np.argsort(-np.abs(x), kind="stable")[:k]
    kept[at] = x[at]
    return kept


def by_blocks(x: Any, rng: Any, size: int, s: int) -> Any:
    """Round block by block relative to the norm of each; the last block may be shorter."""
    blocks = np.append(x, np.zeros(-len(x) % size)).reshape(-1, size)
    scale = np.sqrt((blocks**2).sum(axis=1, keepdims=True))
    y = np.abs(blocks) * np.divide(s, scale, out=np.zeros_like(scale), where=scale > 0)
    low = np.floor(y)
    found = np.sign(blocks) * (low + (rng.random(blocks.shape) < y - low)) * (scale / s)
    return found.ravel()[: len(x)]


def two_level(d: int, level: float) -> Any:
    """Return one entry 1 before entries of this level."""
    return np.where(np.arange(d) == 0, 1.0, level)


def worst_by_largest(d: int, s: int) -> Any:
    """Return the input that attains `omega_by_largest`."""
    return two_level(d, 1 / (s + math.sqrt(s * s + d - 1)))
