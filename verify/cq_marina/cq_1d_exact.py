"""Checks of `cq_marina/cq-1d-exact`: all permutations in rationals, the batched oracle, and the sampler."""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors.stratified_variance import stratified_variance, stratified_variance_literal
from theory.cq_marina.symbols import n as CLIENTS
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.sabotaged_thresholds import (
    Common,
    NoJitter,
    ShiftedCell,
    Stratified,
    bits,
    enumerated_bits,
)
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "cq_marina/cq-1d-exact"
SABOTAGED: Mapping[str, Stratified] = {
    "no-jitter": NoJitter(),
    "common-threshold": Common(),
    "shifted-cell": ShiftedCell(),
}
COPIES = 16
"""Independent coordinates with the same inputs in one sample: they reduce its variance."""


@dataclass(frozen=True)
class Instance:
    """Probabilities and coefficients of the bits of one coordinate, (n,) each."""

    y: tuple[F, ...]
    c: tuple[F, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"y": self.y, "c": self.c}

    def reversed(self) -> "Instance":
        """Return the same clients in reverse order."""
        return Instance(self.y[::-1], self.c[::-1])


def _equal(*y: F) -> Instance:
    return Instance(y, (F(1),) * len(y))


INSTANCES = {
    "ninths": _equal(F(1, 9), F(2, 9), F(4, 9), F(8, 9)),
    "one-cell-shared": _equal(F(1, 3), F(1, 2), F(3, 5)),
    "identical": _equal(*(F(1, 8),) * 4),
    "two-clients": Instance((F(1, 5), F(3, 7)), (F(2), F(1, 3))),
    "three-coefficients": Instance((F(5, 6), F(1, 7), F(2, 5)), (F(1), F(2), F(1, 3))),
    "ends": _equal(F(0), F(1), F(1, 3)),
    "five-clients": Instance((F(1, 10), F(3, 7), F(1, 2), F(5, 9), F(1)), (F(1), F(0), F(2), F(1, 2), F(3))),
}
# The divisor shows only where clients differ; at 0, 1 and 1/3 of three clients a single bit is random, and it
# is decided by its stratum.
BLIND = {("identical", "divisor-n"), ("ends", "no-jitter"), ("ends", "common-threshold")}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "batched", ExactCase(compare_batched), {"n": [1, 2, 7], "d": 3}, seconds=0.1),
        _sampled("ninths", INSTANCES["ninths"]),
    )


def divided() -> Any:
    """Return the stated variance with the divisor n in the place of n - 1."""
    stated = theory.claim(ID).expressions["exact"]
    between, within = sorted(stated.args, key=lambda part: not part.has(1 / (CLIENTS - 1)))
    return between * (CLIENTS - 1) / CLIENTS + within


def _exact(name: str, instance: Instance) -> Check:
    mutants = {key: ExactCase(partial(compare, instance, rule)) for key, rule in SABOTAGED.items()}
    mutants["divisor-n"] = ExactCase(lambda: compare(instance, Stratified(), divided()))
    mutants["permuted-clients"] = ExactCase(lambda: compare(instance.reversed(), Stratified()))
    seen = {key: case for key, case in mutants.items() if (name, key) not in BLIND}
    return Check(
        "exact",
        name,
        ExactCase(lambda: compare(instance, Stratified())),
        instance.parameters,
        seen,
        seconds=0.05,
    )


@functools.cache
def stated(instance: Instance, formula: Any) -> Any:
    """Return a formula of the claim at an instance, exactly."""
    values = {"y": instance.y, "c": instance.c, "n": len(instance.y)}
    return evaluate_exact(formula, {key: values[key] for key in names(formula)})


