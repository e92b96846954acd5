"""Checks of `squant/finding-range-condition`: the wrong limit, computed and reached by runs."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier
from impl.errors import RangeError
from impl.optimizers import dcgd_plus, diana_plus
from impl.problems import Quadratic
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import LONG_RUN, ROUND_OFF, Tolerance

ROUNDS = 200
METHODS: dict[str, Any] = {"DCGD+": dcgd_plus, "DIANA+": functools.partial(diana_plus, learning_rate=1.0)}


def problem_of(a: float, b: float, c: float, *, node: int = 0) -> Quadratic:
    """Return the two quadratics of the finding, with the slope on this node (0 is the finding)."""
    linear = np.zeros((2, 2))
    linear[node, 1] = -b
    return Quadratic([[a, 0.0], [c, c]], linear)


def _uncompressed(
    name: str, problem: Any, start: Sequence[float], *, checked: bool, rounds: int = ROUNDS
) -> Any:
    """Return the last iterate of a method with a compressor that keeps everything, (d,)."""
    result = METHODS[name](
        problem,
        BernoulliSparsifier([1.0, 1.0]),
        step_size=1 / problem.L,
        rounds=rounds,
        rng=np.random.Generator(np.random.Philox(0)),
        start=start,
        check_range=checked,
    )
    return result.x[0]


judge = checks_of("squant/finding-range-condition", problem=problem_of, method=_uncompressed)


judge.sabotage(
    "right-limit: Claim that the methods find the solution all the same. | exact = 0, objective_gap = 0",
    "slope-on-the-other-node: Give the slope b to f_2, where it is in the range: the methods find the "
    "solution.",
    lambda law: law.replace(problem=functools.partial(problem_of, node=1)),
    "stopped-early at run/*: Stop after two rounds.",
    lambda law: law.replace(method=functools.partial(_uncompressed, rounds=2)),
    "unchecked at exact/*: Never check the range.",
    {"method": lambda *arguments, checked: _uncompressed(*arguments, checked=False)},
)
judge.sabotage_data(
    "other-start, neutral at run/*: Start the runs elsewhere: the limit stays.",
    lambda start, **others: {"start": (-7.0, 11.0), **others},
)


def _compare(
    law: Law, problem: Any, limit: Any, values: dict[str, float], tolerance: Tolerance
) -> Comparisons:
    error = float(np.linalg.norm(limit - problem.solution))
    gap = float(problem.objectives(limit).mean() - problem.objectives(problem.solution).mean())
    witness = {"limit": limit, "solution": problem.solution}
    label = "distance of the limit from the solution"
    yield eq(label, error, law("exact", **values), tolerance, witness=witness, headline=True)
    stated = law("objective_gap", **values)
    yield eq("objective at the limit above its minimum", gap, stated, tolerance, witness=witness)


@judge.exact(
    instances={
        "unit": {"a": 1.0, "b": 1.0, "c": 1.0},
        "weak-second-node": {"a": 1.0, "b": 0.1, "c": 0.01},
        "steep-slope": {"a": 4.0, "b": 30.0, "c": 3.0},
    }
)
def computed(law: Law, a: float, b: float, c: float) -> Comparisons:
    """Zero of the projected mean gradient, solved for, against the solution."""
    from impl.matrix_roots import MatrixRoots

    problem = law.problem(a, b, c)
    projector = MatrixRoots.of_nodes(problem.smoothness).projector

    def followed(x: Any) -> Any:
        return (projector * problem.gradients(x)).mean(axis=0)

    offset = followed(np.zeros(2))
    jacobian = np.array([followed(unit) - offset for unit in np.eye(2)]).T
    zero = np.linalg.solve(jacobian, -offset)
    yield from _compare(law, problem, zero, {"b": b, "c": c}, ROUND_OFF)
    for name in METHODS:
        refused = 0
        try:
            law.method(name, problem, (3.0, 2.0), checked=True)
        except RangeError:
            refused = 1
        yield eq("runs refused outside the range", refused, 1)


@judge.drift(instance="unit", a=1.0, b=1.0, c=1.0, start=(3.0, 2.0))
def reached(law: Law, rng: Any, a: float, b: float, c: float, start: Sequence[float]) -> Comparisons:
    """Each method without compression: refused outside the range, to the wrong point without the check."""
    inside, outside = problem_of(a, b, c, node=1), law.problem(a, b, c)
    for name in METHODS:
        limit = law.method(name, outside, start, checked=False)
        yield from _compare(law, outside, limit, {"b": b, "c": c}, LONG_RUN)
        found = law.method(name, inside, start, checked=True)
        distance = float(np.linalg.norm(found - inside.solution))
        yield le("error within the range", distance, LONG_RUN.relative, LONG_RUN, witness={"method": name})
