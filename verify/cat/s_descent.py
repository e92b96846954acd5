"""Checks of `cat/s-descent`: exact decreases, a search over problems, and every iteration of runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import TopK
from impl.compressors.contract import Draws
from theory.cat import s_descent
from verify.binding import Check
from verify.cat.golden_vectors import GI
from verify.cat.s_descent_runs import CASES, RunCase, SmallestK, fixed
from verify.comparison import Comparison, Tolerance, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/s-descent"
VECTORS = (GI, (3, -3, 1, 3, 0), (2,), (0, 5, 0, -1, 1, 0))
HESSIAN = ((4, 2, -1), (2, 3, 0), (-1, 0, 5))
SMOOTHNESS = 7
"""At least the largest eigenvalue of HESSIAN, whose absolute row sums are at most 7."""
OBJECTIVE = Tolerance(1e-9, "objectives of iterates after some ten float64 matrix products")
_FLAT_GRADIENT = 1e-6
"""Squared gradients below this are left out of the search: their decrease is lost in round-off."""


@dataclass(frozen=True)
class Sabotage:
    """What is run and stated: as it should be, or with one fault.

    Args:
        length: The step that is taken, in units of the one that is stated.
        kind: What is sent.
        factor: Factor of the stated decrease.
        reverse: Whether the coordinates are numbered the other way round.
    """

    length: F = F(1)
    kind: type[TopK] = TopK
    factor: int = 1
    reverse: bool = False


STATED = Sabotage()
FAULTS = {
    "long-step": Sabotage(length=F(3, 2)),
    "smallest-entries": Sabotage(kind=SmallestK),
    "doubled-decrease": Sabotage(factor=2),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    doubled = {**claim.expressions, "decrease": 2 * claim.formulas["decrease"]}
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"doubled-decrease": SymbolicCase(s_descent.derivation(doubled))},
            seconds=0.2,
        ),
        Check(
            "exact",
            "isotropic",
            ExactCase(partial(compare_isotropic, STATED)),
            {"F": "L |x|^2 / 2", "g": VECTORS, "L": ["1", "3/2"]},
            {
                name: ExactCase(partial(compare_isotropic, fault))
                for name, fault in {**FAULTS, "reversed-coordinates": Sabotage(reverse=True)}.items()
            },
            seconds=0.4,
        ),
        Check(
            "exact",
            "dense",
            ExactCase(partial(compare_dense, STATED)),
            {"H": HESSIAN, "L": SMOOTHNESS},
            {"reversed-coordinates": ExactCase(partial(compare_dense, Sabotage(reverse=True)))},
            seconds=0.1,
        ),
        _search("quadratics", 3),
        _search("logistic", 2),
        *(_run(name, case) for name, case in CASES.items()),
    )


def stated_share(g: Any, size: int) -> F:
    """Return the stated share of the T largest entries, exactly."""
    squares = sorted((F(item) ** 2 for item in g), reverse=True)
    found = evaluate_exact(theory.claim(ID).formulas["share"], {"a": squares, "T": size, "d": len(squares)})
    return rational(found)  # type: ignore[no-any-return]


def stated_decrease(G: Any, share: F, gamma: F, L: Any) -> F:
    """Return the stated decrease, exactly."""
    found = evaluate_exact(
        theory.claim(ID).expressions["bound"], {"L": L, "gamma": gamma, "alpha": share, "G": G}
    )
    return rational(found)  # type: ignore[no-any-return]


def compare_isotropic(rule: Sabotage) -> Iterable[Comparison]:
    """On L |x|^2 / 2 the decrease is the stated one, for all x, T and step sizes."""
    for g in VECTORS:
        values = [F(item) for item in (g[::-1] if rule.reverse else g)]
        G = sum(item**2 for item in values)
        for size in range(1, len(g) + 1):
            share, sent = stated_share(g, size), rule.kind(size).reference(values, Draws())
            for L, part in ((F(1), F(1)), (F(3, 2), F(1)), (F(3, 2), F(1, 2)), (F(1), F(2))):
                gamma = part / L
                taken = gamma * rule.length
                # x = g / L.
                before, after = values, [item - taken * L * q for item, q in zip(values, sent, strict=True)]
                decrease = (G - sum(item**2 for item in after)) / (2 * L)
                stated = rule.factor * stated_decrease(G, share, gamma, L)
                witness = {"g": before, "T": size, "L": L, "gamma": taken}
                yield Comparison("decrease", "le", stated, decrease, witness=witness, headline=part == 1)
                yield Comparison("attained", "eq", stated, decrease, witness=witness)


def compare_dense(rule: Sabotage) -> Iterable[Comparison]:
    """On x^T H x / 2 with a dense matrix the decrease is at least the stated one."""
    H = [row[::-1] for row in HESSIAN[::-1]] if rule.reverse else HESSIAN
    for x in ((1, 0, 0), (1, -2, 3), (0, 1, 1), (-2, 5, 1)):
        g = [F(sum(h * item for h, item in zip(row, x, strict=True))) for row in H]
        for size in (1, 2, 3):
            q = rule.kind(size).reference(g, Draws())
            for part in (F(1, 2), F(1), F(2)):
                gamma = part / SMOOTHNESS
                along = sum(a * b for a, b in zip(g, q, strict=True))
                bent = sum(
                    F(h) * a * b for row, a in zip(H, q, strict=True) for h, b in zip(row, q, strict=True)
                )
                decrease = gamma * along - gamma**2 / 2 * bent
                G = sum(item**2 for item in g)
                stated = stated_decrease(G, stated_share(g, size), gamma, SMOOTHNESS)
                witness = {"x": x, "T": size, "gamma": gamma}
                yield Comparison("decrease", "le", stated, decrease, witness=witness)


# ---------------------------------------------------------------- search


def quadratics(inputs: Any, rule: Sabotage) -> tuple[Any, Any]:
    """Return stated and real decreases (m, 3) for T = 1, 2, 3 of x^T B^T B x / 2 from rows (B, x)."""
    B, x = inputs[:, :9].reshape(-1, 3, 3), inputs[:, 9:]
    H = np.einsum("mki,mkj->mij", B, B)
    L = np.linalg.eigvalsh(H)[:, -1]
    g = np.einsum("mij,mj->mi", H, x)
    stated, real = [], []
    for size in (1, 2, 3):
        q = rule.kind(size).compress(g, Draws())
        gamma = float(rule.length) / L
        bent = np.einsum("mi,mij,mj->m", q, H, q)
        stated.append(_stated(g, size, L, rule))
        real.append(gamma * (g * q).sum(axis=1) - gamma**2 / 2 * bent)
    return np.stack(stated, axis=1), np.stack(real, axis=1)


def logistic(inputs: Any, rule: Sabotage) -> tuple[Any, Any]:
    """Return stated and real decreases (m, 2) for T = 1, 2 of the loss of three examples in the plane."""
    X, x = inputs[:, :6].reshape(-1, 3, 2), inputs[:, 6:]
    L = np.linalg.eigvalsh(np.einsum("mki,mkj->mij", X, X))[:, -1] / 12
    margins = np.einsum("mki,mi->mk", X, x)
    weights = 1 / (1 + np.exp(margins))
    g = -np.einsum("mki,mk->mi", X, weights) / 3
    stated, real = [], []
    for size in (1, 2):
        q = rule.kind(size).compress(g, Draws())
        change = -np.einsum("mki,mi->mk", X, q) * (float(rule.length) / L)[:, None]
        # The difference of log(1 + e^-margin) without cancellation.
        real.append(-np.log1p(np.expm1(-change) * weights).mean(axis=1))
        kept = (g**2).sum(axis=1) > _FLAT_GRADIENT * (X**2).mean(axis=(1, 2))
        stated.append(np.where(kept, _stated(g, size, L, rule), 0.0))
    return np.stack(stated, axis=1), np.stack(real, axis=1)


def _stated(g: Any, size: int, L: Any, rule: Sabotage) -> Any:
    """Return the stated decrease at the step size 1/L of gradients (m, d), as a literal of the formula."""
    squares = -np.sort(-(g**2), axis=1)
    return rule.factor * squares[:, :size].sum(axis=1) / (2 * L)


PROBLEMS = {"quadratics": quadratics, "logistic": logistic}
STARTS = {
    "quadratics": np.concatenate([np.eye(3).ravel(), [1.0, 2.0, -1.0]]),
    "logistic": np.array([1.0, 0.0, -1.0, 0.5, 0.0, 1.0, 0.1, -0.2]),
}


def worst(name: str, rule: Sabotage, inputs: Any) -> tuple[Any, Any]:
    """Return stated and real decrease (m,) of the size at which the former is the largest part."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        stated, real = PROBLEMS[name](inputs, rule)
        ratio = np.where(stated > 0, np.where(real > 0, stated / real, np.inf), 0.0)
    place = np.argmax(ratio, axis=1)[:, None]
    return np.take_along_axis(stated, place, 1)[:, 0], np.take_along_axis(real, place, 1)[:, 0]


