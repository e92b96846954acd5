"""Checks of `ndqsg/nested-same-variance-fewer-bits`: the excess for several laws of the innovation."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Draws
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import EXACT, ROUND_OFF, Comparison, rational
from verify.comparison import ROUND_OFF as QUADRATURE
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_links import Link, grid
from verify.ndqsg.nested_overload_oracle import (
    conditional_cell,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    laplace,
    uniform,
)
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-same-variance-fewer-bits"
COPIES = 32
POINTS = 16
RATIO = 3


@dataclass(frozen=True)
class Law:
    """A symmetric law of the innovation.

    Args:
        scale: Standard deviation in fine steps, or the end of a uniform law.
        sample: Maps a generator and a shape to innovations of scale 1.
        density: Density of the innovation.
        end: Largest innovation, None where there is none.
    """

    scale: float
    sample: Callable[[np.random.Generator, tuple[int, ...]], Any]
    density: Callable[[Any], Any]
    end: float | None = None


def _uniform(width: float) -> Law:
    return Law(width, lambda rng, shape: rng.uniform(-1, 1, shape), uniform(width), width)


LAWS = {
    "inside-the-margin": _uniform(1.0),
    "uniform": _uniform(1.25),
    "gaussian": Law(0.5, lambda rng, shape: rng.standard_normal(shape), gaussian(0.5)),
    "laplace": Law(0.3, lambda rng, shape: rng.laplace(0, math.sqrt(0.5), shape), laplace(0.3)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_enumerated(width) for width in (F(1), F(5, 4), F(3))),
        *(_integrated(name) for name in LAWS),
        _bits(),
        *(_sampled(name) for name in LAWS),
    )


@dataclass(frozen=True)
class Moments:
    """Overload probability, E j^2, E[ej] and the mean square error in squared steps."""

    overload: Any
    squares: Any
    cross: Any
    mse: Any


def _enumerated(width: F) -> Check:
    def case(claimed: str = "stated", sign: int = 1) -> ExactCase:
        given_success = claimed == "variance-given-success"
        return ExactCase(lambda: compare(enumerated(width, sign, given_success), claimed, {"width": width}))

    mutants = {"reflected": case(sign=-1)}
    if width > 1:  # up to one step nothing overloads
        mutants |= {key: case(key) for key in (*CLAIMED, "variance-given-success")}
    parameters = {"k": RATIO, "z": f"uniform up to {width}", "N": POINTS}
    return Check("exact", f"enumerated-{float(width):g}", case(), parameters, mutants, seconds=0.1)


def enumerated(width: F, sign: int = 1, given_success: bool = False) -> Moments:
    """Return the moments of real messages over all dithers of a small generator, z uniform up to `width`.

    Sabotage: the mean square error is that of the messages without overload.

    Between odd multiples of 1/32, where a dither begins to overload, nothing depends on z, so sixteenths
    stand for all z (the outermost for half a cell). The gradient is 0, at which the errors have the mean
    zero and the variance (1 - N^-2) / 12; what is missing there is added.
    """
    codec, last = Link(RATIO).codec, int(POINTS * width)
    z = sign * np.arange(-last, last + 1) / POINTS
    weights = np.where(np.abs(np.arange(-last, last + 1)) == last, 0.5, 1.0)[:, None]
    u = np.broadcast_to(grid(POINTS), (len(z), POINTS))
    g = np.zeros(u.shape)
    y = g - z[:, None]
    sent, draws = codec.indices(g, Draws(shared=u)), Draws(shared=u)
    decoded = codec.reconstruct_counted(codec.message(g, draws), u, y)[1]
    errors, e, j = Link(RATIO).errors(g, y, u), sent - g - u, (sent - decoded) / RATIO

    def mean(values: Any) -> F:
        return F(float((weights * values).sum())) / (2 * last * POINTS)

    square = mean(errors**2) + F(1, 12 * POINTS**2)
    if given_success:
        square = mean(errors**2 * (j == 0)) / mean(j == 0) + F(1, 12 * POINTS**2)
    return Moments(mean(j != 0), mean(j**2), mean(e * j), square)


CLAIMED = ("same-variance-always", "excess-per-overload-without-ratio")
"""Mutants of what is stated."""


def compare(found: Moments, claimed: str, witness: dict[str, Any]) -> Iterable[Comparison]:
    """Compare the error with D times the stated factor, and the excess with its bounds."""
    claim, exact = theory.claim(ID), isinstance(found.mse, F)
    tolerance = EXACT if exact else QUADRATURE
    fine = F(1, 12) if exact else 1 / 12
    value = _stated(claim.expressions["exact"], exact, D=fine, squares=found.squares, cross=found.cross)
    if claimed == "same-variance-always":
        value = fine
    yield Comparison(
        "mean square", "eq", found.mse, value, witness=witness, headline=True, tolerance=tolerance
    )
    excess = found.mse / fine - 1
    low, high = (
        _stated(claim.formulas[n], exact, squares=found.squares) for n in ("excess_low", "excess_high")
    )
    least = _stated(claim.formulas["excess_overload"], exact, overload=found.overload)
    if claimed == "excess-per-overload-without-ratio":
        high = 12 * found.squares
    yield Comparison("least excess", "le", low, excess, witness=witness, tolerance=tolerance)
    yield Comparison("largest excess", "le", excess, high, witness=witness, tolerance=tolerance)
    yield Comparison("excess of the overloads", "le", least, excess, witness=witness, tolerance=tolerance)
    yield Comparison("D at least", "le", fine, found.mse, witness=witness, tolerance=tolerance)


def _stated(formula: Any, exact: bool, **values: Any) -> Any:
    if exact:
        return rational(evaluate_exact(formula, {"k": RATIO, **values}))
    return evaluate(formula, {"k": RATIO, **values})


def _integrated(name: str) -> Check:
    def case(claimed: str = "stated", sign: int = 1) -> ExactCase:
        return ExactCase(lambda: compare(integrated_moments(LAWS[name], sign), claimed, {"law": name}))

    mutants = {"reflected": case(sign=-1)}
    if name != "inside-the-margin":
        mutants |= {key: case(key) for key in CLAIMED}
    parameters = {"k": RATIO, "law": name, "scale": LAWS[name].scale}
    return Check("exact", name, case(), parameters, mutants, seconds=0.1)


def integrated_moments(law: Law, sign: int = 1) -> Moments:
    """Return the moments of a law by quadrature."""

    def mean(function: Callable[[Any], Any]) -> float:
        return integrated(lambda z: function(sign * z), law.density, law.scale, RATIO, end=law.end)

    def squares(z: Any) -> Any:
        cell, side, part = conditional_cell(z, RATIO)
        return (1 - part) * cell**2 + part * (cell + side) ** 2

    def cross(z: Any) -> Any:
        part = conditional_cell(z, RATIO)[2]
        return part * (1 - part) / 2

    return Moments(
        mean(partial(conditional_overload, ratio=RATIO)),
        mean(squares),
        mean(cross),
        mean(partial(conditional_error, ratio=RATIO)),
    )


def _bits() -> Check:
    mutants = {"bits-of-two-m": ExactCase(partial(compare_bits, two_m=True))}
    parameters = {"M": [1, 2, 3, 7], "k": [2, 3, 5, 7]}
    return Check("exact", "bits", ExactCase(compare_bits), parameters, mutants, seconds=0.1)


def compare_bits(two_m: bool = False) -> Iterable[Comparison]:
    """Compare the stated bits with the logarithms of the alphabets that are really used."""
    formulas = theory.claim(ID).formulas
    for levels in (1, 2, 3, 7):
        x = np.linspace(-1, 1, 16 * levels + 1)
        u = draw_dither(np.random.default_rng(1), (256, len(x)))
        dithered = DitheredQuantizer(levels)
        found = math.log2(len(np.unique(dithered.message(x, Draws(shared=u)).symbols)))
        bits = math.log2(2 * levels) if two_m else evaluate(formulas["bits_dithered"], {"M": levels})
        witness = {"M": levels}
        yield Comparison("bits of a dithered index", "eq", found, bits, ROUND_OFF, witness, headline=True)
        for ratio in (2, 3, 5, 7):
            nested = NestedDitheredQuantizer(levels, ratio, scale=1.0 / 8)
            symbols = len(np.unique(nested.message(x, Draws(shared=u)).symbols))
            bits_nested = evaluate(formulas["bits"], {"k": ratio})
            witness = {"M": levels, "k": ratio}
            yield Comparison("bits of a symbol", "eq", math.log2(symbols), bits_nested, ROUND_OFF, witness)
            half = evaluate(formulas["bits_half"], {"M": levels, "k": ratio})
            mean = (math.log2(symbols) + found) / 2
            yield Comparison("bits of half and half", "eq", mean, half, ROUND_OFF, witness)
            saved = evaluate(formulas["bits_dithered"], {"M": levels}) - bits_nested
            yield Comparison("saved iff k is below 2M + 1", "eq", saved > 1e-9, ratio < 2 * levels + 1)


def _sampled(name: str) -> Check:
    """Measured error of messages with synthetic innovations, relative to D."""
    law = LAWS[name]

    def case(factor: float | None = None, given_success: bool = False) -> MonteCarloCase:
        link = Link(RATIO)
        stated = 12 * integrated_moments(law).mse if factor is None else factor
        # Beyond one cell there is less than 1e-6 of the mean, and nothing inside the margin.
        cap = 12 * (RATIO * (name != "inside-the-margin") + 0.5) ** 2

        def sample(rng: np.random.Generator, size: int) -> Any:
            g = rng.uniform(-3, 3, (size, COPIES))
            y = g - law.scale * law.sample(rng, g.shape)
            u = draw_dither(rng, g.shape)
            squares = np.minimum(12 * link.errors(g, y, u) ** 2, cap)
            if given_success:
                right = ~link.codec.overloads(g, Draws(shared=u), y)
                return (squares * right).sum(axis=-1) / right.sum(axis=-1)
            return squares.mean(axis=-1)

        return MonteCarloCase("eq", sample, stated, upper=cap)

    mutants = {}
    if name == "gaussian":
        mutants["same-variance-always"] = Lazy(partial(case, factor=1.0), tests=1)
        mutants["variance-given-success"] = Lazy(partial(case, given_success=True), tests=1)
    parameters = {"k": RATIO, "law": name, "scale": law.scale}
    profile: Any = "full" if name in ("uniform", "laplace") else "quick"
    return Check("montecarlo", name, Lazy(case, tests=1), parameters, mutants, seconds=0.5, profile=profile)
