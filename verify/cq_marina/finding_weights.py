"""Checks of `cq_marina/finding-weights`: noise in rationals, tridiagonal quadratics, a weight search."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance
from verify.cq_marina.grid_inputs import P1, P2, Rows
from verify.cq_marina.joint_enumeration import enumerate_joint
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

DIGITS = Tolerance(5e-4, "the statement gives the ratio to three decimals")
TRIDIAGONAL = {"10-32": (10, 32, 0.5, 1e-6, 1.083), "5-6": (5, 6, 0.8, 1e-2, 1.223)}


@dataclass(frozen=True)
class Instance:
    """Gradient differences (n, d), and the probability p_i with which client i keeps a coordinate."""

    differences: Rows
    probabilities: tuple[F, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"differences": self.differences, "probabilities": self.probabilities}

    @property
    def n(self) -> int:
        """Return the number of clients."""
        return len(self.probabilities)

    @property
    def omegas(self) -> list[F]:
        """Return the constants of the compressors, omega_i = 1/p_i - 1."""
        return [1 / p - 1 for p in self.probabilities]


@dataclass(frozen=True)
class Rules:
    """What a mutant changes: who gets which weight, and which constant goes with weights."""

    best_weight: Callable[[Sequence[F]], list[F]]
    constant: Callable[[Sequence[F], Sequence[F]], F]


def _inverse(omegas: Sequence[F]) -> list[F]:
    return [1 / (item * sum(1 / other for other in omegas)) for item in omegas]


def _largest_product(omegas: Sequence[F], weights: Sequence[F]) -> F:
    return max(a * b for a, b in zip(omegas, weights, strict=True))


def _as_for_equal_weights(omegas: Sequence[F], weights: Sequence[F]) -> F:
    return max(omegas) / len(omegas)


HONEST = Rules(_inverse, _largest_product)
MUTANTS = {
    "unaware-constant": Rules(_inverse, _as_for_equal_weights),
    "weights-like-omega": Rules(lambda omegas: [item / sum(omegas) for item in omegas], _largest_product),
}
INSTANCES = {
    "line": Instance(((F(1),), (F(3),)), (F(1, 2), F(1, 2))),
    "equal-omega": Instance(tuple(tuple(k * a for a in P1[0]) for k in (1, 2, 5)), (F(1, 3),) * 3),
    "different-omega": Instance(P2, (F(1, 2), F(1, 3), F(2, 3), F(1, 5))),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/finding-weights")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _enumerated(),
        *(_tridiagonal(name) for name in TRIDIAGONAL),
        _search(),
    )


def _exact(name: str, instance: Instance) -> Check:
    mutants = {key: _case(instance, rules) for key, rules in MUTANTS.items() if _sees(name, key)}
    mutants["permuted-clients"] = _case(
        Instance(instance.differences[::-1], instance.probabilities[::-1]), HONEST
    )
    return Check("exact", name, _case(instance, HONEST), instance.parameters, mutants)


def _sees(instance: str, mutant: str) -> bool:
    """Where all omega_i are equal, weights like them are right; the constant of equal weights needs that."""
    return (mutant == "weights-like-omega") == (instance == "different-omega")


def _case(instance: Instance, rules: Rules) -> ExactCase:
    return ExactCase(lambda: compare(instance, rules))


def compare(instance: Instance, rules: Rules) -> Iterable[Comparison]:
    """Exact noise of independent sparsifiers against the product at several weights."""
    from impl.compressors import BernoulliSparsifier

    n, omegas, witness = instance.n, instance.omegas, instance.parameters
    noise = F(0)
    for row, p in zip(instance.differences, instance.probabilities, strict=True):
        noise += BernoulliSparsifier(p).variance(list(row)) / n**2
    stated = _summed("exact", instance, {"omega": omegas})
    yield Comparison("noise", "eq", noise, stated, EXACT, witness)
    lengths = [sum((abs(item) for item in row), F(0)) for row in instance.differences]
    best = rules.best_weight(omegas)
    for label, weights in (
        ("equal weights", [F(1, n)] * n),
        ("weights like the differences", [item / sum(lengths) for item in lengths]),
        ("best weights", best),
    ):
        constant = rules.constant(omegas, weights)
        product = _summed("bound", instance, {"A": constant, "w": weights})
        yield Comparison(f"noise, {label}", "le", noise, product, EXACT, witness, headline=True)
    for i, weight in enumerate(best):
        value = evaluate_exact(_formula("best_weight"), {"omega": omegas, "n": n, "i": i})
        yield Comparison(f"best weight of client {i}", "eq", weight, value, EXACT, witness)
    product = _summed("bound", instance, {"A": _largest_product(omegas, best), "w": best})
    yield Comparison("noise at the best weights", "eq", noise, product, EXACT, witness)


def _summed(name: str, instance: Instance, values: dict[str, Any]) -> Any:
    """Return a formula of one coordinate, summed over all of them."""
    columns = zip(*instance.differences, strict=True)
    formula = _formula(name)
    return sum(evaluate_exact(formula, {**values, "delta": column, "n": instance.n}) for column in columns)


def _formula(name: str) -> Any:
    return theory.claim("cq_marina/finding-weights").expressions[name]


def _enumerated() -> Check:
    """Whole rounds: RandK, which keeps its constant, and a partition, whose constant 1 does not grow."""
    rows = tuple(tuple(k * F(item) for item in (3, 4)) for k in (1, 2, 5))
    constants = [F(5), F(10), F(25)]  # lengths of the rows, the constants of clients with equal directions

    def case(order: int, helped: Callable[[Any, Any], bool]) -> ExactCase:
        return ExactCase(lambda: _compare_enumerated(rows[::order], constants[::order], helped))

    mutants = {
        "helped-independent": case(1, lambda name, n: True),
        "permuted-clients": case(-1, lambda name, n: name == "partition"),
    }
    base = case(1, lambda name, n: name == "partition")
    return Check("exact", "whole-rounds", base, {"differences": rows}, mutants, seconds=0.1)


def _compare_enumerated(
    rows: Rows, constants: Sequence[F], helped: Callable[[Any, Any], bool]
) -> Iterable[Comparison]:
    from impl.compressors import BernoulliSparsifier, Independent, RandK, WeightedPartition

    n, total = len(rows), sum(constants)
    weights = [item / total for item in constants]
    witness = {"differences": rows, "weights": weights}
    for name, compressor, constant, A in (
        ("RandK", Independent(RandK(1)), F(1, n), max(weights)),
        ("sparsifier", Independent(BernoulliSparsifier(F(1, 2))), F(1, n), max(weights)),
        ("partition", WeightedPartition(weights), F(1), F(1)),
    ):
        noise = enumerate_joint(compressor, rows).error
        reached = evaluate_exact(_formula("helped"), {"A": constant, "L": constants, "n": n})
        if helped(name, n):
            yield Comparison(f"{name}, helped", "le", noise, reached, EXACT, witness, headline=True)
        product = evaluate_exact(_formula("helped"), {"A": A, "L": constants, "n": n})
        yield Comparison(f"{name}, product with its own constant", "le", noise, product, EXACT, witness)
        if name != "partition":
            equal = sum(item**2 for item in constants) / F(n) ** 2
            yield Comparison(f"{name}, noise is that of equal weights", "eq", noise, equal, EXACT, witness)


@functools.cache
def _setting(name: str) -> tuple[Any, Any, Any]:
    """Return the problem, its weights like L_i, and the direction of the largest mean square."""
    from impl.problems import tridiagonal

    n, d, heterogeneity, mu, _ = TRIDIAGONAL[name]
    problem = tridiagonal(n, d, heterogeneity=heterogeneity, mu=mu)
    weights = problem.L_nodes / problem.L_nodes.sum()
    direction = np.linalg.eigh((problem.matrices @ problem.matrices).mean(axis=0))[1][:, -1]
    return problem, weights, direction


def _tridiagonal(name: str) -> Check:
    n, d, heterogeneity, mu, _ = TRIDIAGONAL[name]
    parameters = {"n": n, "d": d, "lambda": heterogeneity, "mu": mu, "compressor": "RandK(1)"}
    base = ExactCase(lambda: _compare_tridiagonal(name, aware=True))
    mutants = {"unaware-constant": ExactCase(lambda: _compare_tridiagonal(name, aware=False))}
    return Check("exact", f"tridiagonal-{name}", base, parameters, mutants)


def _compare_tridiagonal(name: str, *, aware: bool) -> Iterable[Comparison]:
    """Noise of RandK along the worst direction against the product of constants, with which A."""
    from impl.compressors import Independent, RandK
    from impl.problems import smoothness_constants

    problem, weights, direction = _setting(name)
    n, omega, ratio = problem.n, problem.d - 1, TRIDIAGONAL[name][-1]
    noise = Independent(RandK(1)).variance(problem.gradients(direction) - problem.gradients(0 * direction))
    equal, weighted = smoothness_constants(problem), smoothness_constants(problem, weights)
    A = omega * float(weights.max()) if aware else omega / n
    witness = {"weights": weights}
    yield Comparison(
        "noise below the product", "le", noise, A * weighted.L_plus**2, ROUND_OFF, witness, headline=True
    )
    yield Comparison(
        "noise is the product of equal weights", "eq", noise, omega / n * equal.L_plus**2, ROUND_OFF, witness
    )
    unaware = noise / (omega / n * weighted.L_plus**2)
    yield Comparison("how far A = omega/n falls short", "eq", unaware, ratio, DIGITS, witness)


def _search() -> Check:
    """Any weights, as logarithms: the noise never exceeds the product, and reaches it."""
    delta, omega = np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 3.0, 2.0, 1.0])
    n = len(delta)

    def case(constants: Any, *, aware: bool) -> AdversarialCase:
        claim = theory.claim("cq_marina/finding-weights")
        noise = evaluate(claim.exact, {"delta": delta, "omega": constants, "n": n})

        def product(logs: Any) -> Any:
            weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
            weights /= weights.sum(axis=-1, keepdims=True)
            A = (constants * weights).max(axis=-1) if aware else constants.max() / n
            # A weight may underflow to 0: such a product is infinite.
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                return np.nan_to_num(A * (delta**2 / (n**2 * weights)).sum(axis=-1), nan=np.inf, posinf=1e300)

        start = -np.log(constants) if aware else np.log(delta)
        return AdversarialCase(
            lambda logs: np.full(len(logs), noise),
            product,
            n,
            starts=(start + 1e-9,),
            scale_invariant=False,
            budget=400,
        )

    mutants = {"unaware-constant": case(np.ones(n), aware=False)}
    parameters = {"delta": delta.tolist(), "omega": omega.tolist()}
    return Check("adversarial", "weights", case(omega, aware=True), parameters, mutants, seconds=0.1)
