"""Checks of `ndqsg/conv-strong`: equality in one dimension, exact steps from any start, runs."""

import functools
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.optimizers import quantized_sgd
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.batched_runs import OTHER_RUNS, batched_runs, deviations, limits, ran
from verify.ndqsg.fixtures.literal.literal_workers import CODECS, FAULTS, compare_sgd
from verify.ndqsg.fixtures.literal.literal_workers import HONEST as LITERAL
from verify.ndqsg.fixtures.one_dimension import (
    COPIES,
    HONEST,
    LONG_STEP,
    RENUMBERED,
    SAME_SEED,
    SETTINGS,
    TWO_WORKERS,
    omega,
)
from verify.ndqsg.fixtures.runs.logistic_workers import split_by_label
from verify.ndqsg.fixtures.runs.sgd_runs import LIMITS, RUNS, sgd_inside, sgd_outside
from verify.ndqsg.fixtures.runs.worker_step import expected_square, on_a_fine_grid
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase

# Gradients of different workers deviate `noise` times as much as they are said to.
judge = checks_of("ndqsg/conv-strong", method=HONEST, literal=LITERAL, noise=1.0, ran=ran, taken=taken)


judge.sabotage(*OTHER_RUNS, *REFUSALS)

judge.sabotage(
    "half-omega at exact/one-dimension: omega/2 in the step rule: at P = M = d = 1 the factor of a step is "
    "0.0784 where 0.04 is claimed. | step_size = step_size(omega = omega / 2)",
    "same-seed at exact/one-step, exact/one-dimension, montecarlo/largest-step: The same dither for all "
    "workers: at P = 4 the factor of a step is 3.94 times the claimed one.",
    {"method": SAME_SEED},
    "long-step at exact/one-dimension, montecarlo/largest-step, run/largest-step: 1.5 times the largest "
    "step against the rate of the largest one: 4.0 times per step at P = 1, 13 times at P = 4.",
    {"method": LONG_STEP},
    "no-worker-average at exact/one-dimension, adversarial/any-start: omega/P^2 for omega/P in the step "
    "rule: the errors of P workers are claimed to fall like 1/P^2. | step_size = step_size(P = P**2)",
    "loud-gradients at run/breast-cancer, run/mushrooms: Gradients of different workers have a thousand "
    "times the noise that they are said to have. | noise = 1000.0",
    "renumbered-workers, neutral at exact/one-*: Number the workers differently: nothing may change.",
    {"method": RENUMBERED},
    "one-worker-less at exact/literal-*: Decoded messages are divided by P - 1.",
    {"literal": FAULTS["one-worker-less"]},
    "half-momentum at exact/literal-*: Half the momentum.",
    {"literal": FAULTS["half-momentum"]},
    "lost-residual at exact/literal-baselines: Messages of one bit without error feedback.",
    {"literal": FAULTS["lost-residual"]},
)


# ---------------------------------------------------------------- one dimension


@judge.exact(instance="one-step", d=1, P=2, M=(1, 3), points=4)
def one_step(law: Law, P: int, M: tuple[int, ...], points: int, **_: Any) -> Iterable[Comparison]:
    """One step of two workers from 1, over all dithers: the stated factor."""
    for levels in M:
        for h in (F(1, 2), F(24, 25)):
            codec, gradients = DitheredQuantizer(levels, points=points), [F(1)] * P
            square = expected_square(codec, gradients, F(1), h, law.method.shared)
            stated = law.exactly("factor", h=h, omega=omega(levels), P=P)
            found = on_a_fine_grid(square, (1 - h) ** 2, points)
            yield eq("factor of a step", found, stated, witness={"h": h, "M": levels}, headline=True)
    stated = law.exactly("second_moment", **TWO_WORKERS)
    yield eq("second moment of two workers", law.method.average_square(points), stated)


@judge.exact(instance="one-dimension", parameters={"M,P,lambda": SETTINGS, "T": 12})
def one_dimension(law: Law) -> Iterable[Comparison]:
    """Whole runs against the bound at the largest step; equality without noise, in rationals."""
    for M, P, lam in SETTINGS:
        given = {"omega": omega(M), "P": P}
        step = law.exactly("step_size", L=lam, **given)
        for noise in (F(0), F(1, 2)):
            if noise and law.method.shared:
                continue  # different gradients share no error
            found = law.method.second_moments(step, lam, M, P, 12, noise)
            for T in (1, 2, 12):
                bound = law.exactly("bound", **given, eta=step, mu=lam, r_0=1, sigma_sq=noise, T=T)
                witness = {"M": M, "P": P, "sigma_sq": noise, "T": T}
                if noise:
                    yield le("run and bound", found[T], bound, witness=witness, headline=True)
                else:
                    yield eq("run and bound without noise", found[T], bound, witness=witness)


# ---------------------------------------------------------------- any start and any curvatures


@judge.adversarial(label="one step from anywhere", d=8, M=1, P=2, T=1)
def any_start(law: Law, d: int, M: int, P: int, T: int) -> AdversarialCase:
    """One exact step on a diagonal quadratic in R^8 from any start: the ratio to the bound is at most 1."""
    codec, given = DitheredQuantizer(M), {"omega": omega(M, d), "P": P}
    longest = law("step_size", L=1, **given)

    def split(inputs: Any) -> tuple[Any, Any, Any]:
        lam = 0.05 + 0.95 / (1 + np.exp(-np.clip(inputs[:, d:], -30, 30)))
        return inputs[:, :d], lam, longest / lam.max(axis=-1)

    def value(inputs: Any) -> Any:
        x, lam, step = split(inputs)
        g = lam * x
        moved = ((x - step[:, None] * g) ** 2).sum(axis=-1)
        return moved + step**2 * codec.variance(g) / P

    def bound(inputs: Any) -> Any:
        rows = zip(*split(inputs), strict=True)
        return np.array(
            [
                law("bound", **given, sigma_sq=0, T=T, eta=step, mu=lam.min(), r_0=(x**2).sum())
                for x, lam, step in rows
            ]
        )

    start = np.concatenate([np.eye(d)[0], np.zeros(d)])
    return AdversarialCase(value, bound, 2 * d, starts=[start], scale_invariant=False, budget=400)


