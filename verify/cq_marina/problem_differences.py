"""Gradients of problems against central differences of objectives that are written out row by row."""

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from impl.problems import LeastSquares, Logistic, Problem, tridiagonal
from verify.comparison import DIFFERENCES, ROUND_OFF, Comparison
from verify.equations import equations

RIDGE, STEP = 0.3, 1e-4
COUNTS = (3, 1, 4)
"""Rows of the clients, which are padded to the same number."""


@dataclass(frozen=True)
class Written:
    """A problem, and its node functions written out.

    Args:
        problem: The problem of `impl`.
        value: Number of a client, a point and the rules to the value of its function.
    """

    problem: Problem
    value: Callable[[int, Any, "Rules"], float]


@dataclass(frozen=True)
class Rules:
    """What a mutant changes of the functions.

    Args:
        penalty: Factor of the regulariser.
        padded: Whether rows of zeros that fill up a client count in its mean.
        reverse: Whether clients have the functions of others.
    """

    penalty: float = 1.0
    padded: bool = False
    reverse: bool = False


HONEST = Rules()
FAULTS = {
    "half-regulariser": Rules(penalty=0.5),
    "padding-counts": Rules(padded=True),
    "swapped-functions": Rules(reverse=True),
}


@cache
def _rows() -> tuple[Any, Any]:
    """Return features (n, m, d), zero behind the rows of a client, and labels (n, m)."""
    n, m, d = len(COUNTS), max(COUNTS), 4
    features, labels = np.zeros((n, m, d)), np.ones((n, m))
    for i, count in enumerate(COUNTS):
        for k in range(count):
            features[i, k] = [
                math.cos(1.1 * i + 2.3 * k + 0.7 * j * j) * (6 if i == 0 else 1) for j in range(d)
            ]
            labels[i, k] = -1.0 if (i + k) % 2 else 1.0
    return features, labels


def _over(i: int, rules: Rules) -> int:
    return max(COUNTS) if rules.padded else COUNTS[i]


def _logistic(regulariser: str) -> Written:
    features, labels = _rows()
    problem = Logistic(features, labels, RIDGE, regulariser=regulariser, counts=COUNTS)  # type: ignore[arg-type]

    def value(i: int, x: Any, rules: Rules) -> float:
        total = 0.0
        for k in range(COUNTS[i]):
            total += math.log1p(math.exp(-labels[i, k] * float(features[i, k] @ x)))
        convex = sum(float(item) ** 2 for item in x) / 2
        bounded = sum(float(item) ** 2 / (1 + float(item) ** 2) for item in x)
        penalty = RIDGE * rules.penalty * (convex if regulariser == "convex" else bounded)
        return total / _over(i, rules) + penalty

    return Written(problem, value)


def _least_squares() -> Written:
    features, labels = _rows()
    targets = 2 * labels + 0.5
    problem = LeastSquares(features, targets, RIDGE, counts=COUNTS)

    def value(i: int, x: Any, rules: Rules) -> float:
        total = sum((float(features[i, k] @ x) - float(targets[i, k])) ** 2 / 2 for k in range(COUNTS[i]))
        return total / _over(i, rules) + RIDGE * rules.penalty * float(x @ x) / 2

    return Written(problem, value)


def _tridiagonal() -> Written:
    n, d, heterogeneity, mu, offset = 3, 4, 0.5, 0.01, 0.7
    problem = tridiagonal(n, d, heterogeneity=heterogeneity, mu=mu, offset=offset)

    def place(i: int) -> float:
        return (2 * i + 1) / n - 1

    def value(i: int, x: Any, rules: Rules) -> float:
        factor = 1 + heterogeneity * place(i)
        ends = [0.0, *map(float, x), 0.0]
        # x^T T x is the sum of the squared differences of neighbours, with zeros at both ends.
        bent = sum((b - a) ** 2 for a, b in itertools.pairwise(ends))
        shift = mu - math.sin(math.pi / (2 * (d + 1))) ** 2
        pull = factor / 4 * (-1 + offset * place(n - 1 - i)) * float(x[0])
        return factor / 8 * bent + shift / 2 * float(x @ x) - pull

    return Written(problem, value)


PROBLEMS: dict[str, Callable[[], Written]] = {
    "convex": lambda: _logistic("convex"),
    "nonconvex": lambda: _logistic("nonconvex"),
    "least-squares": _least_squares,
    "tridiagonal": _tridiagonal,
}


def differences_of(name: str, rules: Rules = HONEST) -> Iterable[Comparison]:
    """Hold values and gradients, of all clients at once and one by one, against the functions written out."""
    written = PROBLEMS[name]()
    problem, n, d = written.problem, written.problem.n, written.problem.d
    for x in (np.linspace(-0.8, 1.1, d), np.linspace(0.3, -0.2, d)):
        at = [n - 1 - i if rules.reverse else i for i in range(n)]
        values = [written.value(i, x, rules) for i in at]
        slopes = np.zeros((n, d))
        for j, unit in enumerate(STEP * np.eye(d)):
            for i in range(n):
                up, down = (written.value(at[i], x + sign * unit, rules) for sign in (1, -1))
                slopes[i, j] = (up - down) / (2 * STEP)
        objective, gradients = problem.evaluate(x)
        yield Comparison("f", "eq", float(objective), sum(values) / n, ROUND_OFF)
        yield Comparison("f again", "eq", float(problem.objective(x)), sum(values) / n, ROUND_OFF)
        for i in range(n):
            one, gradient = problem.evaluate_node(i, x)
            size = float(np.linalg.norm(slopes[i]))
            yield Comparison("f_i", "eq", float(one), values[i], ROUND_OFF, {"i": i})
            for label, found in (
                ("gradient of f_i", gradients[i]),
                ("gradients", problem.gradients(x)[i]),
                ("gradient of a client", gradient),
            ):
                off = size + float(np.linalg.norm(found - slopes[i]))
                yield Comparison(label, "eq", off, size, DIFFERENCES, {"i": i})


compare_differences = equations(differences_of)
