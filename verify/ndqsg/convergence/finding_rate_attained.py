"""Checks of `ndqsg/finding-rate-attained`: equality over dithers and along runs, in rationals and sampled."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.one_dimension import COPIES, HONEST, SAME_SEED, SETTINGS, Method, omega
from verify.ndqsg.fixtures.runs.worker_step import expected_square, on_a_fine_grid
from verify.rungs.montecarlo import MonteCarloCase

# Equality is claimed for blocks of so many coordinates; `sign` is that of the start.
judge = checks_of("ndqsg/finding-rate-attained", method=HONEST, blocks=1, sign=1)
POINTS, STEPS, NOISE = 4, (1, 2, 12), F(1, 2)


judge.sabotage(
    "better-rate at exact/over-dithers, exact/whole-runs: Claim one per cent less than the factor 1 - h: no "
    "bound of this form has it. | least = least * 99/100",
    "slightly-long-step at exact/over-dithers, exact/whole-runs: A step that is longer by one per cent: the "
    "rate is exceeded at every T.",
    lambda law: law.replace(method=Method(length=F(101, 100))),
    "half-omega at montecarlo/one-worker, exact/over-dithers, exact/whole-runs: omega/2 in the step rule: "
    "1.96 times the claimed factor at P = M = 1. | longest = longest(omega = omega / 2)",
    "same-seed at montecarlo/four-workers, exact/over-dithers, exact/whole-runs: The same dither for all "
    "workers: 3.94 times the claimed factor at P = 4, M = 1.",
    {"method": SAME_SEED},
    "one-block at exact/two-coordinates: Claim equality for one block of several coordinates, too: the "
    "second step is below the bound. | blocks = 2",
    "mirrored, neutral at exact/over-dithers: Start from -x_0: nothing may change. | sign = -1",
)


# ---------------------------------------------------------------- one dimension


@judge.exact(instance="over-dithers", d=1, P=[1, 2, 4], M=(1, 3), points=POINTS)
def over_dithers(law: Law, P: int, M: tuple[int, ...], points: int, **_: Any) -> Iterable[Comparison]:
    """One step of all workers over all dithers: 1 - h at the largest step, the stated excess at others."""
    start = F(law.sign)
    for levels in M:
        codec, noise = DitheredQuantizer(levels, points=points), omega(levels)
        given = {"omega": noise, "P": P}

        def factor(h: F, shared: bool, codec: Any = codec) -> F:
            square = expected_square(codec, [start] * P, start, h, shared)
            return on_a_fine_grid(square, (1 - h) ** 2, points)

        largest = law.method.length * law.exactly("longest", **given)
        least = law.exactly("least", **given)
        for h in (largest, F(1, 2), F(101, 100) * largest, F(3, 2)):
            found, witness = factor(h, law.method.shared), {"h": h, "M": levels, "x": start}
            yield eq(
                "excess of a step", found - (1 - h), law.exactly("excess", h=h, **given), witness=witness
            )
            yield le("least factor", least, found, witness=witness)
            if h == largest:
                yield eq("largest step", found, least, witness=witness, headline=True)
        wrong = law.exactly("longest", omega=noise / 2, P=P)
        half = law.exactly("half_omega", **given)
        yield eq("half omega", factor(wrong, shared=False) / (1 - wrong), half, witness={"M": levels})
        right = law.exactly("longest", **given)
        together = law.exactly("one_dither", **given)
        yield eq("one dither", factor(right, shared=True) / (1 - right), together, witness={"M": levels})


@judge.exact(instance="whole-runs", parameters={"M,P,lambda": SETTINGS, "T": STEPS, "sigma_sq": (0, NOISE)})
def whole_runs(law: Law) -> Iterable[Comparison]:
    """Whole runs at the largest step: the value of the bound at every T, but for the share of noise."""
    for M, P, lam in SETTINGS:
        given = {"omega": omega(M), "P": P}
        step = law.exactly("longest", **given) / lam
        for noise in (F(0), NOISE):
            if noise and law.method.shared:
                continue  # different gradients share no error
            found = law.method.second_moments(step, lam, M, P, max(STEPS), noise)
            values = {**given, "eta": step, "sigma_sq": noise, "r_0": 1}
            for T in STEPS:
                witness = {"M": M, "P": P, "lambda": lam, "sigma_sq": noise, "T": T}
                value = law.exactly("exact", **values, lambda_=lam, T=T)
                yield eq("value", found[T], value, witness=witness)
                above = law.of("ndqsg/conv-strong").exactly("bound", **values, mu=lam, T=T)
                if not noise:
                    power = law.exactly("least", **given) ** T
                    yield eq("bound", found[T], power, witness=witness, headline=True)
                    yield eq("bound as stated", above, value, witness=witness)
                missing = (1 - step * lam) ** T * (above - (1 - step * lam) ** T)
                yield eq("share of the noise", above - found[T], missing, witness=witness)


# ---------------------------------------------------------------- two coordinates


def expected_lengths(blocks: int, step: F) -> tuple[F, F]:
    """Return E|x_1|^2 and E|x_2|^2 from (1, 0) with f = |x|^2 / 2 and one worker, dithers of few points.

    The first step is over all dithers, the second by its variance, kappa^2 / 12 less 1 - N^-2 a coordinate.
    """
    codec, start = DitheredQuantizer(1, blocks, points=POINTS), [F(1), F(0)]
    first = second = F(0)
    for probability, draws in codec.outcomes(start):
        x = [a - step * b for a, b in zip(start, codec.reference(start, draws), strict=True)]
        length = sum((a**2 for a in x), F(0))
        scales = [max(map(abs, x[at : at + blocks])) for at in range(0, 2, blocks)]
        variance = sum((scale**2 for scale in scales), F(0)) * _grid_omega(blocks)
        first += probability * length
        second += probability * ((1 - step) ** 2 * length + step**2 * variance)
    return first, second


def _grid_omega(blocks: int) -> F:
    """Return omega of one level with dithers of few points."""
    return omega(1, blocks) * (1 - F(1, POINTS**2))


@judge.exact(instance="two-coordinates", d=2, M=1, P=1, points=POINTS, T=(1, 2))
def two_coordinates(law: Law, P: int, **_: Any) -> Iterable[Comparison]:
    """From a single nonzero coordinate: blocks of one attain both steps, one block of two the first only."""
    for blocks in (1, 2):
        given = {"omega": _grid_omega(blocks), "P": P}
        step, least = law.exactly("longest", **given), law.exactly("least", **given)
        first, second = expected_lengths(blocks, step)
        witness = {"blocks": blocks, "h": step}
        yield eq("first step", first, least, witness=witness, headline=True)
        if blocks <= law.blocks:
            yield eq("second step", second, least**2, witness=witness, headline=True)
        else:
            yield lt("strictly below", second, least**2, witness=witness)


# ---------------------------------------------------------------- sampled runs


@judge.montecarlo(
    instances={
        name: {"P": workers, "d": 1, "M": 1, "T": 2}
        for name, workers in (("four-workers", 4), ("one-worker", 1))
    },
    label="two steps",
)
def two_steps(law: Law, P: int, T: int, **_: Any) -> MonteCarloCase:
    """Two steps at the largest step, on both sides, with the exact variance of the square."""
    given = {"omega": omega(1), "P": P}
    step = law.exactly("longest", **given)
    value = law.exactly("exact", eta=step, lambda_=1, r_0=1, sigma_sq=0, T=T, **given)
    fourth = law.of("ndqsg/quad-adaptive").exactly("fourth", h=step, M=1, P=P)

    def sample(rng: Any, size: int) -> Any:
        return law.method.sample(step, P, T, rng, size // COPIES)[:, -1].ravel()

    variance = float(fourth**T - value**2)
    return MonteCarloCase("eq", sample, float(value), variance=variance, resolution=0.05)
