"""Checks of `ndqsg/float-overload`: all 2^24 dithers at the ends of the range, edges of cells, odd scales."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.dithers import BITS, grid_chunks
from verify.ndqsg.dithered_run import dithered_run
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/float-overload"
Index = Callable[[Any, int, Any], Any]
"""Maps a block (d,), M and dithers (..., d) to unclipped indices of this shape, the way a sender does."""

LEVELS = (1, 3, 7, 127)
LARGEST_LEVELS = 2**24
SCALES = (0.0, 5e-324, 1e-310, 1e-39, 0.7, 1.0, 1e300)
ULPS = 4
TOP = 0.5 - 2.0**-25


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.5),
        _all_dithers("all-dithers", (1,), profile="quick"),
        _all_dithers("all-levels", (*LEVELS, LARGEST_LEVELS), profile="full"),
        _scales(),
        _reconstruction(),
        _edges(),
        _run(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    return rational(evaluate_exact(theory.claim(ID).expressions[name], values))


# ---------------------------------------------------------------- rules for the index


def honest(x: Any, levels: int, u: Any) -> Any:
    """The index as the codec computes it: with a given scale it is the same, but never clipped."""
    return DitheredQuantizer(levels, scale=float(np.abs(x).max())).indices(x, Draws(shared=u))


def single_precision(x: Any, levels: int, u: Any) -> Any:
    """All operations in float32, without a clip."""
    f = np.float32
    x = (x / np.abs(x).max()).astype(f)
    return np.floor((f(levels) * x + u.astype(f)) + f(0.5)).astype(np.int64)


def reciprocal(x: Any, levels: int, u: Any) -> Any:
    """Multiply by the reciprocal of the scale; what is no number or infinite counts as an overload."""
    with np.errstate(all="ignore"):
        v = np.floor((levels * (x * (1 / np.abs(x).max())) + u) + 0.5)
    return np.where(np.isfinite(v), v, levels + 1)


def nearest_scale(x: Any, levels: int, u: Any) -> Any:
    """Round the scale to the nearest float32, as it is sent."""
    with np.errstate(all="ignore"):
        kappa = float(np.float32(np.abs(x).max()))
        v = np.floor((levels * (x / kappa) + u) + 0.5)
    return np.where(np.isfinite(v), v, levels + 1)


def negated(x: Any, levels: int, u: Any) -> Any:
    """The honest rule with all signs changed."""
    return -honest(-x, levels, -u)


# ---------------------------------------------------------------- all dithers at x = 1 and -1


def compare_all(rule: Index, levels: tuple[int, ...]) -> Iterable[Comparison]:
    """The largest index over all 2^24 dithers."""
    for M in levels:
        for sign in (1.0, -1.0):
            x = np.array([sign])
            largest = max(int(np.abs(rule(x, M, u[:, None])).max()) for u in grid_chunks())
            bound = stated("bound", M=M)
            yield Comparison(
                "largest index", "le", largest, bound, witness={"x": sign, "M": M}, headline=True
            )
    # The sum that decides is a float64 number, exactly.
    for M in (*levels, stated("levels", bits=BITS) - 1):
        top = F(float(stated("largest_dither", bits=BITS)))
        yield Comparison("largest dither", "eq", top, F(TOP))
        found = F((float(M) + float(top)) + 0.5)
        yield Comparison("largest sum", "eq", found, stated("largest_sum", M=M, bits=BITS), witness={"M": M})


def _all_dithers(name: str, levels: tuple[int, ...], **more: Any) -> Check:
    mutants = {"float32-index": ExactCase(partial(compare_all, single_precision, levels))}
    base = ExactCase(partial(compare_all, honest, levels))
    return Check("exact", name, base, {"M": levels, "x": (1, -1)}, mutants, seconds=1.0, **more)


# ---------------------------------------------------------------- scales of all sizes


def compare_scales(rule: Index) -> Iterable[Comparison]:
    """Blocks of all scales, with dithers at the ends of the grid among them: no index overflows."""
    u = np.array([[-TOP], [-0.25 + 2.0**-25], [0.25 - 2.0**-25], [TOP]])
    for kappa in SCALES:
        for M in LEVELS:
            x = kappa * np.array([1.0, -1.0, 0.5, 0.0])
            largest = int(np.abs(rule(x, M, np.broadcast_to(u, (4, 4)))).max()) if kappa else 0
            witness = {"kappa": kappa, "M": M}
            yield Comparison("largest index", "le", largest, stated("bound", M=M), witness=witness)


def compare_wire() -> Iterable[Comparison]:
    """The scale that travels is never below the largest entry; a block of zeros stays zero."""
    for kappa in SCALES:
        for norm_bits in (64, 32):
            if norm_bits == 32 and kappa > 1e38:
                continue
            codec = DitheredQuantizer(3, norm_bits=norm_bits)
            x = np.array([kappa, -kappa / 2])
            witness = {"kappa": kappa, "norm_bits": norm_bits}
            sent = float(codec.scales(x)[0])
            yield Comparison("scale rounded up", "le", F(kappa), F(sent), witness=witness)
    zero = np.zeros(3)
    codec = DitheredQuantizer(2)
    decoded = codec.compress(zero, Draws(shared=np.array([TOP, 0.1, -TOP])))
    yield Comparison("zeros stay zeros", "eq", int(np.count_nonzero(decoded)), 0)


def _compare_scales(rule: Index) -> Iterable[Comparison]:
    yield from compare_scales(rule)
    yield from compare_wire()


def _scales() -> Check:
    rules: Mapping[str, Index] = {
        "reciprocal": reciprocal,
        "nearest-scale": nearest_scale,
        "negated": negated,
    }
    mutants = {name: ExactCase(partial(_compare_scales, rule)) for name, rule in rules.items()}
    base = ExactCase(partial(_compare_scales, honest))
    return Check("exact", "scales", base, {"kappa": SCALES, "M": LEVELS}, mutants, seconds=0.1)


def compare_reconstruction() -> Iterable[Comparison]:
    """The decoded value is within 4 ulp of the scale of the exact kappa (q - u) / M."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for kappa in SCALES[1:]:
        for M in (1, 3, 127, LARGEST_LEVELS):
            codec = DitheredQuantizer(M)
            x = kappa * np.r_[1.0, rng.uniform(-1, 1, 15)]
            draws = codec.draw(rng, x.shape)
            scale = float(codec.scales(x)[0])
            indices, decoded = codec.indices(x, draws), codec.compress(x, draws)
            worst = max(
                abs(F(float(value)) - F(scale) * (int(q) - F(float(u))) / M)
                for value, q, u in zip(decoded, indices, draws.shared, strict=True)
            )
            allowed = ULPS * F(float(np.spacing(scale)))
            yield Comparison("off the exact value", "le", worst, allowed, witness={"kappa": kappa, "M": M})


