"""Checks of `cq_marina/hv-relations`: quadratics in rationals, dense ones, a search over directions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import Rational, sqrt

import theory
from verify.binding import Check
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.grid_inputs import P2, P3, WEIGHTS, Rows
from verify.cq_marina.problem_differences import FAULTS, compare_differences
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

EQUAL = (F(1, 4),) * 4


@dataclass(frozen=True)
class Instance:
    """Clients with diagonal Hessians (n, d) and weights (n,), rational."""

    hessians: Rows
    weights: tuple[F, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"hessians": self.hessians, "weights": self.weights}

    @property
    def n(self) -> int:
        """Return the number of clients."""
        return len(self.weights)

    def client_constants(self) -> list[F]:
        """Return $L_i$, the largest absolute entries."""
        return [max(abs(item) for item in row) for row in self.hessians]


@dataclass(frozen=True)
class Rules:
    """What a mutant changes: the factor of a square, the sum rule, and who gets which weights."""

    factor: Callable[[F, int], F] = field(default=lambda weight, n: 1 / (n**2 * weight))
    sum_rule: Callable[[F, F], F] = field(default=lambda L_pm_sq, L_minus_sq: L_pm_sq + L_minus_sq)
    best_weight: Callable[[list[F]], list[F]] = field(default=lambda L: [item / sum(L) for item in L])
    best_value_for: Callable[[Instance, list[F]], list[F]] = field(default=lambda instance, best: best)


@dataclass(frozen=True)
class Squares:
    """Squares of the constants of a diagonal quadratic."""

    L_minus: F
    L_plus: F
    L_pm: F


HONEST = Rules()
MUTANTS = {
    "weights-not-inverted": Rules(factor=lambda weight, n: weight),
    "no-hessian-variance": Rules(sum_rule=lambda L_pm_sq, L_minus_sq: L_minus_sq),
    "inverse-weights": Rules(best_weight=lambda L: [1 / item / sum(1 / other for other in L) for item in L]),
    "best-value-for-equal-weights": Rules(
        best_value_for=lambda instance, best: [F(1, instance.n)] * instance.n
    ),
}
INSTANCES = {
    "line": Instance(((F(1),), (F(3),)), (F(1, 4), F(3, 4))),
    "indefinite": Instance(P2, WEIGHTS),
    "equal-weights": Instance(P2, EQUAL),
    "six-clients": Instance(P3, tuple(F(k, 21) for k in (6, 5, 4, 3, 2, 1))),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/hv-relations")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "dense", ExactCase(compare_dense), {"n": 4, "d": 3}),
        _search(),
        _differences("least-squares"),
    )


def _exact(name: str, instance: Instance) -> Check:
    mutants = {key: ExactCase(_case(instance, rules)) for key, rules in MUTANTS.items() if _sees(name, key)}
    reverse = Instance(instance.hessians[::-1], instance.weights[::-1])
    mutants["permuted-clients"] = ExactCase(_case(reverse, HONEST))
    return Check("exact", name, ExactCase(_case(instance, HONEST)), instance.parameters, mutants)


def _sees(instance: str, mutant: str) -> bool:
    """Equal weights equal their inverses; scaled copies have no weighted variance to be dropped."""
    if mutant == "weights-not-inverted":
        return instance != "equal-weights"
    return mutant != "no-hessian-variance" or instance != "line"


def _case(instance: Instance, rules: Rules) -> Callable[[], Iterable[Comparison]]:
    return lambda: compare(instance, rules)


def compare(instance: Instance, rules: Rules) -> Iterable[Comparison]:
    """Literal constants of a diagonal quadratic against the formulas and against `impl`."""
    from impl.problems import Quadratic, smoothness_constants

    squares, n, witness = literal(instance, rules), instance.n, instance.parameters
    for j, column in enumerate(zip(*instance.hessians, strict=True)):
        values = {"delta": column, "w": instance.weights, "n": n}
        square = sum(rules.factor(w, n) * item**2 for item, w in zip(column, instance.weights, strict=True))
        yield Comparison(
            f"mean square of coordinate {j}", "eq", square, _stated("mean_square", values), EXACT, witness
        )
        yield Comparison(
            f"variance of coordinate {j}",
            "eq",
            square - (sum(column) / F(n)) ** 2,
            _stated("variance", values),
            EXACT,
            witness,
        )
    yield Comparison("L_minus^2 below L_plus^2", "le", squares.L_minus, squares.L_plus, EXACT, witness)
    yield Comparison("L_pm^2 below L_plus^2", "le", squares.L_pm, squares.L_plus, EXACT, witness)
    stated = _stated("sum_rule", {"L_pm": _root(squares.L_pm), "L_minus": _root(squares.L_minus)})
    rule = rules.sum_rule(squares.L_pm, squares.L_minus)
    yield Comparison("sum rule as stated", "eq", rule, stated, EXACT, witness)
    yield Comparison("L_plus^2 by the sum rule", "le", squares.L_plus, rule, EXACT, witness)
    yield from _compare_weights(instance, rules, squares)
    hessians = [[float(item) for item in row] for row in instance.hessians]
    found = smoothness_constants(Quadratic(hessians, convex=False), [float(w) for w in instance.weights])
    for name in ("L_minus", "L_plus", "L_pm"):
        value, square = getattr(found, name) ** 2, float(getattr(squares, name))
        yield Comparison(f"{name}^2 of impl", "eq", value, square, ROUND_OFF, witness)


def _compare_weights(instance: Instance, rules: Rules, squares: Squares) -> Iterable[Comparison]:
    n, L, witness = instance.n, instance.client_constants(), instance.parameters
    bound = _stated("bound", {"L": L, "w": instance.weights, "n": n})
    yield Comparison(
        "L_plus^2 by client constants", "le", squares.L_plus, bound, EXACT, witness, headline=True
    )
    best_value = _stated("best_value", {"L": L, "n": n})
    yield Comparison("best value below the bound", "le", best_value, bound, EXACT, witness)
    best = rules.best_weight(L)
    for i, weight in enumerate(best):
        stated = _stated("best_weight", {"L": L, "n": n, "i": i})
        yield Comparison(f"best weight of client {i}", "eq", weight, stated, EXACT, witness)
    used = rules.best_value_for(instance, best)
    reached = _stated("bound", {"L": L, "w": used, "n": n})
    yield Comparison("bound at the best weights", "eq", reached, best_value, EXACT, witness)
    best_squares = literal(replace(instance, weights=tuple(used)), rules)
    yield Comparison("L_plus^2 at the best weights", "le", best_squares.L_plus, best_value, EXACT, witness)


def literal(instance: Instance, rules: Rules = HONEST) -> Squares:
    """Return the squared constants of a diagonal quadratic, coordinate by coordinate."""
    n = instance.n
    columns = list(zip(*instance.hessians, strict=True))
    means = [(sum(column) / F(n)) ** 2 for column in columns]
    squares = [
        sum((rules.factor(w, n) * item**2 for item, w in zip(column, instance.weights, strict=True)), F(0))
        for column in columns
    ]
    spread = [square - mean for square, mean in zip(squares, means, strict=True)]
    return Squares(max(means), max(squares), max(spread))


def _root(square: F) -> Any:
    # A mutant's variance may be negative; the rule squares the root again.
    return sqrt(Rational(square.numerator, square.denominator))


def _stated(name: str, values: dict[str, Any]) -> Any:
    return evaluate_exact(theory.claim("cq_marina/hv-relations").expressions[name], values)


def dense_hessians() -> Any:
    """Return four symmetric matrices in three dimensions, indefinite, of sizes 8, 4, 2 and 2."""
    rng = np.random.Generator(np.random.Philox(7))
    base, noise = rng.standard_normal((3, 3)), rng.standard_normal((4, 3, 3)) / 4
    sizes = np.array([8.0, 4.0, 2.0, 2.0])[:, None, None]
    matrices = sizes * (base + noise)
    return matrices + np.swapaxes(matrices, -1, -2)


def compare_dense() -> Iterable[Comparison]:
    """Constants of dense quadratics in `impl` against eigenvalues of the stated matrices, and the bound."""
    from impl.problems import Quadratic, smoothness_constants

    A, claim = dense_hessians(), theory.claim("cq_marina/hv-relations")
    L = np.abs(np.linalg.eigvalsh(A)).max(axis=-1)
    for weights in (np.array([float(w) for w in WEIGHTS]), np.full(4, 0.25), L / L.sum()):
        found = smoothness_constants(Quadratic(A, convex=False), weights)
        mean, total = A.mean(axis=0), sum(M @ M / (16 * w) for M, w in zip(A, weights, strict=True))
        witness = {"weights": weights}
        for name, value in (
            ("L_minus", np.linalg.eigvalsh(mean @ mean)[-1]),
            ("L_plus", np.linalg.eigvalsh(total)[-1]),
            ("L_pm", np.linalg.eigvalsh(total - mean @ mean)[-1]),
        ):
            yield Comparison(name, "eq", getattr(found, name) ** 2, float(value), ROUND_OFF, witness)
        bound = evaluate(claim.bound, {"L": L, "w": weights, "n": 4})
        yield Comparison("L_plus^2", "le", found.L_plus**2, bound, ROUND_OFF, witness, headline=True)


def _search() -> Check:
    """Quotients of dense quadratics over directions: the largest is the constant."""
    from impl.problems import Quadratic, smoothness_constants

    A = dense_hessians()
    weights = np.array([float(w) for w in WEIGHTS[::-1]])
    n = len(weights)

    def mean_square(used: Any) -> Callable[[Any], Any]:
        return lambda h: (np.einsum("nij,mj->mni", A, h) ** 2).sum(axis=-1) @ (1 / (n**2 * used))

    def case(square: Any, used: Any) -> AdversarialCase:
        form = np.einsum("nij,njk,n->ik", A, A, 1 / (n**2 * used))
        start = np.linalg.eigh(form)[1][:, -1]
        return AdversarialCase(
            mean_square(used), lambda h: square * (h**2).sum(axis=-1), 3, starts=(start,), budget=400
        )

    equal = np.full(n, 1 / n)
    L = np.abs(np.linalg.eigvalsh(A)).max(axis=-1)
    best_value = evaluate(theory.claim("cq_marina/hv-relations").formulas["best_value"], {"L": L, "n": n})
    found = smoothness_constants(Quadratic(A, convex=False), weights)
    base = case(found.L_plus**2, weights)
    mutants = {
        "weights-not-inverted": case(
            float(np.linalg.eigvalsh(np.einsum("nij,njk,n->ik", A, A, weights[::-1]))[-1]), weights[::-1]
        ),
        "no-hessian-variance": case(found.L_minus**2, weights),
        "best-value-for-equal-weights": case(best_value, equal),
    }
    return Check("adversarial", "directions", base, {"n": n, "d": 3}, mutants, seconds=0.1)


def _differences(name: str) -> Check:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    seen = FAULTS
    mutants = {key: ExactCase(partial(compare_differences, name, FAULTS[key])) for key in seen}
    base = ExactCase(partial(compare_differences, name))
    return Check("exact", f"differences-{name}", base, {"problem": name}, mutants, seconds=0.1)
