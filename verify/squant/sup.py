"""Checks of `squant/sup`: the claimed supremum is attained by its maximiser and exceeded by no input."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROOT, ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.supremum import supremum_of


@dataclass(frozen=True)
class Instance:
    """Diagonal weight and steps of one block, and an attaining input where the fine regime has one."""

    L: tuple[float, ...]
    h: tuple[float, ...]
    attained_at: tuple[float, ...] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        if len(self.L) > 12:
            return {"d": len(self.L), "L": sorted(set(self.L)), "h": sorted(set(self.h))}
        return {"L": self.L, "h": self.h}

    @property
    def quantizer(self) -> StochasticQuantizer:
        """Return the quantizer."""
        return StochasticQuantizer(self.h)

    def variance(self, x: Any) -> Any:
        """Return the exact variance divided by the squared norm, for inputs (..., d)."""
        points = np.asarray(x, dtype=float)
        return self.quantizer.variance(points, weight=self.L) / (points**2).sum(axis=-1)


COARSE = {
    "two-weights": Instance((4.0, 1.0), (3.0, 3.0)),
    "three-weights": Instance((9.0, 4.0, 1.0), (2.0, 3.0, 6.0)),
    "ones-d100": Instance((1.0,) * 100, (1.0,) * 100),
    "zero-weight": Instance((4.0, 0.0, 1.0), (3.0, 2.0, 3.0)),
    "wide-spectrum": Instance(
        tuple(10.0 ** (-k / 2) for k in range(12)), tuple(1.0 + 0.5 * (k % 3) for k in range(12))
    ),
}
FINE = {
    "zero-weight-fine": Instance((1.0, 0.0), (1.0, 5.0), (0.5, 0.75**0.5)),
    "half-levels-d64": Instance((1.0,) * 64, (0.125,) * 64, (3.0,) * 24 + (1.0,) * 40),
    "one-coordinate": Instance((2.0,), (0.4,), (1.0,)),
}
UNATTAINED = Instance((3.0, 2.0, 1.0), (0.9, 0.8, 0.7))


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/sup")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.0),
        *(_coarse(name, instance) for name, instance in COARSE.items()),
        *(_fine(name, instance, compare_fine) for name, instance in FINE.items()),
        _fine("fine-interval", UNATTAINED, compare_interval),
        *(
            _searched(name, COARSE[name])
            for name in ("two-weights", "three-weights", "zero-weight", "wide-spectrum")
        ),
        _searched("fine-interval", UNATTAINED),
    )


def _fine(name: str, instance: Instance, compare: Callable[..., Iterable[Comparison]]) -> Check:
    mutants = {"ninety-percent": ExactCase(partial(compare, instance, 0.9))}
    return Check("exact", name, ExactCase(partial(compare, instance)), instance.parameters, mutants)


def _coarse(name: str, instance: Instance) -> Check:
    mutants: dict[str, Any] = {"permuted-coordinates": ExactCase(lambda: compare_coarse(_reversed(instance)))}
    if name == "two-weights":
        formulas = theory.claim("squant/sup").formulas
        values = {"L": instance.L, "h": instance.h, "d": len(instance.L)}

        def stating(claimed: Callable[[], float]) -> ExactCase:
            return ExactCase(lambda: compare_coarse(instance, claimed()))

        mutants["dropped-norm-constraint"] = stating(
            lambda: evaluate(formulas["dropped_norm_constraint"], values)
        )
        mutants["dropped-quadratic-term"] = stating(
            lambda: evaluate(formulas["dropped_quadratic_term"], values)
        )
        mutants["ninety-percent"] = stating(lambda: 0.9 * supremum_of(instance.L, instance.h).upper)
    base = ExactCase(lambda: compare_coarse(instance))
    return Check("exact", name, base, instance.parameters, mutants, seconds=0.3)


def _reversed(instance: Instance) -> Instance:
    return Instance(instance.L[::-1], instance.h[::-1])


def compare_coarse(instance: Instance, claimed: float | None = None) -> Iterable[Comparison]:
    """Attainment at the claimed maximiser; and no more than that at inputs around it."""
    found = supremum_of(instance.L, instance.h)
    stated = found.upper if claimed is None else claimed
    best = np.array(found.maximiser)
    yield Comparison("norm of the maximiser", "eq", float((best**2).sum()), 1.0, ROOT)
    yield Comparison(
        "attained", "eq", float(instance.variance(best)), stated, ROOT, {"x": best}, headline=True
    )
    for scale in (0.5, 0.8, 1.25, 2.0):
        x = best**scale
        yield Comparison(
            f"input with exponent {scale}", "le", float(instance.variance(x)), stated, ROUND_OFF, {"x": x}
        )
    for j in range(min(len(best), 5)):
        x = best + 0.3 * np.eye(len(best))[j]
        yield Comparison(
            f"input moved along {j}", "le", float(instance.variance(x)), stated, ROUND_OFF, {"x": x}
        )


def compare_fine(instance: Instance, factor: float = 1.0) -> Iterable[Comparison]:
    """In the fine regime the quarter bound is attained at these inputs."""
    stated = factor * supremum_of(instance.L, instance.h).upper
    x = instance.attained_at
    yield Comparison(
        "attained", "eq", float(instance.variance(x)), stated, ROUND_OFF, {"x": x}, headline=True
    )


def compare_interval(instance: Instance, factor: float = 1.0) -> Iterable[Comparison]:
    """Where the supremum is only known up to an interval, an input reaches the lower end.

    The carrier, the coordinate of smallest L_j h_j^2, takes the norm that the others leave at level 1/2.
    """
    found = supremum_of(instance.L, instance.h)
    L, h = np.array(instance.L), np.array(instance.h)
    carrier = int(np.argmin(L * h**2))
    x = h / 2
    x[carrier] = 0.0
    x[carrier] = (1 - x @ x) ** 0.5
    value = float(instance.variance(x))
    yield Comparison("lower end reached", "le", found.lower, value, ROUND_OFF, {"x": x})
    yield Comparison("upper end kept", "le", value, factor * found.upper, ROUND_OFF, {"x": x}, headline=True)


def _searched(name: str, instance: Instance) -> Check:
    """Search from structured and random starts, the claimed maximiser among them where there is one."""

    def case(factor: float = 1.0) -> AdversarialCase:
        found = supremum_of(instance.L, instance.h)
        starts = () if found.maximiser is None else (found.maximiser,)
        return AdversarialCase(
            instance.variance,
            lambda inputs: np.full(len(inputs), factor * found.upper),
            len(instance.L),
            starts=starts,
            budget=6000,
        )

    mutants = {"ninety-percent": Lazy(lambda: case(0.9))}
    return Check("adversarial", name, Lazy(case), instance.parameters, mutants, seconds=1.0)
