"""Checks of `cq_marina/cq-1d-bound`: exact variances under the bound, both constants reached, a search."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import Rational

import theory
from impl.compressors.stratified_variance import stratified_variance, stratified_variance_literal
from theory.cq_marina.cq_1d_bound import derivation
from theory.cq_marina.cq_1d_bound_derivation import sigma
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.cq_marina.sabotaged_thresholds import Array
from verify.evaluation import evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cq_marina/cq-1d-bound"


@dataclass(frozen=True)
class Instance:
    """Inputs of the clients, (n,), in the interval [low, high].

    `reached` is the share of the bound, or of its first term where that is what is shown, that is reached.
    """

    x: tuple[F, ...]
    low: F = F(0)
    high: F = F(1)
    reached: F | None = None
    first_term: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        shown = (
            {"n": len(self.x), "x": self.x} if len(self.x) < 20 else {"n": len(self.x), "values": set(self.x)}
        )
        return {**shown, "interval": [self.low, self.high]}

    def levels(self) -> list[F]:
        """Return the chances y_i literally."""
        return [(item - self.low) / (self.high - self.low) for item in self.x]


def _near_first_term(n: int, delta: F) -> Instance:
    """All at k/n but one above and one below: the second sum vanishes."""
    middle = F(4, n)
    inputs = (middle + delta, middle - delta) + (middle,) * (n - 2)
    return Instance(inputs, reached=1 - n * delta / (n - 1), first_term=True)


INSTANCES = {
    "half-cells": Instance((F(1, 8),) * 4, reached=F(1)),
    "three-half-cells": Instance((F(1),) * 3, F(-3, 2), F(7, 2), reached=F(1)),
    "one-client": Instance((F(1, 2),), F(-1, 2), F(3, 2), reached=F(1)),
    "whole-cells": Instance((F(1, 2),) * 4),
    "first-term": _near_first_term(9, F(1, 10_000)),
    "spread": Instance((F(-2), F(-1, 3), F(0), F(5, 7), F(3)), F(-2), F(3)),
    "hundred": Instance((F(3, 5),) * 10 + (F(2, 5),) * 10 + (F(1, 2),) * 80),
}
# Where a mutant shows: the first constant at many clients, the second at identical inputs.
SEEN = {
    "half-cells": ("eighth", "independent-thresholds"),
    "three-half-cells": ("eighth", "independent-thresholds"),
    "one-client": ("eighth",),
    "whole-cells": ("independent-thresholds",),
    "hundred": ("half-deviation",),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    mutants = {name: Lazy(partial(_changed_derivation, name)) for name in ("eighth", "half-deviation")}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, mutants, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        *(_searched(n) for n in (2, 3, 4, 5)),
    )


def changed_bound(name: str) -> Any:
    """Return the stated bound with one smaller constant."""
    bound = theory.claim(ID).expressions["bound"]
    if name == "eighth":
        return bound.xreplace({Rational(1, 4): Rational(1, 8)})
    return bound.xreplace({sigma: sigma / 2})


def _changed_derivation(name: str) -> SymbolicCase:
    return SymbolicCase(derivation({**theory.claim(ID).expressions, "bound": changed_bound(name)}))


def independent_variance(y: Sequence[F]) -> F:
    """Return the variance of the number of ones with independent thresholds."""
    return sum((item * (1 - item) for item in y), F(0))


def _exact(name: str, instance: Instance) -> Check:
    backwards = Instance(instance.x[::-1], instance.low, instance.high, instance.reached, instance.first_term)
    cases = {
        "eighth": ExactCase(lambda: compare(instance, bound=changed_bound("eighth"))),
        "half-deviation": ExactCase(lambda: compare(instance, bound=changed_bound("half-deviation"))),
        "independent-thresholds": ExactCase(lambda: compare(instance, independent_variance)),
    }
    mutants = {key: cases[key] for key in SEEN.get(name, ())}
    if len(instance.x) < 20:
        mutants["permuted-clients"] = ExactCase(lambda: compare(backwards))
    return Check("exact", name, ExactCase(lambda: compare(instance)), instance.parameters, mutants)


@functools.cache
def _deviation(x: tuple[F, ...]) -> Any:
    return evaluate_exact(theory.claim(ID).formulas["mean_deviation"], {"x": x, "n": len(x)})


def compare(
    instance: Instance,
    variance: Callable[[Sequence[F]], Any] = stratified_variance_literal,
    bound: Any = None,
) -> Iterable[Comparison]:
    """Hold the exact variance of the mean of what is sent against the bound, in rationals.

    Args:
        instance: The inputs.
        variance: Variance of the number of ones.
        bound: Stated bound; None takes the claim's.
    """
    claim, n = theory.claim(ID), len(instance.x)
    width, witness = instance.high - instance.low, instance.parameters
    y = instance.levels()
    for i in range(min(n, 3)):
        values = {"x": instance.x, "low": instance.low, "width": width, "i": i}
        level = evaluate_exact(claim.formulas["level"], values)
        yield Comparison(f"level of client {i}", "eq", y[i], level, witness=witness)
    deviation = _deviation(instance.x)
    values = {"sigma_md": deviation, "width": width, "n": n}
    stated = evaluate_exact(claim.expressions["bound"] if bound is None else bound, values)
    found = variance(y) * width**2 / n**2
    yield Comparison("variance of the mean", "le", found, stated, witness=witness, headline=True)
    if instance.reached is not None:
        top = deviation * width / n if instance.first_term else stated
        share = Rational(instance.reached.numerator, instance.reached.denominator)
        yield Comparison("share that is reached", "eq", found, share * top, witness=witness)
    if 2 <= n <= 9:
        parts = [
            evaluate_exact(claim.formulas[part], {"y": tuple(y), "n": n})
            for part in ("between_inputs", "within_cells")
        ]
        yield Comparison("first sum", "le", parts[0], deviation / width / n, witness=witness)
        yield Comparison("second sum", "le", parts[1], Rational(1, 4 * n**2), witness=witness)
        exact = stratified_variance_literal(y) / F(n) ** 2
        yield Comparison("both sums", "eq", exact, sum(parts), witness=witness)


def _searched(n: int) -> Check:
    """Search for the largest variance / bound over inputs in [0, 1]."""

    def case(constant: float = 0.25, *, independent: bool = False) -> AdversarialCase:
        def value(x: Array) -> Array:
            y = folded(x)
            found = (y * (1 - y)).sum(axis=-1) if independent else stratified_variance(y[..., None])[..., 0]
            return np.asarray(found / n**2)

        def bound(x: Array) -> Array:
            y = folded(x)
            deviation = np.abs(y - y.mean(axis=-1, keepdims=True)).mean(axis=-1)
            return np.asarray(deviation / n + constant / n**2)

        starts = (np.full(n, 0.5 / n), np.linspace(0.1, 0.9, n))
        return AdversarialCase(value, bound, n, starts=starts, scale_invariant=False, budget=1200)

    cases = {
        "eighth": Lazy(lambda: case(0.125)),
        "independent-thresholds": Lazy(lambda: case(independent=True)),
    }
    mutants = cases if n in (2, 5) else {}
    return Check("adversarial", f"n{n}", Lazy(case), {"n": n}, mutants, seconds=0.3)


def folded(x: Array) -> Array:
    """Return numbers in [0, 1]: those of [0, 1] as they are, all others reflected at its ends."""
    return np.asarray(np.abs((x + 1) % 2 - 1))
