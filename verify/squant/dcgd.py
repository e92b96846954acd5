"""Checks of `squant/dcgd`: exact one-step drift at visited states, and trajectories over replicates."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import theory
from theory.old_steps import Certificate
from verify.binding import Check, Lazy
from verify.comparison import DRIFT, Comparison
from verify.expectation.enumerated_step import enumerated_steps, regularised
from verify.expectation.one_step import OneStep
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.dcgd_settings import (
    GOLDEN,
    Setting,
    SharedSeed,
    StepRule,
    breast_cancer_setting,
    exact_constants,
    formula,
    golden_setting,
    identical_nodes_setting,
    phishing_setting,
    setting,
    sharp_setting,
    stated_step_size,
    with_rolled_nodes,
    with_wrong_decompression,
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/dcgd")
    mutated = tuple(_with_half_the_noise(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"certificate-constant": SymbolicCase(mutated)},
            seconds=1.5,
        ),
        *(_golden(name) for name in GOLDEN),
        *(_proximal(name, weight) for name, weight in (("l1", 0.6), ("l2", 0.8))),
        _sharp(),
        _rank_one(),
        _identical_nodes(),
        _sampled_step(),
        _sampled_different_nodes(),
        *_data_checks(
            "breast-cancer", breast_cancer_setting, {"data": "breast cancer", "n": 8, "ridge": 0.01}
        ),
        *_data_checks(
            "phishing", phishing_setting, {"data": "phishing", "n": 6, "ridge": 5e-3}, needs="phishing"
        ),
    )


def one_step_comparisons(chosen: Setting, states: Any, label: str) -> Iterable[Comparison]:
    """Hold the exact one-step expectation against the bound of the claim at each state (R, d)."""
    step = OneStep(chosen.problem, chosen.compressor, chosen.compression, chosen.step_size)
    distances = ((states - chosen.problem.solution) ** 2).sum(axis=-1)
    sigma, values = chosen.sigma_star(), step.expected_distance(states)
    for state, distance, value in zip(states, distances, values, strict=True):
        bound = formula(
            "one_step",
            distance=float(distance),
            sigma=sigma,
            gamma=chosen.step_size,
            mu=chosen.problem.mu,
            n=chosen.problem.n,
        )
        yield Comparison(
            f"one step, {label}", "le", float(value), bound, DRIFT, {"x": state, "gamma": chosen.step_size}
        )


def visited_states(chosen: Setting, rng: Any, *, rounds: int, replicates: int = 4, every: int = 1) -> Any:
    """Return states (R, d) that runs of the method visit, from a start at distance about 1."""
    start = chosen.problem.solution + rng.standard_normal(chosen.problem.d) / np.sqrt(chosen.problem.d)
    result = chosen.run(start, rng, rounds=rounds, replicates=replicates, trace=True)
    iterates = result.iterates
    if iterates is None or not np.isfinite(iterates).all():
        iterates = np.broadcast_to(start, (1, 1, chosen.problem.d))  # a diverging mutant: its start must do
    return iterates[:, ::every].reshape(-1, chosen.problem.d)


def _with_half_the_noise(step: Any) -> Any:
    """Claim half of the noise term in the certificate of one step."""
    if not isinstance(step, Certificate) or step.name != "cert.dcgdplus":
        return step
    (noise,) = [symbol for symbol in step.rhs.free_symbols if symbol.name == "sigma"]
    return replace(step, rhs=step.rhs.subs(noise, noise / 2))


def _golden(name: str) -> Check:
    """The golden state and states that a run visits; numbering the nodes differently changes nothing."""

    def states(
        permuted: bool = False, rule: StepRule = stated_step_size
    ) -> Callable[[Any], Sequence[Comparison]]:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen, state = golden_setting(name, permuted=permuted, step_rule=rule)
            visited = visited_states(chosen, rng, rounds=40)
            return [
                *one_step_comparisons(chosen, state, name),
                *one_step_comparisons(chosen, visited, "visited"),
            ]

        return compare

    matrices, centers, steps, state = GOLDEN[name]
    parameters = {"matrices": matrices, "centers": centers, "steps": steps, "x": state}
    mutants = {"permuted-nodes": DriftCase(states(permuted=True))}
    if name != "S1":  # there 4 gamma mu exceeds 1 and the bound itself is negative
        mutants["four-times-step"] = DriftCase(states(rule=four_times_step))
    return Check("run", name, DriftCase(states()), parameters, mutants, seconds=0.5)


def _proximal(name: str, weight: float) -> Check:
    """S2 and S3 with a regulariser, over all outcomes; the solution is that of the whole problem."""

    def case(rule: StepRule) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            return [
                item for golden in ("S2", "S3") for item in _compare_proximal(golden, name, weight, rule, rng)
            ]

        return DriftCase(compare)

    parameters = {"problems": ["S2", "S3"], "regulariser": name, "weight": weight}
    mutants = {"four-times-step": case(four_times_step)}
    return Check("run", f"prox-{name}", case(stated_step_size), parameters, mutants, seconds=0.5)


def _compare_proximal(
    golden: str, name: str, weight: float, rule: StepRule, rng: Any
) -> Iterable[Comparison]:
    chosen, state = golden_setting(golden, step_rule=rule)
    chosen = replace(chosen, problem=regularised(chosen.problem, name, weight))
    problem, sigma = chosen.problem, chosen.sigma_star()
    states = [state[0], *(problem.solution + rng.standard_normal(problem.d) * 2.0**k for k in range(-3, 3))]
    for x in states:
        outcomes = enumerated_steps(
            problem,
            chosen.compression,
            chosen.compressor.steps,
            x,
            np.zeros((problem.n, problem.d)),
            step_size=chosen.step_size,
            learning_rate=0.0,
        )
        value = sum(p * float(((x_next - problem.solution) ** 2).sum()) for p, x_next, _ in outcomes)
        bound = formula(
            "one_step",
            distance=float(((x - problem.solution) ** 2).sum()),
            sigma=sigma,
            gamma=chosen.step_size,
            mu=problem.mu,
            n=problem.n,
        )
        yield Comparison(f"one step, {golden} with {name}", "le", value, bound, DRIFT, {"x": x})


def four_times_step(L: float, constant: float, n: int) -> float:
    """Return four times the step size of the claim."""
    return 4 * stated_step_size(L, constant, n)


def _sharp() -> Check:
    """At the ones vector the drift is within 3 % of its bound, so that wrong step sizes show."""

    def case(rule: StepRule) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen = sharp_setting(rule)
            states = np.concatenate([np.ones((1, 100)), visited_states(chosen, rng, rounds=5)])
            return list(one_step_comparisons(chosen, states, "sharp"))

        return DriftCase(compare)

    mutants = {
        "four-times-step": case(four_times_step),
        "omitted-variance-term": case(lambda L, constant, n: stated_step_size(L, 0.0, n)),
        "quarter-variance-term": case(lambda L, constant, n: stated_step_size(L, constant / 4, n)),
    }
    return Check(
        "run", "sharp", case(stated_step_size), {"d": 100, "n": 1, "h": 1, "omega": 9}, mutants, seconds=0.3
    )


def _rank_one() -> Check:
    """Matrices 11^T + I/2, far from their diagonals."""

    def case(diagonal: bool) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            from impl.problems import Quadratic

            d, n, h = 8, 3, 0.05
            matrices = np.broadcast_to(np.ones((d, d)) + 0.5 * np.eye(d), (n, d, d))
            problem = Quadratic.from_centers(matrices, np.arange(n * d).reshape(n, d) / 10)
            used = np.diagonal(matrices, axis1=-2, axis2=-1).copy() if diagonal else None
            chosen = setting(problem, h, exact_constants(matrices, h), matrices=used)
            states = np.concatenate(
                [problem.solution + np.ones((1, d)), visited_states(chosen, rng, rounds=20)]
            )
            return list(one_step_comparisons(chosen, states, "rank one"))

        return DriftCase(compare)

    parameters = {"d": 8, "n": 3, "h": 0.05, "L_i": "11^T + I/2"}
    return Check("run", "rank-one", case(False), parameters, {"diagonal-smoothness": case(True)}, seconds=0.3)


def _identical_nodes() -> Check:
    mutants = {
        "shared-seed": _trajectory(lambda: identical_nodes_setting(SharedSeed), rounds=20),
        "wrong-decompression": _trajectory(
            lambda: with_wrong_decompression(identical_nodes_setting()), rounds=20
        ),
    }
    base = _trajectory(identical_nodes_setting, rounds=20)
    return Check(
        "run", "identical-nodes", base, {"n": 8, "d": 100, "h": 1, "rounds": 20}, mutants, seconds=1.5
    )


def _sampled_step() -> Check:
    """One sampled step of the method against its exact expectation, at the ones vector."""

    def case(make: Callable[[], Setting]) -> MonteCarloCase:
        honest, sampled, ones = identical_nodes_setting(), make(), np.ones(100)
        step = OneStep(honest.problem, honest.compressor, honest.compression, honest.step_size)
        exact = float(step.expected_distance(ones[None])[0])
        # At this input every level is 0 or 1, so each coordinate moves by 0 to 10 times its gradient 1/4.
        upper = 100 * max(1.0, (1 - honest.step_size * 2.5) ** 2)
        return MonteCarloCase(
            "eq", lambda rng, size: distances_after(sampled, ones, 1, rng, size)[:, 0], exact, upper=upper
        )

    def sabotaged() -> Setting:
        return with_wrong_decompression(identical_nodes_setting())

    base = Lazy(lambda: case(identical_nodes_setting), tests=1)
    mutants = {
        "shared-seed": Lazy(lambda: case(lambda: identical_nodes_setting(SharedSeed)), tests=1),
        "wrong-decompression": Lazy(lambda: case(sabotaged), tests=1),
    }
    parameters = {"n": 8, "d": 100, "h": 1, "x": "ones"}
    return Check("montecarlo", "one-step", base, parameters, mutants, seconds=2.0)


def _sampled_different_nodes() -> Check:
    """One sampled step at S2, where each node has a dense matrix and steps of its own."""

    def case(sabotage: Callable[[Setting], Setting]) -> MonteCarloCase:
        honest, state = golden_setting("S2")
        sampled, x = sabotage(honest), state[0]
        step = OneStep(honest.problem, honest.compressor, honest.compression, honest.step_size)
        y = honest.compression.apply_pseudo_inverse_root(honest.problem.gradients(state))[0]
        # No coordinate of a node's message is off by a whole step h_ij |y_i|.
        reach = np.asarray(honest.compressor.steps) * np.linalg.norm(y, axis=-1, keepdims=True)
        noise = np.einsum("nij,nj->ni", np.abs(honest.compression.root), reach).mean(axis=0)
        upper = (float(step.drift(state)[0]) ** 0.5 + honest.step_size * float(np.linalg.norm(noise))) ** 2
        exact = float(step.expected_distance(state)[0])
        offset = x - honest.problem.solution
        return MonteCarloCase(
            "eq", lambda rng, size: distances_after(sampled, offset, 1, rng, size)[:, 0], exact, upper=upper
        )

    base = Lazy(lambda: case(lambda chosen: chosen), tests=1)
    mutants = {"rolled-nodes": Lazy(lambda: case(with_rolled_nodes), tests=1)}
    return Check("montecarlo", "one-step-S2", base, {"problem": "S2"}, mutants, seconds=2.0)


def distances_after(chosen: Setting, offset: Any, rounds: int, rng: Any, replicates: int) -> Any:
    """Return squared distances to the solution after rounds 1..K from solution + offset, (replicates, K)."""
    result = chosen.run(chosen.problem.solution + offset, rng, rounds=rounds, replicates=replicates)
    if result.distance_sq is None:
        raise ValueError("the problem certifies no solution (mu = 0); distances need one")
    return result.distance_sq[:, 1:]


def _trajectory(make: Callable[[], Setting], *, rounds: int) -> TrajectoryCase:
    """Distances to the solution over replicates, from the ones vector beside the solution."""
    import functools

    settled = functools.cache(make)

    def rows(rng: Any, replicates: int) -> Any:
        return distances_after(settled(), np.ones(settled().problem.d), rounds, rng, replicates)

    return TrajectoryCase(lambda: settled().rate(float(settled().problem.d), rounds), rows)


def _data_checks(
    name: str, make: Callable[[], Setting], parameters: dict[str, Any], needs: str = ""
) -> Iterable[Check]:
    """Drift at visited states and trajectories on logistic regression with real data."""

    def states(make_setting: Callable[[], Setting]) -> Callable[[Any], Sequence[Comparison]]:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen = make_setting()
            visited = visited_states(chosen, rng, rounds=200, every=20)
            return list(one_step_comparisons(chosen, visited, "visited"))

        return compare

    def sabotaged() -> Setting:
        return with_wrong_decompression(make())

    yield Check(
        "run",
        f"{name}-drift",
        DriftCase(states(make)),
        {**parameters, "rounds": 200},
        {"wrong-decompression": DriftCase(states(sabotaged))},
        seconds=1.0,
        needs=needs,
    )
    yield Check(
        "run",
        f"{name}-trajectory",
        _trajectory(make, rounds=60),
        {**parameters, "rounds": 60},
        {"wrong-decompression": _trajectory(sabotaged, rounds=60)},
        seconds=3.0,
        needs=needs,
    )
