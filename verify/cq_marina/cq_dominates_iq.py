"""Checks of `cq_marina/cq-dominates-iq`: covariances, joint inputs in rationals, a search for a worse one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.sabotaged_thresholds import (
    Antithetic,
    Array,
    SabotagedQuantizer,
    SignMagnitude,
    Stratified,
    Unshared,
    enumerated_bits,
    enumerated_error,
)
from verify.evaluation import evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cq_marina/cq-dominates-iq"


@dataclass(frozen=True)
class Bits:
    """Probabilities and coefficients of the bits of one coordinate, (n,) each."""

    y: tuple[F, ...]
    c: tuple[F, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"y": self.y, "c": self.c}


@dataclass(frozen=True)
class Joint:
    """Inputs of all clients, (n, d), with rational norms, and the grid."""

    rows: tuple[tuple[int, ...], ...]
    grid: str

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"rows": self.rows, "grid": self.grid}


BITS = {
    "same-cell": Bits((F(1, 8), F(1, 5), F(1, 4)), (F(1), F(2), F(3))),
    "ends": Bits((F(0), F(1), F(1, 2), F(3, 4)), (F(2), F(1), F(1), F(5))),
    "five-clients": Bits((F(1, 10), F(3, 7), F(1, 2), F(5, 9), F(9, 10)), (F(1), F(1, 2), F(2), F(1), F(3))),
    "one-coefficient": Bits((F(1, 3), F(2, 3), F(1, 2)), (F(0), F(7), F(0))),
}
JOINT = {
    "opposite-ones": Joint(((1, 1, 1, 1), (-1, -1, -1, -1)), "ternary"),
    "equal-pair": Joint(((3, 4), (3, 4)), "binary"),
    "unequal-norms": Joint(((3, -4), (-12, 5)), "ternary"),
    "three-clients": Joint(((3, 4), (-8, 6), (0, 0)), "binary"),
    "three-ternary": Joint(((3, 4), (-8, -6), (5, -12)), "ternary"),
}
# The sign has an effect where coordinates have opposite signs, on the grid that has a zero.
SEEN: Mapping[str, tuple[str, ...]] = {
    "opposite-ones": ("sign-magnitude", "antithetic"),
    "equal-pair": ("antithetic",),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        *(
            Check("exact", name, ExactCase(partial(compare_bits, item)), item.parameters, seconds=0.05)
            for name, item in BITS.items()
        ),
        *(_joint(name, item) for name, item in JOINT.items()),
        _searched("ternary-pair", "ternary", 2, 4, ("sign-magnitude", "antithetic")),
        _searched("ternary-three", "ternary", 3, 2),
        _searched("binary-five", "binary", 5, 2),
    )


def compare_bits(item: Bits) -> Iterable[Comparison]:
    """Enumerate the bits of one coordinate: every covariance, and the variance under the stated sum."""
    y, c, n, witness = item.y, item.c, len(item.y), item.parameters
    stated = evaluate_exact(theory.claim(ID).expressions["bound"], {"y": y, "c": c, "n": n})
    independent = enumerated_error(Unshared(), y, c)
    yield Comparison("independent thresholds", "eq", independent, stated, witness=witness)
    found = enumerated_error(Stratified(), y, c)
    yield Comparison("variance", "le", found, stated, witness=witness, headline=True)
    if sum(ci != 0 for ci in c) == 1:
        yield Comparison("one coefficient", "eq", found, stated, witness=witness)
    outcomes = list(enumerated_bits(Stratified(), y))
    for i in range(n):
        for l in range(i):
            covariance = sum(p * (b[i] - y[i]) * (b[l] - y[l]) for p, b in outcomes)
            yield Comparison(f"covariance of bits {l} and {i}", "le", covariance, 0, witness=witness)


def _quantizer(name: str, grid: Any) -> CorrelatedQuantizer:
    if name == "sign-magnitude":
        return SignMagnitude(grid)
    return SabotagedQuantizer(grid, Antithetic()) if name == "antithetic" else CorrelatedQuantizer(grid)


def _joint(name: str, item: Joint) -> Check:
    mutants = {key: ExactCase(partial(compare_joint, item, key)) for key in SEEN.get(name, ())}
    backwards = Joint(item.rows[::-1], item.grid)
    mutants["permuted-clients"] = ExactCase(partial(compare_joint, backwards))
    base = ExactCase(partial(compare_joint, item))
    return Check("exact", name, base, item.parameters, mutants, seconds=0.1)


def compare_joint(item: Joint, name: str = "honest") -> Iterable[Comparison]:
    """Enumerate one joint input: unbiased, the closed form, and no worse than independent quantization."""
    grid: Any = item.grid
    quantizer, independent = _quantizer(name, grid), IndependentQuantizer(grid)
    rows, witness = [[F(entry) for entry in row] for row in item.rows], item.parameters
    moments = enumerate_joint(quantizer, rows)
    for j, (mean, truth) in enumerate(zip(moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, truth, witness=witness)
    yield Comparison("closed form", "eq", quantizer.variance(rows), moments.error, witness=witness)
    other = independent.variance(rows)
    yield Comparison("independent quantization", "eq", enumerate_joint(independent, rows).error, other)
    yield Comparison("V_CQ against V_IQ", "le", moments.error, other, witness=witness, headline=True)


def _searched(name: str, grid: Any, n: int, d: int, seen: tuple[str, ...] = ()) -> Check:
    """Search for joint inputs with V_CQ > V_IQ."""

    def case(sabotage: str = "honest") -> AdversarialCase:
        quantizer, independent = _quantizer(sabotage, grid), IndependentQuantizer(grid)

        def value(inputs: Array) -> Array:
            return np.asarray(quantizer.variance(inputs.reshape(-1, n, d)))

        def bound(inputs: Array) -> Array:
            return np.asarray(independent.variance(inputs.reshape(-1, n, d)))

        alone = np.zeros((n, d))
        alone[0] = np.arange(1, d + 1)
        opposite = np.outer((-1.0) ** np.arange(n), np.ones(d))
        starts = (alone.ravel(), opposite.ravel())
        return AdversarialCase(value, bound, n * d, starts=starts, budget=2000)

    mutants = {key: Lazy(partial(case, key)) for key in seen}
    return Check("adversarial", name, Lazy(case), {"grid": grid, "n": n, "d": d}, mutants, seconds=0.5)