def compare(instance: Instance, rule: Stratified, exact: Any = None) -> Iterable[Comparison]:
    """Compare enumeration over all permutations with the stated forms and the literal oracle, exactly."""
    claim, y, c, n = theory.claim(ID), instance.y, instance.c, len(instance.y)
    formulas, witness = claim.formulas, instance.parameters
    outcomes = list(enumerated_bits(rule, y))
    yield Comparison("total probability", "eq", sum(p for p, _ in outcomes), 1, witness=witness)
    for i, chance in enumerate(y):
        mean = sum(p * found[i] for p, found in outcomes)
        yield Comparison(f"mean of bit {i}", "eq", mean, chance, witness=witness)
    variance = sum(
        p * sum(ci * (bit - yi) for ci, bit, yi in zip(c, found, y, strict=True)) ** 2
        for p, found in outcomes
    )
    hoeffding = stated(instance, claim.expressions["exact"] if exact is None else exact)
    yield Comparison("variance, Hoeffding's form", "eq", variance, hoeffding, witness=witness, headline=True)
    yield Comparison("variance, pairwise form", "eq", variance, stated(instance, formulas["pairwise"]))
    yield Comparison("variance, literal oracle", "eq", stratified_variance_literal(y, c), variance)
    covariance = formulas["covariance"]
    for i in range(n):
        for l in range(i):
            found = sum(p * (b[i] - y[i]) * (b[l] - y[l]) for p, b in outcomes)
            value = evaluate_exact(covariance, {"y": y, "n": n, "i": i, "l": l})
            yield Comparison(f"covariance of bits {l} and {i}", "eq", found, value, witness=witness)
    if set(c) == {F(1)}:
        equal = stated(instance, formulas["equal"])
        yield Comparison("variance of the mean, equal coefficients", "eq", variance / n**2, equal)
        if len(set(y)) == 1:
            identical = evaluate_exact(formulas["identical"], {"y": y, "n": n, "i": 0})
            yield Comparison("variance of the mean, identical inputs", "eq", variance / n**2, identical)


def compare_batched() -> Iterable[Comparison]:
    """Compare the batched oracle with the stated form; at n = 1 with the variance of one bit."""
    claim = theory.claim(ID)
    for n in (2, 7):
        y = np.abs(np.sin(np.arange(1, 3 * n + 1).reshape(n, 3) ** 2))
        y[:, 2] = 0.5 + 0.01 * np.arange(n)
        c = np.abs(np.cos(np.arange(n)))
        found = stratified_variance(y, c)
        for j in range(3):
            value = evaluate(claim.expressions["exact"], {"y": y[:, j], "c": c, "n": n})
            yield Comparison(f"coordinate {j}, n={n}", "eq", float(found[j]), value, ROUND_OFF, headline=True)
    alone = float(stratified_variance([[0.3]], [2.0])[0])
    yield Comparison("one client", "eq", alone, 4 * 0.3 * 0.7, ROUND_OFF)


def _sampled(name: str, instance: Instance) -> Check:
    """Test that the sampler has the stated variance of the mean."""

    def case(rule: Stratified) -> MonteCarloCase:
        return sampled_case(instance, rule)

    mutants = {key: Lazy(partial(case, rule), tests=1) for key, rule in SABOTAGED.items()}
    base = Lazy(partial(case, Stratified()), tests=1)
    return Check("montecarlo", name, base, instance.parameters, mutants, seconds=1.0)


def sampled_case(instance: Instance, rule: Stratified) -> MonteCarloCase:
    """Return the test that thresholds of a rule have the stated variance of the mean of the bits."""
    y = np.array([float(item) for item in instance.y])[:, None]
    truth = float(y.mean())

    def sample(rng: np.random.Generator, size: int) -> Any:
        shape = (size, len(y), COPIES)
        means = bits(rule.strata(rng, shape), rule.jitter(rng, shape), y).mean(axis=-2)
        return ((means - truth) ** 2).mean(axis=-1)

    value = float(stated(replace(instance, c=(F(1),) * len(y)), theory.claim(ID).formulas["equal"]))
    return MonteCarloCase("eq", sample, value, upper=max(truth, 1 - truth) ** 2, resolution=0.02)
