"""Checks of `ndqsg/dqsg-variance`: all dithers in rationals, the worst gradient, samples, a run."""

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws, Key
from impl.compressors.contract import Message
from impl.compressors.dithered.dither_stream import KeyedDither
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.conformance.arguments import REFUSALS, Calls, arguments, taken
from verify.conformance.by_kernels import as_written
from verify.conformance.fast_and_literal import LARGER, agreement, in_pieces, received
from verify.conformance.leading_axes import axes_of_clients
from verify.conformance.messages.packed_messages import LONGER, counted, packed
from verify.conformance.nearly_symmetric import skewed_weights
from verify.conformance.own_laws import OTHER, own_laws, stated
from verify.ndqsg.fixtures.dithers import grid_factor
from verify.ndqsg.fixtures.runs.dithered_run import dithered_run
from verify.ndqsg.fixtures.sabotaged_dither import (
    ClippedValue,
    EuclideanScale,
    NarrowStep,
    SharedCoordinates,
    StochasticRounding,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def _instance(g: str, M: int, blocks: Any = None, points: int = 4) -> dict[str, Any]:
    return {"g": tuple(map(F, g.split())), "M": M, "blocks": blocks, "points": points}


INSTANCES = {
    "four-one-level": _instance("3 -1 1/2 0", 1),
    "four-two-levels": _instance("3 -1 1/2 0", 2),
    "four-three-levels": _instance("3 -1 1/2 0", 3),
    "four-two-blocks": _instance("3 -1 1/2 0", 2, (2, 2)),
    "equal-scales": _instance("3 -1 -3 2", 2, (2, 2)),
    "six-two-blocks": _instance("1/3 -2/3 1 1/7 0 -5/6", 2, (2, 4), 2),
    "one-hot": _instance("0 0 -2", 1),
    "constant-modulus": _instance("1 -1 1", 3),
    "norm-7": _instance("2 3 6", 2),
    "zero-block": _instance("0 0 1", 2, (2, 1)),
}
# Of the kind of "norm-7" and "four-two-blocks", which notice all that it notices.
MORE = "four-two-levels"

judge = checks_of(
    "ndqsg/dqsg-variance",
    quantizer=DitheredQuantizer,
    omega=max,
    taken=taken,
    received=received,
    stated=stated,
    counted=counted,
)


judge.sabotage(*REFUSALS, *LARGER, *OTHER, *LONGER)


def _exact(*names: str) -> tuple[str, ...]:
    return tuple(f"exact/{name}" for name in names)


# A vector on the grid is rounded exactly.
judge.sabotage(
    "stochastic-rounding at montecarlo/*, run/*: Do not subtract the dither: the variance depends on the "
    "fractional parts.",
    quantizer=StochasticRounding,
    at=(*_exact("four-one-level", "four-two-*", "norm-7"),),
)
judge.sabotage(
    "narrow-step: The step $\\frac2{2M+1}$ without a wider range: the index overflows at $|x|=1$, clipped "
    "it is biased.",
    quantizer=NarrowStep,
    at=_exact("four-one-level", "four-two-levels", "one-hot", "constant-modulus", "norm-7"),
)
judge.sabotage(
    "clipped-value: Clip the decoded value to $[-\\kappa,\\kappa]$: biased by $-\\frac\\Delta8$ at $x=1$, "
    "with a smaller mean square.",
    quantizer=ClippedValue,
    at=_exact("four-one-level", "four-two-blocks", "one-hot", "constant-modulus", "norm-7"),
)
judge.sabotage(
    "one-scale: One scale for all blocks: nothing is saved where theirs differ.",
    quantizer=lambda M, *, blocks=None, **options: DitheredQuantizer(M, **options),
    at=_exact("four-two-blocks", "six-two-blocks"),
)
# Its exact form needs a rational norm.
judge.sabotage(
    "euclidean-scale at montecarlo/*, run/*, exact/norm-7: Scale by $\\|g\\|_2$: the variance grows by "
    "$\\|g\\|_2^2/\\|g\\|_\\infty^2$.",
    {"quantizer": EuclideanScale},
    "average-block at adversarial/two-blocks: Take the average length of a block in $\\omega$ instead of "
    "the largest.",
    {"omega": np.mean},
)
judge.sabotage(
    "shared-coordinates: One dither for all coordinates: only the covariances show it.",
    quantizer=SharedCoordinates,
    at=_exact("four-one-level", "four-two-levels", "norm-7", "constant-modulus"),
)
judge.sabotage_data(
    "reversed-coordinates, neutral: Reverse the order of the coordinates: nothing may change.",
    lambda g, M, blocks, points: {"g": g[::-1], "blocks": blocks and blocks[::-1]},
    at=_exact(*INSTANCES),
)


@judge.exact(instances={MORE: INSTANCES[MORE]}, profile="full")
@judge.exact(instances={name: item for name, item in INSTANCES.items() if name != MORE})
def all_dithers(
    law: Law, g: Sequence[F], M: int, blocks: Sequence[int] | None, points: int
) -> Iterable[Comparison]:
    """Law of all outcomes: means, variances with the factor 1 - N^-2 of N points, covariances, ranges."""
    codec = law.quantizer(M, blocks=list(blocks) if blocks else None, points=points)
    g, d, lengths = list(g), len(g), blocks or (len(g),)
    ends = itertools.accumulate(lengths)
    scales = [max(map(abs, g[end - n : end])) for end, n in zip(ends, lengths, strict=True)]
    kappa = [scale for scale, n in zip(scales, lengths, strict=True) for _ in range(n)]
    decoded = [(p, codec.reference(g, draws)) for p, draws in codec.outcomes(g)]
    errors = [(p, [a - b for a, b in zip(out, g, strict=True)]) for p, out in decoded]
    mean = [sum(p * e[j] for p, e in errors) for j in range(d)]
    finite = law.of("ndqsg/dither-finite")
    for j in range(d):
        own = {"kappa": kappa[j], "M": M}
        offset = finite.exactly("mean", N=points, x=M * g[j] / kappa[j]) if kappa[j] else 0
        yield eq("mean error", mean[j], kappa[j] / M * offset)
        yield le("largest error", max(abs(e[j]) for _, e in errors), law.exactly("largest_error", **own))
        yield le("largest value", max(abs(out[j]) for _, out in decoded), law.exactly("largest_value", **own))
    for i, j in itertools.combinations(range(d), 2):
        mixed = sum(p * (e[i] - mean[i]) * (e[j] - mean[j]) for p, e in errors)
        yield eq("covariance of two coordinates", mixed, 0)
    factor, B = grid_factor(law, points), len(lengths)
    variance = sum(p * (e[j] - mean[j]) ** 2 for p, e in errors for j in range(d))
    yield eq("variance", variance, law.exactly("exact", kappa_b=scales, d_b=lengths, B=B, M=M) * factor)
    omega = law.omega([law.exactly("block_omega", d_b=lengths, j=b, M=M) for b in range(B)])
    above = law.exactly("bound", omega=omega, g=g, d=d) * factor
    yield le("relative bound", variance, above, headline=True)
    yield le("lower bound", law.exactly("lower", g=g, d=d, M=M) * factor, variance)
    one_block = law.exactly("whole", d=d, largest=max(scales), M=M) * factor
    if len(set(scales)) == 1:
        yield eq("as one block", variance, one_block)
    else:
        yield lt("below one block", variance, one_block)


@judge.adversarial(
    label="worst gradient",
    instances={"d2": {"blocks": (2,)}, "two-blocks": {"blocks": (2, 6)}, "d64": {"blocks": (64,)}},
    M=1,
)
def search(law: Law, blocks: Sequence[int], M: int) -> AdversarialCase:
    """The gradient with the largest variance for its length."""
    d = sum(blocks)
    omegas = [float(law.exactly("block_omega", d_b=blocks, j=b, M=M)) for b in range(len(blocks))]
    unit = law("bound", omega=law.omega(omegas), g=(1.0,), d=1)
    start = np.zeros(d)
    start[-1] = 1.0

    def bound(inputs: Any) -> Any:
        # The dither of 24 bits adds up to 2^-47 of the bound to the mean square.
        return unit * (np.asarray(inputs) ** 2).sum(axis=-1) * (1 + 2.0**-46)

    codec = law.quantizer(M, blocks=list(blocks))
    return AdversarialCase(codec.variance, bound, dim=d, starts=(start,), budget=400)


@judge.montecarlo(instance="d50", label="sampled variance", parameters={"x": "sin(1..50)", "M": 2}, d=50, M=2)
def sampled(law: Law, d: int, M: int) -> MonteCarloCase:
    """The sampler at one vector."""
    x, codec = np.sin(np.arange(1, d + 1)), law.quantizer(M)
    scale = float(np.abs(x).max())

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.broadcast_to(x, (size, d))
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - x) ** 2).sum(axis=-1)

    value = law("exact", kappa_b=(scale,), d_b=(d,), B=1, M=M)
    return MonteCarloCase("eq", sample, value, upper=d * (scale / M) ** 2 / 4)


