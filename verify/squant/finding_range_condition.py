"""Checks of `squant/finding-range-condition`: the wrong limit, computed and reached by runs."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

LIMIT = Tolerance(1e-9, "after 200 rounds of rate at most 3/4 nothing but round-off is left of the start")

ROUNDS = 200

# Curvature a, slope b, curvature c.
Instance = tuple[float, float, float]

INSTANCES: dict[str, Instance] = {
    "unit": (1.0, 1.0, 1.0),
    "weak-second-node": (1.0, 0.1, 0.01),
    "steep-slope": (4.0, 30.0, 3.0),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/finding-range-condition")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_computed(name, instance) for name, instance in INSTANCES.items()),
        _reached("unit"),
    )


def problem_of(instance: Instance, *, node: int = 0) -> Any:
    """Return the two quadratics of the finding, with the slope on this node (0 is the finding)."""
    from impl.problems import Quadratic

    a, b, c = instance
    linear = np.zeros((2, 2))
    linear[node, 1] = -b
    return Quadratic([[a, 0.0], [c, c]], linear)


def _stated(instance: Instance) -> tuple[float, float]:
    """Return the error and the gap of the objective that the claim states."""
    claim = theory.claim("squant/finding-range-condition")
    _, b, c = instance
    error = evaluate(claim.exact, {"b": b, "c": c})
    return error, evaluate(claim.formulas["objective_gap"], {"b": b, "c": c})


def _parameters(instance: Instance) -> dict[str, Any]:
    return dict(zip("abc", instance, strict=True))


def _computed(name: str, instance: Instance) -> Check:
    mutants = {
        "right-limit": ExactCase(lambda: compare_zero(instance, (0.0, 0.0))),
        "slope-on-the-other-node": ExactCase(lambda: compare_zero(instance, _stated(instance), node=1)),
    }
    base = ExactCase(lambda: compare_zero(instance, _stated(instance)))
    return Check("exact", name, base, _parameters(instance), mutants)


def compare_zero(instance: Instance, stated: tuple[float, float], *, node: int = 0) -> Iterable[Comparison]:
    """Zero of the projected mean gradient, solved for, against the solution.

    Args:
        instance: Curvatures and slope.
        stated: The claimed error and gap of the objective.
        node: Which node has the slope.
    """
    from impl.matrix_roots import MatrixRoots

    problem = problem_of(instance, node=node)
    projector = MatrixRoots.of_nodes(problem.smoothness).projector

    def followed(x: Any) -> Any:
        return (projector * problem.gradients(x)).mean(axis=0)

    offset = followed(np.zeros(2))
    jacobian = np.array([followed(unit) - offset for unit in np.eye(2)]).T
    zero = np.linalg.solve(jacobian, -offset)
    witness = {"zero": zero, "solution": problem.solution}
    yield from _compare(problem, zero, stated, ROUND_OFF, witness)


def _compare(
    problem: Any, limit: Any, stated: tuple[float, float], tolerance: Tolerance, witness: dict[str, Any]
) -> Iterable[Comparison]:
    error = float(np.linalg.norm(limit - problem.solution))
    gap = float(problem.objectives(limit).mean() - problem.objectives(problem.solution).mean())
    yield Comparison(
        "distance of the limit from the solution", "eq", error, stated[0], tolerance, witness, headline=True
    )
    yield Comparison("objective at the limit above its minimum", "eq", gap, stated[1], tolerance, witness)


def _uncompressed(problem: Any, start: Sequence[float], *, checked: bool, method: str, **more: float) -> Any:
    """Return the last iterate of a method with a compressor that keeps everything, (d,)."""
    import impl.optimizers
    from impl.compressors import BernoulliSparsifier

    result = getattr(impl.optimizers, method)(
        problem,
        BernoulliSparsifier([1.0, 1.0]),
        step_size=1 / problem.L,
        rounds=ROUNDS,
        rng=np.random.Generator(np.random.Philox(0)),
        start=start,
        check_range=checked,
        **more,
    )
    return result.x[0]


# Smoothness-aware methods without compression: (problem, start, checked) -> last iterate; all fail alike.
METHODS: dict[str, Callable[..., Any]] = {
    "DCGD+": functools.partial(_uncompressed, method="dcgd_plus"),
    "DIANA+": functools.partial(_uncompressed, method="diana_plus", learning_rate=1.0),
}


def _reached(name: str) -> Check:
    instance = INSTANCES[name]

    def case(
        stated: tuple[float, float] | None = None, *, node: int = 0, start: Sequence[float] = (3.0, 2.0)
    ) -> DriftCase:
        return DriftCase(
            lambda _: compare_runs(instance, stated or _stated(instance), node=node, start=start)
        )

    mutants = {
        "right-limit": case((0.0, 0.0)),
        "slope-on-the-other-node": case(node=1),
        "other-start": case(start=(-7.0, 11.0)),
    }
    parameters = {**_parameters(instance), "methods": list(METHODS), "rounds": ROUNDS}
    return Check("run", name, case(), parameters, mutants, seconds=0.3)


def compare_runs(
    instance: Instance, stated: tuple[float, float], *, node: int, start: Sequence[float]
) -> Iterable[Comparison]:
    """Run each method without compression to its limit.

    Outside the range it must refuse to run, and with the check off converge to the stated wrong point. Within
    the range it must find the solution.
    """
    from impl.errors import RangeError

    inside, outside = problem_of(instance, node=1), problem_of(instance, node=node)
    for name, method in METHODS.items():
        limit = method(outside, start, checked=False)
        witness = {"method": name, "limit": limit, "solution": outside.solution}
        yield from _compare(outside, limit, stated, LIMIT, witness)
        found = method(inside, start, checked=True)
        distance = float(np.linalg.norm(found - inside.solution))
        yield Comparison(f"{name} within the range", "le", distance, LIMIT.relative, witness=witness)
        refused = 0
        try:
            method(outside, start, checked=True)
        except RangeError:
            refused = 1
        yield Comparison(f"runs of {name} refused outside the range", "eq", refused, 1)
