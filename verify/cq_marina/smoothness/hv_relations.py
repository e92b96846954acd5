"""Checks of `cq_marina/hv-relations`: quadratics in rationals, dense ones, nonquadratic ones along runs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.problems import Logistic, Quadratic, smoothness_constants
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import DRIFT, ROUND_OFF, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.by_kernels import also_at, as_written, at_both, by_kernels
from verify.conformance.data_files import OTHER_CONTENT, content, data_files, known_sets
from verify.conformance.fetched_files import fetched_files
from verify.conformance.leading_axes import axes_of_problems, axes_of_roots
from verify.conformance.nearly_symmetric import skewed_matrices
from verify.conformance.node_functions import (
    OTHER_VALUES,
    composites,
    evaluated,
    many_points,
    node_functions,
    same,
    small_losses,
)
from verify.conformance.wrong_calls import public_calls, wrong_calls
from verify.cq_marina.fixtures.grid_inputs import P2, P3, WEIGHTS, Rows
from verify.cq_marina.fixtures.marina.node_problems import (
    DEFINITE,
    NONZEROS,
    RANK_TWO,
    composite_problems,
    kernel_problems,
    long_problems,
    node_problems,
    separable_problems,
)
from verify.cq_marina.fixtures.problem_arguments import problems_inside, problems_outside
from verify.cq_marina.smoothness.problem_differences import FAULTS, HONEST, differences_of
from verify.rungs.adversarial import AdversarialCase

EQUAL = (F(1, 4),) * 4
SIX = tuple(F(k, 21) for k in (6, 5, 4, 3, 2, 1))
INSTANCES: dict[str, dict[str, Any]] = {
    "line": {"hessians": ((F(1),), (F(3),)), "weights": (F(1, 4), F(3, 4))},
    "indefinite": {"hessians": P2, "weights": WEIGHTS},
    "equal-weights": {"hessians": P2, "weights": EQUAL},
    "six-clients": {"hessians": P3, "weights": SIX},
}


def _factor(weight: Any, n: int) -> Any:
    return 1 / (n**2 * weight)


def _proportional(L: Sequence[F]) -> list[F]:
    return [item / sum(L) for item in L]


judge = checks_of(
    "cq_marina/hv-relations",
    factor=_factor,
    best_weights=_proportional,
    spread=lambda square, mean: square - mean,
    constants=smoothness_constants,
    faults=HONEST,
    gradients=lambda problem, x: problem.gradients(x),
    taken=taken,
    evaluated=evaluated,
    content=content,
)


def _exact(*names: str) -> tuple[str, ...]:
    return tuple(f"exact/{name}" for name in names)


judge.sabotage(
    *REFUSALS,
    *at_both(OTHER_VALUES, "exact/functions", "exact/as-written"),
    *also_at(OTHER_VALUES, "exact/functions", "exact/functions-by-kernels"),
    *OTHER_CONTENT,
)
judge.sabotage(
    "weights-not-inverted at exact/dense, run/*, exact/line, exact/indefinite, exact/six-clients: Weigh the "
    "squares with w_i instead of 1/(n w_i).",
    factor=lambda weight, n: weight,
)
judge.sabotage(
    "averaged-twice: Average once more: 1/(n^3 w_i) for 1/(n^2 w_i).",
    factor=lambda weight, n: 1 / (n**3 * weight),
    at=_exact(*INSTANCES),
)
judge.sabotage(
    "added-mean: Add the squared mean where it is to be taken off.",
    spread=lambda square, mean: square + mean,
    at=_exact("line", "indefinite", "equal-weights"),
)


@judge.mutant(
    "Take the mean smoothness for the smoothness of the mean.",
    at=_exact("indefinite", "equal-weights", "six-clients", "dense"),
)
def mean_smoothness(law: Law) -> Law:
    def constants(problem: Any, weights: Any) -> Any:
        found = smoothness_constants(problem, weights)
        return replace(found, L_minus=found.L_plus)

    return law.replace(constants=constants)


judge.sabotage_data(
    "permuted-clients, neutral: Number the clients with their weights in reverse order.",
    lambda hessians, weights: {"hessians": hessians[::-1], "weights": weights[::-1]},
    at=_exact(*INSTANCES),
)
judge.sabotage(
    "no-hessian-variance at adversarial/directions: Drop L_pm^2: claim L_+ <= L_-. "
    "| sum_rule = sum_rule(L_pm = 0)",
    at=(*_exact("indefinite", "equal-weights", "six-clients"),),
)
judge.sabotage(
    "inverse-weights: Take w_i in proportion to 1/L_i for the best weights.",
    {"best_weights": lambda L: _proportional([1 / item for item in L])},
    "best-value-for-equal-weights: Claim the best value for equal weights.",
    {"best_weights": lambda L: [F(1, len(L))] * len(L)},
    at=_exact(*INSTANCES),
)
judge.sabotage(
    "half-regulariser at exact/differences-least-squares: Half of the regulariser in the functions.",
    {"faults": FAULTS["half-regulariser"]},
    "padding-counts at exact/differences-least-squares: Rows of zeros that fill up a client count in its "
    "mean.",
    {"faults": FAULTS["padding-counts"]},
    "swapped-functions at exact/differences-least-squares: The clients in the reverse order, their "
    "gradients not.",
    {"faults": FAULTS["swapped-functions"]},
    "larger-gradients at run/*: Gradients of three times the functions, Lipschitz constants of the "
    "functions.",
    {"gradients": lambda problem, x: 3 * problem.gradients(x)},
    "scaled-copies at exact/shifts: Clients that differ by quadratics, not by affine functions.",
    {"gradients": lambda problem, x: problem.gradients(x) * np.array([[1.0], [2.0], [3.0]])},
)


# ---------------------------------------------------------------- diagonal quadratics, in rationals


@judge.exact(instances=INSTANCES)
def diagonal(law: Law, hessians: Rows, weights: Sequence[F]) -> Iterable[Comparison]:
    """Constants of a diagonal quadratic, coordinate by coordinate, against the formulas and `impl`."""
    n, columns = len(weights), list(zip(*hessians, strict=True))
    found = _literal(law, hessians, weights)
    for column in columns:
        square = sum(law.factor(w, n) * item**2 for item, w in zip(column, weights, strict=True))
        mean = sum(column) / F(n)
        spread = [(item / (n * w) - mean) ** 2 for item, w in zip(column, weights, strict=True)]
        variance = law.exactly("variance", D=spread, w=weights, n=n)
        yield eq("variance of a coordinate", square - mean**2, variance)
    yield le("L_minus^2 below L_plus^2", found["L_minus"], found["L_plus"])
    yield le("L_pm^2 below L_plus^2", found["L_pm"], found["L_plus"])
    rule = law("sum_rule", L_pm=float(found["L_pm"]) ** 0.5, L_minus=float(found["L_minus"]) ** 0.5)
    yield le("L_plus^2 by the sum rule", float(found["L_plus"]), rule, ROUND_OFF)
    L = [max(abs(item) for item in row) for row in hessians]
    bound = law.exactly("bound", L=L, w=weights, n=n)
    yield le("L_plus^2 by client constants", found["L_plus"], bound, headline=True)
    best_value, best = law.exactly("best_value", L=L, n=n), law.best_weights(L)
    yield le("best value below the bound", best_value, bound)
    for place, weight in enumerate(best):
        yield eq("best weights", weight, law.exactly("best_weight", L=L, n=n, i=place))
    yield eq("bound at the best weights", law.exactly("bound", L=L, w=best, n=n), best_value)
    floats = [[float(item) for item in row] for row in hessians]
    of_impl = law.constants(Quadratic(floats, convex=False), [float(item) for item in weights])
    for name in ("L_minus", "L_plus", "L_pm"):
        yield eq(f"{name}^2 of impl", getattr(of_impl, name) ** 2, float(found[name]), ROUND_OFF)


def _literal(law: Law, hessians: Rows, weights: Sequence[F]) -> dict[str, F]:
    """Return the squared constants of a diagonal quadratic."""
    n, columns = len(weights), list(zip(*hessians, strict=True))
    means = [(sum(column) / F(n)) ** 2 for column in columns]
    squares = [
        sum((law.factor(w, n) * item**2 for item, w in zip(column, weights, strict=True)), F(0))
        for column in columns
    ]
    spread = [law.spread(square, mean) for square, mean in zip(squares, means, strict=True)]
    return {"L_minus": max(means), "L_plus": max(squares), "L_pm": max(spread)}


# ---------------------------------------------------------------- dense quadratics


def dense_hessians() -> Any:
    """Return four symmetric matrices in three dimensions, indefinite, of sizes 8, 4, 2 and 2."""
    rng = np.random.Generator(np.random.Philox(7))
    base, noise = rng.standard_normal((3, 3)), rng.standard_normal((4, 3, 3)) / 4
    matrices = np.array([8.0, 4.0, 2.0, 2.0])[:, None, None] * (base + noise)
    return matrices + np.swapaxes(matrices, -1, -2)


@judge.exact(parameters={"n": 4, "d": 3})
def dense(law: Law) -> Iterable[Comparison]:
    """Constants of dense quadratics in `impl` against eigenvalues of the stated matrices, and the bound."""
    A = dense_hessians()
    L = np.abs(np.linalg.eigvalsh(A)).max(axis=-1)
    for weights in (np.array([float(w) for w in WEIGHTS]), np.full(4, 0.25), L / L.sum()):
        found = law.constants(Quadratic(A, convex=False), weights)
        mean = A.mean(axis=0)
        total = sum(law.factor(w, 4) * (M @ M) for M, w in zip(A, weights, strict=True))
        for name, value in (
            ("L_minus", np.linalg.eigvalsh(mean @ mean)[-1]),
            ("L_plus", np.linalg.eigvalsh(total)[-1]),
            ("L_pm", np.linalg.eigvalsh(total - mean @ mean)[-1]),
        ):
            yield eq(name, getattr(found, name) ** 2, float(value), ROUND_OFF, witness={"weights": weights})
        bound = law("bound", L=L, w=weights, n=4)
        square = found.L_plus**2
        yield le("L_plus^2 by client constants", square, bound, ROUND_OFF, headline=True)


@judge.adversarial(parameters={"n": 4, "d": 3})
def directions(law: Law) -> AdversarialCase:
    """Quotients of dense quadratics over directions against the sum rule."""
    A, weights = dense_hessians(), np.array([float(w) for w in WEIGHTS[::-1]])
    found = smoothness_constants(Quadratic(A, convex=False), weights)
    square = law("sum_rule", L_pm=found.L_pm, L_minus=found.L_minus)
    form = np.einsum("nij,njk,n->ik", A, A, 1 / (16 * weights))
    return AdversarialCase(
        lambda h: (np.einsum("nij,mj->mni", A, h) ** 2).sum(axis=-1) @ (1 / (16 * weights)),
        lambda h: square * (h**2).sum(axis=-1),
        3,
        starts=(np.linalg.eigh(form)[1][:, -1],),
        budget=400,
    )


# ---------------------------------------------------------------- other functions


@judge.exact(instance="shifts", parameters={"n": 3, "d": 2})
def shifts(law: Law) -> Iterable[Comparison]:
    """Clients that differ by affine functions have no variance between two points."""
    problem = Quadratic(np.array([[[2.0, 1.0], [1.0, -1.0]]] * 3), np.arange(6.0).reshape(3, 2), convex=False)
    x, y = np.array([1.0, -0.5]), np.array([0.25, 2.0])
    delta = law.gradients(problem, x) - law.gradients(problem, y)
    mean = float((delta.mean(axis=0) ** 2).sum())
    yield eq("shifted copies", float((delta**2).sum() / 3), mean, ROUND_OFF)


@judge.drift(instances={kind: {"regulariser": kind} for kind in ("nonconvex", "convex")})
def logistic(law: Law, rng: Any, regulariser: Any) -> Iterable[Comparison]:
    """Logistic losses along gradient descent, weights of all kinds: no quadratics, and not convex."""
    n, d = 4, 3
    features, labels = rng.standard_normal((n, 5, d)), np.where(rng.random((n, 5)) < 0.5, -1.0, 1.0)
    features[0] *= 4
    problem = Logistic(features, labels, 0.5, regulariser=regulariser)
    L = problem.L_nodes
    x = 3 * rng.standard_normal(d)
    for _ in range(20):
        weights = rng.dirichlet(np.ones(n)) * 0.9 + 0.1 / n
        before = law.gradients(problem, x)
        y = x - before.mean(axis=0) / problem.L
        delta = before - law.gradients(problem, y)
        factors = np.array([law.factor(w, n) for w in weights])
        square = float(((delta**2).sum(axis=1) * factors).sum())
        mean, distance = float((delta.mean(axis=0) ** 2).sum()), float(((x - y) ** 2).sum())
        spread = ((delta / (n * weights[:, None]) - delta.mean(axis=0)) ** 2).sum(axis=1)
        variance = law("variance", D=spread, w=weights, n=n)
        yield eq("variance along a run", square, mean + variance, DRIFT)
        yield le("mean along a run", mean, problem.L**2 * distance, DRIFT)
        bound = law("bound", L=L, w=weights, n=n)
        yield le("mean square along a run", square, bound * distance, DRIFT, headline=True)
        x = y


@judge.exact(instances={"differences-least-squares": {"problem": "least-squares"}})
def differences(law: Law, problem: str) -> Iterable[Comparison]:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    yield from differences_of(problem, law.faults)


@judge.exact(problems=("quadratic", "tridiagonal", "least squares", "composite"))
def domain(law: Law, problems: Sequence[str]) -> Iterable[Comparison]:
    """Matrices, weights, rows and penalties that problems take; wrong arguments of all kinds of calls."""
    del problems
    yield from arguments(law.taken, problems_inside(), problems_outside())
    yield from wrong_calls(law.taken, public_calls())


@judge.exact(instance="functions", problems=("quadratic", "tridiagonal", "logistic", "least squares"))
def functions_written_out(law: Law, problems: Sequence[str]) -> Iterable[Comparison]:
    """Values, gradients, Hessians and constants of all nodes at once against functions written out."""
    del problems
    problems_of_nodes = node_problems()
    yield from node_functions(law.evaluated, problems_of_nodes)
    for name, (problem, _) in problems_of_nodes.items():
        if isinstance(problem, Logistic):
            mean = law.evaluated(problem.mean_nonzeros)
            yield same("fast constants", mean, NONZEROS, ROUND_OFF, {"problem": name})
    yield from many_points(law.evaluated, long_problems(), 400)
    yield from small_losses(law.evaluated, *separable_problems())
    yield from composites(law.evaluated, composite_problems())
    every = {name: problem for name, (problem, *_) in (problems_of_nodes | composite_problems()).items()}
    yield from axes_of_problems(law.evaluated, every)
    yield from skewed_matrices(law.evaluated, DEFINITE)
    yield from axes_of_roots(law.evaluated, RANK_TWO)


@judge.exact(instance="functions-by-kernels", profile="full", problems=("logistic", "nonconvex"))
def functions_by_kernels(law: Law, problems: Sequence[str]) -> Iterable[Comparison]:
    """The same of logistic problems with kernels, where they are installed."""
    chosen = {name: case for name, case in node_problems().items() if name.startswith(tuple(problems))}
    yield from by_kernels(node_functions, law.evaluated, chosen | kernel_problems())
    yield from by_kernels(small_losses, law.evaluated, *separable_problems())


@judge.exact(instance="as-written", problems=("logistic", "nonconvex"))
def functions_written(law: Law, problems: Sequence[str]) -> Iterable[Comparison]:
    """The same, and transforms, by kernels that run as Python."""
    chosen = {name: case for name, case in node_problems().items() if name.startswith(tuple(problems))}
    many = {
        name: case for name, case in kernel_problems().items() if name in ("reals, dense", "ones, sparse")
    }
    yield from as_written(node_functions, law.evaluated, chosen | many)
    yield from as_written(small_losses, law.evaluated, *separable_problems())
    yield from as_written(axes_of_roots, law.evaluated, RANK_TWO)


_ROWS = ((0.5, 0, 2), (0, 0, -3.25), (1, 4, 0), (0, 7, 1), (0.125, 0, 0))
_LABELS = (3, 2, 3, 3, 2)


@judge.exact(instance="files", rows=_ROWS, labels=_LABELS)
def files(law: Law, rows: Sequence[Sequence[float]], labels: Sequence[int]) -> Iterable[Comparison]:
    """Rows and labels in files of all kinds, hashes of their content, and which client gets which rows."""
    yield from data_files(law.content, rows, labels)


@judge.exact(instance="files-by-name", rows=_ROWS, labels=_LABELS)
def sets(law: Law, rows: Sequence[Sequence[float]], labels: Sequence[int]) -> Iterable[Comparison]:
    """Sets by name, in a given folder or that of the environment, fetched ones, and recorded sizes."""
    yield from known_sets(law.content, rows, labels)
    yield from fetched_files(law.content, rows, labels)
