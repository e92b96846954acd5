"""Checks of `squant/floor`: exact noise at the solution, its growth, and runs that start there."""

import functools
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import DRIFT, ROUND_OFF
from verify.rungs.costs import CostCase, Ordering
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.squant.fixtures.convergence.floor_settings import STEP_SIZE, Instance, aware_noise

judge = checks_of("squant/floor", transformed=True, permuted=False)

INSTANCES = {
    "golden": (16, 1e-4, 2.0),
    "mild": (16, 0.25, 1.0),
    "wide": (64, 1e-6, 0.5),
    "nearly-equal": (16, 0.98, 1.0),
}
REPLICATES = 64
_EXACT = tuple(f"exact/{name}" for name in INSTANCES)


def _parameters(name: str) -> dict[str, Any]:
    return dict(zip(("d", "delta", "step"), INSTANCES[name], strict=True))


judge.sabotage(
    "no-larger-floor: Claim that the noise of DCGD+ is that of DCGD. | exact = unaware",
    "plain-compression at exact/any-gradient, exact/long-step, montecarlo/one-round: Quantize the "
    "gradients themselves, $\\mathbf L_i\\to I$: the noise is that of DCGD. | transformed = False",
    "permuted-coordinates, neutral: Permute the coordinates: nothing may change. | permuted = True",
    at=_EXACT,
)
judge.sabotage(
    "linear-growth at exact/golden, exact/wide: Claim that the noise grows like $1/\\delta$. "
    "| growth = growth(delta = delta * delta)"
)
judge.sabotage_data(
    "same-neighbourhood at run/from-the-solution, run/outside: Claim that DCGD+ stays in the neighbourhood "
    "of DCGD at the same step size, and that DCGD does not.",
    lambda method, **_: {"method": "dcgd_plus" if method == "dcgd" else "dcgd"},
    "no-floor-at-all at run/interpolation: Claim convergence to $x^\\star$ although the gradients do not "
    "vanish there.",
    lambda **_: {"interpolation": False},
)


@judge.exact(instances={name: _parameters(name) for name in INSTANCES})
def noise(law: Law, **parameters: Any) -> Comparisons:
    """Exact noise of both methods at the solution, at one node and in one step."""
    instance = Instance(**parameters)
    stated = functools.partial(instance.formula, law=law)
    quantizer = StochasticQuantizer(instance.step)
    unaware = float(quantizer.variance(instance.gradient))
    aware, settled = aware_noise(instance, transformed=law.transformed, permuted=law.permuted)
    yield eq("noise of DCGD", unaware, stated("unaware"), ROUND_OFF)
    yield eq("noise of DCGD+", aware, stated("exact"), DRIFT)
    yield le("growth", stated("growth"), aware, ROUND_OFF)
    yield le("growth", aware, stated("ceiling"), ROUND_OFF)
    yield le("noise of DCGD below that of DCGD+", stated("unaware"), aware, ROUND_OFF, headline=True)
    plain = float(quantizer.variance(instance.gradient, weight=(1 / instance.weights).tolist()))
    yield eq("noise of DCGD+ over curvatures", settled, stated("settled"), DRIFT)
    yield eq("noise of DCGD over curvatures", plain, stated("unaware_settled"), DRIFT)
    yield le("DCGD+ settles no farther", stated("settled"), stated("unaware_settled"), ROUND_OFF)
    for is_aware, value in ((False, unaware), (True, aware)):
        after = instance.one_step(aware=is_aware and law.transformed)
        bound = law("one_step", gamma=STEP_SIZE, noise=value, n=2)
        yield eq("one step from the solution", after, bound, DRIFT)


@judge.exact(d=8, step=2.5)
def any_gradient(law: Law, d: int, step: float) -> Comparisons:
    """A diagonal and a gradient of many sizes, one entry zero, no level above 1."""
    weights, g = 0.3 ** np.arange(d), np.linspace(0, 1, d)
    y = g / np.sqrt(weights) if law.transformed else g
    norm = float(np.linalg.norm(g / np.sqrt(weights)))
    value = float(StochasticQuantizer(step).variance(y, weight=weights.tolist() if law.transformed else None))
    stated = law("noise", step=step, norm=norm, L=weights.tolist(), g=g.tolist(), d=d)
    yield eq("noise of any gradient", value, stated, DRIFT)


