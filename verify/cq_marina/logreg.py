"""Checks of `cq_marina/logreg`: problems on the line in rationals, data sets through their Hessians at 0."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from verify.binding import Check, Lazy
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.cq_marina.logreg_data import Parts, constants_of, load_parts, problem_of, synthetic_parts
from verify.cq_marina.problem_differences import FAULTS, compare_differences
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

RIDGE = F(1, 10)


@dataclass(frozen=True)
class Rules:
    """What a mutant changes: shares of the two curvatures, and whether the own matrix enters the bound."""

    loss: F = F(1)
    penalty: F = F(1)
    own: bool = True


HONEST = Rules()
MUTANTS = {
    "half-penalty": Rules(penalty=F(1, 2)),
    "eighth": Rules(loss=F(1, 2)),
    "others-alone": Rules(own=False),
}

# Features of the rows of each client, on the line.
LINES: dict[str, tuple[tuple[F, ...], ...]] = {
    "one-silent-client": ((F(2),), (F(0),)),
    "unequal-clients": ((F(1), F(2)), (F(3),), (F(1, 2), F(1, 2), F(1))),
    "equal-clients": ((F(1), F(-1)), (F(1), F(1)), (F(-1), F(1)), (F(1), F(1))),
}
DATA = {
    "breast-cancer-10": ("breast-cancer", 10),
    "breast-cancer-50": ("breast-cancer", 50),
    "phishing-10": ("phishing", 10),
    "phishing-50": ("phishing", 50),
    "w8a-10": ("w8a", 10),
    "w8a-50": ("w8a", 50),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/logreg")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_line(name) for name in LINES),
        *(_data(name) for name in DATA),
        _search_smoothness(),
        _search_variance(),
        _differences("convex"),
        _differences("nonconvex"),
    )


def _line(name: str) -> Check:
    clients = LINES[name]

    def case(rules: Rules, order: int = 1) -> ExactCase:
        return ExactCase(lambda: compare_line(clients[::order], rules))

    mutants = {key: case(MUTANTS[key]) for key in ("half-penalty", "eighth")}
    if name == "one-silent-client":
        mutants["others-alone"] = case(MUTANTS["others-alone"])
    mutants["permuted-clients"] = case(HONEST, -1)
    return Check("exact", name, case(HONEST), {"features": clients, "lambda": RIDGE}, mutants)


def compare_line(clients: Sequence[Sequence[F]], rules: Rules) -> Iterable[Comparison]:
    """Second derivatives at 0, in rationals, against the stated constants."""
    n, witness = len(clients), {"features": clients}
    # At margin 0 the loss has e/(1+e)^2 with e = 1, and the regulariser 2(1-0)/(1+0)^3.
    curvatures = [sum((a * a * F(1, (1 + 1) ** 2) for a in rows), F(0)) / len(rows) for rows in clients]
    penalty = RIDGE * F(2 * (1 - 0), (1 + 0) ** 3)
    S = [rules.loss * item for item in curvatures]
    mean = sum(S) / n
    stated = _stated_constants(S, [abs(mean - item / n) for item in S], mean, rules, exact=True)
    top = sum(curvatures) / n + penalty
    yield Comparison(
        "second derivative of f at 0", "le", top, stated["L_minus"], EXACT, witness, headline=True
    )
    yield Comparison("L_minus is attained at 0", "eq", top, stated["L_minus"], EXACT, witness)
    for i, item in enumerate(curvatures):
        yield Comparison(
            f"L of client {i} is attained at 0", "eq", item + penalty, stated["L"][i], EXACT, witness
        )
    variance = sum(item**2 for item in curvatures) / n - (sum(curvatures) / n) ** 2
    yield Comparison("variance at 0", "le", variance, stated["L_pm_square"], EXACT, witness)
    square = sum((item + penalty) ** 2 for item in curvatures) / n
    yield Comparison("mean square at 0", "le", square, stated["L_plus_square"], EXACT, witness)


def _stated_constants(
    S: Sequence[Any], R: Sequence[Any], S_mean: Any, rules: Rules, *, exact: bool
) -> dict[str, Any]:
    """Return the stated constants from the largest eigenvalues of the data matrices."""
    claim, n = theory.claim("cq_marina/logreg"), len(S)

    def value(name: str, **values: Any) -> Any:
        return (evaluate_exact if exact else evaluate)(claim.expressions[name], values)

    lam = RIDGE * rules.penalty
    L = [value("L_client", S=S, lam=lam, i=i) for i in range(n)]
    return {
        "L_minus": value("L_minus", S_mean=S_mean, lam=lam),
        "L": L,
        "L_plus_square": value("L_plus_square", L=L, n=n),
        "L_pm_square": value("bound", S=S if rules.own else [0 * item for item in S], R=R, n=n),
    }


def _data(name: str) -> Check:
    data, n = DATA[name]

    def case(rules: Rules, order: int = 1) -> ExactCase:
        return ExactCase(lambda: compare_data(load_parts(data, n), rules, order))

    embedded = data == "breast-cancer"
    mutants = {key: case(MUTANTS[key]) for key in ("half-penalty", "eighth")}
    if embedded:
        mutants["permuted-clients"] = case(HONEST, -1)
    return Check(
        "exact",
        name,
        case(HONEST),
        {"data": data, "n": n, "lambda": RIDGE},
        mutants,
        seconds={"phishing": 1.0, "w8a": 4.0}.get(data, 0.1),
        profile="quick" if embedded else "full",
        needs="" if embedded else data,
    )


def compare_data(parts: Parts, rules: Rules, order: int = 1) -> Iterable[Comparison]:
    """Hessians of `impl` at 0, and its constants, against the stated ones from the data matrices."""
    from impl.problems import smoothness_constants

    problem, S = problem_of(parts, float(RIDGE), order), constants_of(parts)
    stated = _stated_constants(
        [float(rules.loss) * item for item in S.own],
        [float(rules.loss) * item for item in S.others],
        float(rules.loss) * S.mean,
        rules,
        exact=False,
    )
    witness = {"n": problem.n, "d": problem.d}
    zero = np.zeros(problem.d)
    top = float(np.linalg.eigvalsh(problem.hessian(zero))[-1])

    def equal(label: str, value: float, bound: float) -> Comparison:
        return Comparison(label, "eq", float(value), float(bound), ROUND_OFF, witness)

    L_minus = stated["L_minus"]
    yield Comparison("Hessian at 0", "le", top, L_minus, ROUND_OFF, witness, headline=True)
    yield equal("L_minus is attained at 0", top, L_minus)
    yield equal("f(0)", float(problem.objective(zero)), evaluate(_formula("start"), {}))
    found = smoothness_constants(problem)
    yield equal("L_minus of impl", found.L_minus, L_minus)
    yield equal("L_plus of impl", found.L_plus**2, stated["L_plus_square"])
    yield equal("L_pm of impl", found.L_pm**2, stated["L_pm_square"])
    yield equal("lower bound of impl", found.L_pm_lower**2, S.variance)
    yield Comparison(
        "variance at 0", "le", S.variance, stated["L_pm_square"], ROUND_OFF, {**witness, "lower": S.variance}
    )
    for i, (own, bound) in enumerate(zip(problem.L_nodes[::order], stated["L"], strict=True)):
        yield equal(f"L of client {i}", own, bound)


def _formula(name: str) -> Any:
    return theory.claim("cq_marina/logreg").expressions[name]


@dataclass(frozen=True)
class Search:
    """A search over pairs (x, y) of a quotient of gradient differences, against a stated square.

    Args:
        parts: The data.
        quotient: Maps node differences (m, n, d) to the values (m,).
        square: Name of the stated bound.
        direction: Start: the pair lies on both sides of 0 on this line.
    """

    parts: Parts
    quotient: Callable[[Any], Any]
    square: str
    direction: Any
    rules: Rules = field(default=HONEST)

    def case(self) -> AdversarialCase:
        """Return the case."""
        problem, S = problem_of(self.parts, float(RIDGE)), constants_of(self.parts)
        share = float(self.rules.loss)
        stated = _stated_constants(
            [share * item for item in S.own],
            [share * item for item in S.others],
            share * S.mean,
            self.rules,
            exact=False,
        )
        square = stated["L_minus"] ** 2 if self.square == "L_minus" else stated[self.square]
        d = problem.d

        def value(pairs: Any) -> Any:
            return self.quotient(problem.gradients(pairs[:, :d]) - problem.gradients(pairs[:, d:]))

        def bound(pairs: Any) -> Any:
            return square * ((pairs[:, :d] - pairs[:, d:]) ** 2).sum(axis=-1)

        near = 1e-4 * np.asarray(self.direction)
        start = np.concatenate([near, -near])
        return AdversarialCase(value, bound, 2 * d, starts=(start,), scale_invariant=False, budget=600)


def _search_smoothness() -> Check:
    """Gradients of f, on synthetic data in the plane."""
    parts = synthetic_parts()

    def search() -> Search:
        hessian = problem_of(parts, float(RIDGE)).hessian(np.zeros(2))
        direction = np.linalg.eigh(hessian)[1][:, -1]
        return Search(parts, lambda delta: (delta.mean(axis=-2) ** 2).sum(axis=-1), "L_minus", direction)

    mutants = {
        key: Lazy(lambda key=key: replace(search(), rules=MUTANTS[key]).case())  # type: ignore[misc]
        for key in ("half-penalty", "eighth")
    }
    parameters = {"n": 3, "d": 2, "rows": 8}
    return Check("adversarial", "smoothness", Lazy(lambda: search().case()), parameters, mutants, seconds=0.3)


def _search_variance() -> Check:
    """Differences between clients, where one of two has all the curvature."""
    parts = Parts(np.array([[2.0], [0.0]]), np.array([1.0, -1.0]), 2)

    def variance(delta: Any) -> Any:
        return ((delta - delta.mean(axis=-2, keepdims=True)) ** 2).sum(axis=(-1, -2)) / delta.shape[-2]

    search = Search(parts, variance, "L_pm_square", np.ones(1))
    mutants = {"others-alone": Lazy(lambda: replace(search, rules=MUTANTS["others-alone"]).case())}
    return Check("adversarial", "variance", Lazy(search.case), {"n": 2, "d": 1}, mutants, seconds=0.2)


def _differences(name: str) -> Check:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    seen = FAULTS
    mutants = {key: ExactCase(partial(compare_differences, name, FAULTS[key])) for key in seen}
    base = ExactCase(partial(compare_differences, name))
    return Check("exact", f"differences-{name}", base, {"problem": name}, mutants, seconds=0.1)
