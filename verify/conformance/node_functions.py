"""Whether a problem evaluates all nodes and points at once as its functions, written out one by one, say."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from verify.authoring import Comparisons, eq
from verify.comparison import DIFFERENCES, DRIFT, LONG_RUN, ROUND_OFF

Evaluated = Callable[[Any], Any]
_STEP = 1e-5
OTHER_VALUES: tuple[Any, ...] = (
    "other-values at exact/functions: All values and constants are larger, by more for later entries.",
    {
        "evaluated": lambda found: (
            1.00001 * np.asarray(found) + 1e-5 * np.arange(1, np.size(found) + 1).reshape(np.shape(found))
        )
    },
)
"""A mutant of a check `functions` whose law has `evaluated`."""


def evaluated(found: Any) -> Any:
    """Return what a problem gives as it is."""
    return found


def node_functions(judged: Evaluated, cases: Mapping[str, tuple[Any, Any]]) -> Comparisons:
    """Compare values, gradients, Hessians, divergences and constants with functions of single nodes.

    Args:
        judged: `evaluated` or a mutant.
        cases: Name to a problem, and its functions (i, x) to value and gradient of f_i at x, (d,).
    """
    for name, (problem, function) in cases.items():
        at, n, d = {"problem": name}, problem.n, problem.d
        X = np.sin(np.arange(1.0, 1 + 3 * d)).reshape(3, d)
        pairs = [[function(i, x) for i in range(n)] for x in X]
        values = np.array([[f for f, _ in row] for row in pairs])
        slopes = np.array([[g for _, g in row] for row in pairs])
        objective, gradients = problem.evaluate(X)
        one, slope = problem.evaluate(X[0])
        nodes = [problem.evaluate_node(i, X[1]) for i in range(n)]
        y = X[::-1]
        off = np.einsum("rnd,rd->rn", slopes[::-1], X - y)
        found = {
            "values": (problem.objectives(X), values),
            "value": (problem.objective(X[0]), values[0].mean()),
            "values with gradients": (objective, values.mean(axis=-1)),
            "value with a gradient": (one, values[0].mean()),
            "values of nodes": ([f for f, _ in nodes], values[1]),
            "gradients": (problem.gradients(X), slopes),
            "gradient": (problem.gradient(X[0]), slopes[0].mean(axis=0)),
            "gradients with values": (gradients, slopes),
            "gradients with a value": (slope, slopes[0]),
            "gradients of nodes": ([g for _, g in nodes], slopes[1]),
        }
        for what, (fast, literal) in found.items():
            yield same(f"fast {what}", judged(fast), literal, ROUND_OFF, at)
        yield from _of_parts(judged, problem, X, (values, slopes), at)
        yield same(
            "fast divergences", judged(problem.bregman(X, y)), values - values[::-1] - off, LONG_RUN, at
        )
        yield same(
            "fast Hessian", judged(problem.hessian(X[2])), _differences(function, n, X[2]), DIFFERENCES, at
        )
        L = np.asarray(problem.smoothness)
        dense = L if L.ndim == 3 else L[:, :, None] * np.eye(d)
        yield same("fast constant", judged(problem.L), np.linalg.eigvalsh(dense.mean(axis=0))[-1], DRIFT, at)
        yield same("fast constants", judged(problem.L_nodes), np.linalg.eigvalsh(dense)[:, -1], DRIFT, at)
        if problem.mu > 0:
            rest = np.mean([function(i, problem.solution)[1] for i in range(n)], axis=0)
            size = float(np.linalg.norm(slopes.mean(axis=1)))
            yield eq("fast solution", judged(size + float(np.linalg.norm(rest))), size, LONG_RUN, witness=at)


def _of_parts(judged: Evaluated, problem: Any, X: Any, literal: tuple[Any, Any], at: Any) -> Comparisons:
    """Compare each node alone, as a problem of one, with its function, (R, n) and (R, n, d), and constant."""
    parts, at = [problem.part(i) for i in range(problem.n)], {**at, "nodes": "alone"}
    values = np.concatenate([part.objectives(X) for part in parts], axis=-1)
    slopes = np.concatenate([part.gradients(X) for part in parts], axis=-2)
    yield same("fast values of nodes", judged(values), literal[0], ROUND_OFF, at)
    yield same("fast gradients of nodes", judged(slopes), literal[1], ROUND_OFF, at)
    yield same("fast constants", judged([part.L for part in parts]), problem.L_nodes, DRIFT, at)
    for name, value in vars(problem).items():
        if not name.startswith("_") and isinstance(value, np.ndarray) and value.shape[:1] == (problem.n,):
            own = [np.asarray(getattr(part, name))[:, None] for part in parts]
            shapes = {item.shape for item in own}
            found = np.concatenate(own) if shapes == {(1, 1, *value.shape[1:])} else np.zeros(0)
            yield same("what nodes hold", judged(found), value[:, None], ROUND_OFF, {**at, "of": name})


def many_points(judged: Evaluated, problems: Mapping[str, Any], points: int) -> Comparisons:
    """Compare all nodes at so many points that these go through the rows in pieces with nodes one by one.

    Args:
        judged: `evaluated` or a mutant.
        problems: Some, by name.
        points: Number of points; nodes are evaluated at every fiftieth.
    """
    for name, problem in problems.items():
        at = {"problem": name, "points": points}
        X = np.sin(np.arange(1.0, 1 + points * problem.d)).reshape(points, problem.d)
        few, others = X[::50], X[::-1][::50]
        (values, slopes), (others_values, others_slopes) = (
            _one_by_one(problem, part) for part in (few, others)
        )
        objective, gradients = problem.evaluate(X)
        found = {
            "values": (problem.objectives(X)[::50], values),
            "values with gradients": (objective[::50], values.mean(axis=-1)),
            "gradients": (problem.gradients(X)[::50], slopes),
            "gradients with values": (gradients[::50], slopes),
        }
        for what, (fast, literal) in found.items():
            yield same(f"fast {what}", judged(fast), literal, ROUND_OFF, at)
        off = np.einsum("rnd,rd->rn", others_slopes, few - others)
        divergences = judged(problem.bregman(X, X[::-1])[::50])
        yield same("fast divergences", divergences, values - others_values - off, LONG_RUN, at)


def _one_by_one(problem: Any, X: Any) -> tuple[Any, Any]:
    """Return values (R, n) and gradients (R, n, d) of nodes that are evaluated alone."""
    pairs = [[problem.evaluate_node(i, x) for i in range(problem.n)] for x in X]
    return np.array([[f for f, _ in row] for row in pairs]), np.array([[g for _, g in row] for row in pairs])


def small_losses(judged: Evaluated, problems: Mapping[str, Any], rows: Any, signs: Any) -> Comparisons:
    """Compare mean logistic losses without a penalty, however small, with their sums, each by itself.

    Args:
        judged: `evaluated` or a mutant.
        problems: Logistic problems of these rows, by name.
        rows: Of the nodes, (n, m, d).
        signs: Their labels, (n, m).
    """
    n, _, d = rows.shape
    X = np.abs(np.sin(np.arange(1.0, 1 + 5 * d)).reshape(5, d)) * np.array([0, 1, 7, 20, 40])[:, None]
    margins = signs * np.einsum("nmd,rd->rnm", rows, X)
    literal = np.vectorize(lambda z: math.log1p(math.exp(-z)))(margins).mean(axis=-1)
    for name, problem in problems.items():
        at = {"problem": name, "losses": "small"}
        one_by_one = [[problem.evaluate_node(i, x)[0] for i in range(n)] for x in X]
        alone = np.concatenate(
            [problem.objectives(x[None]) for x in X]
        )  # all losses there are small, or none
        values = {"values": problem.objectives(X), "values of nodes": one_by_one, "values alone": alone}
        for what, found in values.items():
            yield same(f"fast {what}", judged(found) / literal, np.ones_like(literal), ROUND_OFF, at)
        yield same("fast values", judged(problem.objective(X)) / literal.mean(-1), np.ones(5), ROUND_OFF, at)


def composites(judged: Evaluated, cases: Mapping[str, tuple[Any, Any, Any, Any]]) -> Comparisons:
    """Compare a sum of a smooth problem and a penalty with both of them.

    Args:
        judged: `evaluated` or a mutant.
        cases: Name to the sum, its smooth problem, and of the penalty its values x and its prox (x, gamma).
    """
    for name, (problem, smooth, penalty, prox) in cases.items():
        at, n, d = {"problem": name}, problem.n, problem.d
        X = 2 * np.sin(np.arange(1.0, 1 + 3 * d)).reshape(3, d)
        values = np.array([penalty(x) for x in X])
        objective, gradients = problem.evaluate(X)
        nodes = [problem.evaluate_node(i, X[1]) for i in range(n)]
        own = [smooth.evaluate_node(i, X[1]) for i in range(n)]
        found = {
            "values of a sum": (problem.objectives(X), smooth.objectives(X) + values[:, None]),
            "value of a sum": (problem.objective(X), smooth.objective(X) + values),
            "values of a sum with slopes": (objective, smooth.objective(X) + values),
            "value of a sum with slopes": (problem.evaluate(X[0])[0], smooth.objective(X[0]) + values[0]),
            "values of a sum at nodes": ([f for f, _ in nodes], [f + values[1] for f, _ in own]),
            "slopes of a sum": (problem.gradients(X), smooth.gradients(X)),
            "slopes of a sum with values": (gradients, smooth.gradients(X)),
            "slopes of a sum at nodes": ([g for _, g in nodes], [g for _, g in own]),
            "Hessian of a sum": (problem.hessian(X[0]), smooth.hessian(X[0])),
            "divergences of a sum": (problem.bregman(X, X[::-1]), smooth.bregman(X, X[::-1])),
            "part of a sum": (problem.part(1).gradients(X), smooth.gradients(X)[:, 1:2]),
            "constants of a sum": (
                [problem.mu, problem.L, *problem.L_nodes],
                [smooth.mu, smooth.L, *smooth.L_nodes],
            ),
            "steps to a penalty": (problem.prox(X, 0.3), [prox(x, 0.3) for x in X]),
        }
        for what, (fast, literal) in found.items():
            yield same(f"fast {what}", judged(fast), np.asarray(literal), ROUND_OFF, at)
        best = problem.solution
        moved = prox(best - smooth.gradient(best) / smooth.L, 1 / smooth.L)
        size = 1 + float(np.linalg.norm(best))
        off = size + float(np.linalg.norm(moved - best))
        yield eq("fast solution of a sum", judged(off), size, LONG_RUN, witness=at)


def _differences(function: Any, n: int, x: Any) -> Any:
    """Return the mean Hessian by central differences of the gradients."""
    moved = np.eye(len(x)) * _STEP
    rows = [[function(i, x + e)[1] - function(i, x - e)[1] for e in moved] for i in range(n)]
    return np.mean(rows, axis=0) / (2 * _STEP)


def same(label: str, found: Any, literal: Any, tolerance: Any, at: Any) -> Any:
    """Hold an array against another of the same shape, relative to its length."""
    if np.shape(found) != np.shape(literal):
        return eq(label, 0.0, 1.0, tolerance, witness={**at, "shape": np.shape(found)})
    size = float(np.linalg.norm(literal))
    off = size + float(np.linalg.norm(np.asarray(found) - literal))
    return eq(label, off, size, tolerance, witness=at)
