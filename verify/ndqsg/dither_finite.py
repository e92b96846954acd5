"""Checks of `ndqsg/dither-finite`: all dithers in rationals, the 24-bit grid in float64, sampling."""

from collections.abc import Iterable, Iterator
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, Draws
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance, rational
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.sabotaged_dither import FourBits, LeftAligned, OnePoint
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import UniformityCase

ID = "ndqsg/dither-finite"
SMALL, LARGE = (2, 3, 4, 16), (64, 256)
INPUTS = tuple(
    F(*pair)
    for pair in (
        (0, 1),
        (1, 2),
        (-1, 2),
        (1, 4),
        (3, 4),
        (1, 8),
        (-3, 8),
        (1, 3),
        (-2, 3),
        (1, 7),
        (3, 10),
        (9, 10),
        (5, 1),
        (-7, 1),
        (22, 7),
        (-31, 16),
        (1, 512),
        (-255, 512),
        (17, 32),
        (99, 101),
    )
)
FEW = INPUTS[7:12]
SHIFT = 3
BITS = 24
SUMS = Tolerance(1e-7, "means of 2^24 numbers of order 1 are good to 1e-16, and the mean here is 2e-8")
VARIANCE = Tolerance(1e-12, "a mean of 2^24 float64 squares by pairwise sums, each good to 1e-16 of 1/4")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _exact(),
        _many_points(),
        _whole_grid("third", 1 / 3, profile="quick"),
        _whole_grid("far-out", 2**20 + 0.7, profile="full"),
        _sampled(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


def moments(kind: type[DitheredQuantizer], x: F, points: int) -> tuple[F, F]:
    """Return mean and variance of the error over all dithers, in units of the step."""
    codec = kind(1, scale=1, points=points)
    pairs = [(chance, codec.reference([x], draws)[0] - x) for chance, draws in codec.outcomes([x])]
    mean = sum((chance * error for chance, error in pairs), F(0))
    return mean, sum((chance * (error - mean) ** 2 for chance, error in pairs), F(0))


FEWER = tuple((N, x) for N in SMALL for x in INPUTS) + tuple((N, x) for N in LARGE for x in FEW)


def compare(
    kind: type[DitheredQuantizer], shift: int = 0, cases: Iterable[tuple[int, F]] = FEWER
) -> Iterable[Comparison]:
    """Mean and variance over all dithers, and the two bounds."""
    for N, base in cases:
        x = base + shift
        mean, variance = moments(kind, x, N)
        witness = {"x": x, "points": N}
        yield Comparison("mean", "eq", mean, stated("mean", N=N, x=x), witness=witness)
        yield Comparison("variance", "eq", variance, stated("exact", N=N), witness=witness)
        yield Comparison("largest mean", "le", abs(mean), stated("mean_bound", N=N), witness=witness)
        square = variance + mean**2
        yield Comparison("mean square", "le", square, stated("bound", N=N), witness=witness, headline=True)


def _exact() -> Check:
    kinds: dict[str, type[DitheredQuantizer]] = {"left-aligned": LeftAligned, "one-point": OnePoint}
    mutants = {name: ExactCase(partial(compare, kind)) for name, kind in kinds.items()}
    mutants["shifted-input"] = ExactCase(partial(compare, DitheredQuantizer, SHIFT))
    parameters = {"points": SMALL + LARGE, "x": INPUTS}
    base = ExactCase(partial(compare, DitheredQuantizer))
    return Check("exact", "all-dithers", base, parameters, mutants, seconds=1.0)


def _many_points() -> Check:
    cases = tuple((N, x) for N in LARGE for x in INPUTS)
    base = ExactCase(partial(compare, DitheredQuantizer, cases=cases))
    return Check(
        "exact", "many-points", base, {"points": LARGE, "x": INPUTS}, {}, seconds=1.0, profile="full"
    )


# ---------------------------------------------------------------- the grid of 24 bits


def grid_chunks(size: int = 2**20) -> Iterator[Any]:
    """Yield all points of the grid of 24 bits, in order, float64."""
    for start in range(0, 2**BITS, size):
        yield (2.0 * np.arange(start, start + size) + (1 - 2**BITS)) / 2 ** (BITS + 1)


def compare_grid(x: float) -> Iterable[Comparison]:
    """Mean and variance over all 2^24 dithers in double precision."""
    codec, sums, squares = DitheredQuantizer(1, scale=1.0), [], []
    for u in grid_chunks():
        error = codec.compress(np.full(len(u), x), Draws(shared=u)) - x
        sums.append(float(error.sum()))
        squares.append(float((error**2).sum()))
    count = 2**BITS
    mean, square = sum(sums) / count, sum(squares) / count
    yield Comparison("mean", "eq", mean, float(stated("mean", N=count, x=F(x))), SUMS)
    variance = square - mean**2
    yield Comparison("variance", "eq", variance, float(stated("exact", N=count)), VARIANCE, headline=True)
    yield Comparison("mean square", "le", square, float(stated("bound", N=count)), VARIANCE)


def _whole_grid(name: str, x: float, **more: Any) -> Check:
    base = ExactCase(partial(compare_grid, x))
    return Check("exact", name, base, {"x": x, "points": 2**BITS}, seconds=0.5, **more)


# ---------------------------------------------------------------- sampling

SAMPLED_INPUTS = (0.0, 1 / 3, 0.7)


def _uniformity(kind: type[DitheredQuantizer]) -> UniformityCase:
    codec = kind(1, scale=1.0)
    x = np.array(SAMPLED_INPUTS)

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        batch = np.broadcast_to(x, (size, len(x)))
        found = codec.compress(batch, codec.draw(rng, batch.shape)) - batch
        return [(column, None) for column in found.T]

    return UniformityCase(sample, batches=6)


def _sampled() -> Check:
    kinds = {"one-point": OnePoint, "four-bits": FourBits}
    mutants = {name: Lazy(partial(_uniformity, kind), tests=1) for name, kind in kinds.items()}
    base = Lazy(partial(_uniformity, DitheredQuantizer), tests=1)
    return Check("montecarlo", "24-bits", base, {"x": SAMPLED_INPUTS}, mutants, seconds=0.2)
