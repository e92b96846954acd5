"""Checks of `ndqsg/float-overload`: all 2^24 dithers at the ends of the range, edges of cells, odd scales."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures import index_rules
from verify.ndqsg.fixtures.dithers import BITS, grid_chunks
from verify.ndqsg.fixtures.index_rules import TOP
from verify.ndqsg.fixtures.runs.dithered_run import dithered_run
from verify.rungs.adversarial import AdversarialCase

LEVELS = (1, 3, 7, 127)
LARGEST_LEVELS = 2**24
SCALES = (0.0, 5e-324, 1e-310, 1e-39, 0.7, 1.0, 1e300)
ULPS = 4


class CountingQuantizer(DitheredQuantizer):
    """The honest quantizer that adds up its clips."""

    clipped = 0

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Any:
        self.clipped += self.clips(x, draws)
        return super().compress(x, draws, side)


class NearestScale(DitheredQuantizer):
    """Its scale is rounded to the nearest float32, or down."""

    def scales(self, x: Any) -> Any:
        return np.nextafter(np.asarray(super().scales(x)), 0)


class SmallAlphabet(CountingQuantizer):
    """Its alphabet ends one level earlier."""

    def clips(self, x: Any, draws: Draws) -> int:
        return int(np.count_nonzero(np.abs(self.indices(x, draws)) >= self.levels))


class LossyZeros(DitheredQuantizer):
    """A block of zeros gets the dither of a tiny scale; the others an error of a millionth."""

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Any:
        return super().compress(x, draws, side) * (1 + 1e-6) + 1e-300


judge = checks_of(
    "ndqsg/float-overload",
    index=index_rules.honest,
    quantizer=DitheredQuantizer,
    counting=CountingQuantizer,
)


judge.sabotage(
    "float32-index at exact/all-*, adversarial/*: Compute the index in float32 without a clip: it exceeds "
    "$M$ at $x=\\pm1$.",
    {"index": index_rules.single_precision},
    "reciprocal at exact/scales: Multiply by $1/\\kappa$: infinite for subnormal $\\kappa$, and "
    "$0\\cdot\\infty$ is no number.",
    {"index": index_rules.reciprocal},
    "nearest-scale at exact/scales: Round $\\kappa$ to the nearest float32 on the wire: $|x|>1$ at scales "
    "like 0.7.",
    {"index": index_rules.nearest_scale},
    "smaller-scale at exact/scales: Send the next smaller scale.",
    {"quantizer": NearestScale},
    "lossy-zeros at exact/scales, exact/reconstruction: Decode zeros to a tiny number and the others with "
    "an error of a millionth.",
    {"quantizer": LossyZeros},
    "small-alphabet at run/*: An alphabet that ends one level earlier: indices are clipped.",
    {"counting": SmallAlphabet},
    "negated, neutral at exact/scales: Negate gradient and dither: indices only change sign.",
    {"index": index_rules.negated},
)


@judge.exact(
    instance="all-levels",
    M=(*LEVELS, LARGEST_LEVELS),
    parameters={"M": (*LEVELS, LARGEST_LEVELS), "x": (1, -1)},
    profile="full",
)
@judge.exact(instance="all-dithers", M=(1,), parameters={"M": (1,), "x": (1, -1)})
def all_dithers(law: Law, M: Sequence[int]) -> Iterable[Comparison]:
    """The largest index over all 2^24 dithers, and the sum that decides, a float64 number exactly."""
    for levels in M:
        for sign in (1.0, -1.0):
            x, shown = np.array([sign]), {"x": sign, "M": levels}
            largest = max(int(np.abs(law.index(x, levels, u[:, None])).max()) for u in grid_chunks())
            bound = law.exactly("bound", M=levels)
            yield le("largest index", largest, bound, witness=shown, headline=True)
    N = 2**BITS
    top = law.exactly("largest_dither", N=N)
    yield eq("largest dither", F(TOP), top)
    for levels in (*M, int(law.exactly("levels", N=N)) - 1):
        found = F((float(levels) + float(top)) + 0.5)
        yield eq("largest sum", found, law.exactly("largest_sum", M=levels, N=N), witness={"M": levels})


@judge.exact(kappa=SCALES, M=LEVELS)
def scales(law: Law, kappa: Sequence[float], M: Sequence[int]) -> Iterable[Comparison]:
    """Blocks of all scales, with dithers at the ends of the grid among them; the scale that travels."""
    u = np.broadcast_to(np.array([[-TOP], [-0.25 + 2.0**-25], [0.25 - 2.0**-25], [TOP]]), (4, 4))
    for scale, levels in ((scale, levels) for scale in kappa for levels in M):
        x, shown = scale * np.array([1.0, -1.0, 0.5, 0.0]), {"kappa": scale, "M": levels}
        largest = int(np.abs(law.index(x, levels, u)).max()) if scale else 0
        yield le("largest index", largest, law.exactly("bound", M=levels), witness=shown)
    for scale in kappa:
        # A float32 has no larger numbers.
        for norm_bits in (64, 32) if scale <= 1e38 else (64,):
            sent = float(law.quantizer(3, norm_bits=norm_bits).scales(np.array([scale, -scale / 2]))[0])
            yield le("scale rounded up", F(scale), F(sent), witness={"kappa": scale, "norm_bits": norm_bits})
    decoded = law.quantizer(2).compress(np.zeros(3), Draws(shared=np.array([TOP, 0.1, -TOP])))
    yield eq("zeros stay zeros", int(np.count_nonzero(decoded)), 0)


@judge.exact(ulp=ULPS, d=16)
def reconstruction(law: Law, ulp: int, d: int) -> Iterable[Comparison]:
    """The decoded value is within 4 ulp of the scale of the exact kappa (q - u) / M."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for kappa, M in ((kappa, M) for kappa in SCALES[1:] for M in (1, 3, 127, LARGEST_LEVELS)):
        codec, x = law.quantizer(M), kappa * np.r_[1.0, rng.uniform(-1, 1, d - 1)]
        draws, scale = codec.draw(rng, x.shape), float(codec.scales(x)[0])
        rows = zip(codec.compress(x, draws), codec.indices(x, draws), draws.shared, strict=True)
        worst = max(abs(F(float(value)) - F(scale) * (int(q) - F(float(u))) / M) for value, q, u in rows)
        allowed = ulp * F(float(np.spacing(scale)))
        yield le("off the exact value", worst, allowed, witness={"kappa": kappa, "M": M})


