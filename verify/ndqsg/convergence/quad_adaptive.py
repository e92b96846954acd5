"""Checks of `ndqsg/quad-adaptive`: exact steps over all dithers, the recursion, the sandwich, whole runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Symbol

from impl.compressors import DitheredQuantizer
from impl.optimizers import QuantizedEstimator, quantized_sgd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.quadratic_oracle import adaptive_factor, adaptive_noise, affine_run
from verify.ndqsg.fixtures.runs.worker_step import FrozenScale, SharedDither, expected_square, on_a_fine_grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


@dataclass(frozen=True)
class Method:
    """How messages are made.

    Args:
        shared: Whether all workers use one dither.
        frozen: Whether the scale stays at its first value.
        order: -1 numbers the workers in the reverse order.
    """

    shared: bool = False
    frozen: bool = False
    order: int = 1

    def run(self, codec: Any, workers: int, rounds: int, start: Any, rng: Any, replicates: int) -> Any:
        """Return a run with eta lambda = 1/2."""
        estimator: type[QuantizedEstimator] = QuantizedEstimator
        if self.shared or self.frozen:
            estimator = SharedDither if self.shared else FrozenScale
        return quantized_sgd(
            Quadratic(np.ones((workers, len(start)))),
            codec,
            step_size=float(H),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            start=start,
            trace=True,
            estimator=estimator,
        )


judge = checks_of("ndqsg/quad-adaptive", method=Method())
COPIES, H = 64, F(1, 2)
P = Symbol("P", real=True)
# lambda, x0, eta, M, P, s_n^2.
GOLDEN = {
    "one-worker": (F(1), F(1), F(1, 2), 1, 1, F(0)),
    "noisy": (F(1), F(1), F(1, 2), 1, 4, F(1)),
    "curved": (F(2), F(3), F(1, 4), 2, 3, F(1, 10)),
}


judge.sabotage(
    "frozen-scale at exact/one-step, run/run-8: kappa stays at its first value: a floor appears.",
    lambda law: law.replace(method=Method(frozen=True)),
    "same-seed at montecarlo/martingale, run/run-8, exact/one-step, exact/recursion: The same dither for "
    "all workers: the noise of the dither is not divided by P.",
    lambda law: law.replace(method=Method(shared=True)),
    "squared-workers at exact/one-step, exact/recursion: P^2 for P in a: 0.5 per cent of the value after 20 "
    "noisy steps, so only the exact rung sees it. | a = a(P = P**2)",
    "squared-workers-and-noise at exact/one-step, exact/recursion: P^2 for P in a and b: the noisy value is "
    "4 times too small at P = 4. | a = a(P = P**2), b = b(P = P**2)",
    "dimension-left-out at adversarial/sandwich: The upper rate without d: exceeded where a single "
    "coordinate is not zero. | a_upper = a_upper(d = 1)",
    "renumbered-workers, neutral at exact/one-step: Number the workers differently: nothing may change.",
    lambda law: law.replace(method=Method(order=-1)),
)


@judge.exact(
    instance="one-step",
    P=2,
    M=(1, 2),
    points=4,
    parameters={"P": 2, "M": (1, 2), "noise": "two values", "points": 4},
)
def one_step(law: Law, P: int, M: tuple[int, ...], points: int) -> Iterable[Comparison]:
    """A step of two workers in rationals, gradients with noise of two values, all dithers of a grid."""
    for levels in M:
        codec = DitheredQuantizer(levels, points=points)
        for lam, x, eta, s in (
            (F(1), F(1), F(1, 2), F(0)),
            (F(2), F(-3), F(1, 4), F(1)),
            (F(1), F(1), F(1, 2), F(3)),
        ):
            square, signs = F(0), [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            for pair in signs:
                gradients = [lam * x + sign * s for sign in pair][:: law.method.order]
                given = (x - eta * sum(gradients) / P) ** 2
                # A frozen scale is that of an earlier iterate, here twice as far out.
                far = DitheredQuantizer(levels, scale=2 * abs(lam * x + s), points=points)
                used = far if law.method.frozen else codec
                found = expected_square(used, gradients, x, eta, law.method.shared)
                square += on_a_fine_grid(found, given, points) / len(signs)
            a = law.exactly("a", eta=eta, lambda_=lam, M=levels, P=P)
            b = law.exactly("b", eta=eta, s_sq=s**2, M=levels, P=P)
            witness = {"x": x, "M": levels, "noise": s}
            yield eq("second moment after a step", square, a * x**2 + b, witness=witness, headline=True)


@judge.exact(instance="recursion", parameters={"settings": list(GOLDEN), "T": 20})
def recursion(law: Law) -> Iterable[Comparison]:
    """The closed form against the recursion with the variances of the messages, in rationals."""
    for name, (lam, x0, eta, M, workers, s_sq) in GOLDEN.items():
        factor = adaptive_factor(eta * lam, M, workers, shared=law.method.shared)
        found = list(affine_run(factor, adaptive_noise(eta, M, workers, s_sq), x0**2, 20))
        given = {"eta": eta, "lambda_": lam, "M": M, "P": workers}
        a = law.exactly("a", **given)
        b = law.exactly("b", eta=eta, s_sq=s_sq, M=M, P=workers)
        for T in (0, 1, 5, 20):
            stated = law.exactly("exact", a=a, b=b, x0_sq=x0**2, T=T)
            witness = {"setting": name, "T": T}
            yield eq("second moment of a run", found[T], stated, witness=witness, headline=True)
        upper = law.exactly("a_upper", **given, d=1)
        yield eq("both rates in one dimension", upper, a, witness={"setting": name})


@judge.exact(instance="fourth-moment", parameters={"P": (1, 2), "M": (1, 2)})
def fourth_moment(law: Law) -> Iterable[Comparison]:
    """The fourth moment of a step from 1, over the moments of one and two uniform errors, in rationals."""
    moments = {0: F(1), 2: F(1, 12), 4: F(1, 80)}
    for M in (1, 2):
        for h in (F(1, 2), F(3, 4)):
            for workers in (1, 2):
                # E (1 - h - h e)^4 with e the mean of P errors, e_1^i e_2^j by their moments.
                second = moments[2] / (workers * M**2)
                pairs = 3 * workers * (workers - 1) * moments[2] ** 2
                fourth = (workers * moments[4] + pairs) / F(workers * M) ** 4
                found = (1 - h) ** 4 + 6 * (1 - h) ** 2 * h**2 * second + h**4 * fourth
                given = {"h": h, "P": workers, "M": M}
                square = adaptive_factor(h, M, workers) ** 2
                yield eq("square of the second moment", square, law.exactly("second_squared", **given))
                yield eq("fourth moment", found, law.exactly("fourth", **given), witness=given, headline=True)
    stable = law.exactly("largest_h", d=10, M=1, P=2)
    at_limit = law.exactly("a_upper", eta=1, lambda_=stable, M=1, P=2, d=10)
    yield eq("upper rate at the largest step", at_limit, 1)


# ---------------------------------------------------------------- the sandwich


def expected_length(x: Any, workers: int) -> Any:
    """Return E|x_1|^2 of a step with eta lambda = 1/2 and M = 1 from x (..., d), by the codec's variance."""
    h = float(H)
    return h**2 * DitheredQuantizer(1).variance(x) / workers + (1 - h) ** 2 * (x**2).sum(axis=-1)


