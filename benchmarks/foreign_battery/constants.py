"""Right compressors with a wrong constant."""

import math

import numpy as np

from benchmarks.foreign_battery.case import Case, equal, one_hot_first
from benchmarks.foreign_battery.mechanisms import (
    bernoulli,
    by_largest,
    natural,
    omega_by_largest,
    qsgd,
    rand_k,
    top_k,
    worst_by_largest,
)


def _too_small(name, make, omega, by, at=equal):
    words = f"the true constant is {by} times the claimed one"
    return Case(
        f"{name}: omega / {by}",
        words,
        make,
        lambda d: {"unbiased": True, "omega": omega(d) / by},
        at,
        "error",
    )


def _qsgd(d):
    return qsgd


def _by_largest(d):
    return lambda x, rng: by_largest(x, rng, 4)


def _top(d):
    return lambda x, rng: top_k(x, d // 4)


class Packed:
    """Rounding whose message has a fixed length: 8 bytes for the norm and one for each entry."""

    def sample(self, x, rng):
        return qsgd(x, rng)

    def pack(self, x, rng):
        return bytes(8 + len(x))


class Stated:
    """Rand-k that states its variance, times a factor."""

    def __init__(self, factor):
        self.factor = factor

    def sample(self, x, rng):
        return rand_k(x, rng, len(x) // 4)

    def variance(self, x):
        return self.factor * 3.0 * float((x**2).sum())


CASES = (
    *(_too_small("rounding", _qsgd, lambda d: 1.0, by) for by in (1.01, 1.025, 1.05, 1.2, 2)),
    _too_small(
        "by the largest",
        _by_largest,
        lambda d: omega_by_largest(d, 4),
        1.025,
        lambda d: worst_by_largest(d, 4),
    ),
    _too_small(
        "by the largest", _by_largest, lambda d: omega_by_largest(d, 4), 1.5, lambda d: worst_by_largest(d, 4)
    ),
    _too_small("natural", lambda d: natural, lambda d: 1 / 8, 1.03, lambda d: np.full(d, 4 / 3)),
    _too_small("rand-k", lambda d: lambda x, rng: rand_k(x, rng, d // 4), lambda d: 3.0, 1.025),
    _too_small("rand-k", lambda d: lambda x, rng: rand_k(x, rng, d // 4), lambda d: 3.0, 1.3),
    _too_small("bernoulli", lambda d: bernoulli, lambda d: 3.0, 1.03),
    Case(
        "top-k: delta times 1.1",
        "contracts by k / d only",
        _top,
        lambda d: {"contraction": 1.1 / 4},
        kind="error",
    ),
    Case(
        "sign: delta too large",
        "contracts by 1 / d only",
        lambda d: lambda x, rng: np.sign(x) * np.abs(x).mean(),
        lambda d: {"contraction": 2.5 / math.sqrt(d)},
        one_hot_first,
        "error",
    ),
    *(
        Case(
            f"own variance times {by}",
            "the compressor states a wrong variance",
            lambda d, by=by: Stated(by),
            lambda d: {"unbiased": True},
            kind="variance",
        )
        for by in (0.5, 0.97, 1.03)
    ),
    Case(
        "variance times 1.05",
        "variance= is too large",
        lambda d: lambda x, rng: bernoulli(x, rng),
        lambda d: {"variance": lambda x: 3.15 * float((x**2).sum())},
        kind="variance",
    ),
    Case(
        "bits of entries only",
        "the norm is not counted",
        lambda d: Packed(),
        lambda d: {"bits": 8.0 * d},
        kind=64 / 512,
        dimensions=(64,),
    ),
    Case(
        "not lossless",
        "the last bits of a mantissa are cut",
        lambda d: lambda x, rng: np.rint(x * 2**30) / 2**30,
        lambda d: {"lossless": True},
        kind=1.0,
    ),
    Case(
        "not scale equivariant",
        "the step is absolute",
        lambda d: lambda x, rng: np.floor(x + rng.random(len(x))),
        lambda d: {"scale_equivariant": True},
        kind=1.0,
    ),
)
