"""Checks of `cq_marina/finding-sign-magnitude`: the sign outside the grid, enumerated and sampled."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.cq_marina.grid_inputs import INPUTS, P2
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_of
from verify.cq_marina.sabotaged_thresholds import SignMagnitude, Stratified, enumerated_error
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "cq_marina/finding-sign-magnitude"
GOLDEN = {"P1": 0.8251897099218, "P2": 0.2175452592862, "P3": 1.279353924472}
"""Errors with the sign outside the grid at the inputs of the specification."""

DIGITS = Tolerance(1e-12, "the number is given to 13 digits")


@dataclass(frozen=True)
class Instance:
    """Input x of the first of two clients, with a rational norm; the second has -x."""

    x: tuple[int, ...]
    norm: int

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"x": self.x, "norm": self.norm}


INSTANCES = {
    "ones": Instance((1, 1, 1, 1), 2),
    "both-sides-of-half": Instance((3, -4), 5),
    "three-coordinates": Instance((2, 3, 6), 7),
    "one-coordinate": Instance((0, 3), 3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "specification", ExactCase(compare_golden), {"inputs": sorted(GOLDEN)}, seconds=0.2),
        _sampled(),
    )


def _exact(name: str, instance: Instance) -> Check:
    backwards = Instance(instance.x[::-1], instance.norm)
    mutants = {"permuted-coordinates": ExactCase(partial(compare, backwards))}
    # Where one coordinate carries all, nothing is random, wherever the sign is.
    if name != "one-coordinate":
        mutants["sign-inside-grid"] = ExactCase(partial(compare, instance, CorrelatedQuantizer("ternary")))
        mutants["equal-signs"] = ExactCase(partial(compare, instance, second_sign=1))
    return Check("exact", name, ExactCase(partial(compare, instance)), instance.parameters, mutants)


def compare(
    instance: Instance, quantizer: CorrelatedQuantizer | None = None, second_sign: int = -1
) -> Iterable[Comparison]:
    """Enumerate two clients with x and -x against the stated errors of all three quantizers, in rationals."""
    claim, witness = theory.claim(ID), instance.parameters
    outside = SignMagnitude() if quantizer is None else quantizer
    rows = [[F(item) for item in instance.x], [second_sign * F(item) for item in instance.x]]
    values = {"x": instance.x, "r": instance.norm, "d": len(instance.x)}
    moments = enumerate_joint(outside, rows)
    for j, (mean, truth) in enumerate(zip(moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, truth, witness=witness)
    stated = evaluate_exact(claim.expressions["exact"], values)
    yield Comparison("sign outside", "eq", moments.error, stated, witness=witness)
    yield Comparison("closed form", "eq", outside.variance(rows), stated, witness=witness)
    independent = IndependentQuantizer("ternary").variance(rows)
    stated_independent = evaluate_exact(claim.formulas["independent"], values)
    yield Comparison("independent", "eq", independent, stated_independent, witness=witness)
    inside = enumerate_joint(CorrelatedQuantizer("ternary"), rows).error
    stated_correlated = evaluate_exact(claim.formulas["correlated"], values)
    yield Comparison("sign inside", "eq", inside, stated_correlated, witness=witness)
    yield Comparison(
        "independent is no worse", "le", independent, moments.error, witness=witness, headline=True
    )


def compare_golden() -> Iterable[Comparison]:
    """Hold the oracle and an enumeration of every coordinate against the numbers of the specification."""
    quantizer, independent = SignMagnitude(), IndependentQuantizer("ternary")
    for name, golden in GOLDEN.items():
        x = np.array(INPUTS[name], dtype=float)
        found = float(quantizer.variance(x))
        yield Comparison(f"sign outside at {name}", "eq", found, golden, DIGITS)
        yield Comparison(f"enumeration at {name}", "eq", enumerated(x), found, ROUND_OFF)
    x = np.array(P2, dtype=float)
    yield Comparison(
        "independent is better at P2",
        "le",
        float(independent.variance(x)),
        float(quantizer.variance(x)),
        ROUND_OFF,
        headline=True,
    )


def enumerated(x: Any) -> float:
    """Return the error with the sign outside, coordinate by coordinate over all permutations, x (n, d)."""
    norms = np.linalg.norm(x, axis=1)
    signed = np.sign(x) * norms[:, None]
    levels = np.abs(x) / norms[:, None]
    total = sum(
        enumerated_error(Stratified(), levels[:, j].tolist(), signed[:, j].tolist())
        for j in range(x.shape[1])
    )
    return float(total) / len(x) ** 2


def _sampled() -> Check:
    """Test that the sampler has the error of the oracle at P2, where independent quantization has less."""

    def case(quantizer: CorrelatedQuantizer) -> MonteCarloCase:
        x = np.array(P2, dtype=float)
        mean, reach = x.mean(axis=0), np.linalg.norm(x, axis=1).mean()

        def sample(rng: np.random.Generator, size: int) -> Any:
            return ((quantizer.sample(x, rng, size=size) - mean) ** 2).sum(axis=-1)

        # No client is off by more than its norm in any coordinate.
        upper = x.shape[1] * float(reach) ** 2
        return MonteCarloCase("eq", sample, GOLDEN["P2"], upper=upper, resolution=0.02)

    mutants = {"sign-inside-grid": Lazy(lambda: case(CorrelatedQuantizer("ternary")), tests=1)}
    base = Lazy(lambda: case(SignMagnitude()), tests=1)
    return Check("montecarlo", "P2", base, {"inputs": "P2"}, mutants, seconds=0.5)
