"""Checks of `squant/steps`: the optimal steps keep their value, others of the same budget do no better."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sympy import IndexedBase, Rational, Sum, Symbol, sqrt

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROOT, ROUND_OFF
from verify.rungs.adversarial import AdversarialCase
from verify.squant.fixtures.step_rules import block_norms
from verify.squant.fixtures.supremum import supremum_of

judge = checks_of("squant/steps", quantizer=StochasticQuantizer)

INSTANCES: dict[str, dict[str, Any]] = {
    "two-weights": {"L": (4.0, 1.0), "beta": 1.0, "blocks": (1, 1)},
    "one-heavy": {"L": (4.0, 1.0, 1.0, 1.0), "beta": 1.0, "blocks": (2, 2)},
    "four-weights": {"L": (9.0, 4.0, 1.0, 1.0), "beta": 2.0, "blocks": (2, 2)},
    "three-blocks": {"L": (9.0, 4.0, 4.0, 1.0, 1.0, 1.0), "beta": 1.5, "blocks": (2, 2, 2)},
    "wide-spectrum": {"L": (1.0,) + (0.01,) * 15, "beta": 2.0, "blocks": (4, 4, 4, 4)},
}

_i, _j, _d, _beta = (Symbol(name, real=True) for name in ("i", "j", "d", "beta"))
_L = IndexedBase("L", real=True)


judge.sabotage(
    "inverse-steps at exact/*, adversarial/wide-spectrum: h_j in proportion to 1/L_j at the same budget.",
    lambda law: law.replace(vary_step=law.formulas["inverse_step"]),
)
judge.sabotage(
    "growing-steps at exact/*: h_j in proportion to sqrt(L_j) at the same budget: 9.0139 against 5.",
    lambda law: law.replace(vary_step=sqrt(Sum(1 / _L[_j], (_j, 0, _d - 1)) * _L[_i]) / _beta),
)


@judge.mutant("All steps are a tenth too large.", at=("exact/*",))
def larger_steps(law: Law) -> Law:
    names = ("vary_step", "block_step", "quarter_step")
    return law.replace(**{name: law.formulas[name] * Rational(11, 10) for name in names})


judge.sabotage_data(
    "permuted-coordinates at exact/*: Reverse the weights: steps follow, values stay.",
    lambda L, **others: {"L": L[::-1], **others},
    neutral=True,
)


def _scaled(steps: Sequence[float], beta: float) -> tuple[float, ...]:
    """Return steps of this shape with budget beta."""
    budget = math.fsum(item**-2 for item in steps) ** 0.5
    return tuple(item * budget / beta for item in steps)


def _moved(steps: Sequence[float], beta: float) -> Iterable[tuple[float, ...]]:
    """Yield steps of the same budget with one of them larger."""
    for j in range(len(steps)):
        yield _scaled([item * (1.1 if k == j else 1.0) for k, item in enumerate(steps)], beta)


def _coarse(L: Sequence[float], h: Sequence[float]) -> float:
    return math.hypot(*(a * b for a, b in zip(L, h, strict=True)))


def _quarter(L: Sequence[float], h: Sequence[float]) -> float:
    return math.fsum(a * b**2 for a, b in zip(L, h, strict=True)) / 4


def _steps(law: Law, name: str, L: Sequence[float], beta: float) -> list[float]:
    return [law(name, L=L, beta=beta, d=len(L), i=i) for i in range(len(L))]


@judge.exact(instances=INSTANCES)
def compared(law: Law, L: tuple[float, ...], beta: float, blocks: tuple[int, ...]) -> Comparisons:
    """Budget, value, worst input, other steps, block steps, chain of constants, quarter branch."""
    d, h = len(L), _steps(law, "vary_step", L, beta)
    value = law("value", L=L, beta=beta, d=d)
    witness = {"L": L, "h": h}
    yield eq("budget", math.fsum(item**-2 for item in h) ** 0.5, beta, ROOT, witness=witness)
    yield eq(
        "coarse bound at these steps", _coarse(L, h), law("bound", L=L, beta=beta, d=d), ROOT, witness=witness
    )
    worst = supremum_of(L, h).maximiser or (1.0,) * d
    largest = float(law.quantizer(h).variance(worst, weight=L))
    yield le(
        "variance at the worst input", largest, value, ROUND_OFF, witness={"x": worst, "h": h}, headline=True
    )
    if beta * max(L) <= sum(L):
        x = [1 / (item * beta) for item in h]
        variance, lower = float(law.quantizer(h).variance(x, weight=L)), law("lower", L=L, beta=beta, d=d)
        yield eq("variance at x = 1/(beta h)", variance, lower, ROOT, witness={"x": x, "h": h})
    for other in _moved(h, beta):
        yield le("no gain from a larger step", value, _coarse(L, other), ROUND_OFF, witness={"h": other})
    uniform = [law("uniform_step", beta=beta, d=d)] * d
    plus = law("c_plus", L=L, d=d) / beta
    yield eq("coarse bound at a uniform step", _coarse(L, uniform), plus, ROOT)
    inverse = _steps(law, "inverse_step", L, beta)
    yield eq(
        "coarse bound at inverse steps", _coarse(L, inverse), law("inverse_value", L=L, beta=beta, d=d), ROOT
    )
    yield from _blocks(law, L, beta, blocks)
    yield from _quarter_branch(law, L, beta)


def _blocks(law: Law, L: tuple[float, ...], beta: float, blocks: tuple[int, ...]) -> Comparisons:
    d, norms = len(L), block_norms(L, blocks)
    values = {"m": blocks, "F": norms, "B": len(blocks)}
    h = [law("block_step", **values, beta=beta, i=i) for i in range(len(blocks))]
    value = law("block_value", **values, beta=beta)
    budget = sum(length**0.5 / item for length, item in zip(blocks, h, strict=True))
    yield eq("block budget", budget, beta, ROOT, witness={"h": h})
    start = 0
    for length, step, norm in zip(blocks, h, norms, strict=True):
        yield eq("value of a block", step * norm, value, ROOT, witness={"h": h})
        upper = supremum_of(L[start : start + length], (step,) * length).upper
        yield le("supremum of one block", upper, value, ROUND_OFF, witness={"h": h})
        start += length
    # A full matrix with this diagonal: its largest eigenvalue is the trace.
    largest = float(np.linalg.eigvalsh(np.sqrt(np.outer(L, L)))[-1])
    constants = [
        law("c_vary", L=L, d=d),
        law("c_block", **values),
        law("c_plus", L=L, d=d),
        law("c_max", L_max=max(L), d=d),
        law("c_std", lambda_max=largest, d=d),
    ]
    for smaller, larger in itertools.pairwise(constants):
        yield le("chain of constants", smaller, larger, ROUND_OFF, witness={"constants": constants})


def _quarter_branch(law: Law, L: tuple[float, ...], beta: float) -> Comparisons:
    h, value = _steps(law, "quarter_step", L, beta), law("quarter_value", L=L, beta=beta, d=len(L))
    yield eq("quarter budget", sum(item**-2 for item in h) ** 0.5, beta, ROOT, witness={"h": h})
    yield eq("quarter bound", _quarter(L, h), value, ROOT, witness={"h": h})
    for other in _moved(h, beta):
        yield le("no gain in the quarter branch", value, _quarter(L, other), ROUND_OFF, witness={"h": other})


@judge.adversarial(instances={name: INSTANCES[name] for name in ("four-weights", "wide-spectrum")})
def searched(law: Law, L: tuple[float, ...], beta: float, **_: Any) -> AdversarialCase:
    """An input whose variance at the optimal steps exceeds the bound."""
    h = _steps(law, "vary_step", L, beta)
    stated = law("bound", L=L, beta=beta, d=len(L))
    return AdversarialCase(
        lambda inputs: law.quantizer(h).variance(inputs, weight=L),
        lambda inputs: stated * (inputs**2).sum(axis=-1),
        len(L),
        starts=(supremum_of(L, h).maximiser or (1.0,) * len(L),),
        budget=5000,
    )
