"""Checks of `squant/range`: co-coercivity at many pairs."""

from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.matrix_roots import MatrixRoots
from impl.problems import Quadratic, breast_cancer_logistic
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import DIFFERENCES, DRIFT, ROUND_OFF

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


judge.sabotage(
    "single-bregman at exact/hessian-is-L, exact/singular, exact/breast-cancer*, exact/*condition, "
    "exact/largest-*, exact/*-with-slopes: Claim D_f for 2 D_f: quadratics with Hessian L violate it.",
    twice=lambda formula: formula / 2,
)


@judge.data_mutant("Use L/2 as the smoothness matrix.", at=("exact/*",))
def halved_smoothness(**arguments: Any) -> dict[str, Any]:
    if "Lplus" in arguments:
        doubled = tuple(tuple(2 * item for item in row) for row in arguments["Lplus"])
        return {**arguments, "Lplus": doubled}
    return {**arguments, "smoothness": 0.5}


judge.sabotage_data(
    "shifted-origin at exact/hessian-is-L, exact/half-of-L, exact/singular: Move the origin: gradients "
    "differ by the same vector and nothing may change.",
    lambda x, y, **others: {"x": tuple(item + 7 for item in x), "y": tuple(item + 7 for item in y), **others},
    neutral=True,
)


def _apply(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(_dot(row, vector) for row in matrix)


def _dot(a: Vector, b: Vector) -> F:
    return sum((p * q for p, q in zip(a, b, strict=True)), F(0))


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(p - q for p, q in zip(a, b, strict=True))


@judge.exact(instances=INSTANCES)
def quadratics(law: Law, H: Matrix, L: Matrix, Lplus: Matrix, x: Vector, y: Vector) -> Comparisons:
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


# Eigenvalues from 1 to 2^-20, along the coordinates and along four orthogonal vectors of entries +-1/2.
_SPREAD = tuple(F(1, 2**k) for k in (0, 7, 14, 20))
_SIGNS = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
_DENSE = tuple(
    tuple(
        sum((value * row[j] * row[k] / 4 for value, row in zip(_SPREAD, _SIGNS, strict=True)), F(0))
        for k in range(4)
    )
    for j in range(4)
)
_DIAGONAL = tuple(tuple(value * (j == k) for k in range(4)) for j, value in enumerate(_SPREAD))


@judge.exact(
    instances={
        "large-condition": {"H": _DIAGONAL, "v": _vector(1, 1, 1, 1)},
        "dense-of-large-condition": {"H": _DENSE, "v": _vector(1, 0, 0, 0)},
    },
    smoothness=1.0,
)
def roots_of_large_condition(law: Law, H: Matrix, v: Vector, smoothness: float) -> Comparisons:
    """The roots that methods use keep all directions of a Hessian of condition 2^20.

    The smallest eigenvalue is a millionth of the norm, so that its relative error does not show in it.
    """
    matrix = np.array(H, dtype=float)
    twice = float(law.exactly("twice", D=law.exactly("twice_bregman", H=H, v=v, d=len(v)) / 2))
    diagonal = [np.diagonal(matrix)] if H == _DIAGONAL else []
    for L in (matrix, *diagonal):
        roots = MatrixRoots.of_nodes(smoothness * L[None])
        root = roots.apply_pseudo_inverse_root((matrix @ np.array(v, dtype=float))[None])
        yield eq("equality where the Hessian is L", float((root**2).sum()), twice, DRIFT)


@judge.exact(
    instances={
        "largest-eigenvalues": {"matrices": (((2, 1), (1, 2)), ((9, 0), (0, 1)), ((1, -1), (-1, 1)))},
        "largest-entries": {"matrices": ((4, 1), (1, 2), (0, 7))},
    },
    smoothness=1.0,
)
def largest_eigenvalue(law: Law, matrices: Any, smoothness: float) -> Comparisons:
    """With L_i I, as DIANA has it, the bound of a node is attained along its leading eigenvector."""
    problem = Quadratic(matrices)
    for node, L in enumerate(problem.smoothness):
        x = np.eye(2)[int(np.argmax(L))] if L.ndim == 1 else np.linalg.eigh(L)[1][:, -1]
        value = float((problem.gradients(x)[node] ** 2).sum() / (smoothness * problem.L_nodes[node]))
        twice = law("twice", D=float(problem.bregman(x, 0 * x)[node]))
        yield eq("equality where the Hessian is L", value, twice, ROUND_OFF, witness={"node": node})


@judge.exact(
    instances={
        "dense-with-slopes": {
            "matrices": (((1, 1, 0), (1, 1, 0), (0, 0, 0)), ((1, 0, 0), (0, 2, 0), (0, 0, 3))),
            "slopes": ((1, -2, 3), (0, 1, -1)),
        },
        "diagonal-with-slopes": {"matrices": ((4, 0, 1), (1, 2, 0)), "slopes": ((1, -2, 3), (0, 1, -1))},
    },
    x=(2, -5, 1),
    y=(0, 4, 3),
    smoothness=1.0,
)
def node_functions(law: Law, matrices: Any, slopes: Any, x: Any, y: Any, smoothness: float) -> Comparisons:
    """Divergences from values and gradients in every form that methods use: singular matrices, any b_i."""
    problem, d = Quadratic(matrices, slopes), len(x)
    ends, v = np.array([x, y], dtype=float), _minus(_vector(*x), _vector(*y))
    by_node = [[problem.evaluate_node(i, end) for i in range(problem.n)] for end in ends]
    values = (problem.objectives(ends), [[value for value, _ in at_end] for at_end in by_node])
    gradients = (
        problem.gradients(ends),
        problem.evaluate(ends)[1],
        np.array([[gradient for _, gradient in at_end] for at_end in by_node]),
    )
    roots = MatrixRoots.of_nodes(smoothness * problem.smoothness)
    for node, matrix in enumerate(problem.matrices.astype(int).tolist()):
        H = matrix if problem.matrices.ndim == 3 else np.diag(matrix).tolist()
        stated = law.exactly("twice_bregman", H=H, v=v, d=d)
        twice = float(law.exactly("twice", D=stated / 2))
        for at_x, at_y in values:
            for _, gradient in gradients:
                divergence = at_x[node] - at_y[node] - float(gradient[node] @ (ends[0] - ends[1]))
                yield eq("divergence of a quadratic", 2 * divergence, float(stated), ROUND_OFF)
        for gradient_x, gradient_y in gradients:
            norm = (roots.apply_pseudo_inverse_root(gradient_x - gradient_y)[node] ** 2).sum()
            yield eq("equality where the Hessian is L", float(norm), twice, DRIFT)


@judge.exact(
    instance="breast-cancer",
    data="breast cancer",
    n=8,
    ridge=0.01,
    smoothness=1.0,
    parameters={"data": "breast cancer", "n": 8, "ridge": 0.01},
)
def logistic(law: Law, smoothness: float, **_: Any) -> Comparisons:
    """Logistic regression on real data: every node at pairs of points, near and far."""
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


@judge.exact(
    instance="breast-cancer-at-zero",
    smoothness=1.0,
    parameters={"data": "breast cancer", "n": 8, "ridge": 0.01, "x": "3e-5 along eigenvectors", "y": 0},
)
def logistic_at_zero(law: Law, smoothness: float) -> Comparisons:
    """At 0 the Hessian of each node is its matrix, so that a short step from there attains the bound."""
    problem = law.problem()
    roots = MatrixRoots.of_nodes(smoothness * problem.smoothness)
    directions, zero = np.linalg.eigh(problem.smoothness.mean(axis=0))[1], np.zeros(problem.d)
    for j in (0, problem.d // 2, problem.d - 1):
        x = 3e-5 * directions[:, j]
        difference = problem.gradients(x) - problem.gradients(zero)
        value = (roots.apply_pseudo_inverse_root(difference) ** 2).sum(axis=-1)
        for node, divergence in enumerate(problem.bregman(x, zero)):
            witness = {"x": x, "node": node}
            twice = law("twice", D=float(divergence))
            label = "equality where the Hessian is L"
            yield eq(label, float(value[node]), twice, DIFFERENCES, witness=witness)
