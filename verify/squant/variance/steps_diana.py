"""Checks of `squant/steps-diana`: both constants of DIANA+ at mixture steps, and what plain steps do."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from sympy import Symbol

from impl.compressors import BernoulliSparsifier, StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROOT, ROUND_OFF
from verify.rungs.adversarial import AdversarialCase
from verify.squant.fixtures.step_rules import block_norms, optimal_block_steps, optimal_steps
from verify.squant.fixtures.supremum import supremum_of

Weights = tuple[float, ...]


def _steps(law: Law, L: Weights, n: int, mu: float, beta: float) -> list[float]:
    W = law("total_weight", L=L, n=n, mu=mu, d=len(L))
    return [law("step", W=W, L_j=item, n=n, mu=mu, beta=beta) for item in L]


def _block_steps(law: Law, L: Weights, blocks: Sequence[int], n: int, mu: float, beta: float) -> list[float]:
    norms = block_norms(L, blocks)
    S = law("block_total", m=blocks, F=norms, n=n, mu=mu, B=len(blocks))
    return [
        law("block_step", d_l=length, F_l=norm, S=S, n=n, mu=mu, beta=beta)
        for length, norm in zip(blocks, norms, strict=True)
    ]


judge = checks_of(
    "squant/steps-diana",
    quantizer=StochasticQuantizer,
    sparsifier=BernoulliSparsifier,
    steps=_steps,
    block_steps=_block_steps,
)

_POWERS = tuple(2.0**-k for k in range(24))
INSTANCES: dict[str, dict[str, Any]] = {
    "golden": {"L": (1.0, 0.1, 0.01), "n": 4, "mu": 0.01, "beta": 2.0, "blocks": (1, 2)},
    "vanishing-weight": {"L": (1.0,) * 9 + (1e-8,), "n": 1, "mu": 1.0, "beta": 1.0, "blocks": (5, 4, 1)},
    "zero-weights": {"L": (4.0, 1.0, 0.0, 0.0), "n": 2, "mu": 0.5, "beta": 1.5, "blocks": (2, 2)},
    "no-weight": {"L": (0.0,) * 40, "n": 1, "mu": 1.0, "beta": 4.0, "blocks": (20, 20)},
    "wide-spectrum": {"L": _POWERS, "n": 6, "mu": 1e-4, "beta": 24**0.5, "blocks": (6, 6, 12)},
}


judge.sabotage(
    "plain-steps at exact/vanishing-weight, adversarial/*: The steps of squant/steps for L alone: |h| is "
    "3e4 against 19.",
    {"steps": lambda law, L, n, mu, beta: optimal_steps(L, beta)},
    "plain-block-steps at exact/vanishing-weight: The block steps of squant/steps for L alone.",
    {"block_steps": lambda law, L, blocks, n, mu, beta: optimal_block_steps(L, blocks, beta)},
)


@judge.mutant(
    "w_j = L_j/(n mu), without the 1, in steps and probabilities.",
    at=("exact/golden", "exact/vanishing-weight"),
)
def weight_without_one(law: Law) -> Law:
    one = law.formulas["weight"]
    return law.replace(
        **{name: law.formulas[name].subs(one, one - 1) for name in ("weight", "step", "probability")},
        total_weight=lambda formula: formula - Symbol("d", real=True),
    )


judge.sabotage(
    "half-total at exact/no-weight: Claim half of W/beta for both constants: refuted where L = 0. "
    "| bound = bound / 2",
    "larger-steps at exact/*: All steps are a tenth too large. "
    "| step = step * (11/10), block_step = block_step * (11/10)",
    "coarser-quantizer at exact/*: The quantizer multiplies its steps by 100.",
    {"quantizer": lambda h: StochasticQuantizer([100 * item for item in h])},
    "smaller-probabilities at exact/*: Probabilities are a tenth too small. "
    "| probability = probability * (9/10)",
)
judge.sabotage_data(
    "permuted-coordinates, neutral at exact/*: Reverse weights and blocks: steps follow, bounds stay.",
    lambda L, blocks, **others: {"L": L[::-1], "blocks": blocks[::-1], **others},
)


def _constant(law: Law, weight: Sequence[float], h: Sequence[float]) -> float:
    """Return the variance at the worst input, or the upper end of the supremum where no input is given."""
    found = supremum_of(weight, h)
    if found.maximiser is None or len(h) == 1:
        return found.upper
    return float(law.quantizer(list(h)).variance(found.maximiser, weight=weight))


@judge.exact(instances=INSTANCES)
def compared(law: Law, L: Weights, n: int, mu: float, beta: float, blocks: tuple[int, ...]) -> Comparisons:
    """Budget, both suprema against the bounds, blocks, and the sparsifier."""
    d, h = len(L), law.steps(law, L, n, mu, beta)
    witness = {"L": L, "h": h}
    W = law("total_weight", L=L, n=n, mu=mu, d=d)
    w = [law("weight", L_j=item, n=n, mu=mu) for item in L]
    bound = law("bound", W=W, beta=beta)
    yield eq("budget", math.fsum(item**-2 for item in h) ** 0.5, beta, ROOT, witness=witness)
    length = float(np.linalg.norm(h))
    yield eq("norm of the steps", length, law("norm", w=w, W=W, beta=beta, d=d), ROOT, witness=witness)
    omega = _constant(law, (1.0,) * d, h)
    yield le("omega", omega, bound, ROUND_OFF, witness=witness, headline=True)
    if length >= 1:
        x = [item / length for item in h]
        variance, lower = float(law.quantizer(list(h)).variance(x)), law("omega_lower", h=h, d=d)
        yield eq("variance at x = h/r", variance, lower, ROOT, witness={"x": x, "h": h})
    smoothness = _constant(law, L, h) / (n * mu)
    coarse = float(np.linalg.norm(np.multiply(L, h))) / (n * mu)
    stated = law("smoothness_value", L=L, w=w, W=W, n=n, mu=mu, beta=beta, d=d)
    yield le("constant of L over n mu", smoothness, stated, ROUND_OFF, witness=witness, headline=True)
    yield eq("coarse value of L over n mu", coarse, stated, ROOT, witness=witness)
    if not any(L):
        yield eq("bounds where L = 0", law("norm_bound", W=W, beta=beta, d=d), bound, ROOT)
    yield from _compare_blocks(law, L, n, mu, beta, blocks)
    yield from _compare_sparsifier(law, L, n, mu, beta)


def _compare_blocks(
    law: Law, L: Weights, n: int, mu: float, beta: float, blocks: tuple[int, ...]
) -> Comparisons:
    steps = law.block_steps(law, L, blocks, n, mu, beta)
    S = law("block_total", m=blocks, F=block_norms(L, blocks), n=n, mu=mu, B=len(blocks))
    bound = law("block_bound", S=S, beta=beta)
    witness = {"blocks": blocks, "h": steps}
    budget = math.fsum(length**0.5 / step for length, step in zip(blocks, steps, strict=True))
    yield eq("block budget", budget, beta, ROOT, witness=witness)
    start = 0
    for length, step in zip(blocks, steps, strict=True):
        part, h = L[start : start + length], (step,) * length
        omega, smoothness = _constant(law, (1.0,) * length, h), _constant(law, part, h) / (n * mu)
        if not any(L):
            yield eq("bounds where L = 0", step * length**0.5, bound, ROOT)
        yield le("omega of a block", omega, bound, ROUND_OFF, witness=witness)
        yield le("constant of a block over n mu", smoothness, bound, ROUND_OFF, witness=witness)
        start += length


def _compare_sparsifier(law: Law, L: Weights, n: int, mu: float, tau: float) -> Comparisons:
    c = law("probability_root", L=L, n=n, mu=mu, tau=tau, d=len(L))
    p = [law("probability", L_j=item, n=n, mu=mu, c=c) for item in L]
    bound = law("sparse_bound", W=law("total_weight", L=L, n=n, mu=mu, d=len(L)), tau=tau)
    yield eq("expected entries", math.fsum(p), tau, ROOT, witness={"p": p})
    if not any(L):
        yield eq("bounds where L = 0", 1 / p[0], bound, ROOT)
    # The constant of a sparsifier is attained at a coordinate vector (squant/sparse).
    sparsifier, units = law.sparsifier(p), np.eye(len(p))
    omega = float(np.max(sparsifier.variance(units)))
    smoothness = float(np.max(sparsifier.variance(units, weight=list(L)))) / (n * mu)
    yield le("omega of the sparsifier", omega, bound, ROUND_OFF, witness={"p": p})
    yield le("constant of the sparsifier over n mu", smoothness, bound, ROUND_OFF, witness={"p": p})


@judge.adversarial(instances={"vanishing-weight": INSTANCES["vanishing-weight"]})
def searched(law: Law, L: Weights, n: int, mu: float, beta: float, **_: Any) -> AdversarialCase:
    """An input whose variance, plain or weighted by L/(n mu), exceeds W/beta."""
    weight = (np.array(L) / (n * mu)).tolist()
    h = list(law.steps(law, L, n, mu, beta))
    quantizer = law.quantizer(h)
    bound = law("bound", W=law("total_weight", L=L, n=n, mu=mu, d=len(L)), beta=beta)
    return AdversarialCase(
        lambda inputs: np.maximum(quantizer.variance(inputs), quantizer.variance(inputs, weight=weight)),
        lambda inputs: bound * (inputs**2).sum(axis=-1),
        len(h),
        starts=(h,),
        budget=1000,
    )
