"""Checks of `ndqsg/finding-one-sided-tests`: exact laws of runs with rounding, and sampled ones."""

from collections.abc import Iterable
from fractions import Fraction as F

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.comparisons import lt
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.ndqsg.fixtures.quadratic_oracle import moment
from verify.ndqsg.fixtures.runs.fixed_scale_runs import (
    HONEST,
    LEVELS,
    SCALE,
    SHOWN,
    START,
    STYLES,
    WORKERS,
    rounded,
    rounded_distance,
)
from verify.ndqsg.fixtures.runs.worker_step import expected_square, on_a_fine_grid
from verify.ndqsg.fixtures.sabotaged_dither import StochasticRounding
from verify.rungs.montecarlo import MonteCarloCase

judge = checks_of(
    "ndqsg/finding-one-sided-tests",
    rounding=StochasticRounding,
    style=STYLES["stochastic-rounding"],
    distance=rounded_distance,
    scale=1,
    order=1,
)
PRINTED = {1: (6, 7), 10: (4, 4), 100: (3, 3)}
"""Steps to the digits of the stated distances with rounding and with dither."""
LAST = 100
"""Steps up to which the distances are compared."""
ROUNDS, PART = 40, 0.5


judge.sabotage(
    "dither-for-rounding at exact/one-step, exact/whole-runs, montecarlo/runs-with-rounding: Subtract the "
    "dither, where the finding rounds: then the equality holds, nothing is found.",
    lambda law: law.replace(
        rounding=DitheredQuantizer, style=HONEST, distance=lambda T: dithered_distance(law, T)
    ),
    "adaptive-scale at exact/one-step: Read the rounding at the scale |g| of each gradient: then it makes "
    "no error at all in one dimension. | scale = None",
    "no-dither-noise at exact/*: Leave the noise of the dither out: the upper bound rejects rounding. "
    "| bound = 0",
    "renumbered-workers, neutral at exact/one-step: Number the workers differently: nothing may change. "
    "| order = -1",
)


def dithered_distance(law: Law, T: int) -> float:
    """Return the stated expected distance with dither after T steps of the run."""
    v = law.exactly("bound", delta=F(SCALE, LEVELS), P=WORKERS)
    return law.of("ndqsg/quad-fixed-scale")("exact", **START, v=v, T=T)


@judge.exact(instance="one-step", P=2, delta=1, points=20)
def one_step(law: Law, P: int, delta: int, points: int) -> Iterable[Comparison]:
    """One step of two workers, in rationals: the stated variances of rounding and dither, and their order."""
    crossing = law("crossing", delta=delta)
    dither = law.exactly("bound", delta=delta, P=P)
    for y in (F(0), F(1, 20), F(1, 10), F(1, 2), F(19, 20)):
        gradients, witness = [y, -y][:: law.order], {"|g|": y}
        codec = law.rounding(1, scale=law.scale and delta, points=points)
        found = expected_square(codec, gradients, F(0), F(1), shared=False)
        stated = law.exactly("rounding_variance", y=y, delta=delta, P=P)
        yield eq("variance of rounding", found, stated, witness=witness, headline=True)
        subtracted = DitheredQuantizer(1, scale=delta, points=points)
        uniform = on_a_fine_grid(expected_square(subtracted, gradients, F(0), F(1), False), F(0), points)
        yield eq("variance of dither", uniform, dither, witness=witness)
        if y < F(1, 2):
            pair = (found, dither) if y < crossing else (dither, found)
            yield le("order of the variances", *pair, witness=witness)


@judge.exact(instance="whole-runs", parameters={**SHOWN, "T": LAST, "printed": tuple(PRINTED)})
def whole_runs(law: Law) -> Iterable[Comparison]:
    """The exact expectation with rounding is below the value with dither, but for the first steps."""
    for T, (of_rounding, of_dither) in PRINTED.items():
        rounded, dithered, at = law(f"rounded_{T}"), law(f"dithered_{T}"), {"T": T}
        yield eq("with rounding", law.distance(T), rounded, printed(of_rounding), witness=at)
        yield eq("with dither", dithered_distance(law, T), dithered, printed(of_dither), witness=at)
    first = law.exactly("accepted_from")
    pairs = {T: (law.distance(T), dithered_distance(law, T)) for T in range(1, LAST + 1)}
    found = next((T for T, (small, value) in pairs.items() if small <= value), LAST + 1)
    yield eq("first accepted", found, first, ROUND_OFF, witness={"T": LAST})
    for T, (small, value) in pairs.items():
        if first > T:
            yield lt("farther in the first steps", value, small, ROUND_OFF, witness={"T": T})
        else:
            yield le("accepted", small, value, ROUND_OFF, witness={"T": T}, headline=True)


@judge.montecarlo(label="far below", parameters={**SHOWN, "T": ROUNDS, "part": PART})
def runs_with_rounding(law: Law) -> MonteCarloCase:
    """Runs with rounding stay far below the value: only an equality test refuses them."""
    # Independent coordinates: the variances of their squares add up.
    last = [laws[ROUNDS] for laws in rounded(100)]
    return MonteCarloCase(
        "le",
        lambda rng, size: law.style.run(ROUNDS, rng, size),
        PART * dithered_distance(law, ROUNDS),
        variance=sum(moment(item, 4) - moment(item, 2) ** 2 for item in last),
        resolution=0.1,
    )