def _reconstruction() -> Check:
    base = ExactCase(compare_reconstruction)
    return Check("exact", "reconstruction", base, {"ulp": ULPS, "d": 16}, seconds=0.1)


# ---------------------------------------------------------------- near the ends and the edges of cells


def neighbours(x: float, ulps: int = ULPS) -> list[float]:
    """Return x and the floats within some ulp of it."""
    found = [x]
    for direction in (-np.inf, np.inf):
        y = x
        for _ in range(ulps):
            y = float(np.nextafter(y, direction))
            found.append(y)
    return found


def _search(rule: Index) -> AdversarialCase:
    """The input is a position on a list of floats near the ends and the edges of cells, and one of levels."""
    places = [(M, x) for M in LEVELS for x in _telling_inputs(M)]
    dithers = np.array([[-TOP], [-TOP + 2.0**-24], [TOP - 2.0**-24], [TOP]])

    def chosen(inputs: Any) -> list[tuple[int, float]]:
        order = np.floor(np.abs(np.asarray(inputs)[:, 0])).astype(np.int64) % len(places)
        return [places[i] for i in order]

    def value(inputs: Any) -> Any:
        return np.array([_largest(rule, M, x, dithers) for M, x in chosen(inputs)])

    def bound(inputs: Any) -> Any:
        formula = theory.claim(ID).expressions["bound"]
        return np.array([evaluate(formula, {"M": M}) for M, _ in chosen(inputs)])

    starts = [[place + 0.5] for place in range(len(places))]
    return AdversarialCase(value, bound, dim=1, starts=starts, scale_invariant=False, budget=600)


def _telling_inputs(levels: int) -> list[float]:
    """Return the floats of [-1, 1] within 4 ulp of an end or of a half step: the outermost four of these."""
    half_steps = [(levels - 0.5 - i) / levels for i in range(min(levels, 4))]
    near = [y for x in (1.0, *half_steps) for y in neighbours(x)]
    return [sign * x for sign in (1, -1) for x in near if x <= 1]


def _largest(rule: Index, levels: int, x: float, dithers: Any) -> float:
    block = np.array([x, 1.0])
    u = np.broadcast_to(dithers, (len(dithers), 2))
    return float(np.abs(rule(block, levels, u)).max())


def _edges() -> Check:
    mutants = {"float32-index": Lazy(partial(_search, single_precision))}
    parameters = {"M": LEVELS, "ulp": ULPS}
    base = Lazy(partial(_search, honest))
    return Check("adversarial", "edges", base, parameters, mutants, seconds=0.3)


# ---------------------------------------------------------------- a run


class CountingQuantizer(DitheredQuantizer):
    """The honest quantizer that adds up its clips."""

    clipped = 0

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Any:
        self.clipped += self.clips(x, draws)
        return super().compress(x, draws, side)


def compare_run(rng: np.random.Generator) -> Iterable[Comparison]:
    """No index of a run has to be clipped."""
    for levels in (1, 3):
        codec = CountingQuantizer(levels)
        dithered_run(codec, rng)
        yield Comparison("clipped indices", "eq", codec.clipped, 0, witness={"M": levels}, headline=True)


def _run() -> Check:
    return Check("run", "clips", DriftCase(compare_run), {"M": (1, 3), "iterations": 200}, seconds=0.3)
