"""Checks of `squant/finding-sparsification-ties`: equal constants, no better steps, cheaper nonzeros."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier, StochasticQuantizer
from impl.compressors.contract import Draws
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROOT, ROUND_OFF
from verify.squant.fixtures.step_rules import optimal_probabilities, optimal_steps
from verify.squant.fixtures.supremum import supremum_of

FLOAT_BITS = 32

judge = checks_of(
    "squant/finding-sparsification-ties", quantizer=StochasticQuantizer, sparsifier=BernoulliSparsifier
)

# Dimension, a square, and budget for L = I; h = sqrt(d)/beta is rational.
_TIES = {
    name: {"L": "identity", "d": d, "beta": beta}
    for name, (d, beta) in {
        "d16": (16, 4),
        "d16-one-nonzero": (16, 1),
        "d36": (36, 5),
        "d64": (64, 8),
    }.items()
}
# Weights and budget below half the dimension, so that every choice of steps is in the coarse regime.
_GENERAL: dict[str, dict[str, Any]] = {
    "two-weights": {"L": (4.0, 1.0), "beta": 0.9},
    "four-weights": {"L": (9.0, 4.0, 1.0, 1.0), "beta": 1.9},
    "one-heavy": {"L": (4.0, 1.0, 1.0, 1.0), "beta": 1.0},
    "wide-spectrum": {"L": tuple(10.0**-k for k in range(6)), "beta": 2.5},
    # Both bounds are nearly attained.
    "identity-small-budget": {"L": (1.0,) * 4, "beta": 0.1},
}


judge.sabotage(
    "better-constant at exact/d16*, exact/d36, exact/d64: Claim d/beta - 2 for quantization at L = I: less "
    "than sparsification. | quantizer_constant = quantizer_constant - 1",
    "trace-is-needed at exact/identity-small-budget: Claim that no steps have a constant below tr L/beta.",
    lambda law: law.replace(exact=lambda value: replace(value, expression=law.formulas["bound"])),
    "steps-beat-sparsification at exact/*-weights, exact/one-heavy: Claim that the best known steps reach "
    "99 % of c.",
    lambda law: law.replace(
        bound=replace(law.formulas["exact"], expression=99 * law.formulas["exact"].unknown / 100)
    ),
    "level-costs-a-float at exact/d16*, exact/d36, exact/d64, exact/messages-*: Claim that a level costs as "
    "much as a float: nothing is saved on nonzeros. | saving = saving(beta = 0)",
    "free-norm at exact/d16*, exact/d36, exact/d64, exact/messages-*: Forget the norm that a quantized "
    "message carries. | saving = saving - saving(beta = 0)",
    "smaller-step at exact/messages-*, exact/d64: A smaller step: more nonzeros for the same constant. "
    "| step = step * (4/5)",
)
judge.sabotage_data(
    "permuted-coordinates, neutral: Permute the weights: steps and probabilities follow, constants stay.",
    lambda L, beta: {"L": L[::-1], "beta": beta},
    at=tuple(f"exact/{name}" for name in _GENERAL),
)


def _pair(law: Law, d: int, beta: int) -> tuple[F, Any, Any]:
    """Return the step, the quantizer and the sparsifier for L = I."""
    step = F(law.exactly("step", d=d, beta=beta))
    quantizer = law.quantizer(step, norm_bits=FLOAT_BITS)
    return step, quantizer, law.sparsifier([F(beta, d)] * d, value_bits=FLOAT_BITS)


@judge.exact(instances=_TIES)
def tie(law: Law, L: str, d: int, beta: int) -> Comparisons:
    """Sparsifier and quantizer for L = I at x = 1: variance, nonzeros and message length, all rational."""
    step, quantizer, sparsifier = _pair(law, d, beta)
    ones, unit = [F(1)] * d, [F(1)] + [F(0)] * (d - 1)
    constant = quantizer.variance(ones) / d
    stated = law.exactly("quantizer_constant", d=d, beta=beta)
    sparse = law.exactly("sparse_constant", d=d, tau=beta)
    yield eq("variance of the quantizer", constant, stated)
    for value in (sparsifier.variance(ones) / d, sparsifier.variance(unit)):
        yield eq("variance of the sparsifier", value, sparse)
    yield eq("both constants agree", constant, sparse, headline=True)
    supremum = supremum_of([1.0] * d, [float(step)] * d, maximiser=False).upper
    yield eq("constant of the quantizer", supremum, law("quantizer_constant", d=d, beta=beta), ROOT)
    saved = sparsifier.expected_bits(ones) - quantizer.expected_bits(ones)
    yield eq("expected bits saved", saved, law.exactly("saving", v=FLOAT_BITS, beta=beta))


@judge.exact(instances={"messages-d4": {"d": 4, "beta": 2}, "messages-d9": {"d": 9, "beta": 3}})
def messages(law: Law, d: int, beta: int) -> Comparisons:
    """All messages of both at x = 1: nonzeros and length of what is really sent."""
    _, quantizer, sparsifier = _pair(law, d, beta)
    expected = []
    for compressor in (quantizer, sparsifier):
        nonzeros = bits = 0.0
        chances, draws = zip(*compressor.outcomes(np.ones(d)), strict=True)
        message = compressor.message(np.ones(d), Draws(private=np.stack([item.private for item in draws])))
        for probability, symbols, length in zip(chances, message.symbols, message.bits, strict=True):
            nonzeros += float(probability) * np.count_nonzero(symbols)
            bits += float(probability) * float(length)
        yield eq("expected nonzeros", nonzeros, float(beta), ROUND_OFF)
        expected.append(bits)
    saved = law("saving", v=FLOAT_BITS, beta=beta)
    yield eq("expected bits saved", expected[1] - expected[0], saved, ROUND_OFF, headline=True)


def candidate_steps(law: Law, L: Sequence[float], beta: float) -> dict[str, list[float]]:
    """Return ways to choose the steps at budget beta, by name: stated ones and a few at random."""
    rules, d = law.of("squant/steps"), len(L)
    _, p = optimal_probabilities(L, beta)
    found = {
        "optimal for the bound": list(optimal_steps(L, beta)),
        "like the sparsifier": [rules("sparse_step", beta=beta, p_j=item) for item in p],
        "uniform": [law("step", d=d, beta=beta)] * d,
    }
    rng = np.random.Generator(np.random.Philox(20240601))
    for draw in range(20):
        shape = np.exp(rng.normal(scale=1.5, size=d))
        found[f"random {draw}"] = (shape * np.linalg.norm(1 / shape) / beta).tolist()
    return found


@judge.exact(instances=_GENERAL)
def between(law: Law, L: Any, beta: float) -> Comparisons:
    """No steps of the budget have a constant below c; the best known ones are below tr L / beta."""
    values = {"L": L, "beta": beta, "d": len(L)}
    c, p = law("exact", **values), optimal_probabilities(L, beta)[1]
    # The constant of a sparsifier is taken at a coordinate vector (squant/sparse).
    sparse = float(np.max(law.sparsifier(list(p)).variance(np.eye(len(L)), weight=list(L))))
    yield eq("constant of the sparsifier", sparse, c, ROOT, witness={"p": p})
    root = optimal_probabilities(L, beta)[0]
    x = np.array([law("input", L=L, c=root, j=j) for j in range(len(L))])
    x /= np.linalg.norm(x)
    suprema = {}
    for name, h in candidate_steps(law, L, beta).items():
        variance = float(law.quantizer(h).variance(x, weight=list(L)))
        yield le("c below the variance", c, variance, ROOT, witness={"steps": name, "h": h, "x": x})
        suprema[name] = supremum_of(L, h, maximiser=False).upper
    best = min(suprema, key=suprema.__getitem__)
    yield le(
        "best known steps",
        suprema[best],
        law("bound", **values),
        ROUND_OFF,
        witness={"steps": best},
        headline=True,
    )