def _search(name: str, sizes: int) -> Check:
    def case(rule: Sabotage, budget: int) -> AdversarialCase:
        return AdversarialCase(
            value=lambda inputs: worst(name, rule, inputs)[0],
            bound=lambda inputs: worst(name, rule, inputs)[1],
            dim=len(STARTS[name]),
            starts=(STARTS[name],),
            scale_invariant=name == "quadratics",
            budget=budget,
        )

    mutants = {key: case(fault, 300) for key, fault in FAULTS.items()}
    parameters = {"T": list(range(1, sizes + 1)), "ratio": "stated over real decrease"}
    return Check("adversarial", name, case(STATED, 1200), parameters, mutants, seconds=0.4)


# ---------------------------------------------------------------- runs


def compare_run(case: RunCase, rule: Sabotage, rng: Any) -> Iterable[Comparison]:
    """Every iteration lowers the objective by at least the stated decrease, with the share of the run."""
    found = case.run(rng, float(rule.length))
    L = case.make().L
    for k in range(found.rounds):
        values = {"alpha": float(found.shares[0, k, 0]), "G": float(found.gradient_norm_sq[0, k]), "L": L}
        stated = rule.factor * evaluate(theory.claim(ID).formulas["decrease"], values)
        before, after = found.objective[0, k : k + 2]
        witness = {"k": k, "T": int(found.sizes[0, k, 0])}
        yield Comparison("objective", "le", float(after), float(before - stated), OBJECTIVE, witness)


def _run(name: str, case: RunCase) -> Check:
    mutants: dict[str, Any] = {}
    if name.startswith("isotropic"):  # where the bound is attained, every fault shows
        for key, fault in FAULTS.items():
            sabotaged = replace(case, rule=fixed(3, fault.kind))
            mutants[key] = DriftCase(partial(compare_run, sabotaged, fault))
    parameters = {"problem": name, "rounds": case.rounds}
    return Check("run", name, DriftCase(partial(compare_run, case, STATED)), parameters, mutants)
