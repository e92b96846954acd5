"""Checks of `ndqsg/finding-one-input-tests`: bias and mean square of narrow dithers, by input."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.dither.dq_uniform_error import distance_from_uniform
from verify.ndqsg.fixtures.dithers import errors_at, uniformity_at
from verify.ndqsg.fixtures.sabotaged_dither import HalfWidth, NineTenthsWidth
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.uniformity_case import UniformityCase


@dataclass(frozen=True)
class Width:
    """A width, a codec with it, and inputs for which the edges of cells lie between points of the dither."""

    w: F
    kind: type[DitheredQuantizer]
    points: int
    inputs: tuple[F, ...]


WIDTHS = (
    Width(F(1, 2), HalfWidth, 8, tuple(F(n, 16) for n in (0, 2, -3, 4, 5, 6, 7, 8))),
    Width(F(9, 10), NineTenthsWidth, 18, (F(0), F(1, 20), F(-1, 25), F(1, 10), F(3, 20), F(1, 2))),
)

judge = checks_of(
    "ndqsg/finding-one-input-tests",
    dither=lambda width: width.kind,
    tested=DitheredQuantizer,
    narrow=HalfWidth,
)


judge.sabotage(
    "honest-dither at exact/widths: Use the dither of full width: its mean square does not depend on the "
    "input.",
    dither=lambda width: DitheredQuantizer,
)


@judge.mutant(
    r"Test the mean square at $x=\frac14$ only and take it for a proof: with the half-width dither the other "
    r"inputs disagree.",
    at=("exact/widths",),
)
def one_input(law: Law) -> Law:
    nominal = law.of("ndqsg/dq-uniform-error").formulas["exact"]
    return law.replace(exact=nominal, outer_mse=nominal)


judge.sabotage(
    "uniform-half-width at exact/laws-at-three-inputs, montecarlo/law-at-three-inputs: Claim that the law "
    "of the error is uniform for half width, too.",
    {"tested": HalfWidth},
    "wide-half-width at exact/laws-at-three-inputs: The narrow dither has the full width.",
    {"narrow": DitheredQuantizer},
)
judge.sabotage_data(
    "on-the-grid at montecarlo/nominal-*: Take the mean square on the grid for that at a quarter.",
    lambda w, x: {"x": 0.0},
    "shifted-input, neutral at exact/widths: Shift the input by whole steps: nothing may change.",
    lambda shift: {"shift": shift - 4},
)


@judge.exact(
    shift=0, parameters={"w": [item.w for item in WIDTHS], "points": [item.points for item in WIDTHS]}
)
def widths(law: Law, shift: int) -> Iterable[Comparison]:
    """Bias and mean square over all dithers of two widths, at inputs inside the margin and beyond."""
    for width, x in ((item, x) for item in WIDTHS for x in item.inputs):
        w, shown = width.w, {"w": width.w, "x": x + shift}
        found = errors_at(law.dither(width)(1, scale=1, points=width.points), x + shift)
        inside = abs(x) <= (1 - w) / 2
        bias = law.exactly("inner_bias", x=x) if inside else law.exactly("outer_bias", w=w, x=x)
        square = law.exactly("exact" if inside else "outer_mse", w=w, x=x)
        yield eq("bias", sum(p * e for p, e in found), bias, witness=shown)
        # N points of a width w have the variance w^2 (1 - N^-2) / 12.
        claimed = square - w**2 / (12 * width.points**2)
        yield eq("mean square", sum(p * e * e for p, e in found), claimed, witness=shown, headline=True)
    blind = law.exactly("blind_input", w=F(1, 2))
    nominal = law.of("ndqsg/dq-uniform-error").exactly("exact")
    yield eq("blind input of half width", blind, F(1, 4))
    yield eq("mean square there", law.exactly("exact", w=F(1, 2), x=blind), nominal)


@judge.exact(parameters={"x": (0, "1/4", "1/2"), "points": 8}, points=8)
def laws_at_three_inputs(law: Law, points: int) -> Iterable[Comparison]:
    """N points: the law of full width is within 1/N of the uniform one, that of half width a quarter off."""
    for x in (F(0), F(1, 4), F(1, 2)):
        for kind, full in ((law.tested, True), (law.narrow, False)):
            errors = sorted(e for _, e in errors_at(kind(1, scale=1, points=points), x))
            distance = distance_from_uniform(errors)
            if full:
                yield le("law of full width", distance, F(1, points), witness={"x": x})
            else:
                yield le(
                    "law of half width", F(1, 4) - F(1, points), distance, headline=True, witness={"x": x}
                )


@judge.montecarlo(instance="nominal-at-a-quarter", label="nominal at a quarter", w="1/2", x=0.25)
def blind(law: Law, w: str, x: float) -> MonteCarloCase:
    """The mean square of the half-width dither at an input, held against the nominal value."""
    codec, copies = HalfWidth(1, scale=1.0), 8

    def sample(rng: np.random.Generator, size: int) -> Any:
        batch = np.full((size, copies), x)
        return ((codec.compress(batch, codec.draw(rng, batch.shape)) - batch) ** 2).mean(axis=-1)

    # Off by half a step plus a quarter at most.
    nominal = float(law.of("ndqsg/dq-uniform-error").exactly("exact"))
    return MonteCarloCase("eq", sample, nominal, upper=9 / 16, resolution=0.05)


@judge.montecarlo(label="law at three inputs", x=(0.0, 0.25, 0.5))
def law_at_three_inputs(law: Law, x: Sequence[float]) -> UniformityCase:
    """What a test of the whole law sees."""
    return uniformity_at(law.tested(1, scale=1.0), x, batches=2)
