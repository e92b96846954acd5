"""Checks of `squant/diana`: exact one-step drift of the Lyapunov function, and its trajectories."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from theory.old_steps import ScalarLemma, Step
from verify.binding import Check, Lazy
from verify.comparison import DRIFT, Comparison, Tolerance
from verify.expectation.enumerated_step import enumerated_steps, regularised, with_half_prox
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import DriftCase, TrajectoryCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.dcgd_settings import GOLDEN, SharedSeed
from verify.squant.fixtures.diana_drift import one_step_comparisons, visited_states
from verify.squant.fixtures.diana_settings import (
    Setting,
    ShiftWithoutRoot,
    data_setting,
    formula,
    golden_setting,
    identical_nodes_setting,
    stated_learning_rate,
    tight_setting,
    unaware_setting,
    with_factors,
    with_identity_transform,
)
from verify.squant.fixtures.diana_trajectories import Sabotage, data_checks, trajectory, unchanged

LIMIT = Tolerance(0.0, "the distance after 400 rounds without compression is far below the stated 1e-9")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/diana")
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"certificate-constant": SymbolicCase(tuple(_with_a_larger_step(claim.derivation)))},
            seconds=1.5,
        ),
        *(_golden(name) for name in GOLDEN),
        _tight(),
        *(_proximal(name, weight) for name, weight in (("l1", 0.6), ("l2", 0.8))),
        *(_unaware(name) for name in ("S1", "S2")),
        _sampled_round("S3"),
        _sampled_round("S2", "l1"),
        _identical_nodes(),
        _heavy_coordinates(),
        _heavy_direction(),
        _limit(),
        *data_checks(),
    )


def _with_a_larger_step(steps: Iterable[Step]) -> Iterable[Step]:
    """Claim the lemma on the coefficient of D_f for step sizes up to 1/(L + 5 Lcal_max/n); only this step."""
    for step in steps:
        if isinstance(step, ScalarLemma) and step.name == "coefficient-of-bregman":
            yield replace(step, hypotheses=tuple(_five_for_six(item) for item in step.hypotheses))


def _five_for_six(inequality: Any) -> Any:
    return inequality.replace(lambda part: part == 6, lambda _: 5)


# ---------------------------------------------------------------- exact drift


def _golden(name: str) -> Check:
    """The golden state with zero shifts, and states that a run visits."""

    def case(permuted: bool = False, step: float = 1.0) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen, state = golden_setting(name, permuted=permuted)
            chosen = with_factors(chosen, step=step)
            x, h = visited_states(chosen, rng, rounds=30)
            return [
                *one_step_comparisons(chosen, state, np.zeros((1, chosen.problem.n, chosen.problem.d)), name),
                *one_step_comparisons(chosen, x, h, "visited"),
            ]

        return DriftCase(compare)

    matrices, centers, steps, state = GOLDEN[name]
    parameters = {"matrices": matrices, "centers": centers, "steps": steps, "x": state, "shifts": 0}
    mutants = {"permuted-nodes": case(permuted=True), "four-times-step": case(step=4.0)}
    return Check("run", name, case(), parameters, mutants, seconds=0.5)


def _tight() -> Check:
    """From h = grad f(x*) the shifts at the ones vector take their bound exactly."""

    def case(rule: Callable[[float], float]) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen = tight_setting(rule)
            x, h = visited_states(tight_setting(), rng, rounds=5)
            states = np.concatenate([np.ones((1, 100)), x]), np.concatenate([np.zeros((1, 1, 100)), h])
            return list(one_step_comparisons(chosen, *states, "tight"))

        return DriftCase(compare)

    mutants = {
        "doubled-learning-rate": case(lambda omega: 2 * stated_learning_rate(omega)),
        "unit-learning-rate": case(lambda omega: 1.0),
        "four-times-learning-rate": case(lambda omega: 4 * stated_learning_rate(omega)),
    }
    parameters = {"d": 100, "n": 1, "h": 1, "omega": 9, "shifts": 0}
    return Check("run", "tight", case(stated_learning_rate), parameters, mutants, seconds=0.3)


def _proximal(name: str, weight: float) -> Check:
    """S2 and S3 with a regulariser, over all outcomes; the solution is that of the whole problem."""

    def case(step: float = 1.0) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            return [
                item
                for golden in ("S2", "S3")
                for item in proximal_comparisons(golden, name, weight, step, rng)
            ]

        return DriftCase(compare)

    parameters = {"problems": ["S2", "S3"], "regulariser": name, "weight": weight}
    return Check("run", f"prox-{name}", case(), parameters, {"four-times-step": case(4.0)}, seconds=0.7)


def proximal_comparisons(
    golden: str, name: str, weight: float, step: float, rng: Any
) -> Iterable[Comparison]:
    """Enumerate one step at several states and shifts."""
    chosen, state = golden_setting(golden)
    chosen = with_factors(replace(chosen, problem=regularised(chosen.problem, name, weight)), step=step)
    problem, roots = chosen.problem, chosen.compression
    limit = problem.gradients(problem.solution)
    for index in range(6):
        x = state[0] if index == 0 else problem.solution + rng.standard_normal(problem.d) * 2.0 ** (2 - index)
        h = roots.project(rng.standard_normal(limit.shape)) if index % 2 else np.zeros_like(limit)
        distance = sigma = 0.0
        outcomes = enumerated_steps(
            problem,
            roots,
            chosen.compressor.steps,
            x,
            h,
            step_size=chosen.step_size,
            learning_rate=chosen.learning_rate,
        )
        for chance, x_next, h_next in outcomes:
            distance += chance * float(((x_next - problem.solution) ** 2).sum())
            sigma += chance * _sigma(chosen, h_next - limit)
        bound = formula(
            "one_step",
            distance=float(((x - problem.solution) ** 2).sum()),
            sigma=_sigma(chosen, h - limit),
            gamma=chosen.step_size,
            alpha=chosen.learning_rate,
            mu=problem.mu,
            n=problem.n,
        )
        value = float(chosen.lyapunov(distance, sigma))
        yield Comparison(
            f"Lyapunov function, {golden} with {name}", "le", value, bound, DRIFT, {"x": x, "shifts": h}
        )


def _sigma(chosen: Setting, offsets: Any) -> float:
    return float(
        chosen.shift_error((chosen.compression.apply_pseudo_inverse_root(offsets) ** 2).sum(axis=-1))
    )


# ---------------------------------------------------------------- small trajectories and limits


def _sampled_round(name: str, regulariser: str = "") -> Check:
    """Real rounds of the public method from given shifts: the exact mean of one part of Psi.

    That is the error of the shifts, or with a regulariser the squared distance.
    """
    rounds_from = np.array([[1.0, -0.5, 0.25], [-1.0, 0.5, 2.0]])

    def case(sabotage: Sabotage, part: str) -> MonteCarloCase:
        honest, state = golden_setting(name)
        if regulariser:
            honest = replace(honest, problem=regularised(honest.problem, regulariser, 0.6))
        problem, roots, x = honest.problem, honest.compression, state[0]
        shifts = roots.project(rounds_from[:, : problem.d])
        limit = problem.gradients(problem.solution)
        distances, errors, chances = [], [], []
        for chance, x_next, h_next in enumerated_steps(
            problem,
            roots,
            honest.compressor.steps,
            x,
            shifts,
            step_size=honest.step_size,
            learning_rate=honest.learning_rate,
        ):
            chances.append(chance)
            distances.append(float(((x_next - problem.solution) ** 2).sum()))
            errors.append(_sigma(honest, h_next - limit))
        values = distances if part == "distance" else errors
        wrong = sabotage(honest)

        def sample(rng: Any, size: int) -> Any:
            run = wrong.run(x, rng, rounds=1, replicates=size, shifts=shifts)
            if part == "distance":
                return run.distance_sq[:, 1]
            return (run.shift_distance_sq[:, 1] * np.array(honest.variance_constants)).mean(axis=-1)

        exact = float(np.dot(chances, values))
        # The outcomes are all there are; a sabotaged run may leave their range and is then refuted by that.
        return MonteCarloCase("eq", sample, exact, lower=0.0, upper=max(values))

    def lazy(sabotage: Sabotage, part: str) -> Lazy:
        return Lazy(lambda: case(sabotage, part), tests=1)

    part = "distance" if regulariser else "shifts"
    if regulariser:
        mutants = {"half-prox": lazy(lambda made: replace(made, problem=with_half_prox(made.problem)), part)}
    else:
        mutants = {"twice-learnt": lazy(lambda made: with_factors(made, rate=2.0), part)}
    parameters = {"problem": name, "regulariser": regulariser or None, "part": part}
    label = f"one-round-{name}" + (f"-{regulariser}" if regulariser else "")
    return Check("montecarlo", label, lazy(unchanged, part), parameters, mutants, seconds=1.0)


def _unaware(name: str) -> Check:
    """DIANA, the case of scalar matrices, at a golden state and at states that a run visits."""

    def case(step: float) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen, state = unaware_setting(name)
            chosen = with_factors(chosen, step=step)
            x, h = visited_states(chosen, rng, rounds=30)
            zero = np.zeros((1, chosen.problem.n, chosen.problem.d))
            return [
                *one_step_comparisons(chosen, state, zero, name),
                *one_step_comparisons(chosen, x, h, "visited"),
            ]

        return DriftCase(compare)

    mutants = {"four-times-step": case(4.0)}
    return Check("run", f"{name}-unaware", case(1.0), {"problem": name, "matrices": "L_i I"}, mutants, 0.2)


def _identical_nodes() -> Check:
    def case(compressor: type[StochasticQuantizer]) -> TrajectoryCase:
        return trajectory(
            identical_nodes_setting,
            lambda chosen: replace(chosen, compressor=compressor(1.0)),
            rounds=10,
            replicates=32,
        )

    parameters = {"n": 32, "d": 100, "h": 1, "rounds": 10}
    mutants = {"shared-seed": case(SharedSeed)}
    return Check("run", "identical-nodes", case(StochasticQuantizer), parameters, mutants, seconds=0.5)


def _heavy_coordinates() -> Check:
    """Two nodes with one heavy coordinate each."""

    def make() -> Setting:
        from impl.problems import Quadratic

        diagonals = np.full((2, 16), 0.05)
        diagonals[0, 0] = diagonals[1, 1] = 1.0
        centers = np.outer([1.0, -1.0], np.ones(16))
        return data_setting(Quadratic.from_centers(diagonals, centers))

    mutants = {
        "shift-without-root": trajectory(
            make, lambda chosen: replace(chosen, learner=ShiftWithoutRoot), rounds=60
        ),
        "four-times-learning-rate": trajectory(
            make, lambda chosen: with_factors(chosen, rate=4.0), rounds=60
        ),
        "four-times-step": trajectory(make, lambda chosen: with_factors(chosen, step=4.0), rounds=60),
    }
    parameters = {"n": 2, "d": 16, "L_i": "one coordinate 1, others 0.05", "beta": 4, "rounds": 60}
    base = trajectory(make, unchanged, rounds=60)
    return Check("run", "heavy-coordinates", base, parameters, mutants, seconds=1.5)


def _heavy_direction() -> Check:
    """A heavy direction that no coordinate shows: messages that know no matrix are far too noisy."""
    d = 64

    def make() -> Setting:
        from impl.problems import Quadratic

        matrix = np.ones((d, d)) / d + np.eye(d) / d
        return data_setting(Quadratic(matrix[None]), "standard", budget=1.0)

    base = trajectory(make, unchanged, rounds=20)
    parameters = {"n": 1, "d": d, "L": "11^T/d + I/d", "beta": 1, "rounds": 20}
    mutants = {"unaware-transform": trajectory(make, with_identity_transform, rounds=20)}
    return Check("run", "heavy-direction", base, parameters, mutants, seconds=0.5)


def _limit() -> Check:
    """Without compression the method reaches the solution, from shifts in the range of their matrices."""

    def case(inside: bool) -> DriftCase:
        return DriftCase(lambda _: [compare_limit(inside=inside)])

    parameters = {"L": [[1, 0], [1, 1]], "rounds": 400, "shifts": "node 1: (0, 1) in the mutant"}
    return Check("run", "limit", case(True), parameters, {"shift-outside-range": case(False)}, seconds=0.2)


def compare_limit(*, inside: bool) -> Comparison:
    """Return the distance of the limit from the solution, for shifts inside or outside the range."""
    from impl.compressors import BernoulliSparsifier
    from impl.optimizers import diana_plus
    from impl.problems import Quadratic

    problem = Quadratic([[1.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]])
    shifts = [[0.5, 0.0 if inside else 1.0], [0.0, 0.0]]
    result = diana_plus(
        problem,
        BernoulliSparsifier([1.0, 1.0]),
        step_size=0.5,
        learning_rate=0.5,
        rounds=400,
        rng=np.random.Generator(np.random.Philox(0)),
        shifts=shifts,
        check_range=inside,
    )
    distance = float(((result.x[0] - problem.solution) ** 2).sum() ** 0.5)
    witness = {"limit": result.x[0], "solution": problem.solution, "shifts": shifts}
    return Comparison("distance of the limit from the solution", "le", distance, 1e-9, LIMIT, witness)
