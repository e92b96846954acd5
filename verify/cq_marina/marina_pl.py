"""Checks of `cq_marina/marina-pl`: exact expectations of whole runs at every round."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.problems import Quadratic
from impl.problems.hessian_variance import SmoothnessConstants
from theory.old_steps import Certificate
from verify.binding import Check
from verify.comparison import Comparison
from verify.cq_marina.marina_settings import (
    RECURSION,
    Setting,
    finite,
    formula,
    golden_tridiagonal,
    identity,
    one_bit,
    perm_k,
    perm_quantized,
    rand_k,
    rank_one,
    stated_step,
)
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

Make = Callable[[], Setting]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/marina-pl")
    mutated = tuple(_with_half_weight(step) for step in claim.derivation)
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"potential-weight": SymbolicCase(mutated)},
            seconds=0.5,
        ),
        *(_recursion(name, make) for name, make in SETTINGS.items()),
        _wrong_start(),
    )


def _with_half_weight(step: Any) -> Any:
    """Give the error half of its weight in the certificate of the potential."""
    if not isinstance(step, Certificate) or step.name != "potential":
        return step
    named = {symbol.name: symbol for symbol in step.lhs.free_symbols | step.rhs.free_symbols}
    return replace(
        step,
        lhs=step.lhs.subs(named["E_+"], named["E_+"] / 2),
        rhs=step.rhs.subs(named["E"], named["E"] / 2),
    )


def convexity(problem: Quadratic) -> float:
    """Return the PL constant of a quadratic: the smallest eigenvalue of the mean matrix."""
    mean = problem.matrices.mean(axis=0)
    return float(mean.min() if mean.ndim == 1 else np.linalg.eigvalsh(mean)[0])


def with_pl_step(setting: Setting) -> Setting:
    """Return the setting with the stated step size."""
    mu = convexity(setting.problem)

    def rule(constants: SmoothnessConstants, chi: float, p: float) -> float:
        return formula("marina-pl", "step_size", L_minus=constants.L_minus, X=chi, p=p, mu=mu)

    return replace(setting, step=rule)


def bounds(setting: Setting, *, rate: float = 1.0, error: float | None = None) -> list[float]:
    """Return the stated bounds on E f - f* after 0..K rounds at the step taken.

    Args:
        setting: the setting.
        rate: factor of mu in the bound; a mutant doubles it.
        error: stands in for E_0 where given.
    """
    trace, values = setting.trace, {"gamma": setting.step_size, "p": setting.probability}
    values |= {"Delta_0": float(trace.gap[0]), "E_0": float(trace.error[0]) if error is None else error}
    values |= {"mu": rate * convexity(setting.problem)}
    return [formula("marina-pl", "bound", T=T, **values) for T in range(setting.rounds + 1)]


def compare(
    make: Make,
    change: Callable[[Setting], Setting] = with_pl_step,
    *,
    rate: float = 1.0,
    error: float | None = None,
) -> Iterable[Comparison]:
    """Hold gap and potential after each round against the bound."""
    setting = change(make())
    trace = setting.trace
    weight = formula("marina-pl", "weight", gamma=setting.step_size, p=setting.probability)
    potential = trace.gap + weight * trace.error
    for k, bound in enumerate(bounds(setting, rate=rate, error=error)):
        witness = {"T": k, "gamma": setting.step_size}
        for name, values, shown in (("gap", trace.gap, True), ("potential", potential, False)):
            label = f"{name} after T={k}, {setting.name}"
            value = finite(float(values[k]))
            yield Comparison(label, "le", value, bound, RECURSION, witness, headline=shown and k > 0)
    factor = 1 - setting.step_size * rate * convexity(setting.problem)
    for k in range(setting.rounds):
        yield Comparison(
            f"potential after round {k} against before, {setting.name}",
            "le",
            finite(float(potential[k + 1])),
            finite(float(factor * potential[k])),
            RECURSION,
        )


def one_client() -> Setting:
    """Return one client with a one-bit quantizer: both mutants show here."""
    return identity(1, 8, 0.1, 100)


SETTINGS: dict[str, Make] = {
    "one-client": one_client,
    "identity-n4": partial(identity, 4, 8, 0.1, 200),
    "rank-one": partial(rank_one, 4, 0.05, 200),
    "tridiagonal-rand-k": lambda: golden_tridiagonal(2, 6, rand_k(2, 6, 2), "RandK", 600),
    "tridiagonal-perm-k": lambda: golden_tridiagonal(2, 6, perm_k(2, 6), "PermK", 600),
    "tridiagonal-one-bit": lambda: golden_tridiagonal(2, 6, one_bit(2, 6), "one bit", 600),
    "tridiagonal-many-clients": lambda: golden_tridiagonal(6, 3, perm_k(6, 3), "PermK", 600),
    "tridiagonal-groups": lambda: golden_tridiagonal(4, 8, perm_quantized(4, 8, 2), "PermK with bits", 600),
}


def _recursion(name: str, make: Make) -> Check:
    mutants: dict[str, Any] = {}
    if name == "one-client":
        mutants["double-rate"] = ExactCase(partial(compare, make, rate=2.0))
        mutants["step-of-the-sublinear-rate"] = ExactCase(
            partial(compare, make, lambda setting: replace(setting, step=stated_step))
        )
    if name.startswith("tridiagonal"):
        mutants["permuted-clients"] = ExactCase(
            partial(compare, make, lambda setting: with_pl_step(setting.permuted()))
        )
    return Check("exact", name, ExactCase(partial(compare, make)), {"setting": name}, mutants, seconds=0.1)


def wrong_start() -> Setting:
    """Return identical clients with PermK and g^0 = 0: only E_0 pays for the rounds until the first coin."""
    return replace(identity(4, 8, 0.1, 100, perm_k(4, 8)), initial=np.zeros(8))


def _wrong_start() -> Check:
    mutants = {"no-first-error": ExactCase(partial(_compare_gaps, error=0.0))}
    return Check(
        "exact", "wrong-first-estimate", ExactCase(partial(compare, wrong_start)), {"g^0": 0}, mutants
    )


def _compare_gaps(error: float) -> Iterable[Comparison]:
    setting = with_pl_step(wrong_start())
    for k, bound in enumerate(bounds(setting, error=error)):
        gap = finite(float(setting.trace.gap[k]))
        yield Comparison(f"gap after T={k}, {setting.name}", "le", gap, bound, RECURSION)