@judge.samples(
    instance="relative-error",
    label="error along a run",
    parameters={"d": 64, "M": 2, "workers": 4, "value": "error over its stated variance"},
    d=64,
    M=2,
    workers=4,
)
def along_run(law: Law, d: int, M: int, workers: int) -> MonteCarloCase:
    """Errors of a run over their stated variance."""
    value = law("exact", kappa_b=(1.0,), d_b=(d,), B=1, M=M)

    def sample(rng: np.random.Generator, size: int) -> Any:
        iterations = size // (4 * workers)
        trace = dithered_run(law.quantizer(M), rng, iterations=iterations, workers=workers, d=d)
        squares = ((trace.decoded - trace.gradients) ** 2 / trace.scales**2).sum(axis=-1)
        return squares.ravel() / value

    # No error exceeds half a step: three times the mean.
    return MonteCarloCase("eq", sample, 1.0, upper=3.0, resolution=0.02)


# ---------------------------------------------------------------- the fast form keeps the literal one

_SINES = np.sin(np.arange(1.0, 8.0))
_MATRIX = ((2, 1, F(1, 2)), (1, 3, -1), (F(1, 2), -1, 1))


@judge.exact(d=7)
def literal(law: Law, d: int) -> Iterable[Comparison]:
    """The fast form in all shapes, precisions and ranges of floats, in one tile and in many."""
    make, x, nodes = law.quantizer, _SINES, np.stack([_SINES, -2 * _SINES])
    zeros = x * (np.arange(d) > 1)
    cases = {
        "one level": (make(1), x, (5, d)),
        "three levels": (make(3), nodes, (4, 2, d)),
        "most levels": (make(2**24), x, (2, d)),
        "few points": (make(2, points=3), x, (5, d)),
        "blocks of a size": (make(2, blocks=3), nodes, (2, 2, d)),
        "a size that divides": (make(2, blocks=2), nodes[:, :6], (2, 2, 6)),
        "a size beyond the end": (make(2, blocks=9), x, (d,)),
        "lengths of blocks, one of them zero": (make(2, blocks=[2, 4, 1]), zeros, (2, d)),
        "nothing": (make(2), 0 * x, (d,)),
        "scales of 32 bits": (make(3, norm_bits=32), x, (3, d)),
        "a fixed scale": (make(3, scale=0.25), x, (3, d)),
        "a rational scale": (make(3, scale=F(1, 4), norm_bits=32), x, (3, d)),
        "large entries": (make(2, blocks=[3, 4]), 1e307 * x, (3, d)),
        "small entries": (make(2), 1e-307 * x, (3, d)),
        "single precision": (make(3), x.astype(np.float32), (5, d)),
        "one coordinate": (make(3), x[:1], (1,)),
    }
    yield from agreement(law.received, cases, seed=d)
    yield from as_written(agreement, law.received, cases, d)
    long = np.sin(np.arange(2.0**16 + 6))
    long[[0, -1]] = 1.0
    many = np.outer(np.arange(1.0, 10002), x)
    tiles = {
        "many tiles": (make(2), long, -1),
        "many tiles in blocks": (make(2, blocks=len(long) // 4), long[:-2], -1),
        "many vectors": (make(1), many, 0),
        "many vectors in blocks": (make(1, blocks=3), many, 0),
        "many vectors of single precision": (make(3), many.astype(np.float32), 0),
        "many vectors of a fixed scale": (make(3, scale=1e5), many, 0),
    }
    yield from in_pieces(law.received, tiles, seed=d)


@judge.exact(instance="packed", d=7)
def packed_messages(law: Law, d: int) -> Iterable[Comparison]:
    """Payloads are as long as messages say, and the key of a round is all that the receiver needs."""
    make, nodes, key = law.quantizer, np.stack([_SINES, -2 * _SINES]), Key((3, 2**63), 5, 7, 1)
    cases = {
        "three levels": (make(3), _SINES),
        "one level in blocks": (make(1, blocks=2), nodes),
        "scales of 32 bits": (make(5, norm_bits=32), _SINES),
        "a fixed scale": (make(3, scale=0.25), nodes),
        "single precision": (make(3), _SINES.astype(np.float32)),
        "more than a word": (make(2), np.sin(np.arange(60.0))),
    }
    yield from packed(law.counted, cases, key)
    drawn = make(3).draw_keyed(key, nodes.shape)
    lazy = Draws(shared=KeyedDither(key, nodes.shape))
    for name, codec in {"three levels": make(3), "blocks": make(2, blocks=3)}.items():
        given = codec.compress(nodes, drawn)
        message = codec.message(nodes, lazy)
        same = [codec.compress(nodes, lazy), codec.reconstruct(message, lazy.shared)]
        same.append(codec.message_and_estimate(nodes, lazy)[1])
        differing = law.counted(int(sum((given != other).sum() for other in same)))
        yield eq("entries that a lazy dither changes", differing, 0, witness={"case": name})


@judge.exact(instance="own-laws", points=4)
def own(law: Law, points: int) -> Iterable[Comparison]:
    """What the codec states of its law and of its messages is what its outcomes give."""
    make, x, weight = law.quantizer, (1, F(-3, 8), F(1, 4)), (F(1), F(3, 2), F(1, 4))
    cases = {
        "two levels": (make(2, points=points), x, weight),
        "a full matrix": (make(1, points=2), x, _MATRIX),
        "three points": (make(1, points=3), (2, F(1, 4), -1), _MATRIX),
        "blocks": (make(4, blocks=[1, 2], points=2), x, _MATRIX),
        "a block of zeros": (make(2, blocks=2, points=2), (0, 0, F(1, 4)), weight),
        "a fixed scale": (make(2, scale=F(1, 2), points=3), x, _MATRIX),
        "a fixed scale, three points": (make(1, scale=2, points=3), (F(9, 7), F(-3, 7), F(4, 5)), weight),
        "a fixed scale in blocks": (
            make(1, blocks=2, scale=2, norm_bits=32, points=2),
            (5, -3, F(1, 4)),
            weight,
        ),
    }
    yield from own_laws(law.stated, cases)
    yield from skewed_weights(law.stated, cases)
    yield from axes_of_clients(law.stated, cases, seed=points)


@judge.exact(d=2)
def domain(law: Law, d: int) -> Iterable[Comparison]:
    """Whole levels, points and blocks, finite vectors, dither in [-1/2, 1/2)."""
    make: Any = law.quantizer
    x, dither = np.array([3.0, -4.0]), np.array([-0.5, 0.25])

    def sent(M: Any = 2, x: Any = x, shared: Any = dither, **options: Any) -> Any:
        return lambda: make(M, **options).compress(x, Draws(shared=shared))

    def read(M: Any = 2, x: Any = (F(3), F(-4)), shared: Any = (F(-1, 2), F(1, 4)), **options: Any) -> Any:
        return lambda: make(M, **options).reference(list(x), Draws(shared=shared))

    inside: Calls = {
        **{f"M={M}": sent(M) for M in (1, 2**24, np.int64(3))},
        **{f"blocks={blocks}": sent(blocks=blocks) for blocks in (1, 5, [1, 1], None)},
        **{f"points={N}": sent(points=N) for N in (1, 2**24)},
        "scales of 32 bits": sent(norm_bits=32),
        "a fixed scale": sent(scale=F(1, 3)),
        "the largest fixed scale": lambda: make(2, scale=float(np.finfo(float).max)),
        "rational dither": sent(shared=[F(-1, 2), F(1, 4)]),
        "one dither for many vectors": sent(x=np.stack([x, x])),
        "literally": read(),
        "a million outcomes": lambda: next(make(1, points=2**10).outcomes([F(1), F(2)])),
    }
    outside: Calls = {
        **{f"M={M}": sent(M) for M in (0, -1, 1.5, True, 2**24 + 1)},
        **{f"blocks={blocks}": sent(blocks=blocks) for blocks in (0, [1, 2], [], [0, 2], 1.5, True, "2")},
        **{f"points={N}": sent(points=N) for N in (0, 2**24 + 1, 1.5, True)},
        **{f"scale={scale}": sent(scale=scale) for scale in (0, -1, np.nan, np.inf, True, "1", 10**400)},
        **{f"x={item}": sent(x=np.array([3.0, item])) for item in (np.nan, np.inf, -np.inf)},
        **{f"dither {u}": sent(shared=np.array([0.0, u])) for u in (0.5, -0.51, np.nan)},
        "scales of 16 bits": sent(norm_bits=16),
        "no dither": sent(shared=None),
        "whole dither": sent(shared=np.array([0, 0])),
        "dither of another length": sent(shared=np.zeros(3)),
        "dither for other vectors": sent(x=np.stack([x, x, x]), shared=np.zeros((2, 2))),
        "a scale beyond half of all numbers": sent(x=np.array([1e308, 1.0])),
        "a scale beyond 32 bits": sent(x=np.array([3e38, 1.0]), norm_bits=32),
        "too many steps": sent(x=np.array([1e16, 1.0]), scale=1.0),
        "no literal dither": read(shared=None),
        "literal dither 1/2": read(shared=(F(0), F(1, 2))),
        "literal dither of another length": read(shared=(F(0),)),
        "too many outcomes": lambda: next(make(1).outcomes([F(1), F(2)])),
        "outcomes of two vectors": lambda: next(make(1, points=2).outcomes([[F(1)], [F(2)]])),
        "a message without scales": lambda: make(2).reconstruct(_unscaled(d), dither),
        "a message of other vectors": lambda: make(2).reconstruct(
            make(2).message(x, Draws(shared=dither)), np.zeros((3, d))
        ),
    }
    yield from arguments(law.taken, inside, outside)


def _unscaled(d: int) -> Message:
    """Return a message without scales."""
    return Message(np.zeros(d, dtype=np.int64), None, 0, (d,))
