"""Checks of `ndqsg/finding-rate-attained`: equality over dithers and along runs, in rationals and sampled."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.conv_strong import COPIES, sample_run
from verify.ndqsg.one_dimension import RULES, STATED, Rule
from verify.ndqsg.fixtures.worker_step import expected_square, on_a_fine_grid
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/finding-rate-attained"
STRONG = "ndqsg/conv-strong"
POINTS = 4
# M, P, lambda.
SETTINGS = ((1, 1, F(1)), (1, 4, F(1)), (2, 3, F(1, 2)))
STEPS = (1, 2, 12)
NOISE = F(1, 2)


@dataclass(frozen=True)
class Reading:
    """How the rate is read and run: as stated, or with one fault.

    Args:
        rule: How the method chooses its step and draws its dither.
        part: The factor of a step that is claimed, in units of 1 - h.
        own_rate: Whether the claimed rate is that of the step that is taken.
        blocks: Equality is claimed for blocks of this length.
        sign: Sign of the start.
    """

    rule: Rule = STATED
    part: F = F(1)
    own_rate: bool = False
    blocks: int = 1
    sign: int = 1


AS_STATED = Reading()
READINGS = {
    "better-rate": Reading(part=F(99, 100)),
    "slightly-long-step": Reading(replace(STATED, length=F(101, 100)), own_rate=True),
    "half-omega": Reading(RULES["half-omega"]),
    "same-seed": Reading(RULES["same-seed"]),
    "one-block": Reading(blocks=2),
    "mirrored": Reading(sign=-1),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    runs = ("better-rate", "slightly-long-step", "half-omega", "same-seed")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check(
            "exact",
            "over-dithers",
            ExactCase(functools.partial(compare_steps, AS_STATED)),
            {"d": 1, "P": 2, "M": (1, 3), "points": POINTS},
            {
                name: ExactCase(functools.partial(compare_steps, READINGS[name]))
                for name in ("better-rate", "slightly-long-step", "half-omega", "same-seed", "mirrored")
            },
            seconds=0.1,
        ),
        Check(
            "exact",
            "whole-runs",
            ExactCase(functools.partial(compare_runs, AS_STATED)),
            {"M,P,lambda": SETTINGS, "T": STEPS, "sigma_sq": (0, NOISE)},
            {name: ExactCase(functools.partial(compare_runs, READINGS[name])) for name in runs},
            seconds=0.2,
        ),
        Check(
            "exact",
            "two-coordinates",
            ExactCase(functools.partial(compare_blocks, AS_STATED)),
            {"d": 2, "M": 1, "P": 1, "points": POINTS, "T": (1, 2)},
            {"one-block": ExactCase(functools.partial(compare_blocks, READINGS["one-block"]))},
            seconds=0.1,
        ),
        _sampled("four-workers", 4, "same-seed"),
        _sampled("one-worker", 1, "half-omega"),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(CLAIM).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


def claimed_factor(reading: Reading, omega: F, workers: int, lam: F = F(1)) -> F:
    """Return what is claimed of a step: 1 - eta lambda at the step of the rule, or at the one taken."""
    step = reading.rule.claimed_step(omega, workers, lam)
    taken = reading.rule.length if reading.own_rate else F(1)
    return F(reading.part * (1 - taken * step * lam))


# ---------------------------------------------------------------- one dimension


def compare_steps(reading: Reading) -> Iterable[Comparison]:
    """One step of two workers over all dithers: 1 - h at the largest step, the stated excess at others."""
    workers, rule, start = 2, reading.rule, F(reading.sign)
    for M in (1, 3):
        omega = F(1, 12 * M**2)
        largest = rule.length * rule.claimed_step(omega, workers)
        codec = DitheredQuantizer(M, points=POINTS)
        for h in (largest, F(1, 2), F(101, 100) * stated("longest", omega=omega, P=workers), F(3, 2)):
            square = expected_square(codec, [start] * workers, start, h, rule.shared)
            found = on_a_fine_grid(square, (1 - h) ** 2, POINTS)
            witness = {"h": h, "M": M, "x": start}
            excess = stated("excess", h=h, omega=omega, P=workers)
            yield Comparison("excess of a step", "eq", found - (1 - h), excess, witness=witness)
            least = stated("least", omega=omega, P=workers)
            yield Comparison("least factor", "le", least, found, witness=witness)
            if h == largest:
                factor = claimed_factor(reading, omega, workers)
                yield Comparison("largest step", "eq", found, factor, witness=witness, headline=True)


def compare_runs(reading: Reading) -> Iterable[Comparison]:
    """Whole runs at the largest step: the value of the bound at every T, but for the share of noise."""
    rule, bound = reading.rule, theory.claim(STRONG).bound
    for M, P, lam in SETTINGS:
        omega = F(1, 12 * M**2)
        step, factor = rule.claimed_step(omega, P, lam), claimed_factor(reading, omega, P, lam)
        for noise in (F(0), NOISE):
            if noise and rule.shared:
                continue  # different gradients share no error
            found = rule.second_moments(lam, M, P, F(1), max(STEPS), noise)
            values = {"eta": step, "sigma_sq": noise, "omega": omega, "P": P, "r_0": 1}
            for T in STEPS:
                witness = {"M": M, "P": P, "lambda": lam, "sigma_sq": noise, "T": T}
                value = stated("exact", **values, lambda_=lam, T=T)
                yield Comparison("value", "eq", found[T], value, witness=witness)
                above = rational(evaluate_exact(bound, {**values, "mu": lam, "T": T}))
                if not noise:
                    yield Comparison("bound", "eq", found[T], factor**T, witness=witness, headline=True)
                    yield Comparison("bound as stated", "eq", above, value, witness=witness)
                missing = (1 - step * lam) ** T * (above - (1 - step * lam) ** T)
                yield Comparison("share of the noise", "eq", above - found[T], missing, witness=witness)


# ---------------------------------------------------------------- two coordinates


def expected_lengths(blocks: int, step: F) -> tuple[F, F]:
    """Return E|x_1|^2 and E|x_2|^2 from (1, 0) with f = |x|^2 / 2 and one worker, dithers of few points.

    The first step is over all dithers, the second by its variance, kappa^2 / 12 less 1 - N^-2 a coordinate.
    """
    codec, start = DitheredQuantizer(1, blocks, points=POINTS), [F(1), F(0)]
    first = second = F(0)
    for chance, draws in codec.outcomes(start):
        x = [a - step * b for a, b in zip(start, codec.reference(start, draws), strict=True)]
        length = sum((a**2 for a in x), F(0))
        scales = [max(map(abs, x[at : at + blocks])) for at in range(0, 2, blocks)]
        variance = sum((scale**2 for scale in scales), F(0)) * _grid_omega(blocks)
        first += chance * length
        second += chance * ((1 - step) ** 2 * length + step**2 * variance)
    return first, second


def _grid_omega(blocks: int) -> F:
    """Return omega of one level with dithers of few points."""
    return F(blocks, 12) * (1 - F(1, POINTS**2))


def compare_blocks(reading: Reading) -> Iterable[Comparison]:
    """From a single nonzero coordinate: blocks of one attain both steps, one block of two the first only."""
    for blocks in (1, 2):
        step = reading.rule.claimed_step(_grid_omega(blocks), 1)
        first, second = expected_lengths(blocks, step)
        witness = {"blocks": blocks, "h": step}
        yield Comparison("first step", "eq", first, 1 - step, witness=witness, headline=True)
        limit = (1 - step) ** 2
        if blocks <= reading.blocks:
            yield Comparison("second step", "eq", second, limit, witness=witness, headline=True)
        else:
            yield Comparison("strictly below", "le", second, F(99, 100) * limit, witness=witness)


# ---------------------------------------------------------------- sampled runs


def _sampled(name: str, workers: int, mutant: str) -> Check:
    """Two steps at the largest step, on both sides, with the exact variance of the square."""
    rounds, omega = 2, F(1, 12)

    def case(rule: Rule) -> MonteCarloCase:
        step = STATED.claimed_step(omega, workers)
        values = {"eta": step, "lambda_": 1, "omega": omega, "P": workers, "r_0": 1, "sigma_sq": 0}
        value = stated("exact", **values, T=rounds)
        fourth = rational(
            evaluate_exact(
                theory.claim("ndqsg/quad-adaptive").formulas["fourth"], {"h": step, "M": 1, "P": workers}
            )
        )

        def sample(rng: Any, size: int) -> Any:
            return sample_run(rule, workers, rounds, rng, size // COPIES)[:, -1].ravel()

        variance = float(fourth**rounds - value**2)
        return MonteCarloCase("eq", sample, float(value), variance=variance, resolution=0.05)

    return Check(
        "montecarlo",
        name,
        Lazy(functools.partial(case, STATED), tests=1),
        {"d": 1, "M": 1, "P": workers, "T": rounds},
        {mutant: Lazy(functools.partial(case, RULES[mutant]), tests=1)},
        seconds=0.5,
    )