def _neighbours(x: float) -> list[float]:
    """Return x and the floats within some ulp of it."""
    found = [x]
    for direction in (-np.inf, np.inf):
        y = x
        for _ in range(ULPS):
            y = float(np.nextafter(y, direction))
            found.append(y)
    return found


def telling_inputs(levels: int) -> list[float]:
    """Return the floats of [-1, 1] within 4 ulp of an end or of a half step: the outermost four of these."""
    half_steps = [(levels - 0.5 - i) / levels for i in range(min(levels, 4))]
    near = [y for x in (1.0, *half_steps) for y in _neighbours(x)]
    return [sign * x for sign in (1, -1) for x in near if x <= 1]


@judge.adversarial(
    instance="edges", label="largest index near edges", M=LEVELS, parameters={"M": LEVELS, "ulp": ULPS}
)
def edges(law: Law, M: Sequence[int]) -> AdversarialCase:
    """The input is a position on a list of floats near the ends and the edges of cells, and one of levels."""
    places = [(levels, x) for levels in M for x in telling_inputs(levels)]
    dithers = np.broadcast_to(np.array([[-TOP], [-TOP + 2.0**-24], [TOP - 2.0**-24], [TOP]]), (4, 2))

    def chosen(inputs: Any) -> list[tuple[int, float]]:
        order = np.floor(np.abs(np.asarray(inputs)[:, 0])).astype(np.int64) % len(places)
        return [places[i] for i in order]

    def largest(levels: int, x: float) -> float:
        return float(np.abs(law.index(np.array([x, 1.0]), levels, dithers)).max())

    return AdversarialCase(
        lambda inputs: np.array([largest(*place) for place in chosen(inputs)]),
        lambda inputs: np.array([law("bound", M=levels) for levels, _ in chosen(inputs)]),
        dim=1,
        starts=[[place + 0.5] for place in range(len(places))],
        scale_invariant=False,
        budget=600,
    )


@judge.drift(parameters={"M": (1, 3), "iterations": 200})
def clips(law: Law, rng: np.random.Generator) -> Iterable[Comparison]:
    """No index of a run has to be clipped."""
    for levels in (1, 3):
        codec = law.counting(levels)
        dithered_run(codec, rng)
        yield eq("clipped indices", codec.clipped, 0, witness={"M": levels}, headline=True)
