"""Roundings with the wrong chance, the wrong level, or none."""

import math

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first, unbiased
from benchmarks.foreign_battery.mechanisms import natural, norm, on_grid, qsgd, steps


def _chance(change):
    """Return rounding that goes up with probability `change(fraction)`."""

    def compress(x, rng):
        scale, s = norm(x), steps(len(x))
        y = np.abs(x) * (s / scale) if scale else np.abs(x)
        low = np.floor(y)
        return np.sign(x) * (low + (rng.random(len(x)) < change(y - low))) * (scale / s)

    return lambda d: compress


def _levels(decoded):
    """Return rounding whose receiver divides by another number of levels."""
    return lambda d: lambda x, rng: qsgd(x, rng) * (steps(d) / (steps(d) + decoded))


def _without_top(x, rng):
    most = norm(x) * (1 - 1 / steps(len(x)))
    return np.clip(qsgd(x, rng), -most, most)


def _few_uniforms(bits):
    return lambda d: lambda x, rng: on_grid(x, norm(x), steps(d), np.floor(rng.random(d) * 2**bits) / 2**bits)


def _just_above(bits):
    """Return an input whose fractions lie just above a multiple of 2^-bits, where the chance is off most."""
    return lambda d: np.where(np.arange(d) == 0, math.sqrt(d), 2.1 * 2.0**-bits)


def _truncated(x, rng):
    """Round x - trunc(x) as if it were positive."""
    scale, s = norm(x), steps(len(x))
    y = x * (s / scale) if scale else x
    low = np.trunc(y)
    return (low + (rng.random(len(x)) < y - low)) * (scale / s)


def _half_nearest(x, rng):
    found = qsgd(x, rng)
    s, scale = steps(len(x)), norm(x)
    if scale:
        found[::2] = np.rint(x[::2] * s / scale) * (scale / s)
    return found


def _triangular(x, rng):
    return on_grid(x, norm(x), steps(len(x)), (rng.random(len(x)) + rng.random(len(x))) / 2)


def _nearest_power(x, rng):
    mantissa, exponent = np.frexp(np.abs(x))
    return np.sign(x) * np.ldexp(1.0, exponent - 1 + (mantissa >= 0.75)) * (x != 0)


def _power_by_logarithm(x, rng):
    exponent = np.floor(np.log2(np.abs(x) + (x == 0)))
    up = rng.random(len(x)) < np.log2(np.abs(x) + (x == 0)) - exponent
    return np.sign(x) * 2.0 ** (exponent + up)


def _few_exponents(x, rng):
    found = natural(x, rng)
    return np.where(np.abs(found) < np.abs(x).max() / 2**6, 0.0, found)


def _level_ties(x, rng):
    """Lose what lies exactly on a level: the lower of the levels around it is one too low."""
    scale, s = norm(x), steps(len(x))
    y = np.abs(x) * (s / scale) if scale else np.abs(x)
    high = np.ceil(y)
    return np.sign(x) * np.maximum(high - (rng.random(len(x)) <= high - y) - (high == y), 0) * (scale / s)


def _small_powers(d):
    return np.where(np.arange(d) == 0, 1.0, 2.0**-8)


def _fraction(part):
    """Return the input whose small entries have this fraction of a level."""
    return lambda d: np.where(np.arange(d) == 0, math.sqrt(d * max(1 - part * part, 0.0)) + 1e-9, 2 * part)


CASES = (
    Case("nearest level", "the nearest level instead of a random one", _chance(lambda f: (f > 0.5) + 0.0)),
    Case("always down", "the lower level always", _chance(lambda f: 0.0 * f)),
    Case("always up", "the upper level always", _chance(lambda f: (f > 0) + 0.0)),
    Case("chance swapped", "up with the chance of down", _chance(lambda f: 1 - f), at=one_hot_first),
    Case("chance squared", "up with the square of the chance", _chance(np.square)),
    Case("chance doubled", "up with twice the chance, at most 1", _chance(lambda f: np.minimum(2 * f, 1))),
    Case("one level too many", "the receiver divides by s + 1", _levels(1)),
    Case("one level too few", "the receiver divides by s - 1", _levels(-1)),
    Case("no top level", "level s is sent as s - 1", lambda d: _without_top, at=one_hot_first),
    Case("uniforms of 4 bits", "the uniforms have 4 bits", _few_uniforms(4), at=_just_above(4)),
    Case("uniforms of 6 bits", "the uniforms have 6 bits", _few_uniforms(6), at=_just_above(6)),
    Case("uniforms of 12 bits", "the uniforms have 12 bits", _few_uniforms(12), at=_just_above(12)),
    Case(
        "truncated",
        "negative entries are truncated towards 0",
        lambda d: _truncated,
        at=lambda d: -np.ones(d),
    ),
    Case("half nearest", "every second coordinate takes the nearest level", lambda d: _half_nearest),
    Case("mean of two uniforms", "the uniform is a mean of two", lambda d: _triangular, at=_fraction(0.25)),
    Case(
        "exactly on a level",
        "what lies exactly on a level falls by one",
        lambda d: _level_ties,
        at=one_hot_first,
    ),
    Case(
        "nearest power of two",
        "the nearest power of two",
        lambda d: _nearest_power,
        unbiased(1 / 8),
        at=lambda d: np.full(d, 1.5),
    ),
    Case(
        "power by logarithm",
        "chances linear in the logarithm",
        lambda d: _power_by_logarithm,
        unbiased(1 / 8),
        at=lambda d: np.full(d, 1.44),
    ),
    Case(
        "six exponents",
        "what is below 2^-6 of the largest is 0",
        lambda d: _few_exponents,
        unbiased(1 / 8),
        at=_small_powers,
    ),
)
