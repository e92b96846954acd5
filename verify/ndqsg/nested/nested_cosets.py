"""Checks of `ndqsg/nested-cosets`: alphabets of integer ratios, and decoding with all of them."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import Draws, Key, NestedDitheredQuantizer
from impl.compressors.contract import Message
from impl.compressors.dithered.nested_ratio import gaussian_excess
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
from verify.ndqsg.fixtures import nested_margin
from verify.ndqsg.fixtures.nested_links import Link, NoSideInformation, grid
from verify.ndqsg.fixtures.runs.nested_runs import Setting
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

DECODING = "ndqsg/nested-decoding"
POINTS = 16


def _less_coarse(i: Any, coarse: Any, link: Link) -> Any:
    return (i - link.ratio * coarse).astype(np.int64)


class DirectCoarseIndex(Link):
    """The sender quantizes with the coarse step what it has quantized with the fine one."""

    def sent(self, g: Any, u: Any) -> Message:
        message = super().sent(g, u)
        t = self.alpha * g + u
        return replace(message, symbols=_less_coarse(np.floor(t + 0.5), np.floor(t / self.ratio + 0.5), self))


class HalfToEven(Link):
    """The sender rounds the quotient of the index and the ratio half to even."""

    def sent(self, g: Any, u: Any) -> Message:
        message = super().sent(g, u)
        i = np.floor(self.alpha * g + u + 0.5)
        return replace(message, symbols=_less_coarse(i, np.rint(i / self.ratio), self))


class ShiftedByPeriod(Link):
    """Gradient and side information are both k steps higher."""

    def errors(self, g: Any, y: Any, u: Any) -> Any:
        return super().errors(np.asarray(g) + self.ratio, np.asarray(y) + self.ratio, u)


class WiderReceiver(Link):
    """The receiver reduces by k + 1."""

    def received(self, message: Message, y: Any, u: Any) -> Any:
        return Link(self.ratio + 1, self.alpha).received(message, y, u)


class WiderDirect(WiderReceiver, DirectCoarseIndex):
    """The same for direct coarse quantization."""


judge = checks_of(
    "ndqsg/nested-cosets",
    link=Link,
    direct=DirectCoarseIndex,
    quantizer=NestedDitheredQuantizer,
    rules=(False, True),
    taken=taken,
    received=received,
    stated=stated,
    counted=counted,
)


judge.sabotage(*REFUSALS, *LARGER, *OTHER, *LONGER)
judge.sabotage(
    "direct-coarse-index at exact/ratio-2, exact/ratio-4, exact/ratio-6: Quantize with the coarse step "
    "directly: k + 1 symbols for even k, 5 at k = 4.",
    {"link": DirectCoarseIndex},
    "never-direct at exact/direct-alphabets: Use the coset rule where direct quantization is claimed.",
    {"direct": Link},
    "half-to-even at exact/ratio-2, exact/ratio-4, exact/ratio-6: Round i/k half to even: k + 1 symbols for "
    "even k, both k/2 and -k/2.",
    {"link": HalfToEven},
    "symmetric-even-alphabet at exact/ratio-2, exact/ratio-4, exact/ratio-6: Claim a symmetric alphabet for "
    "even k: k/2 is never sent. | largest = -smallest",
    "wider-receiver at exact/direct-alphabets, adversarial/*, montecarlo/*, exact/ratio-*: The receiver "
    "reduces by k + 1.",
    {"link": WiderReceiver, "direct": WiderDirect},
    "no-side-information at run/*: Decode with y = 0.",
    {"link": NoSideInformation},
    "exchanged-rules at exact/range-aware: Take the plain rule for the range-aware one, and that for it.",
    {"rules": (True, False)},
    "shifted-period, neutral at exact/ratio-*: Shift gradient and side information by k fine steps: the "
    "same symbols.",
    {"link": ShiftedByPeriod},
)


# ---------------------------------------------------------------- alphabets


def alphabet(link: Link) -> list[int]:
    """Return the symbols that are sent over 4 k fine steps and all dithers of a small generator, sorted."""
    u = grid(POINTS)
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 8)[:, None] + np.zeros(POINTS)
    return sorted({int(symbol) for symbol in link.sent(g, np.broadcast_to(u, g.shape)).symbols.ravel()})


def largest_error(law: Law, link: Link) -> tuple[F, F]:
    """Return the largest error over dithers, phases and innovations inside the margin, and the stated one."""
    stated = law.of(DECODING)
    last = int(32 * stated.exactly("margin", k=link.ratio, alpha=1)) - 1
    z = np.arange(-last, last + 1)[:, None, None] / 32
    g = np.arange(-2 * link.ratio, 2 * link.ratio, 1 / 4)[None, :, None]
    found = F(float(np.abs(link.errors(g + 0 * z, g - z, grid(POINTS))).max()))
    return found, stated.exactly("error", alpha=1, delta=1, z=0, e=F(1, 2))


@judge.exact(instances={f"ratio-{k}": {"k": k} for k in (2, 3, 4, 5, 6)}, N=POINTS)
def symbols(law: Law, k: int, N: int) -> Iterable[Comparison]:
    """The alphabet, the symbol of each index, and decoding inside the margin."""
    link = law.link(k)
    found = alphabet(link)
    yield eq("number of symbols", len(found), law.exactly("exact", k=k), headline=True)
    yield eq("smallest symbol", min(found), law.exactly("smallest", k=k))
    yield eq("largest symbol", max(found), law.exactly("largest", k=k))
    for i in range(-2 * k, 2 * k + 1):
        sent = int(link.sent(np.array([float(i)]), np.zeros(1)).symbols[0])
        yield eq("symbol", sent, law.exactly("symbol", i=i, k=k), witness={"i": i})
    yield le("largest error of the coset rule", *largest_error(law, link))


@judge.exact(k=(2, 3, 4, 5, 6))
def direct_alphabets(law: Law, k: Any) -> Iterable[Comparison]:
    """Alphabets of direct coarse quantization; decoding stays right."""
    for ratio in k:
        link = law.direct(ratio)
        kind, name = ("odd", "exact") if ratio % 2 else ("even", "direct_even")
        label = f"symbols of an {kind} ratio, directly"
        yield eq(label, len(alphabet(link)), law.exactly(name, k=ratio), witness={"k": ratio}, headline=True)
        yield le("largest error of the direct rule", *largest_error(law, link), witness={"k": ratio})


@judge.exact(instance="range-aware", levels=(2, 4), N=POINTS)
def within_range(law: Law, levels: Any, N: int) -> Iterable[Comparison]:
    """Overloads of the plain and of the range-aware rule, coordinate by coordinate.

    The last coordinate makes the scale 1; all numbers are dyadic.
    """
    u = np.append(grid(N), 0.0)
    for M in levels:
        z = np.arange(-12 * M, 12 * M + 1) / 4
        g, z = (axis.reshape(-1, 1) for axis in np.meshgrid(np.arange(-4 * M, 4 * M + 1) / (4 * M), z))
        ends = np.ones_like(g)
        x, y = np.hstack([g] * N + [ends]), np.hstack([g - z / M] * N + [ends])
        draws = Draws(shared=np.broadcast_to(u, x.shape))
        for k in range(2, 2 * M + 1):
            plain, aware = (
                law.quantizer(M, k, range_aware=ranged).overloads(x, draws, y)[:, :N] for ranged in law.rules
            )
            shown = {"M": M, "k": k}
            yield eq("overloads of the range alone", int((aware & ~plain).sum()), 0, witness=shown)
            yield lt("overloads within the range", int(aware.sum()), int(plain.sum()), witness=shown)


# ---------------------------------------------------------------- search, samples, runs


@judge.adversarial(
    label="fine error inside the margin", N=2 * POINTS, instances={"margin-2": {"k": 2}, "margin-6": {"k": 6}}
)
def searched_margin(law: Law, k: int, N: int) -> AdversarialCase:
    """Search gradients and innovations inside the margin for a fine error beyond half a step."""
    return nested_margin.searched(law.of(DECODING), law.link(k), N)


@judge.montecarlo(label="mean square", k=4, g=9, z=1.5)
def even_ratio(law: Law, k: int, g: float, z: float) -> MonteCarloCase:
    """Sampled errors with an even ratio: those of the fine step."""
    return nested_margin.sampled(law.of(DECODING), law.link(k), g, z)


@judge.drift(instance="recorded-even-ratio", parameters={"M": 3, "k": 4, "P": 4, "d": 32, "rounds": 20})
def recorded_run(law: Law, rng: Any) -> Iterable[Comparison]:
    """A run with an even ratio: innovations inside the margin are decoded right."""
    return nested_margin.in_runs(law.of(DECODING), law.link, rng, Setting(ratio=4, noise=0.2))


# ---------------------------------------------------------------- the codec keeps its literal method

_SINES = np.sin(np.arange(1.0, 8.0))
_NEAR = _SINES + 0.1 * np.cos(np.arange(7.0))


@judge.exact(d=7)
def literal(law: Law, d: int) -> Iterable[Comparison]:
    """The fast form beside near, far and hopeless side information, in one tile and in many."""
    make, x, y = law.quantizer, _SINES, _NEAR
    nodes, sides = np.stack([x, -2 * x]), np.stack([y, 3 * x])
    cases = {
        "odd ratio": (make(3, 3), x, (5, d), y),
        "even ratio": (make(3, 4), nodes, (4, 2, d), sides),
        "far away": (make(3, 5), x, (5, d), -20 * x),
        "nothing known": (make(3, 4), x, (5, d), np.zeros(d)),
        "gain below one": (make(3, 3, 0.75), nodes, (4, 2, d), sides),
        "rational gain": (make(2, 5, F(1, 2)), x, (4, d), y),
        "gain 0": (make(2, 3, 0), x, (4, d), y),
        "range": (make(3, 3, range_aware=True), nodes, (4, 2, d), -sides),
        "range, largest ratio": (make(2, 6, range_aware=True), x, (4, d), -9 * x),
        "range of nothing": (make(2, 3, range_aware=True), 0 * x, (d,), y),
        "blocks, one of them zero": (make(2, 3, blocks=[2, 4, 1]), x * (np.arange(d) > 1), (2, d), y),
        "scales of 32 bits": (make(3, 4, norm_bits=32), x, (3, d), y),
        "a fixed scale": (make(3, 4, scale=0.25), x, (3, d), y),
        "lost dither": (make(2, 3), x, (3, d), 1e17 * x),
        "a step that underflows": (make(2, 3), np.full(d, 5e-324), (3, d), y),
        "single precision": (make(3, 3), x.astype(np.float32), (5, d), y),
        **{repr(example): (example, x, (d,), y) for example in NestedDitheredQuantizer.examples()},
    }
    yield from agreement(law.received, cases, seed=d)
    yield from as_written(agreement, law.received, cases, d)
    long = np.sin(np.arange(2.0**16 + 6))
    long[[0, -1]] = 1.0
    many = np.outer(np.arange(1.0, 10002), x)
    tiles = {
        "many tiles": (make(2, 3), long, -1, long + 0.1),
        "many vectors": (make(2, 3, blocks=3), many, 0, 1.1 * many),
        "many vectors within the range": (make(1, 3, range_aware=True), many, 0, 1.1 * many),
        "many vectors of single precision": (make(3, 4, 0.5), many.astype(np.float32), 0, 1.1 * many),
    }
    yield from in_pieces(law.received, tiles, seed=d)


@judge.exact(instance="packed", d=7)
def packed_messages(law: Law, d: int) -> Iterable[Comparison]:
    """Payloads are as long as messages say; what is counted of decoding is what decoding does."""
    make, nodes, key = law.quantizer, np.stack([_SINES, -2 * _SINES]), Key((3, 2**63), 5, 7, 1)
    cases = {
        "odd ratio": (make(3, 3), _SINES, _NEAR),
        "even ratio in blocks": (make(3, 6, blocks=2), nodes, _NEAR),
        "largest ratio": (make(3, 2**32 - 1), _SINES, _NEAR),
        "scales of 32 bits": (make(3, 5, norm_bits=32), _SINES, _NEAR),
        "a fixed scale": (make(3, 2, scale=0.25), nodes, _NEAR),
        "more than a word": (make(2, 3), np.sin(np.arange(60.0)), np.zeros(60)),
    }
    yield from packed(law.counted, cases, key)
    for name, (codec, x, side) in cases.items():
        draws = codec.draw_keyed(key, x.shape)
        fine, message = codec.indices(x, draws), codec.message(x, draws)
        estimates, decoded, lost = codec.reconstruct_counted(message, draws.shared, side)
        together = codec.message_and_estimate(x, draws, side)[1]
        plain = codec.compress(x, draws, side)
        wrong = [estimates != plain, together != plain, codec.overloads(x, draws, side) != (decoded != fine)]
        differing = law.counted(int(sum(item.sum() for item in wrong)) + lost)
        yield eq("entries that counting changes", differing, 0, witness={"case": name})
    far = 1e17 * _SINES
    codec = make(3, 3)
    draws = codec.draw_keyed(key, far.shape)
    message = codec.message(_SINES, draws)
    useless = [
        int(codec.unreliable(message, far).sum()),
        codec.reconstruct_counted(message, draws.shared, far)[2],
    ]
    useless.append(int(codec.overloads(_SINES, draws, far).sum()))
    for number in useless:
        yield eq("coordinates whose dither is lost", law.counted(number), d)
    nothing = codec.message(0 * far, draws)  # is decoded to zeros, whatever the side information
    lost = int(codec.unreliable(nothing, far).sum())
    yield eq("coordinates whose dither is lost", law.counted(lost), 0)


@judge.exact(instance="own-laws", points=4)
def own(law: Law, points: int) -> Iterable[Comparison]:
    """What the codec states of its law beside side information is what its outcomes give."""
    make, x, near = law.quantizer, (1, F(-3, 8), F(1, 4)), (F(7, 8), F(-1, 4), F(1, 2))
    weight, matrix = (F(1), F(3, 2), F(1, 4)), ((2, 1, F(1, 2)), (1, 3, -1), (F(1, 2), -1, 1))
    cases = {
        "inside the margin": (make(2, 4, points=points), x, weight, near),
        "far away": (make(2, 3, points=3), x, matrix, (-3, F(1, 4), 2)),
        "half the gain": (make(2, 4, F(1, 2), points=2), x, matrix, near),
        "range": (make(1, 2, range_aware=True, points=2), x, matrix, (-3, F(1, 4), 2)),
        "blocks, one of them zero": (make(4, 4, blocks=2, points=2), (0, 0, F(1, 4)), matrix, near),
        "a fixed scale": (make(2, 4, scale=F(1, 2), points=2), x, weight, near),
    }
    yield from own_laws(law.stated, cases)
    yield from skewed_weights(law.stated, cases)
    yield from axes_of_clients(law.stated, cases, seed=points)


@judge.exact(d=2)
def domain(law: Law, d: int) -> Iterable[Comparison]:
    """Whole ratios from 2 to 2^32 - 1, gains from 0 to 1, finite side information of the shape of x."""
    make: Any = law.quantizer
    excess: Any = gaussian_excess  # of numbers of all types
    x, dither = np.array([3.0, -4.0]), np.array([-0.5, 0.25])

    def sent(k: Any = 3, alpha: Any = 1, side: Any = x, M: Any = 2, **options: Any) -> Any:
        return lambda: make(M, k, alpha, **options).compress(x, Draws(shared=dither), side)

    def read(side: Any, k: Any = 3) -> Any:
        return lambda: make(2, k).reference([F(3), F(-4)], Draws(shared=[F(-1, 2), F(1, 4)]), side)

    def again(call: Any, side: Any) -> Any:
        return lambda: call(make(2, 3).message(x, Draws(shared=dither)), side)

    codec = make(2, 3)
    inside: Calls = {
        **{f"k={k}": sent(k) for k in (2, 2**32 - 1, np.int64(4))},
        **{f"alpha={alpha}": sent(alpha=alpha) for alpha in (0, 1, 0.5, F(1, 3))},
        "range": sent(range_aware=True),
        "one number for all coordinates": sent(side=0.0),
        "whole side information": sent(side=[1, 2]),
        "literal side information": read([F(1), F(2)]),
        "a literal number for all coordinates": read(F(1)),
        "variance beside it": lambda: codec.variance(x, side=x),
        **{f"excess of k={k}": partial(excess, 0.5, k) for k in (2, np.int64(3))},
        **{f"excess of sigma={sigma}": partial(excess, sigma, 3) for sigma in (0, 7.5)},
    }
    outside: Calls = {
        **{f"k={k}": sent(k) for k in (1, 0, 2**32, 2.5, True)},
        **{f"alpha={alpha}": sent(alpha=alpha) for alpha in (-0.1, 1.01, np.nan, True, "1")},
        **{f"M={M}": sent(M=M) for M in (0, 1.5)},
        "range of a gain": sent(alpha=0.5, range_aware=True),
        "range of a fixed scale": sent(scale=1.0, range_aware=True),
        **{f"side {item}": sent(side=np.array([3.0, item])) for item in (np.nan, np.inf)},
        "side of another length": sent(side=np.zeros(3)),
        "side of more vectors": sent(side=np.zeros((2, d))),
        "side of words": sent(side=["a", "b"]),
        "no side": sent(side=None),
        "no literal side": read(None),
        "literal side of another length": read([F(1)] * 3),
        "variance without side": lambda: codec.variance(x),
        "exact variance without side": lambda: codec.variance([F(1), F(2)]),
        "moments without side": lambda: codec.moments(x),
        "decoding without side": again(lambda message, side: codec.reconstruct(message, dither, side), None),
        **{f"excess of k={k}": partial(excess, 0.5, k) for k in (1, 2.5, True)},
        **{f"excess of sigma={sigma}": partial(excess, sigma, 3) for sigma in (-1, np.inf, np.nan)},
        "no scales": lambda: codec.unreliable(Message(np.zeros(d), None, 0, (d,)), x),
    }
    yield from arguments(law.taken, inside, outside)
