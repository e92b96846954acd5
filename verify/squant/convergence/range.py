"""Checks of `squant/range`: co-coercivity at many pairs."""

import functools
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier
from impl.matrix_roots import MatrixRoots
from impl.optimizers import dcgd_plus_reference, diana_plus
from impl.problems import Logistic, Quadratic, breast_cancer_logistic, label_sorted_split
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import DIFFERENCES, DRIFT, ROUND_OFF
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.roots_of_matrices import OTHER_THRESHOLDS, low_rank, threshold

judge = checks_of(
    "squant/range",
    problem=breast_cancer_logistic,
    taken=taken,
    roots=MatrixRoots.of_nodes,
    shifted=diana_plus,
    literal=dcgd_plus_reference,
)
judge.sabotage(*REFUSALS, *OTHER_THRESHOLDS)
judge.sabotage(
    "shifts-as-given at exact/first-shifts: Ask no range of the first shifts, and do not project them.",
    shifted=functools.partial(diana_plus, check_range=False),
)


@judge.mutant("Half of each step.", at=("exact/node-at-rest",))
def half_steps(law: Law) -> Law:
    return law.replace(
        literal=lambda *given, step_size, **to: law.literal(*given, step_size=step_size / 2, **to)
    )


judge.sabotage(
    "single-bregman at exact/hessian-is-L, exact/singular, exact/breast-cancer*, exact/*condition, "
    "exact/largest-*, exact/*-with-slopes: Claim D_f for 2 D_f: quadratics with Hessian L violate it. "
    "| twice = twice / 2"
)


judge.sabotage_data(
    "halved-smoothness at exact/*L, exact/*singular, exact/*condition, exact/largest-*, exact/*-slopes, "
    "exact/breast-cancer*: Use L/2 as the smoothness matrix.",
    lambda **given: given | {"smoothness": 0.5},
)
judge.sabotage_data(
    "shifted-origin, neutral at exact/*-with-slopes, exact/hessian-is-L, exact/half-of-L, exact/singular: "
    "Move the origin: gradients differ by the same vector and nothing may change.",
    lambda x, y, **others: {"x": tuple(item + 7 for item in x), "y": tuple(item + 7 for item in y), **others},
)


_TWO = {"L": ((2, 1), (1, 2)), "Lplus": ((2, -1), (-1, 2)), "scale": F(1, 3), "x": (2, 3), "y": (1, 2)}
_ONE = ((1, 1, 0), (1, 1, 0), (0, 0, 0))


@judge.exact(
    instances={
        "hessian-is-L": {"H": _TWO["L"], **_TWO},
        "half-of-L": {"H": ((1, F(1, 2)), (F(1, 2), 1)), **_TWO},
        "singular": {"H": _ONE, "L": _ONE, "Lplus": _ONE, "scale": F(1, 4), "x": (2, -5, 1), "y": (0, 4, 3)},
    },
    smoothness=1.0,
)
def quadratics(law: Law, scale: Any, smoothness: float, **given: Any) -> Comparisons:
    """Gradient difference in the norm of L+ against twice the Bregman divergence: all rational."""
    H, L, Lplus, x, y = (np.array(given[name], dtype=object) for name in ("H", "L", "Lplus", "x", "y"))
    v, Lplus, d = x - y, scale * (1 if smoothness == 1 else 2) * Lplus, len(x)
    g = H @ v
    divergence = F(x @ H @ x - y @ H @ y) / 2 - y @ H @ v
    for projected, entry in zip(L @ (Lplus @ g), g, strict=True):
        yield eq("gradient difference in the range", F(projected), F(entry))
    twice = law.exactly("twice", D=divergence)
    stated = law.exactly("twice_bregman", H=H.tolist(), v=v.tolist(), d=d)
    yield eq("divergence of a quadratic", 2 * divergence, stated)
    norm = law.exactly("exact", g=g.tolist(), Lplus=Lplus.tolist(), d=d)
    yield le("co-coercivity", norm, twice, headline=True)
    if np.array_equal(H, L):
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
        "large-condition": {"H": _DIAGONAL, "v": (1, 1, 1, 1)},
        "dense-of-large-condition": {"H": _DENSE, "v": (1, 0, 0, 0)},
        "small-direction-of-large-condition": {"H": ((1, 0), (0, F(1, 2**40))), "v": (0, 1)},
    },
    smoothness=1.0,
)
def roots_of_large_condition(law: Law, H: Any, v: Any, smoothness: float) -> Comparisons:
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
    ends, v = np.array([x, y], dtype=float), [a - b for a, b in zip(x, y, strict=True)]
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
            difference = gradient_x - gradient_y
            root = roots.apply_pseudo_inverse_root(difference)
            yield eq("equality where the Hessian is L", float((root[node] ** 2).sum()), twice, DRIFT)
            projected = np.array(H) @ roots.apply_pseudo_inverse_root(root)[node]
            for value, entry in zip(projected, difference[node], strict=True):
                yield eq("gradient difference in the range", float(value), float(entry), DRIFT)


