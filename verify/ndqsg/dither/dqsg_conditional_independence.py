"""Checks of `ndqsg/dqsg-conditional-independence`: joint laws over all dithers, sampling, and a run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.dithers import errors_at, frozen_key
from verify.ndqsg.fixtures.runs.dithered_run import arms_of, dithered_run, unit, usual_key
from verify.ndqsg.fixtures.sabotaged_dither import SharedCoordinates, StochasticRounding
from verify.rungs.uniformity_case import UniformityCase

M, POINTS = 2, 8
# In steps all entries are multiples of 1/8: the grid of the errors is then the same at each of them.
GRADIENTS = (
    (F(1), F(3, 8)),
    (F(2), F(-1, 4)),
    (F(-3), F(0)),
    (F(5, 2), F(5, 16)),
    (F(1), F(1)),
)
NORMS = (1, F(1, 3), 5)
ORDERS = (2, 4, 6)
ODD = (1, 3, 5)

judge = checks_of(
    "ndqsg/dqsg-conditional-independence", quantizer=DitheredQuantizer, in_steps=True, rule=usual_key
)


judge.sabotage(
    "unnormalised: Look at $\\hat g-g$ instead of $\\varepsilon$: its size follows the gradient through "
    "$\\kappa$. | in_steps = False",
    "stochastic-rounding: Do not subtract the dither: the error depends on the fractional part of the input.",
    {"quantizer": StochasticRounding},
    "frozen-dither at exact/*, run/*: The same dither in the next iteration: the error repeats where the "
    "gradient does.",
    {"rule": frozen_key},
    "shared-coordinates at exact/*, montecarlo/*: One dither for all coordinates of a message.",
    {"quantizer": SharedCoordinates},
)
judge.sabotage_data(
    "reversed-coordinates, neutral at exact/*: Reverse the order of the coordinates: nothing may change.",
    lambda g: {"g": tuple(row[::-1] for row in g)},
)


def _wrong_cells(law: Mapping[tuple[F, ...], F]) -> int:
    """Return at how many pairs a law differs from that of two independent uniform points of the grid."""
    grid = [F(2 * j + 1 - POINTS, 2 * POINTS) for j in range(POINTS)]
    claimed: dict[tuple[F, ...], F] = {(a, b): F(1, POINTS**2) for a in grid for b in grid}
    return sum(law.get(pair, F(0)) != claimed.get(pair, F(0)) for pair in {*claimed, *law})


@judge.exact(g=GRADIENTS, parameters={"g": GRADIENTS, "M": M, "points": POINTS})
def joint_law(law: Law, g: Sequence[tuple[F, ...]]) -> Iterable[Comparison]:
    """The errors of two coordinates, and of two iterations, are independent and the same at each gradient."""
    codec = law.quantizer(M, points=POINTS)
    for row in g:
        scale, shown = max(map(abs, row)), {"g": row, "M": M}
        steps = M / scale if law.in_steps else 1
        pairs: defaultdict[tuple[F, ...], F] = defaultdict(F)
        for p, draws in codec.outcomes(list(row)):
            decoded = codec.reference(list(row), draws)
            pairs[tuple((a - b) * steps for a, b in zip(decoded, row, strict=True))] += p
        yield eq("pairs of coordinates off the law", _wrong_cells(pairs), 0, witness=shown)
        for n in ODD:
            for place in range(2):
                odd = sum(p * errors[place] ** n for errors, p in pairs.items())
                yield eq("odd moments", odd, 0, witness={**shown, "order": n, "coordinate": place})
        later: defaultdict[tuple[F, ...], F] = defaultdict(F)
        first = [(p, e * steps) for p, e in errors_at(codec, max(row, key=abs))]
        repeats = law.rule((0, 0), 0, 1) == law.rule((0, 0), 0, 0)
        for here, (p, error) in enumerate(first):
            for there, (other, after) in enumerate(first):
                if not repeats:
                    later[error, after] += p * other
                elif here == there:
                    later[error, after] += p
        yield eq("pairs of iterations off the law", _wrong_cells(later), 0, witness=shown)
    for kappa, n in ((F(kappa), n) for kappa in NORMS for n in ORDERS):
        moment = sum(p * e**n for p, e in errors_at(codec, kappa))
        away = abs(moment - law.exactly("exact", kappa=kappa, M=M, n=n))
        # h^2 / 24 times the largest second derivative of e^n, with h = 1/N, in units of the step.
        allowed = F(n * (n - 1), 24 * POINTS**2 * 2 ** (n - 2)) * (kappa / M) ** n
        shown = {"kappa": kappa, "order": n}
        yield le("moment off the stated one", away, allowed, witness=shown, headline=True)


@judge.montecarlo(
    label="errors of Student gradients",
    parameters={"gradients": "Student, 5 degrees of freedom", "d": 4, "M": 1},
)
def student(law: Law) -> UniformityCase:
    """Student gradients with 5 degrees of freedom: their scale varies a lot."""
    codec = law.quantizer(1)

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        g = rng.standard_t(5, size=(size, 4))
        scale = np.abs(g).max(axis=-1, keepdims=True)
        errors = codec.compress(g, codec.draw(rng, g.shape)) - g
        errors = errors / scale if law.in_steps else errors / 20
        first, second = errors[:, 0], errors[:, 1]
        # With one dither for both coordinates this is the first error, up to whole steps.
        related = second - (g[:, 0] - g[:, 1]) / scale[:, 0]
        return [
            (first, None),
            (first, unit(g[:, 0])),
            (first, unit(np.log(scale[:, 0]))),
            (first, related - np.floor(related)),
        ]

    return UniformityCase(sample, batches=4)


@judge.samples(label="errors and the past", parameters={"M": M, "workers": 4, "d": 16, "iterations": 200})
def errors_and_past(law: Law) -> UniformityCase:
    """Errors of a run, with the previous ones and with the gradients."""

    def sample(rng: np.random.Generator, size: int) -> list[tuple[Any, Any]]:
        trace = dithered_run(law.quantizer(M), rng, rule=law.rule, start=3.0)
        errors = trace.errors(M)
        if not law.in_steps:
            # One factor for the whole run: the largest scale.
            errors = errors * trace.scales / trace.scales.max()
        return arms_of(errors, trace.gradients)

    return UniformityCase(sample, batches=1)
