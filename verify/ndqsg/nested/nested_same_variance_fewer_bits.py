"""Checks of `ndqsg/nested-same-variance-fewer-bits`: the excess for several laws of the innovation."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtri

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Draws
from impl.compressors.dithered.dither_stream import draw_dither
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.ndqsg.fixtures.nested_links import Link, WithoutDither, grid
from verify.ndqsg.fixtures.nested_overload_oracle import (
    conditional_cell,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    laplace,
    uniform,
)
from verify.rungs.montecarlo import MonteCarloCase

COPIES = 32
POINTS = 16
RATIO = 3
MARGIN = (RATIO - 1) / 2


@dataclass(frozen=True)
class Innovations:
    """A symmetric law of the innovation.

    Args:
        scale: Standard deviation in fine steps, or the end of a uniform law.
        quantile: Quantile function of the law at scale 1.
        density: Density of the innovation.
        end: Largest innovation, None where there is none.
    """

    scale: float
    quantile: Callable[[Any], Any]
    density: Callable[[Any], Any]
    end: float | None = None

    @property
    def beyond(self) -> float:
        """Return the probability of an innovation beyond the margin, where messages may be overloaded."""
        return integrated(lambda z: z > MARGIN, self.density, self.scale, RATIO, end=self.end)


def _uniform(width: float) -> Innovations:
    return Innovations(width, lambda p: 2 * p - 1, uniform(width), width)


def _laplace_quantile(p: Any) -> Any:
    return np.sign(p - 0.5) * -np.log(2 * np.minimum(p, 1 - p)) * math.sqrt(0.5)


LAWS = {
    "inside-the-margin": _uniform(1.0),
    "uniform": _uniform(1.25),
    "gaussian": Innovations(0.5, ndtri, gaussian(0.5)),
    "laplace": Innovations(0.3, _laplace_quantile, laplace(0.3)),
}
_OVERLOADED = ("exact/enumerated-1.25", "exact/enumerated-3")
_DENSITIES = ("exact/uniform", "exact/gaussian", "exact/laplace")

# Innovations are multiplied by `sign`; errors of overloaded coordinates are left out where `all_messages` is
# false.
judge = checks_of(
    "ndqsg/nested-same-variance-fewer-bits", link=Link, error=conditional_error, sign=1, all_messages=True
)


judge.sabotage(
    "same-variance-always: Claim D for every innovation: wrong by 71 % for a Gaussian one of half a step at "
    "k = 3.",
    lambda law: law.replace(exact=next(s for s in law.formulas["exact"].free_symbols if s.name == "D")),
    at=(
        *_OVERLOADED,
        *_DENSITIES,
    ),
)
judge.sabotage(
    "variance-given-success at montecarlo/gaussian, exact/enumerated-1.25, exact/enumerated-3: Leave out "
    "the overloaded coordinates from the error. | all_messages = False",
    "dither-not-subtracted at exact/enumerated-1, montecarlo/inside-the-margin: The receiver does not "
    "subtract its dither.",
    {"link": WithoutDither},
    "no-fine-error at exact/inside-the-margin: The numpy form has no errors inside the margin.",
    {"error": lambda z, ratio: conditional_error(z, ratio) - 1 / 12},
    "bits-of-two-m at exact/bits: Count log2(2M) bits for a dithered index. "
    "| bits_dithered = log(2 * M) / log(2)",
)
judge.sabotage(
    "excess-per-overload-without-ratio: Claim an excess of 12 per overload, a jump of one fine step, for 12 "
    "k (k - 1). | excess_most = 12 * squares",
    at=(*_OVERLOADED, *_DENSITIES),
)
judge.sabotage(
    "doubled-least: Claim twice the least excess. "
    "| excess_low = 2 * excess_low, excess_overload = 2 * excess_overload",
    "reflected, neutral at exact/enumerated-1: Change the sign of the innovation: nothing may change. "
    "| sign = -1",
    at=(
        *_OVERLOADED,
        *_DENSITIES,
    ),
)


@dataclass(frozen=True)
class Moments:
    """Overload probability, E j^2, E[ej] and the mean square error in squared steps."""

    overload: Any
    squares: Any
    cross: Any
    mse: Any


def _enumerated(law: Law, width: F, N: int) -> Moments:
    """Return the moments of real messages over all dithers of a small generator, z uniform up to `width`.

    Between odd multiples of 1/32, where a dither begins to overload, nothing depends on z, so sixteenths
    stand for all z (the outermost for half a cell). The gradient is 0, at which the errors have the mean
    zero and the variance (1 - N^-2) / 12; what is missing there is added.
    """
    link, last = law.link(RATIO), int(N * width)
    codec = link.codec
    z = law.sign * np.arange(-last, last + 1) / N
    weights = np.where(np.abs(np.arange(-last, last + 1)) == last, 0.5, 1.0)[:, None]
    u = np.broadcast_to(grid(N), (len(z), N))
    g = np.zeros(u.shape)
    y, draws = g - z[:, None], Draws(shared=u)
    sent = codec.indices(g, draws)
    decoded = codec.reconstruct_counted(codec.message(g, draws), u, y)[1]
    errors, e, j = link.errors(g, y, u), sent - g - u, (sent - decoded) / RATIO

    def mean(values: Any) -> F:
        return F(float((weights * values).sum())) / (2 * last * N)

    square = mean(errors**2)
    if not law.all_messages:
        square = mean(errors**2 * (j == 0)) / mean(j == 0)
    return Moments(mean(j != 0), mean(j**2), mean(e * j), square + F(1, 12 * N**2))


def integrated_moments(law: Law, name: str) -> Moments:
    """Return the moments of a law by quadrature."""
    chosen = LAWS[name]

    def mean(function: Callable[[Any], Any]) -> float:
        return integrated(
            lambda z: function(law.sign * z), chosen.density, chosen.scale, RATIO, end=chosen.end
        )

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
        mean(partial(law.error, ratio=RATIO)),
    )


def _compared(law: Law, found: Moments) -> Iterable[Comparison]:
    """The error against D times the stated factor, and the excess against its bounds."""
    exact = isinstance(found.mse, F)
    value, tolerance, fine = (law.exactly, EXACT, F(1, 12)) if exact else (law, ROUND_OFF, 1 / 12)
    stated = value("exact", k=RATIO, D=fine, squares=found.squares, cross=found.cross)
    yield eq("mean square", found.mse, stated, tolerance, headline=True)
    excess = found.mse / fine - 1
    low, most = (value(name, k=RATIO, squares=found.squares) for name in ("excess_low", "excess_most"))
    rate = value("excess_overload", k=RATIO, overload=found.overload)
    yield le("least excess", low, excess, tolerance)
    yield le("largest excess", excess, most, tolerance)
    yield le("excess of the overloads", rate, excess, tolerance)
    if found.squares == found.overload:
        yield eq("least excess of single jumps", rate, low, tolerance)
    yield le("D at least", fine, found.mse, tolerance)


@judge.exact(
    instances={f"enumerated-{float(width):g}": {"width": width} for width in (F(1), F(5, 4), F(3))},
    k=RATIO,
    N=POINTS,
)
def enumerated(law: Law, width: F, k: int, N: int) -> Iterable[Comparison]:
    """All dithers of a small generator."""
    yield from _compared(law, _enumerated(law, width, N))


@judge.exact(instances={name: {"density": name, "scale": item.scale} for name, item in LAWS.items()}, k=RATIO)
def by_quadrature(law: Law, density: str, scale: float, k: int) -> Iterable[Comparison]:
    """Several densities."""
    yield from _compared(law, integrated_moments(law, density))


@judge.exact(M=(1, 2, 3, 7), k=(2, 3, 5, 7))
def bits(law: Law, M: Any, k: Any) -> Iterable[Comparison]:
    """The stated bits against the logarithms of the alphabets that are really used."""
    for levels in M:
        x = np.linspace(-1, 1, 16 * levels + 1)
        u = draw_dither(np.random.default_rng(1), (256, len(x)))
        dithered = DitheredQuantizer(levels)
        found = math.log2(len(np.unique(dithered.message(x, Draws(shared=u)).symbols)))
        stated, witness = law("bits_dithered", M=levels), {"M": levels}
        yield eq("bits of a dithered index", found, stated, ROUND_OFF, witness=witness, headline=True)
        for ratio in k:
            nested = NestedDitheredQuantizer(levels, ratio, scale=1.0 / 8)
            symbols = math.log2(len(np.unique(nested.message(x, Draws(shared=u)).symbols)))
            claimed, witness = law("bits", k=ratio), {"M": levels, "k": ratio}
            yield eq("bits of a symbol", symbols, claimed, ROUND_OFF, witness=witness)
            half = law("bits_half", M=levels, k=ratio)
            yield eq("bits of half and half", (symbols + found) / 2, half, ROUND_OFF, witness=witness)
            saved = int(stated - claimed > ROUND_OFF.relative)
            yield eq("saved iff k is below 2M + 1", saved, int(ratio < 2 * levels + 1), witness=witness)


def _sampled(law: Law, density: str, scale: float, k: int) -> MonteCarloCase:
    """Measured error of messages with synthetic innovations, relative to D.

    Few innovations lie beyond the margin, but most of the variance comes from them: half of the copies are
    drawn there, the others inside, each with the weight of its part. The mean is that of the law.
    """
    link, chosen = law.link(k), LAWS[density]
    beyond = chosen.beyond
    outer = np.arange(COPIES) < (COPIES // 2 if beyond else 0)
    weights = np.where(outer, beyond / max(outer.sum(), 1), (1 - beyond) / (~outer).sum())
    # Inside, errors are at most half a step; outside less than 1e-6 of the mean is beyond one cell.
    caps = 12 * (k * outer + 0.5) ** 2

    def sample(rng: np.random.Generator, size: int) -> Any:
        g = rng.uniform(-3, 3, (size, COPIES))
        p = rng.random(g.shape)
        # Both tails together: the lower one from 0 on, the upper one, below 0 here, up to 1.
        p = np.where(outer, beyond * (p - 0.5) % 1, beyond / 2 + (1 - beyond) * p)
        y = g - chosen.scale * chosen.quantile(p)
        u = draw_dither(rng, g.shape)
        squares = 12 * link.errors(g, y, u) ** 2
        # A larger error inside would be a fault, which the largest value of a sample shows.
        squares[:, outer] = np.minimum(squares[:, outer], caps[outer])
        if law.all_messages:
            return squares @ weights
        right = ~link.codec.overloads(g, Draws(shared=u), y)
        return (squares * right) @ weights / (right @ weights)

    return MonteCarloCase(
        "eq", sample, 12 * integrated_moments(law, density).mse, upper=float(caps @ weights)
    )


_SLOW = ("uniform", "laplace")
judge.montecarlo(
    label="mean square over D",
    k=RATIO,
    instances={n: {"density": n, "scale": item.scale} for n, item in LAWS.items() if n not in _SLOW},
)(_sampled)
judge.montecarlo(
    label="mean square over D",
    k=RATIO,
    profile="full",
    instances={n: {"density": n, "scale": LAWS[n].scale} for n in _SLOW},
)(_sampled)