def _at_pairs(law: Law, smoothness: float, pairs: Any) -> Iterator[tuple[float, float, Any]]:
    """Yield the norm of the gradient difference, twice the divergence, and where, for every node."""
    problem = law.problem()
    roots = MatrixRoots.of_nodes(smoothness * problem.smoothness)
    for x, y in pairs(problem.d, np.linalg.eigh(problem.smoothness.mean(axis=0))[1]):
        root = roots.apply_pseudo_inverse_root(problem.gradients(x) - problem.gradients(y))
        for node, divergence in enumerate(problem.bregman(x, y)):
            twice = law("twice", D=float(divergence))
            yield float((root[node] ** 2).sum()), twice, {"x": x, "y": y, "node": node}


def _from_zero(length: float, d: int, directions: Any) -> list[tuple[Any, Any]]:
    """Return short steps from 0, where the logistic curvature is largest."""
    return [(length * directions[:, j], np.zeros(d)) for j in (0, d // 2, d - 1)]


_LOGISTIC = {"data": "breast cancer", "n": 8, "ridge": 0.01}


@judge.exact(instance="breast-cancer", smoothness=1.0, parameters=_LOGISTIC)
def logistic(law: Law, smoothness: float) -> Comparisons:
    """Logistic regression on real data: every node at pairs of points, near and far."""

    def pairs(d: int, directions: Any) -> list[Any]:
        points = np.random.Generator(np.random.Philox(20240601)).standard_normal((6, 2, d))
        return [*points, *_from_zero(1e-3, d, directions)]

    for value, twice, witness in _at_pairs(law, smoothness, pairs):
        yield le("co-coercivity of a node", value, twice, DRIFT, witness=witness, headline=True)


@judge.exact(
    instance="breast-cancer-at-zero",
    smoothness=1.0,
    parameters={**_LOGISTIC, "x": "3e-5 along eigenvectors", "y": 0},
)
def logistic_at_zero(law: Law, smoothness: float) -> Comparisons:
    """At 0 the Hessian of each node is its matrix, so that a short step from there attains the bound."""
    for value, twice, witness in _at_pairs(law, smoothness, functools.partial(_from_zero, 3e-5)):
        yield eq("equality where the Hessian is L", value, twice, DIFFERENCES, witness=witness)


_ROWS = (((3, -1), (2, 2), (0, 1)), ((1, 4), (-2, 1), (0, 0)))  # the second node has two rows of its own
_LABELS = ((1, -1, 1), (-1, 1, 1))


@judge.exact(
    instances={f"{name}-divergence": {"regulariser": name} for name in ("convex", "nonconvex")},
    lengths=(1e-4, 3e-3, 0.02, 0.25, 1, 30),
)
def logistic_divergences(law: Law, regulariser: Any, lengths: Any) -> Comparisons:
    """Divergences of logistic losses with either regulariser against 60 digits, at all distances."""
    problem = Logistic(np.array(_ROWS, dtype=float), _LABELS, 0.5, regulariser=regulariser, counts=(3, 2))
    starts = np.array([[0.0, 0.0], [0.5, -0.25], [-3.0, 2.0]])
    ends = starts + np.array(lengths)[:, None, None] * np.array([0.5, -1.0])
    found = problem.bregman(ends, starts)
    for place in np.ndindex(ends.shape[:2]):
        x, y = ends[place], starts[place[1]]
        for node in range(2):
            (at_x, _), (at_y, slope) = (problem.evaluate_node(node, point) for point in (x, y))
            by_objectives = float(problem.objectives(x)[node] - problem.objectives(y)[node])
            # Where the ends are near, their difference has fewer digits than the divergence.
            literal = (
                change - float(gradient @ (x - y))
                for change in (at_x - at_y, by_objectives)
                for gradient in (slope, problem.gradients(y)[node], problem.evaluate(y)[1][node])
                if np.linalg.norm(x - y) > 1
            )
            twice = law("twice", D=_loss_divergence(regulariser, node, x, y))
            for value in (float(found[*place, node]), *literal):
                yield eq("divergence of a loss", 2 * value, twice, ROUND_OFF, witness={"x": x, "y": y})


def _loss_divergence(regulariser: str, node: int, x: Any, y: Any) -> float:
    """Return D_{f_i}(x, y) by its definition, in 60 digits."""
    from mpmath import mp, mpf

    with mp.workdps(60):
        x, y = [mpf(float(item)) for item in x], [mpf(float(item)) for item in y]
        total = mpf(0)
        rows = _ROWS[node][: (3, 2)[node]]
        for row, label in zip(rows, _LABELS[node], strict=False):
            ends = [label * sum(a * b for a, b in zip(row, point, strict=True)) for point in (x, y)]
            at_x, at_y = (mp.log1p(mp.exp(-z)) for z in ends)
            total += (at_x - at_y + (ends[0] - ends[1]) / (1 + mp.exp(ends[1]))) / len(rows)
        for a, b in zip(x, y, strict=True):
            if regulariser == "convex":
                total += (a * a - b * b - 2 * b * (a - b)) / 4
            else:
                slope = 2 * b / (1 + b * b) ** 2
                total += (a * a / (1 + a * a) - b * b / (1 + b * b) - slope * (a - b)) / 2
        return float(total)


@judge.exact(instance="low-rank", sizes=(8, 17, 40))
def roots_of_low_rank(law: Law, sizes: Any) -> Comparisons:
    """Roots of matrices of one and two columns, where round-off has eigenvalues of its own."""
    yield from low_rank(law.roots, sizes)


@judge.exact(instance="threshold", sizes=(32, 64))
def threshold_of_rank(law: Law, sizes: Any) -> Comparisons:
    """Which eigenvalues are kept on both sides of d eps lambda_max."""
    yield from threshold(law.roots, sizes)


def _with_shift(method: Any, beside: float) -> Any:
    """Return two rounds on the line of a plane, whose first shift has a part beside the line."""
    return method(
        Quadratic([[1.0, 0.0]]),
        BernoulliSparsifier([1.0, 1.0]),
        step_size=0.5,
        learning_rate=0.5,
        rounds=2,
        rng=np.random.Generator(np.random.Philox(0)),
        start=[1.0, 0.0],
        shifts=[[0.5, beside]],
    )


@judge.exact(instance="first-shifts", beside=2.0**-22)
def shifts_within_rounding(law: Law, beside: float) -> Comparisons:
    """What rounding leaves of a first shift outside of the range is projected away: it moves nothing."""
    # Without compression each of two steps of 1/2 halves the distance, exactly: to 1/4 on the line.
    moved = _with_shift(law.shifted, beside).x[0] - np.array([0.25, 0.0])
    yield eq("coordinates that end elsewhere", int(np.count_nonzero(moved)), 0, witness={"moved": moved})


@judge.exact(instance="node-at-rest", rounds=2)
def matrix_of_zero(law: Law, rounds: int) -> Comparisons:
    """The root of a matrix of zeros is zero, and so is its inverse: the node sends zeros in literal runs."""
    for matrices in (np.diag([1.0, 0.0]), np.array([np.diag([1.0, 0.0]), np.zeros((2, 2))])):
        codecs = [BernoulliSparsifier([1.0, 1.0])] * 2
        rng = np.random.Generator(np.random.Philox(0))
        # The mean of one node's gradient and of none: each step of 1 halves the distance.
        run = law.literal(
            Quadratic(matrices), codecs, step_size=1.0, rounds=rounds, rng=rng, start=[1.0, 0.0]
        )
        moved = run.x[0] - np.array([0.25, 0.0])
        yield eq("coordinates that end elsewhere", int(np.count_nonzero(moved)), 0, witness={"moved": moved})


@judge.exact(d=2)
def domain(law: Law, d: int) -> Comparisons:
    """Matrices are semidefinite, gradients lie in their ranges, both up to rounding; losses are finite."""
    ones, nan, inf = np.ones((2, 1, d)), np.nan, np.inf

    def loss(features: Any = ones, labels: Any = ((1,), (-1,)), ridge: Any = 0.1, **options: Any) -> Any:
        return lambda: Logistic(features, labels, ridge, **options)

    def roots(*nodes: Any) -> Any:
        return lambda: MatrixRoots.of_nodes(np.array(nodes, dtype=float))

    def gradient(*entries: float) -> Any:
        flat = MatrixRoots.of_nodes(np.array([[1.0, 0.0]]))
        return lambda: flat.check_range(np.array([entries]), np.zeros(d))

    def far(share: float) -> Any:
        # At z the bound has a second part, d eps lambda_max |z|.
        line, z = MatrixRoots.of_nodes(np.array([[4.0, 1.0, 0.0]])), np.array([600.0, 0.0, 800.0])
        return lambda: line.check_range(np.array([[0.0, 0.0, share * 3 * 2.0**-52 * 4 * 1000]]), z)

    # What is not symmetric, or not semidefinite, by the round-off of A^T A / m for m = 2^17 rows.
    rounding = 2.0**-35
    rows = np.ones((4, d)), np.array([1, -1, 1, -1])
    inside = {
        "a node for each row": lambda: label_sorted_split(*rows, 4),
        "no ridge": loss(ridge=0),
        "either regulariser": loss(regulariser="nonconvex"),
        "rows of its own": loss(counts=(1, 1)),
        "singular matrices": roots([1, 0], [0, 0]),
        "a root of zero within rounding": roots([1, -1e-20], [1, 1]),
        "a dense one within rounding": roots([[1, 1], [1, 1]], [[1, 0], [0, -1e-20]]),
        "negative by the round-off of many rows": roots([1, -rounding], [0, 1]),
        "a dense one by that of many rows": roots([[1, 0], [0, -rounding]], [[1, 1], [1, 1]]),
        "asymmetric by that of many rows": roots([[1, 1], [1 + rounding, 2]]),
        "a gradient in the range": gradient(1.0, 0.0),
        "a gradient within rounding": gradient(1.0, 9e-7),
        "a gradient within the rounding of its point": far(0.95),
        "a shift within rounding": lambda: _with_shift(diana_plus, 4.5e-7),
    }
    outside: dict[str, Any] = {f"ridge={item}": loss(ridge=item) for item in (-0.1, nan, inf)}
    outside |= {f"features={item}": loss(ones * item) for item in (nan, inf)}
    outside |= {f"labels={item}": loss(labels=((1,), (item,))) for item in (0, 2, nan)}
    outside |= {f"counts={item}": loss(counts=item) for item in ((0, 1), (1, 2), (1,), (1.0, 1.0))}
    outside |= {f"diagonal={item}": roots([1, item]) for item in (-1e-3, -1e-6, nan, inf)}
    outside |= {f"matrix={item}": roots([[1, item], [item, 1]]) for item in (1.001, nan)}
    sizes = [np.ones(()), np.ones((2, 0)), np.ones(3), np.ones((2, 3)), np.ones((2, 0, 0))]
    numbers: tuple[Any, ...] = (0, 5, True, 1.5)
    outside |= {f"{n!r} nodes": functools.partial(label_sorted_split, *rows, n) for n in numbers}
    outside |= {
        "an unknown regulariser": loss(regulariser="l3"),
        "labels of another shape": loss(labels=(1, -1)),
        "no axis of nodes": roots(1, 1),
        **{
            f"diagonals {item.shape}": functools.partial(MatrixRoots.from_diagonals, item)
            for item in sizes[:2]
        },
        **{f"matrices {item.shape}": functools.partial(MatrixRoots.from_dense, item) for item in sizes[1:]},
        "an asymmetric matrix": roots([[1, 1e-6], [0, 1]]),
        "a dense indefinite matrix": roots([[1, 0], [0, -1e-6]]),
        "a gradient outside of the range": gradient(1.0, 2e-6),
        "a gradient beyond the rounding of its point": far(1.05),
        "a shift outside of the range": lambda: _with_shift(diana_plus, 1e-6),
    }
    yield from arguments(law.taken, inside, outside)
