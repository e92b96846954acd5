"""Checks of `ndqsg/finding-one-sided-tests`: exact laws of runs with rounding, and sampled ones."""

import functools
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.fixed_scale_runs import (
    CURVATURES,
    HONEST,
    LEVELS,
    SCALE,
    STEP,
    STYLES,
    WORKERS,
    Style,
)
from verify.ndqsg.fixtures.quadratic_oracle import fixed_scale_run, fixed_scale_variance, moment, rounded_laws
from verify.ndqsg.sabotaged_dither import StochasticRounding
from verify.ndqsg.fixtures.worker_step import expected_square
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/finding-one-sided-tests"
PRINTED = {10: ("0.3995", "0.4147"), 100: ("0.00085", "0.0723")}
DIGITS = Tolerance(2e-3, "the statement has two to four digits")
SUMS = Tolerance(1e-12, "a finite law of some hundred points, sums of positive float64 products")
ROUNDS, PART = 40, 0.5


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    setting = {
        "lambda": (1, 0.5, 0.1),
        "x0": (1, 1, 1),
        "eta": 0.5,
        "kappa": SCALE,
        "M": LEVELS,
        "P": WORKERS,
    }
    dithered = functools.partial(compare_steps, DitheredQuantizer)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "one-step",
            ExactCase(functools.partial(compare_steps, StochasticRounding)),
            {"P": 2, "delta": 1, "points": 20},
            {
                "dither-for-rounding": ExactCase(dithered),
                "adaptive-scale": ExactCase(functools.partial(compare_steps, StochasticRounding, None)),
                "renumbered-workers": ExactCase(
                    functools.partial(compare_steps, StochasticRounding, order=-1)
                ),
            },
            seconds=0.1,
        ),
        Check(
            "exact",
            "whole-runs",
            ExactCase(compare_runs),
            {**setting, "T": (10, 100)},
            {"one-sided-rejects": ExactCase(functools.partial(compare_runs, rejects=True))},
            seconds=0.4,
        ),
        _sampled(setting),
    )


def compare_steps(kind: type[DitheredQuantizer], scale: Any = 1, *, order: int = 1) -> Iterable[Comparison]:
    """One step of two workers, in rationals: the stated variance of rounding, and its order to dither."""
    claim, workers, points = theory.claim(CLAIM), 2, 20
    codec = kind(1, scale=scale, points=points)
    dither = evaluate_exact(claim.bound, {"delta": 1, "P": workers})
    crossing = evaluate_exact(claim.formulas["crossing"], {"delta": 1})
    for y in (F(0), F(1, 20), F(1, 10), F(1, 2), F(19, 20)):
        gradients = [y, -y][::order]
        found = expected_square(codec, gradients, F(0), F(1), shared=False)
        stated = evaluate_exact(claim.formulas["rounding_variance"], {"y": y, "delta": 1, "P": workers})
        yield Comparison(f"variance of rounding at |g|={y}", "eq", found, stated, headline=True)
        relation = (found, dither) if crossing > y else (dither, found)
        if y < F(1, 2):
            yield Comparison(f"order against dither at |g|={y}", "le", *relation)


def compare_runs(*, rejects: bool = False) -> Iterable[Comparison]:
    """The exact mean with rounding is below the value with dither, so that an upper bound accepts it."""
    variance = fixed_scale_variance(SCALE, LEVELS, WORKERS)
    dithered = fixed_scale_run(CURVATURES, (F(1),) * 3, STEP, variance, 100)
    laws = rounded(100)
    for T, (shown, bound) in PRINTED.items():
        rounded_value, value = sum(moment(run[T], 2) for run in laws), float(dithered[T])
        yield Comparison(f"rounding, T={T}", "eq", rounded_value, float(shown), DIGITS)
        yield Comparison(f"dither, T={T}", "eq", value, float(bound), DIGITS)
        small, large = (value, rounded_value) if rejects else (rounded_value, value)
        yield Comparison(f"accepted by the upper bound, T={T}", "le", small, large, SUMS, headline=True)


@functools.cache
def rounded(rounds: int) -> list[list[dict[F, float]]]:
    """Return the laws of each coordinate with rounding, after 0..rounds steps."""
    return [list(rounded_laws(lam, F(1), STEP, F(SCALE, LEVELS), WORKERS, rounds)) for lam in CURVATURES]


def _sampled(setting: dict[str, Any]) -> Check:
    """Runs with rounding stay far below the value: only an equality test refuses them."""

    def case(style: Style) -> MonteCarloCase:
        values = {"lambda_": CURVATURES, "x0": (1, 1, 1), "eta": STEP, "v": F(1, 48), "d": 3, "T": ROUNDS}
        stated = evaluate(theory.claim("ndqsg/quad-fixed-scale").exact, values)
        # Independent coordinates: the variances of their squares add up.
        last = [laws[ROUNDS] for laws in rounded(100)]
        variance = sum(moment(law, 4) - moment(law, 2) ** 2 for law in last)
        return MonteCarloCase(
            "le",
            functools.partial(style.run, ROUNDS),
            PART * stated,
            variance=variance,
            resolution=0.1,
        )

    return Check(
        "montecarlo",
        "runs-with-rounding",
        Lazy(functools.partial(case, STYLES["stochastic-rounding"]), tests=1),
        {**setting, "T": ROUNDS, "part": PART},
        {"dither-for-rounding": Lazy(functools.partial(case, HONEST), tests=1)},
        seconds=1.0,
    )
