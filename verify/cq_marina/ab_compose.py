"""Checks of `cq_marina/ab-compose`: exact errors of the instances against the composed constants."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import (
    CorrelatedQuantizer,
    Draws,
    ImportanceSampling,
    Independent,
    JointCompressor,
    PermKQuantizer,
    RandK,
    WeightedPartition,
)
from verify.binding import Check, Lazy, Profile
from verify.comparison import EXACT, ROUND_OFF, Comparison, rational
from verify.cq_marina.ab_cq import one_client, rows, stated_pair
from verify.cq_marina.grid_inputs import P2, WEIGHTS, Rows
from verify.cq_marina.joint_draws import joint_law
from verify.evaluation import evaluate_exact, names
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

UNIFORM = (F(1, 4),) * 4


@dataclass(frozen=True)
class Instance:
    """A sampling of four clients with a scheme after it.

    Args:
        make: Builds the compressor from the weights of the clients.
        inputs: Joint input (4, d).
        theta: Name and values of the stated relative error of the sampling.
        inner: Constants of the scheme after it.
        formulas: Names of the stated A and B of this instance, empty where the general ones are meant.
        values: Their values.
        weights: Weights of the clients.
        is_attained: Whether the bound is attained.
        is_rational: Whether all norms are rational, so that everything is compared exactly.
        refutes: Mutants that are rejected here.
    """

    make: Callable[[Sequence[F]], JointCompressor]
    inputs: Rows
    theta: tuple[str, Mapping[str, int]]
    inner: tuple[F, F]
    formulas: tuple[str, str] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    weights: Sequence[F] = UNIFORM
    is_attained: bool = False
    is_rational: bool = True
    refutes: Sequence[str] = ()


def stated(name: str, values: Mapping[str, Any]) -> F:
    """Return a formula of the claim, exactly; values that it does not need are left out."""
    formula = theory.claim("cq_marina/ab-compose").formulas[name]
    found: F = rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))
    return found


def _group(q: int) -> tuple[str, Mapping[str, int]]:
    return "theta_group", {"n": 4, "q": q}


def _permk(inputs: Rows, groups: int, correlated: bool = True, **more: Any) -> Instance:
    """PermK with a quantizer, four clients."""
    q, b = 4 // groups, len(inputs[0]) // groups
    name = "permk_cq" if correlated and q > 1 else "permk_iq"
    inner = stated_pair(q, b) if name == "permk_cq" else (F(b - 1, q), F(0))
    values = {"n": 4, "q": q, "b": b}
    return Instance(
        lambda _: PermKQuantizer(groups, correlated=correlated),
        inputs,
        _group(q),
        inner,
        (f"{name}_A", f"{name}_B"),
        values,
        **more,
    )


def _sampled_cq(inputs: Rows, **more: Any) -> Instance:
    """Importance sampling of two slots with correlated thresholds."""
    d = len(inputs[0])
    return Instance(
        lambda w: ImportanceSampling(2, w, CorrelatedQuantizer("binary")),
        inputs,
        ("theta_draws", {"tau": 2}),
        stated_pair(2, d),
        ("is_cq_A", "is_cq_B"),
        {"tau": 2, "d": d},
        WEIGHTS,
        **more,
    )


# All rescaled inputs are equal, (1, 1, 1, 1).
BALANCED = tuple((4 * w,) * 4 for w in WEIGHTS)
WEIGHTED = ("plain-mean-square", "no-sampling-error")

# By name: how to build it, since the stated constants take time.
INSTANCES: dict[str, Callable[[], Instance]] = {
    "permk-iq-p2": lambda: _permk(P2, 2, correlated=False, is_attained=True, is_rational=False),
    "permk-cq-p2": lambda: _permk(P2, 2, is_rational=False),
    "permk-cq-singles-p2": lambda: _permk(P2, 4, is_attained=True),
    "permk-cq-ones": lambda: _permk(rows(*((1,) * 8,) * 4), 2, is_attained=True),
    "permk-cq-one-client-10": lambda: _permk(one_client(4, 10), 2, is_attained=True, is_rational=False),
    "permk-cq-one-client-12": lambda: _permk(one_client(4, 12), 2, is_attained=True, is_rational=False),
    "is-randk-p2": lambda: Instance(
        lambda w: ImportanceSampling(2, w, Independent(RandK(2))),
        P2,
        ("theta_draws", {"tau": 2}),
        (F(1, 2), F(0)),
        ("is_A", "is_B"),
        {"tau": 2, "omega": 1},
        WEIGHTS,
        is_attained=True,
    ),
    "is-cq-p2": lambda: _sampled_cq(P2, is_rational=False),
    "is-cq-balanced": lambda: _sampled_cq(BALANCED, is_attained=True),
    "partition-p2": lambda: Instance(
        WeightedPartition, P2, ("theta_draws", {"tau": 1}), (F(0), F(0)), weights=WEIGHTS, is_attained=True
    ),
}
REFUTES = {
    "permk-iq-p2": ("no-sampling-error",),
    "permk-cq-ones": ("b-without-factor",),
    "permk-cq-one-client-10": ("theta-one-over-q",),
    "permk-cq-one-client-12": ("theta-one-over-q",),
    "is-randk-p2": WEIGHTED,
    "is-cq-balanced": ("b-without-factor",),
    "partition-p2": WEIGHTED,
}
SLOW = ("permk-cq-one-client-12",)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/ab-compose")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(name) for name in INSTANCES),
        _searched("is-cq-n4-d3", 3, "quick"),
        _searched("is-cq-n4-d4", 4, "full"),
        _bits(),
        joint_law("two-coordinates-groups"),
        joint_law("two-coordinates-partition"),
        joint_law("owner-partition"),
        joint_law("client-of-a-slot"),
    )


def _exact(name: str) -> Check:
    mutants: dict[str, Any] = {
        key: ExactCase(partial(_compare_named, name, WRONG[key])) for key in REFUTES.get(name, ())
    }
    if "one-client" not in name:  # thousands of subsets: once is enough
        mutants["permuted-clients"] = ExactCase(partial(_compare_named, name, constants, -1))
    base = ExactCase(partial(_compare_named, name, constants))
    profile: Profile = "full" if name in SLOW else "quick"
    seconds = 3.0 if name in SLOW else 0.6 if name.endswith("-10") else 0.1
    return Check("exact", name, base, {"clients": 4}, mutants, seconds, profile)


class UniformBits(ImportanceSampling):
    """Importance sampling whose expected bits are those of equal weights."""

    def expected_bits(self, x: Any) -> Any:
        alike = ImportanceSampling(self.draws, UNIFORM, self.inner)
        return alike.expected_bits(x)


def _bits() -> Check:
    """Bits that a client sends: those counted in all sequences of draws against the expected ones."""
    base, wrong = (
        ExactCase(partial(_compare_bits, kind(2, WEIGHTS, CorrelatedQuantizer("binary"))))
        for kind in (ImportanceSampling, UniformBits)
    )
    parameters = {"n": 4, "draws": 2, "weights": WEIGHTS}
    return Check("exact", "bits-of-a-client", base, parameters, {"uniform-weights": wrong}, 0.1)


def _compare_bits(compressor: ImportanceSampling) -> Iterable[Comparison]:
    x, n, draws = np.array(P2, dtype=float), len(P2), compressor.draws
    inner = compressor.inner.draw(np.random.default_rng(0), (draws, len(P2[0])))
    counted = np.zeros(n)
    for sampled in itertools.product(range(n), repeat=draws):
        chance = math.prod(float(WEIGHTS[i]) for i in sampled)
        drawn = Draws((np.array(sampled), inner.shared), inner.private)
        counted += chance * compressor.compress_counted(x, drawn)[1]
    for found, expected in zip(compressor.expected_bits(x), counted, strict=True):
        yield Comparison("bits of a client", "eq", found, expected, ROUND_OFF, {"a": P2})


def constants(instance: Instance) -> tuple[F, F, Sequence[F]]:
    """Return the stated A, B and the weights of the mean square."""
    theta = stated(*instance.theta)
    return (*compose(instance.inner, theta), instance.weights)


def compose(inner: tuple[F, F], theta: F) -> tuple[F, F]:
    """Return the stated A and B of a composition."""
    values = {"A_q": inner[0], "B_q": inner[1], "theta": theta}
    return stated("A", values), stated("B", values)


def _without_factor(instance: Instance) -> tuple[F, F, Sequence[F]]:
    A, _, weights = constants(instance)
    return A, instance.inner[1] + stated(*instance.theta), weights


def _one_over_q(instance: Instance) -> tuple[F, F, Sequence[F]]:
    return (*compose(instance.inner, F(1, instance.values["q"])), instance.weights)


def _plain_mean_square(instance: Instance) -> tuple[F, F, Sequence[F]]:
    A, B, _ = constants(instance)
    return A, B, UNIFORM


def _no_sampling_error(instance: Instance) -> tuple[F, F, Sequence[F]]:
    return (*instance.inner, instance.weights)


WRONG = {
    "b-without-factor": _without_factor,
    "theta-one-over-q": _one_over_q,
    "plain-mean-square": _plain_mean_square,
    "no-sampling-error": _no_sampling_error,
}


def _compare_named(name: str, claimed: Any, order: int = 1) -> Iterable[Comparison]:
    instance = INSTANCES[name]()
    A, B, weights = claimed(instance)
    inputs = tuple(row[::order] for row in instance.inputs[::order])
    M_w, m = weighted_squares(inputs, weights[::order])
    tolerance = EXACT if instance.is_rational else ROUND_OFF
    error, bound, witness = _error(name, order), A * M_w - B * m, {"a": inputs, "A": A, "B": B}
    yield Comparison("error", "le", error, bound, tolerance, witness, headline=True)
    if instance.is_attained:
        yield Comparison("attained", "eq", error, bound, tolerance, witness)
    if instance.formulas is not None and claimed is constants:
        for own, value in zip(instance.formulas, (A, B), strict=True):
            yield Comparison(own, "eq", stated(own, instance.values), value, EXACT, witness)


@functools.cache
def _error(name: str, order: int) -> Any:
    """Return the exact error; a mutant has that of the base."""
    instance = INSTANCES[name]()
    inputs = [list(row[::order]) for row in instance.inputs[::order]]
    compressor = instance.make(instance.weights[::order])
    if instance.is_rational:
        return compressor.variance(inputs)
    return float(compressor.variance(np.array(inputs, dtype=float)))


def weighted_squares(inputs: Rows, weights: Sequence[F]) -> tuple[F, F]:
    """Return M_w and m."""
    n = len(inputs)
    square = sum((item**2 / (n * w) for row, w in zip(inputs, weights, strict=True) for item in row), F(0))
    m = sum((sum(column, F(0)) ** 2 for column in zip(*inputs, strict=True)), F(0)) / n**2
    return square / n, m


def _searched(name: str, d: int, profile: Profile) -> Check:
    """Importance sampling of two slots with correlated thresholds, over all inputs of four clients."""

    def case() -> AdversarialCase:
        A, B = (float(item) for item in compose(stated_pair(2, d), F(1, 2)))
        weights = np.array([float(w) for w in WEIGHTS])
        compressor = ImportanceSampling(2, WEIGHTS, CorrelatedQuantizer("binary"))

        def bound(inputs: Any) -> Any:
            a = inputs.reshape(-1, 4, d)
            M_w = ((a**2).sum(axis=2) / (4 * weights)).mean(axis=1)
            return A * M_w - B * (a.mean(axis=1) ** 2).sum(axis=1)

        balanced = np.repeat(4 * weights, d)
        single = np.array(one_client(4, d), dtype=float).ravel()
        return AdversarialCase(
            lambda inputs: compressor.variance(inputs.reshape(-1, 4, d)),
            bound,
            4 * d,
            starts=(balanced, single),
            budget=1500,
        )

    parameters = {"n": 4, "d": d, "draws": 2, "weights": WEIGHTS}
    return Check("adversarial", name, Lazy(case), parameters, {}, 0.4, profile)
