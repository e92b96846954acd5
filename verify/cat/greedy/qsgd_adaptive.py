"""Checks of `cat/qsgd-adaptive`: the compressor enumerated in rationals, the rule, the worst case."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from types import SimpleNamespace
from typing import Any

import numpy as np

from impl.adaptive import cat_qsgd
from impl.communication import Affine, levels_bits
from impl.compressors import StochasticQuantizer
from impl.compressors.rounding.block_norms import rational_norm
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.expectation.enumeration import enumerate_moments
from verify.expectation.outcome_tree import square
from verify.rungs.adversarial import AdversarialCase
from verify.sabotage.stochastic_quantizer import SwappedProbability

LEVELS = (1, 2, 3, 4, 5, 7)
# Rational norms.
VECTORS = {
    "norm-7": (2, -3, 6),
    "norm-9-zero": (1, 0, 4, -8),
    "equal": (1, 1, -1, 1),
    "one-entry": (-5,),
    "norm-10": (1, 3, 3, -9),
    "norm-5": (1, 2, -2, 4),
}
DIMENSION = 4

judge = checks_of("cat/qsgd-adaptive", quantizer=lambda s: StochasticQuantizer(F(1, s)), rule=cat_qsgd)


@judge.mutant(
    "Take d/(8s^2) for d/(4s^2): twice too small for four equal entries and one level.",
    at=("exact/equal", "adversarial/levels-1"),
)
def eighth(law: Law) -> Law:
    quarter = law.formulas["quarter"]
    return law.replace(bound=lambda formula: formula.xreplace({quarter: quarter / 2}))


judge.sabotage(
    "full-codes at exact/norm-5: Look only at s = 2^m - 1, which fill their code: for (1, 2, 2, 4) that is "
    "3 levels and not 5.",
    {"rule": lambda g, cost, **most: full_code_rule(g, cost, (1, 3, 7))},
    "one-level-more at exact/norm-*, exact/equal: One level more than is said.",
    {"quantizer": lambda s: StochasticQuantizer(F(1, s + 1))},
    "swapped-probability at exact/norm-*: Round up with probability 1 - p instead of p.",
    {"quantizer": lambda s: SwappedProbability(F(1, s))},
    "most-levels at exact/norm-5: Take the most levels, whatever they cost.",
    {"rule": lambda g, cost, **most: full_code_rule(g, cost, (7,))},
)


@judge.mutant(
    "The rule in floats divides the variances by s and not by its square.", at=("exact/rule-in-floats",)
)
def divided_by_levels(law: Law) -> Law:
    def rule(g: Any, cost: Any, most_levels: int) -> Any:
        def share(s: int) -> float:
            levels = s * np.abs(g) / np.linalg.norm(g)
            parts = levels - np.floor(levels)
            return 1 / (1 + float((parts * (1 - parts)).sum()) / s)

        s = max(range(1, most_levels + 1), key=lambda s: share(s) / cost(levels_bits(s, len(g))))
        return SimpleNamespace(size=s, share=share(s))

    return law.replace(rule=rule)


judge.sabotage_data(
    "scaled-gradient, neutral: Multiply the gradient by -7/3: nothing may change.",
    lambda g, levels: {"g": tuple(F(-7, 3) * item for item in g)},
    at=tuple(f"exact/{name}" for name in VECTORS),
)


def full_code_rule(g: Sequence[F], cost: Any, levels: Sequence[int]) -> SimpleNamespace:
    """Return the most efficient of some numbers of levels, as the rule would; rational norms only."""
    energy = square(g)

    def efficiency(s: int) -> F:
        share: F = energy / (energy + StochasticQuantizer(F(1, s)).variance(list(g)))
        found: F = share / cost(levels_bits(s, len(g)))
        return found

    size = max(levels, key=lambda s: (efficiency(s), -s))
    return SimpleNamespace(size=size, efficiency=efficiency(size))


def _values(g: Sequence[F], s: int) -> dict[str, Any]:
    return {"g": tuple(g), "N": rational_norm(g, "cat/qsgd-adaptive"), "d": len(g), "levels": s}


@judge.exact(instances={name: {"g": g, "levels": LEVELS} for name, g in VECTORS.items()})
def enumerated(law: Law, g: Sequence[Any], levels: Sequence[int]) -> Iterable[Comparison]:
    """The enumerated compressor, one step on half the squared norm, the bound and the rule."""
    g = [F(item) for item in g]
    energy = square(g)
    for s in levels:
        witness = {"g": tuple(g), "levels": s}
        quantizer, omega = law.quantizer(s), law.exactly("exact", **_values(g, s))
        if s < 4:
            moments = enumerate_moments(quantizer, g, [1] * len(g))
            for value, item in zip(moments.mean, g, strict=True):
                yield eq("mean", value, item, witness=witness)
            measured = energy / (energy + moments.second_moment)
            yield eq("share", measured, omega, witness=witness, headline=True)
        closed = energy / (energy + quantizer.variance(g))
        yield eq("closed form", closed, omega, witness=witness)
        # On half the squared norm the decrease is attained: E|g - omega Q|^2 = (1 - omega) |g|^2.
        stated = law.exactly("decrease", omega=omega, G=energy, L=1)
        after = energy - 2 * omega * energy + omega**2 * energy / closed
        yield eq("decrease", (energy - after) / 2, stated, witness=witness)
        bound = law("bound", d=len(g), levels=s)
        yield le("lower bound", bound, float(closed), ROUND_OFF, witness=witness)
        if len(set(map(abs, g))) == 1 and s * abs(g[0]) / rational_norm(g, "attained") % 1 == F(1, 2):
            yield eq("attained", float(closed), bound, ROUND_OFF, witness=witness)
    yield from _rule(law, g, max(levels))


def _rule(law: Law, g: Sequence[F], most: int) -> Iterable[Comparison]:
    """The rule is at least as good as each number of levels, and takes the first of equal ones."""
    cost = Affine(1, 5)
    choice = law.rule(list(g), cost, most_levels=most)
    for s in range(1, most + 1):
        efficiency = law.exactly("exact", **_values(g, s)) / cost(levels_bits(s, len(g)))
        witness = {"g": tuple(g), "levels": s, "chosen": choice.size}
        yield le("rule", efficiency, choice.efficiency, witness=witness)
        if s < choice.size:
            yield lt("first of equal ones", efficiency, choice.efficiency, witness=witness)


@judge.exact(vectors=tuple(VECTORS), most=15)
def rule_in_floats(law: Law, vectors: Sequence[str], most: int) -> Iterable[Comparison]:
    """The share that the rule records for what it takes in floats, by its definition."""
    for name in vectors:
        g = [F(item) for item in VECTORS[name]]
        choice = law.rule(np.array(g, dtype=float), Affine(1, 5), most_levels=most)
        stated = float(law.exactly("exact", **_values(g, choice.size)))
        yield eq("share of the rule", float(choice.share), stated, ROUND_OFF, witness={"g": tuple(g)})


@judge.adversarial(
    label="share from below",
    instances={f"levels-{s}": {"d": DIMENSION, "levels": s} for s in (1, 3)},
)
def searched(law: Law, d: int, levels: int) -> AdversarialCase:
    """The gradient whose share is closest to the lower bound."""
    quantizer = law.quantizer(levels)

    def share(inputs: Any) -> Any:
        energy = (inputs**2).sum(axis=1)
        return np.where(energy > 0, energy / (energy + quantizer.variance(inputs)), 1.0)

    bound = law("bound", d=d, levels=levels)
    starts = [np.ones(d), np.arange(1.0, d + 1)]
    return AdversarialCase(lambda inputs: np.full(len(inputs), bound), share, d, starts, budget=2000)
