"""Checks of `squant/range`: co-coercivity at many pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import DRIFT, Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

Matrix = tuple[tuple[F, ...], ...]


@dataclass(frozen=True)
class Instance:
    """A quadratic with Hessian H, smoothness matrix L with its pseudo-inverse, and a pair of points."""

    H: Matrix
    L: Matrix
    Lplus: Matrix
    x: tuple[F, ...]
    y: tuple[F, ...]

    def shifted(self) -> "Instance":
        """Return the instance with both points moved by the same vector."""
        return Instance(
            self.H, self.L, self.Lplus, tuple(v + 7 for v in self.x), tuple(v + 7 for v in self.y)
        )


def _matrix(*rows: Sequence[Any]) -> Matrix:
    return tuple(tuple(F(item) for item in row) for row in rows)


_TWO = _matrix((2, 1), (1, 2))
_TWO_INVERSE = _matrix((F(2, 3), F(-1, 3)), (F(-1, 3), F(2, 3)))
_SINGULAR = _matrix((1, 1, 0), (1, 1, 0), (0, 0, 0))
_SINGULAR_PLUS = _matrix((F(1, 4), F(1, 4), 0), (F(1, 4), F(1, 4), 0), (0, 0, 0))

INSTANCES = {
    "hessian-is-L": Instance(_TWO, _TWO, _TWO_INVERSE, (F(2), F(3)), (F(1), F(2))),
    "half-of-L": Instance(
        _matrix((1, F(1, 2)), (F(1, 2), 1)), _TWO, _TWO_INVERSE, (F(2), F(3)), (F(1), F(2))
    ),
    "singular": Instance(_SINGULAR, _SINGULAR, _SINGULAR_PLUS, (F(2), F(-5), F(1)), (F(0), F(4), F(3))),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/range")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_rational(name, instance) for name, instance in INSTANCES.items()),
        Check(
            "exact",
            "breast-cancer",
            ExactCase(lambda: compare_logistic(2.0, 1.0)),
            {"data": "breast cancer", "n": 8, "ridge": 0.01},
            {
                "single-bregman": ExactCase(lambda: compare_logistic(1.0, 1.0)),
                "halved-smoothness": ExactCase(lambda: compare_logistic(2.0, 0.5)),
            },
            seconds=0.5,
        ),
    )


def _rational(name: str, instance: Instance) -> Check:
    def case(shown: Instance, bregman: int = 2, smoothness: int = 1) -> ExactCase:
        return ExactCase(lambda: compare(shown, bregman, smoothness))

    mutants = {"shifted-origin": case(instance.shifted())}
    if name != "half-of-L":
        mutants |= {
            "single-bregman": case(instance, bregman=1),
            "halved-smoothness": case(instance, smoothness=2),
        }
    parameters = {"H": instance.H, "L": instance.L, "x": instance.x, "y": instance.y}
    return Check("exact", name, case(instance), parameters, mutants)


def compare(instance: Instance, bregman: int, smoothness: int) -> Iterable[Comparison]:
    """Gradient difference in the L+ norm against twice the Bregman divergence: all rational.

    Args:
        instance: The quadratic and the pair of points.
        bregman: Multiple of the divergence, 2 in the claim.
        smoothness: Divisor of L, 1 in the claim.
    """
    claim = theory.claim("squant/range")
    H, d = instance.H, len(instance.x)
    gradient = [[sum(H[j][k] * p[k] for k in range(d)) for j in range(d)] for p in (instance.x, instance.y)]
    g = [a - b for a, b in zip(*gradient, strict=True)]
    v = [a - b for a, b in zip(instance.x, instance.y, strict=True)]
    Lplus = [[smoothness * item for item in row] for row in instance.Lplus]
    value = evaluate_exact(claim.formulas["gradient_norm"], {"g": g, "Lplus": Lplus, "d": d})
    divergence = evaluate_exact(claim.formulas["twice_bregman"], {"H": H, "v": v, "d": d})
    projected = [
        sum(sum(instance.L[j][m] * instance.Lplus[m][k] for m in range(d)) * g[k] for k in range(d))
        for j in range(d)
    ]
    witness = {"x": instance.x, "y": instance.y, "H": H, "L": instance.L}
    for j in range(d):
        yield Comparison(
            f"gradient difference in the range, coordinate {j}", "eq", projected[j], g[j], witness=witness
        )
    yield Comparison("co-coercivity", "le", value, divergence * F(bregman, 2), witness=witness, headline=True)


def compare_logistic(bregman: float, smoothness: float) -> Iterable[Comparison]:
    """Logistic regression on real data: every node at pairs of points, near and far."""
    from impl.matrix_roots import MatrixRoots
    from impl.problems import breast_cancer_logistic

    problem = breast_cancer_logistic()
    roots = MatrixRoots.of_nodes(smoothness * problem.smoothness)
    points = np.random.Generator(np.random.Philox(20240601)).standard_normal((6, 2, problem.d))
    flat = np.linalg.eigh(problem.smoothness.mean(axis=0))[1]
    # The logistic curvature is largest at 0: a short step from there makes both sides nearly equal.
    near = [(1e-3 * flat[:, j], np.zeros(problem.d)) for j in (0, problem.d // 2, problem.d - 1)]
    for x, y in [*points, *near]:
        difference = problem.gradients(x) - problem.gradients(y)
        value = (roots.apply_pseudo_inverse_root(difference) ** 2).sum(axis=-1)
        bound = bregman * problem.bregman(x, y)
        for i in range(problem.n):
            yield Comparison(
                f"co-coercivity of node {i}", "le", value[i], bound[i], DRIFT, {"x": x, "y": y, "node": i}
            )
