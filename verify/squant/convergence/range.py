"""Checks of `squant/range`: co-coercivity at many pairs."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.problems import breast_cancer_logistic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import DRIFT, Comparison

Vector = tuple[F, ...]
Matrix = tuple[Vector, ...]

judge = checks_of("squant/range", problem=breast_cancer_logistic)


def _vector(*entries: Any) -> Vector:
    return tuple(map(F, entries))


def _matrix(*rows: Sequence[Any]) -> Matrix:
    return tuple(_vector(*row) for row in rows)


_TWO = _matrix((2, 1), (1, 2))
_TWO_INVERSE = _matrix((F(2, 3), F(-1, 3)), (F(-1, 3), F(2, 3)))
_HALF = _matrix((1, F(1, 2)), (F(1, 2), 1))
_SINGULAR = _matrix((1, 1, 0), (1, 1, 0), (0, 0, 0))
_SINGULAR_PLUS = _matrix((F(1, 4), F(1, 4), 0), (F(1, 4), F(1, 4), 0), (0, 0, 0))
_PAIR = {"x": _vector(2, 3), "y": _vector(1, 2)}

INSTANCES: dict[str, dict[str, Any]] = {
    "hessian-is-L": {"H": _TWO, "L": _TWO, "Lplus": _TWO_INVERSE, **_PAIR},
    "half-of-L": {"H": _HALF, "L": _TWO, "Lplus": _TWO_INVERSE, **_PAIR},
    "singular": {
        "H": _SINGULAR,
        "L": _SINGULAR,
        "Lplus": _SINGULAR_PLUS,
        "x": _vector(2, -5, 1),
        "y": _vector(0, 4, 3),
    },
}


# ---------------------------------------------------------------- sabotages


@judge.mutant(
    "Claim D_f for 2 D_f: quadratics with Hessian L violate it.",
    at=("exact/hessian-is-L", "exact/singular", "exact/breast-cancer"),
)
def single_bregman(law: Law) -> Law:
    return law.replace(twice=lambda formula: formula / 2)


@judge.data_mutant("Use L/2 as the smoothness matrix.", at=("exact/*",))
def halved_smoothness(**arguments: Any) -> dict[str, Any]:
    if "Lplus" in arguments:
        doubled = tuple(tuple(2 * item for item in row) for row in arguments["Lplus"])
        return {**arguments, "Lplus": doubled}
    return {**arguments, "smoothness": 0.5}


@judge.data_mutant(
    "Move the origin: gradients differ by the same vector and nothing may change.",
    at=("exact/hessian-is-L", "exact/half-of-L", "exact/singular"),
    neutral=True,
)
def shifted_origin(x: Vector, y: Vector, **others: Any) -> dict[str, Any]:
    return {"x": tuple(item + 7 for item in x), "y": tuple(item + 7 for item in y), **others}


# ---------------------------------------------------------------- pairs


def _apply(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(_dot(row, vector) for row in matrix)


def _dot(a: Vector, b: Vector) -> F:
    return sum((p * q for p, q in zip(a, b, strict=True)), F(0))


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(p - q for p, q in zip(a, b, strict=True))


@judge.exact(instances=INSTANCES)
def quadratics(law: Law, H: Matrix, L: Matrix, Lplus: Matrix, x: Vector, y: Vector) -> Iterable[Comparison]:
    """Gradient difference in the norm of L+ against twice the Bregman divergence: all rational."""
    d, v = len(x), _minus(x, y)
    g = _minus(_apply(H, x), _apply(H, y))
    divergence = (_dot(x, _apply(H, x)) - _dot(y, _apply(H, y))) / 2 - _dot(_apply(H, y), v)
    for projected, entry in zip(_apply(L, _apply(Lplus, g)), g, strict=True):
        yield eq("gradient difference in the range", projected, entry)
    twice = law.exactly("twice", D=divergence)
    stated = law.exactly("twice_bregman", H=H, v=v, d=d)
    yield eq("divergence of a quadratic", 2 * divergence, stated)
    norm = law.exactly("gradient_norm", g=g, Lplus=Lplus, d=d)
    yield le("co-coercivity", norm, twice, headline=True)
    if H == L:
        yield eq("equality where the Hessian is L", norm, twice)


@judge.exact(
    instance="breast-cancer",
    data="breast cancer",
    n=8,
    ridge=0.01,
    smoothness=1.0,
    parameters={"data": "breast cancer", "n": 8, "ridge": 0.01},
)
def logistic(law: Law, smoothness: float, **_: Any) -> Iterable[Comparison]:
    """Logistic regression on real data: every node at pairs of points, near and far."""
    from impl.matrix_roots import MatrixRoots

    problem = law.problem()
    roots = MatrixRoots.of_nodes(smoothness * problem.smoothness)
    points = np.random.Generator(np.random.Philox(20240601)).standard_normal((6, 2, problem.d))
    flat = np.linalg.eigh(problem.smoothness.mean(axis=0))[1]
    # The logistic curvature is largest at 0: a short step from there makes both sides nearly equal.
    near = [(1e-3 * flat[:, j], np.zeros(problem.d)) for j in (0, problem.d // 2, problem.d - 1)]
    for x, y in [*points, *near]:
        difference = problem.gradients(x) - problem.gradients(y)
        value = (roots.apply_pseudo_inverse_root(difference) ** 2).sum(axis=-1)
        divergence = problem.bregman(x, y)
        for node in range(problem.n):
            witness = {"x": x, "y": y, "node": node}
            twice = law("twice", D=float(divergence[node]))
            yield le("co-coercivity of a node", float(value[node]), twice, DRIFT, witness=witness)
