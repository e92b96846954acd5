"""Right compressors, of which none may be refuted, as near to their claims as they come."""

import math

import numpy as np

from benchmarks.foreign_battery.case import Case, unbiased
from benchmarks.foreign_battery.constants import Packed, Stated
from benchmarks.foreign_battery.mechanisms import (
    bernoulli,
    by_blocks,
    by_largest,
    natural,
    norm,
    omega_by_largest,
    on_grid,
    qsgd,
    rand_k,
    rounded,
    steps,
    top_k,
)
from impl.compressors import (
    AtomicSparsification,
    CorrelatedQuantizer,
    GreedySparsification,
    OneBit,
    PermK,
    RandK,
    SpectralSparsification,
    StochasticQuantizer,
    TernGrad,
    TopK,
)


def _uniforms(draw):
    return lambda d: lambda x, rng: on_grid(x, norm(x), steps(d), draw(rng, d))


def _antithetic(rng, d):
    u = rng.random(d // 2)
    return np.concatenate([u, 1 - u, rng.random(d % 2)])


def _stratified(rng, d):
    return (rng.permutation(d) + rng.random(d)) / d


def _window(x, rng):
    """A window of a quarter that wraps around."""
    d = len(x)
    return np.where((np.arange(d) - rng.integers(d)) % d < d // 4, 4 * x, 0.0)


def _importance(x, rng):
    """Kept with chances in proportion to |x|: omega at most d / k - 1."""
    p = np.minimum(len(x) / 4 * np.abs(x) / (float(np.abs(x).sum()) or 1.0), 1.0)
    return np.where(rng.random(len(x)) < p, x / np.maximum(p, 1e-300), 0.0)


def _whole(p):
    return lambda d: lambda x, rng: x / p if rng.random() < p else np.zeros_like(x)


def _subtractive(x, rng):
    """Dither taken off again: the error is uniform on a step, whatever x is."""
    step = float(np.abs(x).max()) / steps(len(x))
    if not step:
        return np.zeros_like(x)
    u = rng.random(len(x)) - 0.5
    return step * (np.rint(x / step + u) - u)


def _signs(x, rng):
    """Rounding after random signs, which are taken back."""
    signs = rng.choice([-1.0, 1.0], len(x))
    return signs * qsgd(signs * x, rng)


def _rotated(x, rng):
    """Rounding after a random reflection."""
    v = rng.standard_normal(len(x))
    v *= math.sqrt(2 / float(v @ v))
    y = qsgd(x - v * float(v @ x), rng)
    return y - v * float(v @ y)


def _kept_and_rounded(x, rng):
    return qsgd(rand_k(x, rng, len(x) // 4), rng)


def _top_and_rest(x, rng):
    kept = top_k(x, len(x) // 8)
    return kept + bernoulli(x - kept, rng, 0.25)


def _single(x, rng):
    """Works in float32 throughout."""
    scale, s = float(np.abs(x).max()), steps(len(x))
    if not scale:
        return np.zeros_like(x)
    step = np.float32(scale / s)
    low = np.floor(x / step)
    return step * (low + (rng.random(len(x), dtype=np.float32) < x / step - low).astype(np.float32))


def _single_norm(x, rng):
    """The norm is rounded to float32, up, before it is used."""
    return rounded(x, rng, float(np.nextafter(np.float32(norm(x)), np.float32(np.inf))), steps(len(x)))


def _sign(x, rng):
    return np.sign(x) * np.abs(x).mean()


def _nearest(x, rng):
    step = float(np.abs(x).max()) / steps(len(x))
    return step * np.rint(x / step) if step else np.zeros_like(x)


def _nodes(x, rng):
    return np.array([qsgd(row, rng) for row in x])


def _memory(d):
    kept = np.sin(1.0 + np.arange(d))
    return {"unbiased_given": lambda x: x + kept}


def _scaled_back(x, rng):
    """An unbiased one over 1 + omega contracts by 1 / (1 + omega)."""
    return qsgd(x, rng) / 2


def _at_random(x, rng):
    """One of two right compressors."""
    return qsgd(x, rng) if rng.random() < 0.5 else rand_k(x, rng, len(x) // 2)


def _spectral(d):
    """A square matrix: a quarter of its singular values."""
    side = math.isqrt(d)
    return SpectralSparsification(side / 4, (side, side))


def _right(name, make, claims, n=None, dimensions=(64, 4096)):
    return Case(name, "", make, claims, n=n, dimensions=dimensions)


CASES = (
    _right("rounding", lambda d: qsgd, unbiased()),
    _right(
        "rounding by the largest",
        lambda d: lambda x, rng: by_largest(x, rng, 4),
        unbiased(lambda d: omega_by_largest(d, 4)),
    ),
    _right(
        "ternary", lambda d: lambda x, rng: by_largest(x, rng, 1), unbiased(lambda d: omega_by_largest(d, 1))
    ),
    _right("natural", lambda d: natural, unbiased(1 / 8)),
    _right("rand-k", lambda d: lambda x, rng: rand_k(x, rng, d // 4), unbiased(3.0)),
    _right("rand-1", lambda d: lambda x, rng: rand_k(x, rng, 1), unbiased(lambda d: d - 1.0)),
    _right("bernoulli", lambda d: bernoulli, unbiased(3.0)),
    _right("kept by size", lambda d: _importance, unbiased(3.0)),
    _right("window that wraps", lambda d: _window, unbiased(3.0)),
    _right("all or nothing", _whole(0.5), unbiased(1.0)),
    _right("seldom all", _whole(0.002), unbiased(499.0)),
    _right("one uniform for all", _uniforms(lambda rng, d: rng.random()), unbiased()),
    _right("antithetic uniforms", _uniforms(_antithetic), unbiased()),
    _right("stratified uniforms", _uniforms(_stratified), unbiased()),
    _right("blocks", lambda d: lambda x, rng: by_blocks(x, rng, 16, 2), unbiased()),
    _right("subtractive dither", lambda d: _subtractive, unbiased(1 / 3)),
    _right("random signs", lambda d: _signs, unbiased()),
    _right("random reflection", lambda d: _rotated, unbiased(1.2)),
    _right("kept, then rounded", lambda d: _kept_and_rounded, unbiased(7.0)),
    _right("top-k and a sample of the rest", lambda d: _top_and_rest, unbiased(3.0)),
    _right("one of two", lambda d: _at_random, unbiased(1.0)),
    _right("float32", lambda d: _single, lambda d: {"unbiased": True, "omega": 1.0, "dtype": "float32"}),
    _right("norm up in float32", lambda d: _single_norm, unbiased()),
    _right("identity", lambda d: lambda x, rng: x, unbiased(0.0)),
    _right(
        "lossless",
        lambda d: lambda x, rng: x.copy(),
        lambda d: {"lossless": True, "scale_equivariant": "all"},
    ),
    _right("zero", lambda d: lambda x, rng: 0 * x, lambda d: {"omega": 1.0}),
    _right("top-k", lambda d: lambda x, rng: top_k(x, d // 4), lambda d: {"contraction": 1 / 4}),
    _right("sign", lambda d: _sign, lambda d: {"contraction": 1 / d}),
    _right("nearest", lambda d: _nearest, lambda d: {"contraction": 1 / 2}),
    _right(
        "rand-k unscaled",
        lambda d: lambda x, rng: rand_k(x, rng, d // 4) / 4,
        lambda d: {"contraction": 1 / 4},
    ),
    _right("rounding over two", lambda d: _scaled_back, lambda d: {"contraction": 1 / 2}),
    _right(
        "equivariant by powers of two",
        lambda d: qsgd,
        lambda d: {"scale_equivariant": "powers of two"},
        dimensions=(64,),
    ),
    _right("packed", lambda d: Packed(), lambda d: {"bits": (8.0 * d + 64, 8.0 * d + 64)}, dimensions=(64,)),
    _right("states its variance", lambda d: Stated(1.0), unbiased(3.0)),
    _right(
        "attains omega",
        lambda d: lambda x, rng: rand_k(x, rng, d // 4),
        lambda d: {"unbiased": True, "omega": 3.0, "omega_sharp": True},
    ),
    _right(
        "with a fixed memory", lambda d: lambda x, rng: qsgd(x + np.sin(1.0 + np.arange(d)), rng), _memory
    ),
    _right("independent nodes", lambda d: _nodes, lambda d: {"unbiased": True, "ab": (1 / 4, 0.0)}, n=4),
    _right("impl: PermK", lambda d: PermK(), lambda d: {"ab": (1.0, 1.0)}, n=4),
    _right(
        "impl: CorrelatedQuantizer",
        lambda d: CorrelatedQuantizer("binary"),
        lambda d: {"ab": (0.75 * d - 1, d / 2 - 1)},
        n=2,
    ),
    _right("impl: StochasticQuantizer", lambda d: StochasticQuantizer(2 / d**0.5), unbiased()),
    _right("impl: RandK", lambda d: RandK(d // 4), unbiased(3.0)),
    _right("impl: AtomicSparsification", lambda d: AtomicSparsification(d // 4), unbiased(3.0)),
    _right("impl: GreedySparsification", lambda d: GreedySparsification(1 / 4), unbiased(3.0)),
    _right("impl: SpectralSparsification", _spectral, unbiased(3.0)),
    _right("impl: TernGrad", lambda d: TernGrad(), unbiased(lambda d: omega_by_largest(d, 1))),
    _right("impl: TopK", lambda d: TopK(d // 4), lambda d: {"contraction": 1 / 4}),
    _right("impl: OneBit", lambda d: OneBit(), lambda d: {"contraction": 1 / d}),
)