@judge.exact(instance="long-step", **_parameters("mild"), gamma=0.8)
def long_step(law: Law, gamma: float, **parameters: Any) -> Comparisons:
    """Of each method the variances that stay, summed over the directions."""
    instance, values = Instance(**parameters), theory.claim(law.claim_id).values
    weights = instance.weights
    stays = [law("stays", gamma=gamma, constant=1, curvature=item) for item in weights.tolist()]
    for method, roots, stated in (
        ("DCGD+", weights**0.5 if law.transformed else np.ones_like(weights), values["far"]),
        ("DCGD", np.ones_like(weights), values["near"]),
    ):
        y, quantizer = instance.gradient / roots, StochasticQuantizer(instance.step)
        noises = [float(quantizer.variance(y, weight=axis.tolist())) for axis in np.diag(roots**2)]
        floor = sum(factor * noise for factor, noise in zip(stays, noises, strict=True))
        yield eq(f"floor of {method}", floor, float(stated), DRIFT)


@judge.montecarlo(instance="one-round", **_parameters("mild"), step_size=STEP_SIZE, rounds=1)
def sampled_step(law: Law, step_size: float, rounds: int, **parameters: Any) -> MonteCarloCase:
    """Sample one round of DCGD+ from the solution; in units of gamma^2."""
    instance = Instance(**parameters)
    stated = law("one_step", gamma=1, noise=instance.formula("exact", law), n=2)
    # The error of a coordinate is below its spacing h N sqrt(L_j) at each node; nodes are averaged.
    weights = instance.weights
    reach = instance.step * float(np.linalg.norm(instance.gradient / weights**0.5))
    spacing = reach * (weights**0.5 + weights[::-1] ** 0.5) / 2
    method = "dcgd_plus" if law.transformed else "dcgd"
    return MonteCarloCase(
        "eq",
        lambda rng, size: instance.run(method, rng, size, rounds)[:, 1] / step_size**2,
        stated,
        upper=float((spacing**2).sum()),
        resolution=0.03,
    )


def neighbourhood(law: Law, instance: Instance) -> float:
    """Return the neighbourhood of `squant/dcgd` for DCGD: omega L_i times the squared gradient over L_i."""
    problem = instance.problem()
    sigma = instance.formula("unaware", law) * float(np.sum(instance.gradient**2))
    values = {"gamma": STEP_SIZE, "sigma": sigma, "mu": problem.mu, "n": problem.n}
    return law.of("squant/dcgd")("neighbourhood", **values)


_RUNS: dict[str, Any] = {**_parameters("golden"), "step_size": STEP_SIZE, "rounds": 60}


@judge.trajectory(
    instance="from-the-solution",
    label="distances from the solution",
    parameters=_RUNS,
    method="dcgd",
    rounds=60,
)
def from_the_solution(law: Law, method: str, rounds: int) -> TrajectoryCase:
    """DCGD from the solution stays in the neighbourhood of `squant/dcgd`."""
    instance = Instance(*INSTANCES["golden"])
    return TrajectoryCase(
        lambda: np.full(rounds, neighbourhood(law, instance)),
        lambda rng, size: instance.run(method, rng, size, rounds)[:, 1:],
    )


@judge.costs(label="median distances", parameters=_RUNS, method="dcgd_plus", rounds=60)
def outside(law: Law, method: str, rounds: int) -> CostCase:
    """The median distance of DCGD+ after the runs is outside of that neighbourhood."""
    instance = Instance(*INSTANCES["golden"])
    edge = np.full(REPLICATES, neighbourhood(law, instance))

    def samples(stream: Any) -> Any:
        distances = instance.run(method, stream(0), REPLICATES, rounds)[:, -1]
        return {"neighbourhood": (edge, edge), "distance": (distances, distances)}

    return CostCase(samples, (Ordering("neighbourhood", "distance", 1.0),))


@judge.drift(
    parameters={**_parameters("mild"), "step_size": STEP_SIZE, "rounds": 400}, interpolation=True, rounds=400
)
def interpolation(law: Law, rng: Any, interpolation: bool, rounds: int) -> Comparisons:
    """Without gradients at the solution DCGD+ and DCGD reach it, and one step from it stays there."""
    instance = Instance(*INSTANCES["mild"])
    for method in ("dcgd", "dcgd_plus"):
        step = instance.one_step(aware=method == "dcgd_plus", interpolation=interpolation)
        yield eq("one step from the solution", step, 0.0, ROUND_OFF)
        distances = instance.run(
            method, rng, 8, rounds, interpolation=interpolation, start=np.ones(instance.d)
        )
        left = float((distances[:, -1] / distances[:, 0]).max())
        yield le("share of the distance that is left", left, 1e-6, ROUND_OFF)
