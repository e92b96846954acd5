"""Checks of `ndqsg/nested-conditional-mse`: fixed innovations over all dithers, sampled, and in runs."""

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import NestedDitheredQuantizer
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance, rational
from verify.evaluation import evaluate_exact
from verify.ndqsg.nested_links import Link, exact_mean, grid
from verify.ndqsg.nested_overload_oracle import (
    conditional_cell,
    conditional_error,
    conditional_overload,
    gaussian,
    integrated,
    moments,
)
from verify.ndqsg.nested_runs import Setting, recorded
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/nested-conditional-mse"
POINTS = 16
COPIES = 64
SIXTEENTHS = (0, 7, 9, 15, 17, 19, 23, 24, 29, 32, 40, 47, 57, 70)
"""Innovations of the enumeration in sixteenths of a step, and their opposites."""

QUADRATURE = Tolerance(1e-12, "24-point Gauss-Legendre on pieces of at most one standard deviation")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(ratio) for ratio in (2, 3, 4)),
        Check("exact", "gaussian-mean", ExactCase(compare_gaussian), {"cases": 3}, seconds=0.1),
        Check("exact", "numpy-oracle", ExactCase(compare_oracle), {"k": [2, 3, 5]}, seconds=0.2),
        _sampled("a-fifth-moves", F(6, 5)),
        _sampled("far-cell", F(5), sabotaged=False),
        _recorded(),
    )


def stated(z: F, ratio: int, claimed: str = "stated") -> dict[str, F]:
    """Return mean square error, mean and overload probability at an innovation, exactly.

    Args:
        z: Innovation in fine steps.
        ratio: k.
        claimed: `stated`, or the name of a mutant.
    """
    formulas = theory.claim(ID).expressions
    values: dict[str, Any] = {"z": z, "k": ratio}
    values["cell"] = rational(evaluate_exact(formulas["cell"], values))
    for name in ("moved", "side"):
        values[name] = rational(
            evaluate_exact(formulas[name], {key: values[key] for key in ("z", "k", "cell")})
        )
    if claimed == "without-half-step":
        values["moved"] = max(F(0), abs(z - ratio * values["cell"]) - F(ratio, 2))
    if claimed == "no-next-cell":
        values["moved"] = F(0)
    found = {
        name: F(rational(evaluate_exact(formulas[name], {key: values[key] for key in needed})))
        for name, needed in (
            ("exact", ("k", "cell", "moved", "side")),
            ("bias", ("k", "cell", "moved", "side")),
            ("overload", ("cell", "moved", "side")),
        )
    }
    if claimed == "dropped-cross-term":
        found["exact"] += ratio * values["moved"] * (1 - values["moved"])
    return found


def _exact(ratio: int) -> Check:
    def case(claimed: str = "stated", sign: int = 1) -> ExactCase:
        return ExactCase(partial(compare, ratio, claimed, sign))

    names = ("without-half-step", "dropped-cross-term", "no-next-cell")
    mutants = {name: case(name) for name in names} | {"reflected": case(sign=-1)}
    parameters = {"k": ratio, "N": POINTS, "16 z": SIXTEENTHS}
    return Check("exact", f"ratio-{ratio}", case(), parameters, mutants, seconds=0.3)


def compare(ratio: int, claimed: str, sign: int) -> Iterable[Comparison]:
    """Compare enumerated errors with the stated law, which lacks 1 / (12 N^2) here, and with `variance`."""
    link = Link(ratio)
    quantizer = NestedDitheredQuantizer(1, ratio, scale=1, points=POINTS)
    for sixteenths in SIXTEENTHS:
        z = F(sixteenths, 16)
        law = stated(z, ratio, claimed)
        square = law["exact"] - F(1, 12 * POINTS**2)
        witness = {"z": z, "k": ratio}
        for g in (F(0), F(-5, 4)):
            gradients = np.full(POINTS, sign * float(g))
            errors = link.errors(gradients, gradients - sign * float(z), grid(POINTS))
            found = exact_mean(errors**2)
            yield Comparison("mean square", "eq", found, square, witness=witness, headline=True)
            yield Comparison("mean", "eq", sign * exact_mean(errors), law["bias"], witness=witness)
            # Without overload an error is at most half a step.
            share = F(int((np.abs(errors) > 0.5).sum()), POINTS)
            yield Comparison("overload", "eq", share, law["overload"], witness=witness)
        own = quantizer.variance([F(sign)], side=[F(sign) - sign * z])
        yield Comparison("law of the quantizer", "eq", own, square, witness=witness)


