"""Checks of `ndqsg/quad-fixed-scale`: exact steps over all dithers, the recursion, whole runs two-sidedly."""

from collections.abc import Iterable
from fractions import Fraction as F

from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.quadratic_oracle import fixed_scale_run, fixed_scale_variance
from verify.ndqsg.fixtures.runs.fixed_scale_runs import (
    CURVATURES,
    HONEST,
    LEVELS,
    MESSAGES,
    SCALE,
    SHOWN,
    START,
    STEP,
    STYLES,
    WORKERS,
)
from verify.ndqsg.fixtures.runs.worker_step import expected_square, on_a_fine_grid
from verify.rungs.montecarlo import MonteCarloCase

# Gradients of runs have `noise` times the variance that they are said to have.
judge = checks_of("ndqsg/quad-fixed-scale", style=HONEST, noise=F(1))
POINTS = 4


judge.sabotage(
    "same-seed at exact/recursion, run/run-10, exact/one-step, montecarlo/run-20: The same dither for all "
    "workers: P times the variance, 1.38 times the value at T = 10, 4 times at T = 100.",
    {"style": STYLES["same-seed"]},
    "half-width-dither at exact/one-step, montecarlo/run-20: A dither on [-1/4, 1/4): the error depends on "
    "the gradient, 3 times the value at T = 10.",
    {"style": STYLES["half-width-dither"]},
    "stochastic-rounding at exact/one-step, montecarlo/run-20: The dither is not subtracted: the value is "
    "too small (0.963 times at T = 10, 0.0118 times at T = 100), so that a one-sided test passes it.",
    {"style": STYLES["stochastic-rounding"]},
    "dither-added at exact/one-step: Decode delta (q + u): the dither is added again.",
    {"style": STYLES["dither-added"]},
    "desynchronised at exact/one-step: The receiver draws a dither of its own: unbiased, but with another "
    "variance.",
    {"style": STYLES["desynchronised"]},
    "floor-for-round at exact/one-step: Round down: bias of half a step, 19 times the value at T = 10.",
    {"style": STYLES["floor-for-round"]},
    "renumbered-workers, neutral at exact/one-step: Number the workers differently: nothing may change.",
    {"style": STYLES["renumbered-workers"]},
    "half-noise at run/noisy-gradients: The gradients lose half of the variance of their noise. "
    "| noise = 1/2",
)


@judge.exact(P=2, kappa=SCALE, M=LEVELS, eta="1/2", points=POINTS)
def one_step(law: Law, P: int, kappa: int, M: int, eta: str, points: int) -> Iterable[Comparison]:
    """One step of two workers in rationals, noise of two values, at gradients on the grid of the dither."""
    codec, step = law.style.codec(M, scale=kappa, points=points), F(eta)
    for lam in (F(1), F(1, 2)):
        for x in (F(0), F(1, 2), F(3, 2), F(-7, 2), F(10)):
            for noise in (F(0), F(1, 4)):
                square, signs = F(0), [(1, 1), (1, -1), (-1, 1), (-1, -1)] if noise else [(1, 1)]
                for pair in signs:
                    gradients = [lam * x + sign * noise for sign in pair]
                    if law.style.reverse:
                        gradients = gradients[::-1]
                    given = (x - step * sum(gradients) / P) ** 2
                    found = expected_square(codec, gradients, x, step, law.style.shared)
                    square += on_a_fine_grid(found, given, points) / len(signs)
                v = law.exactly("variance", kappa=kappa, M=M, P=P, s_sq=noise**2)
                stated = law.exactly("recursion", C=x**2, eta=step, lambda_=(lam,), v=v, j=0)
                witness = {"x": x, "lambda": lam, "noise": noise}
                yield eq("second moment after a step", square, stated, witness=witness, headline=True)


@judge.exact(instance="recursion", parameters={**SHOWN, "T": (1, 2, 5, 10, 40)})
def whole_runs(law: Law) -> Iterable[Comparison]:
    """The closed form against the recursion with the variance of `ndqsg/dqsg-average`, in rationals."""
    for noise in (F(0), F(1, 10)):
        variance = fixed_scale_variance(SCALE, LEVELS, WORKERS, noise, law.style.shared)
        found = fixed_scale_run(CURVATURES, (F(1),) * 3, STEP, variance, 40)
        v = law.exactly("variance", **MESSAGES, s_sq=noise)
        for T in (1, 2, 5, 10, 40):
            stated = law.exactly("exact", **START, v=v, T=T)
            witness = {"T": T, "s_sq": noise}
            yield eq("second moment of a run", found[T], stated, witness=witness, headline=True)
    floor = law.exactly("floor", eta=STEP, v=variance, lambda_=CURVATURES, j=0)
    kept = law.exactly("recursion", C=floor, eta=STEP, v=variance, lambda_=CURVATURES, j=0)
    yield eq("the floor stays", kept, floor)


def largest_distance(rounds: int) -> float:
    """Return a sure bound of the squared distance: no averaged error exceeds half a step."""
    total = 0.0
    for lam in CURVATURES:
        reach, factor = 1.0, float(abs(1 - STEP * lam))
        for _ in range(rounds):
            reach = factor * reach + float(STEP) * SCALE / LEVELS / 2
        total += reach**2
    return total


def _sampled(law: Law, T: int, resolution: float) -> MonteCarloCase:
    """Runs of the method against the stated value, on both sides."""
    v = law.exactly("variance", **MESSAGES, s_sq=0)
    return MonteCarloCase(
        "eq",
        lambda rng, size: law.style.run(T, rng, size),
        law("exact", **START, v=v, T=T),
        upper=largest_distance(T),
        resolution=resolution,
    )


for _T, _resolution, _profile in (
    (20, 0.05, "quick"),
    (1, 0.005, "quick"),
    (10, 0.01, "quick"),
    (100, 0.03, "full"),
):
    (judge.montecarlo if _T == 20 else judge.samples)(
        instance=f"run-{_T}",
        label="sampled distance",
        profile=_profile,
        parameters={**SHOWN, "T": _T, "resolution": _resolution},
        T=_T,
        resolution=_resolution,
    )(_sampled)


@judge.samples(instance="noisy-gradients", parameters={**SHOWN, "T": 10, "s_sq": F(1, 4)})
def noisy_gradients(law: Law) -> MonteCarloCase:
    """Runs with noisy gradients against the stated value, on both sides: no bound hides a lost noise."""
    rounds, noise = 10, F(1, 4)
    v = law.exactly("variance", **MESSAGES, s_sq=noise)
    variance = 0.0
    for lam in CURVATURES:
        # A coordinate is its mean m plus a sum of normal and uniform variables, of kurtosis at most 3.
        squares = [float((1 - STEP * lam) ** (2 * t)) for t in range(rounds + 1)]
        spread = float(STEP**2 * v) * sum(squares[:rounds])
        variance += 2 * spread**2 + 4 * squares[rounds] * spread
    return MonteCarloCase(
        "eq",
        lambda rng, size: law.style.run(rounds, rng, size, float(law.noise * noise) ** 0.5),
        law("exact", **START, v=v, T=rounds),
        variance=variance,
        resolution=0.03,
    )
