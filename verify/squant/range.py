"""Checks of `squant/range`: co-coercivity at many pairs, and what happens without the range condition."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import DRIFT, Comparison, Tolerance
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

Matrix = tuple[tuple[F, ...], ...]

LIMIT = Tolerance(0.0, "the distance after 200 rounds of rate 1/2 is far below the stated 1e-9")


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
        Check(
            "run",
            "limit-without-compression",
            DriftCase(lambda _: compare_limits(checked=True)),
            {
                "f_1": "x1^2/2 (+ x2 in the mutant)",
                "L_1": [1, 0],
                "f_2": "|x|^2/2 (centre (0, -1))",
                "rounds": 200,
            },
            {"no-range-check": DriftCase(lambda _: compare_limits(checked=False))},
            seconds=0.3,
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


def compare_limits(*, checked: bool) -> Iterable[Comparison]:
    """Run DCGD+ without compression to its limit, within the range and outside of it.

    Within, node 1 has the gradient (x1, 0) in the range of its matrix Diag(1, 0). Outside, it has (x1, 1):
    the method must refuse to run. With the check off it runs, and its limit is compared with the solution.
    """
    from impl.errors import RangeError

    yield _limit([[0.0, 0.0], [0.0, -1.0]], checked=True)
    if not checked:
        yield _limit([[0.0, -1.0], [0.0, 0.0]], checked=False)
        return
    refused = 0
    try:
        _limit([[0.0, -1.0], [0.0, 0.0]], checked=True)
    except RangeError:
        refused = 1
    yield Comparison("runs refused outside the range", "eq", refused, 1)


def _limit(linear: Sequence[Sequence[float]], *, checked: bool) -> Comparison:
    """Compare the limit with the solution, which is (0, -1)."""
    from impl.compressors import BernoulliSparsifier
    from impl.optimizers import dcgd_plus
    from impl.problems import Quadratic

    problem = Quadratic([[1.0, 0.0], [1.0, 1.0]], linear)
    result = dcgd_plus(
        problem,
        BernoulliSparsifier([1.0, 1.0]),
        step_size=1.0,
        rounds=200,
        rng=np.random.Generator(np.random.Philox(0)),
        start=[3.0, 2.0],
        check_range=checked,
    )
    distance = float(((result.x[0] - problem.solution) ** 2).sum() ** 0.5)
    witness = {"limit": result.x[0], "solution": problem.solution}
    return Comparison("distance of the limit from the solution", "le", distance, 1e-9, LIMIT, witness)