def compare_gaussian() -> Iterable[Comparison]:
    """Compare the mean over Gaussian innovations with the sums of `ndqsg/nested-overload`."""
    for sigma, ratio in ((0.5, 3), (1.0, 5), (0.5, 2)):
        found = moments(sigma, ratio)
        for label, function, value in (
            ("mean square", conditional_error, found.mse),
            ("overload", conditional_overload, found.overload),
        ):
            mean = integrated(partial(function, ratio=ratio), gaussian(sigma), sigma, ratio)
            witness = {"sigma": sigma, "k": ratio}
            yield Comparison(label, "eq", mean, value, QUADRATURE, witness, headline=True)


def compare_oracle() -> Iterable[Comparison]:
    """Compare the numpy form that runs use with the stated law."""
    for ratio in (2, 3, 5):
        for sixteenths in SIXTEENTHS:
            z = F(-sixteenths, 16)
            law = stated(z, ratio)
            found = float(conditional_error(float(z), ratio))
            yield Comparison("mean square", "eq", found, float(law["exact"]), ROUND_OFF, {"z": z})
            share = float(conditional_overload(float(z), ratio))
            yield Comparison("overload", "eq", share, float(law["overload"]), ROUND_OFF, {"z": z})


def _sampled(name: str, z: F, sabotaged: bool = True) -> Check:
    """Sampled errors at a fixed innovation and a random phase."""
    ratio = 3

    def case(claimed: str = "stated") -> MonteCarloCase:
        link, honest = Link(ratio), float(stated(z, ratio)["exact"])

        def sample(rng: np.random.Generator, size: int) -> Any:
            g = rng.uniform(-3, 3, (size, COPIES))
            return (link.errors(g, g - float(z), draw_dither(rng, g.shape)) ** 2).mean(axis=-1)

        cell, side, _ = (float(part) for part in conditional_cell(float(z), ratio))
        reach = 0.5 + ratio * max(abs(cell), abs(cell + side))
        value = honest if claimed == "stated" else float(stated(z, ratio, claimed)["exact"])
        return MonteCarloCase("eq", sample, value, upper=reach**2)

    names = ("without-half-step", "dropped-cross-term") if sabotaged else ()
    mutants = {key: Lazy(partial(case, key), tests=1) for key in names}
    parameters = {"k": ratio, "z": z}
    return Check("montecarlo", name, Lazy(case, tests=1), parameters, mutants, seconds=0.3)


def _recorded() -> Check:
    """Runs that record z: squared errors over their exact conditional mean, from above and from below."""
    setting = Setting(noise=0.12)

    def case(oracle: Callable[[Any, int], Any]) -> TrajectoryCase:
        def rows(rng: np.random.Generator, replicates: int) -> Any:
            return two_sided(setting, rng, replicates, oracle)

        return TrajectoryCase(lambda: np.ones(2 * setting.rounds), rows)

    mutants = {"without-half-step": case(_without_half_step), "no-next-cell": case(_no_next_cell)}
    parameters = {"M": 3, "k": 3, "P": 4, "d": 32, "rounds": 20, "side": "sequential"}
    return Check("run", "recorded", case(conditional_error), parameters, mutants, seconds=1.0)


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


def _without_half_step(z: Any, ratio: int) -> Any:
    cell, side, _ = conditional_cell(z, ratio)
    part = np.maximum(0.0, np.abs(z - ratio * cell) - ratio / 2)
    jumps = (1 - part) * cell**2 + part * (cell + side) ** 2
    return 1 / 12 - ratio * part * (1 - part) + ratio**2 * jumps


def _no_next_cell(z: Any, ratio: int) -> Any:
    return 1 / 12 + (ratio * conditional_cell(z, ratio)[0]) ** 2
