"""Levels, entries and indices that overflow their type or lose precision."""

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first, one_hot_last, unbiased
from benchmarks.foreign_battery.mechanisms import natural, omega_by_largest, rand_k


def _levels_in(kind, s):
    """Return rounding relative to the largest entry whose levels are stored in this type."""

    def compress(x, rng):
        scale = float(np.abs(x).max())
        if not scale:
            return np.zeros_like(x)
        y = x * (s / scale)
        low = np.floor(y)
        levels = (low + (rng.random(len(x)) < y - low)).astype(np.int64).astype(kind)
        return levels.astype(float) * (scale / s)

    return lambda d: compress


def _in_two_bits(x, rng):
    """Four levels and the largest make five: the largest wraps to 0."""
    scale = float(np.abs(x).max()) or 1.0
    y = np.abs(x) * (4 / scale)
    low = np.floor(y)
    return np.sign(x) * ((low + (rng.random(len(x)) < y - low)) % 4) * (scale / 4)


def _exponents_in(kind, bias):
    def compress(x, rng):
        found = natural(x, rng)
        exponent = np.log2(np.abs(found) + (found == 0)).astype(int) + bias
        return np.sign(found) * 2.0 ** (exponent.astype(kind).astype(float) - bias)

    return lambda d: compress


def _indices_in(kind):
    def compress(x, rng):
        found = np.zeros_like(x)
        dense = rand_k(x, rng, len(x) // 4)
        at = np.flatnonzero(dense)
        found[at.astype(kind).astype(int) % len(x)] = dense[at]
        return found

    return lambda d: compress


def _half(x, rng):
    with np.errstate(over="ignore"):
        return x.astype(np.float16).astype(float)


def _randomly_half(x, rng):
    """Two neighbours in float16, with the chance of the nearest only."""
    near = x.astype(np.float32).astype(np.float16).astype(float)
    return np.where(np.isfinite(near), near, x)


def _summed_in_half(x, rng):
    total = np.cumsum(rand_k(x, rng, len(x) // 4)).astype(np.float16).astype(float)
    return np.diff(total, prepend=0.0)


CASES = (
    Case(
        "int8 at 128 levels",
        "level 128 wraps to -128",
        _levels_in(np.int8, 128),
        unbiased(lambda d: omega_by_largest(d, 128)),
        at=one_hot_first,
    ),
    Case(
        "int8 at 200 levels",
        "levels above 127 wrap",
        _levels_in(np.int8, 200),
        unbiased(lambda d: omega_by_largest(d, 200)),
        at=one_hot_first,
    ),
    Case(
        "uint8 for signed levels",
        "negative levels wrap",
        _levels_in(np.uint8, 100),
        unbiased(lambda d: omega_by_largest(d, 100)),
        at=lambda d: -np.ones(d),
    ),
    Case(
        "five levels in two bits",
        "the largest level wraps to 0",
        lambda d: _in_two_bits,
        unbiased(lambda d: omega_by_largest(d, 4)),
        at=one_hot_first,
    ),
    Case(
        "int8 exponents",
        "biased exponents above 127 wrap",
        _exponents_in(np.int8, 120),
        unbiased(1 / 8),
        at=lambda d: np.full(d, 400.0),
    ),
    Case(
        "indices in int8",
        "indices above 127 wrap",
        _indices_in(np.int8),
        unbiased(3.0),
        at=one_hot_last,
        dimensions=(4096,),
    ),
    Case(
        "indices in uint8",
        "indices above 255 wrap",
        _indices_in(np.uint8),
        unbiased(3.0),
        at=one_hot_last,
        dimensions=(4096,),
    ),
    Case(
        "float16 overflow",
        "entries above 65504 are infinite",
        lambda d: _half,
        lambda d: {"omega": 1e-6},
        kind=1.0,
    ),
    Case(
        "float16 claimed unbiased",
        "rounded to nearest",
        lambda d: _randomly_half,
        unbiased(2.0**-22),
        at=lambda d: np.full(d, 1 + 2.0**-12),
    ),
    Case(
        "added up in float16",
        "prefix sums above 65504 are infinite",
        lambda d: _summed_in_half,
        unbiased(3.0),
        kind=1.0,
    ),
)
