"""Checks of `squant/steps`: the optimal steps keep their budget and their value."""

import math
from collections.abc import Sequence
from typing import Any

from sympy import IndexedBase, Sum, Symbol, sqrt

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
    "inverse-steps at exact/*, adversarial/wide-spectrum: h_j in proportion to 1/L_j at the same budget. "
    "| vary_step = inverse_step",
    "growing-steps at exact/*: h_j in proportion to sqrt(L_j) at the same budget: 9.0139 against 5.",
    lambda law: law.replace(vary_step=sqrt(Sum(1 / _L[_j], (_j, 0, _d - 1)) * _L[_i]) / _beta),
    "larger-steps at exact/*: All steps are a tenth too large. "
    "| vary_step = 11/10 * vary_step, block_step = 11/10 * block_step",
)
judge.sabotage_data(
    "permuted-coordinates, neutral at exact/*: Reverse the weights: steps follow, values stay.",
    lambda L, **others: {"L": L[::-1], **others},
)


def _steps(law: Law, name: str, L: Sequence[float], beta: float) -> list[float]:
    return [law(name, L=L, beta=beta, d=len(L), i=i) for i in range(len(L))]


@judge.exact(instances=INSTANCES)
def compared(law: Law, L: tuple[float, ...], beta: float, blocks: tuple[int, ...]) -> Comparisons:
    """Budget, value and worst input, of steps for each coordinate and for each block."""
    d, h = len(L), _steps(law, "vary_step", L, beta)
    bound = law("bound", L=L, beta=beta, d=d)
    witness = {"L": L, "h": h}
    yield eq("budget", math.fsum(item**-2 for item in h) ** 0.5, beta, ROOT, witness=witness)
    coarse = math.hypot(*(a * b for a, b in zip(L, h, strict=True)))
    yield eq("coarse bound at these steps", coarse, bound, ROOT, witness=witness)
    worst = supremum_of(L, h).maximiser or (1.0,) * d
    largest, label = float(law.quantizer(h).variance(worst, weight=L)), "variance at the worst input"
    yield le(label, largest, bound, ROUND_OFF, witness={"x": worst, "h": h}, headline=True)
    if beta * max(L) <= sum(L):
        x = [1 / (item * beta) for item in h]
        variance, lower = float(law.quantizer(h).variance(x, weight=L)), law("lower", L=L, beta=beta, d=d)
        yield eq("variance at x = 1/(beta h)", variance, lower, ROOT, witness={"x": x, "h": h})
    values: dict[str, Any] = {"m": blocks, "F": block_norms(L, blocks), "B": len(blocks)}
    h = [law("block_step", **values, beta=beta, i=i) for i in range(len(blocks))]
    value, start = law("block_value", **values, beta=beta), 0
    budget = sum(length**0.5 / item for length, item in zip(blocks, h, strict=True))
    yield eq("block budget", budget, beta, ROOT, witness={"h": h})
    for length, step, norm in zip(blocks, h, values["F"], strict=True):
        yield eq("value of a block", step * norm, value, ROOT, witness={"h": h})
        upper = supremum_of(L[start : start + length], (step,) * length, maximiser=False).upper
        yield le("supremum of one block", upper, value, ROUND_OFF, witness={"h": h})
        start += length


@judge.adversarial(instances={name: INSTANCES[name] for name in ("four-weights", "wide-spectrum")})
def searched(law: Law, L: tuple[float, ...], beta: float, **_: Any) -> AdversarialCase:
    """An input whose variance at the optimal steps exceeds the bound."""
    h = _steps(law, "vary_step", L, beta)
    stated, quantizer = law("bound", L=L, beta=beta, d=len(L)), law.quantizer(h)
    return AdversarialCase(
        lambda inputs: quantizer.variance(inputs, weight=L),
        lambda inputs: stated * (inputs**2).sum(axis=-1),
        len(L),
        starts=(supremum_of(L, h).maximiser or (1.0,) * len(L),),
        budget=5000,
    )
