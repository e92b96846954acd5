"""Checks of `ndqsg/quad-fixed-scale`: exact steps over all dithers, the recursion, whole runs two-sidedly."""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import QuantizedEstimator, quantized_sgd
from impl.problems import Quadratic
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.quadratic_oracle import fixed_scale_run, fixed_scale_variance
from verify.ndqsg.sabotaged_dither import (
    Desynchronised,
    FloorIndex,
    HalfWidth,
    StochasticRounding,
    WrongSign,
)
from verify.ndqsg.fixtures.worker_step import SharedDither, Uncoded, expected_square, on_a_fine_grid
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/quad-fixed-scale"
CURVATURES = (F(1), F(1, 2), F(1, 10))
STEP, SCALE, LEVELS, WORKERS = F(1, 2), 2, 2, 4
POINTS = 4
COPIES = 64


@dataclass(frozen=True)
class Style:
    """How a method quantizes, honest or with one fault.

    Args:
        codec: Class of the codec.
        shared: Whether all workers use one dither.
        reverse: Whether the workers are numbered in the reverse order.
    """

    codec: type[DitheredQuantizer] = DitheredQuantizer
    shared: bool = False
    reverse: bool = False


HONEST = Style()
STYLES = {
    "same-seed": Style(shared=True),
    "half-width-dither": Style(HalfWidth),
    "stochastic-rounding": Style(StochasticRounding),
    "dither-added": Style(WrongSign),
    "desynchronised": Style(Desynchronised),
    "floor-for-round": Style(FloorIndex),
    "renumbered-workers": Style(reverse=True),
}


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
    seen = ("same-seed", "half-width-dither", "stochastic-rounding")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "one-step",
            ExactCase(functools.partial(compare_steps, HONEST)),
            {"P": 2, "kappa": SCALE, "M": LEVELS, "eta": "1/2", "points": POINTS},
            {name: ExactCase(functools.partial(compare_steps, style)) for name, style in STYLES.items()},
            seconds=0.2,
        ),
        Check(
            "exact",
            "recursion",
            ExactCase(functools.partial(compare_runs, HONEST)),
            {**setting, "T": (1, 2, 5, 10, 40)},
            {"same-seed": ExactCase(functools.partial(compare_runs, STYLES["same-seed"]))},
            seconds=0.2,
        ),
        _sampled("run-20", 20, 0.05, setting, {name: STYLES[name] for name in seen}, 0.9),
        _sampled("run-1", 1, 0.005, setting, {}, 0.2, rung="run"),
        _sampled("run-10", 10, 0.01, setting, {}, 0.7, rung="run"),
        _noisy(setting),
        _sampled("run-100", 100, 0.03, setting, {}, 16.0, "full", rung="run"),
    )


def compare_steps(style: Style) -> Iterable[Comparison]:
    """One step of two workers in rationals, noise of two values, at gradients on the grid of the dither."""
    formula = theory.claim(CLAIM).formulas
    codec = style.codec(LEVELS, scale=SCALE, points=POINTS)
    workers = 2
    for lam in (F(1), F(1, 2)):
        for x in (F(0), F(1, 2), F(3, 2), F(-7, 2), F(10)):
            for noise in (F(0), F(1, 4)):
                square, drift = F(0), F(0)
                signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)] if noise else [(1, 1)]
                for pair in signs:
                    gradients = [lam * x + sign * noise for sign in pair]
                    if style.reverse:
                        gradients = gradients[::-1]
                    given = (x - STEP * sum(gradients) / workers) ** 2
                    found = expected_square(codec, gradients, x, STEP, style.shared)
                    square += on_a_fine_grid(found, given, POINTS) / len(signs)
                    drift += given / len(signs)
                variance = evaluate_exact(
                    formula["variance"], {"kappa": SCALE, "M": LEVELS, "P": workers, "s_sq": noise**2}
                )
                stated = evaluate_exact(
                    formula["recursion"], {"C": x**2, "eta": STEP, "lambda_": (lam,), "v": variance, "j": 0}
                )
                label = f"E x^2 after a step from {x}, curvature {lam}, noise {noise}"
                yield Comparison(label, "eq", square, stated, headline=True)