# ---------------------------------------------------------------- runs in one dimension


def largest_step(law: Law, P: int) -> tuple[F, dict[str, Any]]:
    """Return the largest step with one level, and the values of the bound without noise."""
    given = {"omega": omega(1), "P": P}
    step = law.exactly("step_size", L=1, **given)
    return step, {**given, "eta": step, "mu": 1, "r_0": 1, "sigma_sq": 0}


@judge.montecarlo(instance="largest-step", label="two steps", d=1, M=1, P=4, T=2)
def two_steps(law: Law, P: int, T: int, **_: Any) -> MonteCarloCase:
    """Two steps of four workers at the largest step, where the bound is attained."""
    step, values = largest_step(law, P)
    stated = law.exactly("bound", **values, T=T)
    fourth = law.of("ndqsg/quad-adaptive").exactly("fourth", h=step, M=1, P=P)

    def sample(rng: Any, size: int) -> Any:
        return law.method.sample(step, P, T, rng, size // COPIES)[:, -1].ravel()

    variance = float(fourth**T - stated**2)
    return MonteCarloCase("le", sample, float(stated), variance=variance, resolution=0.05)


@judge.trajectory(instance="largest-step", label="distances in one dimension", d=1, M=1, P=4, rounds=8)
def eight_steps(law: Law, P: int, rounds: int, **_: Any) -> TrajectoryCase:
    """Runs at the largest step, where every iterate attains the bound."""
    step, values = largest_step(law, P)

    def rows(rng: Any, replicates: int) -> Any:
        found = law.method.sample(step, P, rounds, rng, max(1, replicates // COPIES))
        return np.moveaxis(found[:, 1:], 1, 2).reshape(-1, rounds)[:replicates]

    return TrajectoryCase(lambda: [law("bound", **values, T=T) for T in range(1, rounds + 1)], rows)


# ---------------------------------------------------------------- logistic regression, different workers


def _logistic(law: Law, data: str, rounds: int, M: int, sigma_sq: float) -> TrajectoryCase:
    """Distances of runs with noisy gradients of different functions, at every iteration."""
    settled = functools.cache(lambda: split_by_label(data))

    def given() -> dict[str, Any]:
        return {"omega": settled().d / (12 * M**2), "P": settled().n}

    def step() -> float:
        return law("step_size_different", L=float(settled().L_nodes.max()), **given())

    def bounds() -> Any:
        problem = settled()
        values = {
            **given(),
            "eta": step(),
            "mu": problem.mu,
            "r_0": float((problem.solution**2).sum()),
            "sigma_sq": sigma_sq,
            "S_star": float((problem.gradients(problem.solution) ** 2).sum()),
        }
        return [law("bound_different", **values, T=T) for T in range(1, rounds + 1)]

    def rows(rng: Any, replicates: int) -> Any:
        result = quantized_sgd(
            settled(),
            DitheredQuantizer(M),
            step_size=step(),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            noise_std=law.noise * (sigma_sq / settled().d) ** 0.5,
        )
        return result.distance_sq[:, 1:]  # type: ignore[index]  # a ridge certifies the solution

    return TrajectoryCase(bounds, rows, replicates=8)


for _name in ("breast-cancer", "mushrooms"):
    judge.trajectory(
        instance=_name,
        label="distances of different workers",
        needs="" if _name == "breast-cancer" else _name,
        profile="quick" if _name == "breast-cancer" else "full",
        data=_name,
        rounds=60,
        M=2,
        sigma_sq=0.01,
    )(_logistic)


# ---------------------------------------------------------------- the method, written out


def _literal(law: Law, name: str) -> Iterable[Comparison]:
    """Runs on singular matrices with one heavy worker: iterates and bits against the literal method."""
    yield from compare_sgd(name, law.literal)


for _name, (_codecs, _side) in CODECS.items():
    judge.exact(
        instance=f"literal-{_name}",
        parameters={"codecs": [repr(codec) for codec in _codecs], "side": _side},
        name=_name,
    )(_literal)


@judge.exact(instance="runs", cases=len(RUNS))
def whole_runs(law: Law, cases: int) -> Iterable[Comparison]:
    """Traces of runs in several chunks, of one replicate, literally, and of replicates beyond the range."""
    yield from batched_runs(law.ran, RUNS, seed=cases)
    yield from limits(law.ran, LIMITS)
    far = np.sin(np.arange(1.0, 25.0)).reshape(4, 6)
    for gradients in (far, 1.0 + 1e-3 * far):
        codecs = (
            DitheredQuantizer(3),
            DitheredQuantizer(2),
            DitheredQuantizer(5),
            NestedDitheredQuantizer(4, 3),
        )
        yield from deviations(law.ran, codecs, (3, 2, 5, 4), gradients)


@judge.exact(cases=len(RUNS))
def domain(law: Law, cases: int) -> Iterable[Comparison]:
    """Steps, noise, momentum, codecs and ratios that the method takes."""
    del cases
    yield from arguments(law.taken, sgd_inside(), sgd_outside())