@judge.adversarial(label="both rates", d=10, M=1, P=2, eta_lambda="1/2")
def sandwich(law: Law, d: int, M: int, P: int, **_: Any) -> AdversarialCase:
    """The first step from any start in R^10: both rates bound it, each is attained."""
    given = {"eta": H, "lambda_": 1, "M": M, "P": P}
    upper, lower = law("a_upper", **given, d=d), law("a", **given)

    # One search for both: the input is a start for the upper rate and one for the lower rate.
    # 1e-300 keeps 0 / 0 away from the origin; it is below the round-off of every other start.
    def ratio(inputs: Any) -> Any:
        x, y = inputs[:, :d], inputs[:, d:]
        up = expected_length(x, P) / (upper * (x**2).sum(axis=-1) + 1e-300)
        down = lower * (y**2).sum(axis=-1) / (expected_length(y, P) + 1e-300)
        return np.maximum(up, down)

    starts = [np.tile(np.eye(d)[0], 2), np.ones(2 * d)]
    return AdversarialCase(ratio, lambda inputs: np.ones(len(inputs)), 2 * d, starts=starts, budget=1000)


# ---------------------------------------------------------------- sampled runs


@judge.samples(instance="run-8", label="squares after a run", T=8, P=4, M=1, eta_lambda="1/2")
def eight_steps(law: Law, T: int, P: int, M: int, **_: Any) -> MonteCarloCase:
    """Eight steps in one dimension without noise, two-sidedly, with the exact variance of the square."""
    a = law.exactly("a", eta=H, lambda_=1, M=M, P=P)
    stated = law.exactly("exact", a=a, b=0, x0_sq=1, T=T)
    fourth = law.exactly("fourth", h=H, M=M, P=P) ** T

    # Blocks of one coordinate do not see each other: each is a run in one dimension.
    def sample(rng: Any, size: int) -> Any:
        codec = DitheredQuantizer(M, blocks=1)
        return (law.method.run(codec, P, T, np.ones(COPIES), rng, size // COPIES).x ** 2).ravel()

    return MonteCarloCase("eq", sample, float(stated), variance=float(fourth - stated**2), resolution=0.03)


@judge.montecarlo(label="surprise of a step", T=8, P=2, M=1, d=10, eta_lambda="1/2")
def martingale(law: Law, T: int, P: int, M: int, d: int, **_: Any) -> MonteCarloCase:
    """Realised minus expected squared length of each step in R^10, relative to the length before: mean 0."""

    def sample(rng: Any, size: int) -> Any:
        x = law.method.run(DitheredQuantizer(M), P, T, np.linspace(-1, 1, d), rng, size).iterates
        length = (x**2).sum(axis=-1)
        surprise = (length[:, 1:] - expected_length(x[:, :-1], P)) / length[:, :-1]
        return surprise.mean(axis=1)

    # |x_1| <= (1 - h + h sqrt(d) / 2) |x_0| surely, and the expected square is at most that as well.
    reach = (1 - float(H) + float(H) * d**0.5 / 2) ** 2
    return MonteCarloCase("eq", sample, 0.0, lower=-reach, upper=reach, tolerance=0.005)