def compare_runs(style: Style) -> Iterable[Comparison]:
    """The closed form against the recursion with the variance of `ndqsg/dqsg-average`, in rationals."""
    claim = theory.claim(CLAIM)
    starts = (F(1), F(1), F(1))
    for noise in (F(0), F(1, 10)):
        variance = fixed_scale_variance(SCALE, LEVELS, WORKERS, noise, style.shared)
        found = fixed_scale_run(CURVATURES, starts, STEP, variance, 40)
        stated_variance = evaluate_exact(
            claim.formulas["variance"], {"kappa": SCALE, "M": LEVELS, "P": WORKERS, "s_sq": noise}
        )
        values = {"lambda_": CURVATURES, "x0": starts, "eta": STEP, "v": stated_variance, "d": 3}
        for T in (1, 2, 5, 10, 40):
            stated = evaluate_exact(claim.exact, {**values, "T": T})
            yield Comparison(f"after {T} steps, noise {noise}", "eq", found[T], stated, headline=True)
    floor = evaluate_exact(
        claim.formulas["floor"], {"eta": STEP, "v": variance, "lambda_": CURVATURES, "j": 0}
    )
    kept = (1 - STEP * CURVATURES[0]) ** 2 * floor + STEP**2 * variance
    yield Comparison("the floor stays", "eq", kept, floor)


def sample_run(style: Style, rounds: int, rng: Any, size: int, noise_std: float = 0.0) -> Any:
    """Return squared distances after `rounds` steps of `size` runs of the golden setting, (size,).

    At a fixed scale coordinates do not see each other: `COPIES` runs are the coordinates of a longer one.
    """
    curvatures = [float(item) for item in CURVATURES] * COPIES
    estimator: type[QuantizedEstimator] = Uncoded
    if style.shared:
        estimator = SharedDither
    elif style.codec is DitheredQuantizer:
        estimator = QuantizedEstimator
    result = quantized_sgd(
        Quadratic(np.tile(curvatures, (WORKERS, 1))),
        style.codec(LEVELS, scale=float(SCALE)),
        step_size=float(STEP),
        rounds=rounds,
        rng=rng,
        replicates=size // COPIES,
        start=np.ones(3 * COPIES),
        noise_std=noise_std,
        estimator=estimator,
    )
    return (result.x.reshape(size, 3) ** 2).sum(axis=-1)


def largest_distance(rounds: int) -> float:
    """Return a sure bound of the squared distance: no averaged error exceeds half a step."""
    total = 0.0
    for lam in CURVATURES:
        reach, factor = 1.0, float(abs(1 - STEP * lam))
        for _ in range(rounds):
            reach = factor * reach + float(STEP) * SCALE / LEVELS / 2
        total += reach**2
    return total


def _sampled(
    name: str,
    rounds: int,
    resolution: float,
    setting: Mapping[str, Any],
    mutants: Mapping[str, Style],
    seconds: float,
    profile: Any = "quick",
    rung: str = "montecarlo",
) -> Check:
    """Runs of the method against the stated value, on both sides."""

    def case(style: Style) -> MonteCarloCase:
        values = {"lambda_": CURVATURES, "x0": (1, 1, 1), "eta": STEP, "v": F(1, 48), "d": 3, "T": rounds}
        stated = evaluate(theory.claim(CLAIM).exact, values)
        return MonteCarloCase(
            "eq",
            functools.partial(sample_run, style, rounds),
            stated,
            upper=largest_distance(rounds),
            resolution=resolution,
        )

    return Check(
        rung,
        name,
        Lazy(functools.partial(case, HONEST), tests=1),
        {**setting, "T": rounds, "resolution": resolution},
        {key: Lazy(functools.partial(case, style), tests=1) for key, style in mutants.items()},
        seconds=seconds,
        profile=profile,
    )


def _noisy(setting: Mapping[str, Any]) -> Check:
    """Runs with noisy gradients against the stated value, on both sides: no bound hides a lost noise."""
    rounds, noise = 10, F(1, 4)

    def case() -> MonteCarloCase:
        formulas = theory.claim(CLAIM).formulas
        v = evaluate_exact(formulas["variance"], {"kappa": SCALE, "M": LEVELS, "P": WORKERS, "s_sq": noise})
        values = {"lambda_": CURVATURES, "x0": (1, 1, 1), "eta": STEP, "v": v, "d": 3, "T": rounds}
        variance = 0.0
        for lam in CURVATURES:
            # A coordinate is its mean m plus a sum of normal and uniform variables, of kurtosis at most 3.
            squares = [float((1 - STEP * lam) ** (2 * t)) for t in range(rounds + 1)]
            spread = float(STEP**2 * v) * sum(squares[:rounds])
            variance += 2 * spread**2 + 4 * squares[rounds] * spread
        return MonteCarloCase(
            "eq",
            functools.partial(sample_run, HONEST, rounds, noise_std=float(noise) ** 0.5),
            evaluate(theory.claim(CLAIM).exact, values),
            variance=variance,
            resolution=0.03,
        )

    parameters = {**setting, "T": rounds, "s_sq": noise}
    return Check("run", "noisy-gradients", Lazy(case, tests=1), parameters, {}, seconds=0.5)
