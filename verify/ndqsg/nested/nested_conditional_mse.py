"""Checks of `ndqsg/nested-conditional-mse`: fixed innovations over all dithers, sampled, and in runs."""

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import Abs, Max

from impl.compressors import NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import draw_dither
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.ndqsg.fixtures.nested_links import Link, exact_mean, grid
from verify.ndqsg.fixtures.nested_overload_oracle import (
    conditional_cell,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    moments,
)
from verify.ndqsg.fixtures.runs.nested_runs import Setting, recorded
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase

POINTS = 16
COPIES = 64
SIXTEENTHS = (0, 7, 9, 15, 17, 19, 23, 24, 29, 32, 40, 47, 57, 70)
"""Innovations of the enumeration in sixteenths of a step, and their opposites."""
_ENUMERATED = "exact/ratio-*"

# The numpy forms that runs use; innovations are multiplied by `sign`.
judge = checks_of(
    "ndqsg/nested-conditional-mse", link=Link, error=conditional_error, overloads=conditional_overload, sign=1
)


def _without_half_step(z: Any, ratio: int) -> Any:
    cell, side, _ = conditional_cell(z, ratio)
    part = np.maximum(0.0, np.abs(z - ratio * cell) - ratio / 2)
    jumps = (1 - part) * cell**2 + part * (cell + side) ** 2
    return 1 / 12 - ratio * part * (1 - part) + ratio**2 * jumps


def _no_next_cell(z: Any, ratio: int) -> Any:
    return 1 / 12 + (ratio * conditional_cell(z, ratio)[0]) ** 2


def _wrong_cell(z: Any, ratio: int) -> Any:
    return np.where(conditional_cell(z, ratio)[0] == 0, 0.0, 1.0)


@judge.mutant(
    "Claim max(0, |w| - k/2), without the half step that the dither adds: no overload at all.",
    at=(_ENUMERATED, "exact/gaussian-mean", "exact/numpy-oracle", "montecarlo/a-fifth-moves", "run/*"),
)
def without_half_step(law: Law) -> Law:
    at = {symbol.name: symbol for symbol in law.formulas["moved"].free_symbols}
    z, k, cell = at["z"], at["k"], at["cell"]
    moved = Max(0, Abs(z - k * cell) - k / 2)
    return law.replace(moved=moved, error=_without_half_step, overloads=_wrong_cell)


judge.sabotage(
    "dropped-cross-term: Drop -k pi (1 - pi): 565/300 for 421/300 at z = 6/5, k = 3. "
    "| exact = exact + k * moved * (1 - moved)",
    at=(_ENUMERATED, "exact/numpy-oracle", "montecarlo/a-fifth-moves"),
)
judge.sabotage(
    "no-next-cell at exact/gaussian-mean, run/*, exact/ratio-*: Keep the first cell for all errors: 1/12 "
    "for 421/300.",
    {"moved": lambda formula: 0 * formula, "error": _no_next_cell},
    "wider-receiver at montecarlo/far-cell: The receiver does not know the ratio.",
    {"link": lambda ratio: Link(ratio + 1)},
    "reflected, neutral at exact/ratio-*: Change the sign of the innovation: nothing may change. | sign = -1",
)


def stated(law: Law, z: F, ratio: int) -> dict[str, F]:
    """Return mean square error, mean and overload probability at an innovation, exactly."""
    cell = law.exactly("cell", z=z, k=ratio)
    part = {"cell": cell, **{name: law.exactly(name, z=z, k=ratio, cell=cell) for name in ("moved", "side")}}
    found = {name: law.exactly(name, k=ratio, **part) for name in ("exact", "bias")}
    return {**found, "overload": law.exactly("overload", **part)}


# ---------------------------------------------------------------- all dithers, quadrature


@judge.exact(instances={f"ratio-{k}": {"k": k} for k in (2, 3, 4)}, N=POINTS)
def enumerated(law: Law, k: int, N: int) -> Iterable[Comparison]:
    """Enumerated errors, and the law of the quantizer; the stated law lacks 1 / (12 N^2) here."""
    link = law.link(k)
    quantizer = NestedDitheredQuantizer(1, k, scale=1, points=N)
    for z in (F(sixteenths, 16) for sixteenths in SIXTEENTHS):
        claimed, witness = stated(law, z, k), {"z": z, "k": k}
        square = claimed["exact"] - F(1, 12 * N**2)
        for g in (F(0), F(-5, 4)):
            gradients = np.full(N, law.sign * float(g))
            errors = link.errors(gradients, gradients - law.sign * float(z), grid(N))
            found = exact_mean(errors**2)
            yield eq("mean square", found, square, witness=witness, headline=True)
            yield eq("mean", law.sign * exact_mean(errors), claimed["bias"], witness=witness)
            # Without overload an error is at most half a step.
            share = F(int((np.abs(errors) > 0.5).sum()), N)
            yield eq("overload", share, claimed["overload"], witness=witness)
        own = quantizer.variance([F(law.sign)], side=[F(law.sign) - law.sign * z])
        yield eq("law of the quantizer", own, square, witness=witness)


