"""Checks of `ndqsg/finding-one-input-tests`: bias and mean square of narrow dithers, by input."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.sabotaged_dither import HalfWidth, NineTenthsWidth
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase
from verify.rungs.uniformity_case import UniformityCase

ID = "ndqsg/finding-one-input-tests"
NOMINAL = F(1, 12)
SHIFT = -4
INPUTS = (0.0, 0.25, 0.5)


@dataclass(frozen=True)
class Width:
    """A width, a codec with it, and inputs for which the edges of cells lie between points of the dither."""

    w: F
    kind: type[DitheredQuantizer]
    points: int
    inputs: tuple[F, ...]

    def inside(self, x: F) -> bool:
        """Return whether all dithers lead to the same cell."""
        return abs(x) <= (1 - self.w) / 2


WIDTHS = (
    Width(F(1, 2), HalfWidth, 8, tuple(F(n, 16) for n in (0, 2, -3, 4, 5, 6, 7, 8))),
    Width(F(9, 10), NineTenthsWidth, 18, (F(0), F(1, 20), F(-1, 25), F(1, 10), F(3, 20), F(1, 2))),
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _exact(),
        _blind(),
        _law(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


def bias_and_square(kind: type[DitheredQuantizer], x: F, points: int) -> tuple[F, F]:
    """Return mean and mean square of the error over all dithers."""
    codec = kind(1, scale=1, points=points)
    errors = [(chance, codec.reference([x], draws)[0] - x) for chance, draws in codec.outcomes([x])]
    return sum((p * e for p, e in errors), F(0)), sum((p * e * e for p, e in errors), F(0))


def stated_square(width: Width, x: F) -> Any:
    """Return the stated mean square."""
    return stated("exact" if width.inside(x) else "outer_mse", w=width.w, x=x)


def nominal(width: Width, x: F) -> Any:
    """The mean square of a full-width dither, as the input 1/4 suggests for all inputs."""
    return NOMINAL


def compare(
    square: Callable[[Width, F], Any] = stated_square,
    honest: bool = False,
    shift: int = 0,
) -> Iterable[Comparison]:
    """Bias and mean square over all dithers of two widths, at inputs inside the margin and beyond."""
    for width in WIDTHS:
        for x in width.inputs:
            kind = DitheredQuantizer if honest else width.kind
            bias, found = bias_and_square(kind, x + shift, width.points)
            witness = {"w": width.w, "x": x + shift}
            name = "inner_bias" if width.inside(x) else "outer_bias"
            yield Comparison("bias", "eq", bias, stated(name, w=width.w, x=x), witness=witness)
            # N points of a width w have the variance w^2 (1 - N^-2) / 12.
            claimed = square(width, x) - width.w**2 / (12 * width.points**2)
            yield Comparison("mean square", "eq", found, claimed, witness=witness, headline=True)
    blind = stated("blind_input", w=F(1, 2))
    yield Comparison("blind input of half width", "eq", blind, F(1, 4))
    yield Comparison("mean square there", "eq", stated("exact", w=F(1, 2), x=blind), NOMINAL)


def _exact() -> Check:
    mutants = {
        "honest-dither": ExactCase(partial(compare, honest=True)),
        "one-input": ExactCase(partial(compare, nominal)),
        "shifted-input": ExactCase(partial(compare, shift=SHIFT)),
    }
    parameters = {"w": [item.w for item in WIDTHS], "points": [item.points for item in WIDTHS]}
    return Check("exact", "widths", ExactCase(compare), parameters, mutants, seconds=0.2)


# ---------------------------------------------------------------- what a test by sampling sees


def _square_at(x: float) -> MonteCarloCase:
    """The mean square of the half-width dither at an input, held against the nominal value."""
    codec, copies = HalfWidth(1, scale=1.0), 8

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.full((size, copies), x)
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - batch) ** 2).mean(axis=-1)

    # Off by half a step plus a quarter at most.
    return MonteCarloCase("eq", sample, float(NOMINAL), upper=9 / 16, resolution=0.05)


def _blind() -> Check:
    mutants = {"one-input": Lazy(partial(_square_at, 0.0), tests=1)}
    base = Lazy(partial(_square_at, 0.25), tests=1)
    return Check("montecarlo", "nominal-at-a-quarter", base, {"w": "1/2", "x": 0.25}, mutants, seconds=0.2)


def _uniformity(kind: type[DitheredQuantizer]) -> UniformityCase:
    codec, x = kind(1, scale=1.0), np.array(INPUTS)

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        batch = np.broadcast_to(x, (size, len(x)))
        return [(column, None) for column in (codec.compress(batch, codec.draw(rng, batch.shape)) - batch).T]

    return UniformityCase(sample, batches=2)


def _law() -> Check:
    mutants = {"uniform-half-width": Lazy(partial(_uniformity, HalfWidth), tests=1)}
    base = Lazy(partial(_uniformity, DitheredQuantizer), tests=1)
    return Check("montecarlo", "law-at-three-inputs", base, {"x": INPUTS}, mutants, seconds=0.2)