@judge.exact(cases=((0.5, 3), (1.0, 5), (0.5, 2)))
def gaussian_mean(law: Law, cases: Any) -> Iterable[Comparison]:
    """The mean over Gaussian innovations against the sums of `ndqsg/nested-overload`."""
    for sigma, ratio in cases:
        found, witness = moments(sigma, ratio), {"sigma": sigma, "k": ratio}
        for label, function, value in (
            ("mean square over a Gaussian", law.error, found.mse),
            ("overload over a Gaussian", law.overloads, found.overload),
        ):
            mean = integrated(partial(function, ratio=ratio), gaussian(sigma), sigma, ratio)
            yield eq(label, mean, value, ROUND_OFF, witness=witness, headline=True)


@judge.exact(k=(2, 3, 5))
def numpy_oracle(law: Law, k: Any) -> Iterable[Comparison]:
    """The numpy form that runs use."""
    for ratio in k:
        for z in (F(-sixteenths, 16) for sixteenths in SIXTEENTHS):
            claimed, witness = stated(law, z, ratio), {"z": z, "k": ratio}
            found = float(conditional_error(float(z), ratio))
            yield eq("mean square, numpy form", found, float(claimed["exact"]), ROUND_OFF, witness=witness)
            share = float(conditional_overload(float(z), ratio))
            yield eq("overload, numpy form", share, float(claimed["overload"]), ROUND_OFF, witness=witness)


# ---------------------------------------------------------------- samples, runs


@judge.montecarlo(
    label="mean square", k=3, instances={"a-fifth-moves": {"z": F(6, 5)}, "far-cell": {"z": F(5)}}
)
def sampled(law: Law, z: F, k: int) -> MonteCarloCase:
    """Sampled errors at a fixed innovation and a random phase."""
    link = law.link(k)

    def sample(rng: np.random.Generator, size: int) -> Any:
        g = rng.uniform(-3, 3, (size, COPIES))
        return (link.errors(g, g - float(z), draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

    cell, side, _ = (float(part) for part in conditional_cell(float(z), k))
    reach = 0.5 + k * max(abs(cell), abs(cell + side))
    return MonteCarloCase("eq", sample, float(stated(law, z, k)["exact"]), upper=reach**2)


@judge.trajectory(
    instance="recorded",
    label="squared errors over their conditional mean",
    parameters={"M": 3, "k": 3, "P": 4, "d": 32, "rounds": 20, "side": "sequential"},
)
def recorded_run(law: Law) -> TrajectoryCase:
    """Runs that record z: squared errors over their exact conditional mean, from above and from below."""
    setting = Setting(noise=0.12)
    return TrajectoryCase(
        lambda: np.ones(2 * setting.rounds),
        lambda rng, replicates: two_sided(setting, rng, replicates, law.error),
        replicates=256,  # mutants have twice as many: with 64 one of them is not refuted
    )


def two_sided(
    setting: Setting, rng: np.random.Generator, replicates: int, oracle: Callable[[Any, int], Any]
) -> Any:
    """Return V / E[V | z] and (U - V) / E[U - V | z] for every round, (replicates, 2 rounds).

    V is the sum of squared errors of a round and U its largest value for the recorded innovations, so both
    quotients are nonnegative with the mean 1.
    """
    above, below = [], []
    for seen in recorded(setting, rng, replicates):
        z = seen.innovations
        errors, means = (part.sum(axis=(1, 2)) for part in (seen.errors**2, oracle(z, setting.ratio)))
        cell, side, _ = conditional_cell(z, setting.ratio)
        reach = 0.5 + setting.ratio * np.maximum(np.abs(cell), np.abs(cell + side))
        most = (reach**2).sum(axis=(1, 2))
        above.append(errors / means)
        below.append((most - errors) / (most - means))
    return np.stack([*above, *below], axis=-1)
