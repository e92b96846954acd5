"""Checks of `ndqsg/entropy-index`: quadrature of both sides, laws with atoms, indices of the codec."""

import functools
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law as Claimed
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.ndqsg.fixtures.index_entropy import (
    LAWS,
    Law,
    conditional_by_dither,
    conditional_entropy,
    entropy,
    index_entropy,
    index_probabilities,
    information_variance,
    normal,
    rounded_entropy,
    uniform,
)
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

CLAIM = "ndqsg/entropy-index"
PRINTED = printed(12)
ATOMS = 4
SAMPLED, SCALE = "laplace-1/2", 0.5


@dataclass(frozen=True)
class Rule:
    """What is taken for the two entropies: as stated, or with one fault.

    Args:
        dithered: Whether the index has a dither.
        unit: Factor on all entropies, 1 for bits.
        conditional: Whether the conditional entropy is one.
        mirrored: Whether -x is quantized.
        exchanged: Whether the two are exchanged.
    """

    dithered: bool = True
    unit: float = 1.0
    conditional: bool = True
    mirrored: bool = False
    exchanged: bool = False

    def law(self, law: Law) -> Law:
        """Return the law of what is quantized."""
        if not self.mirrored:
            return law
        return Law(lambda t: 1 - law.distribution(-t), law.reach)

    def index(self, law: Law) -> float:
        """Return what is taken for H(q)."""
        kind = index_entropy if self.dithered else rounded_entropy
        return self.unit * (conditional_entropy if self.exchanged else kind)(self.law(law))

    def given_dither(self, law: Law) -> float:
        """Return what is taken for H(q | u)."""
        if not self.conditional:
            return self.index(law)
        return self.unit * (index_entropy if self.exchanged else conditional_entropy)(self.law(law))


judge = checks_of(CLAIM, rule=Rule(), codec=DitheredQuantizer, subtracted=1)


judge.sabotage(
    "no-dither at exact/laws, montecarlo/index: The entropy of $Q(x)$ without dither for $H(q)$: 1.560 "
    "instead of 1.705 bits for the Laplace law; not visible for uniform $x$.",
    lambda law: law.replace(rule=Rule(dithered=False)),
    "natural-logarithm at exact/uniform, exact/laws: Entropies in nats, claimed as bits.",
    lambda law: law.replace(rule=Rule(unit=math.log(2))),
    "index-for-conditional at exact/uniform, exact/laws, montecarlo/conditional: $H(q)$ claimed as "
    "$H(q\\mid u)$: 0.005 (sparse) to 0.16 bits too much.",
    lambda law: law.replace(rule=Rule(conditional=False)),
    "exchanged at exact/laws, adversarial/atoms: The two entropies exchanged.",
    lambda law: law.replace(rule=Rule(exchanged=True)),
    "index-alone at exact/information: The receiver keeps the dither: the index alone tells less of $x$. "
    "| subtracted = 0",
    "mirrored, neutral at exact/uniform, exact/laws: Send $-x$ for $x$: nothing may change.",
    lambda law: law.replace(rule=Rule(mirrored=True)),
)


@judge.exact(instance="uniform", M=[1, 2, 3, 7])
def uniform_laws(law: Claimed, M: int) -> Iterable[Comparison]:
    """Uniform x: probabilities and entropies by quadrature against the closed forms."""
    found = index_probabilities(law.rule.law(uniform(M)))
    middle = len(found) // 2
    for i in range(M + 1):
        stated = law("outer" if i == M else "inner", M=M)
        yield eq(
            "probability of an index", float(found[middle + i]), stated, ROUND_OFF, witness={"i": i, "M": M}
        )
    index, given = law.rule.index(uniform(M)), law.rule.given_dither(uniform(M))
    yield eq("entropy of the index", index, law("index", M=M), ROUND_OFF)
    yield eq("entropy given the dither", given, law("exact", M=M), ROUND_OFF, headline=True)
    yield lt("raw bits", index, law("raw", M=M), ROUND_OFF)


@judge.exact(parameters={"laws": list(LAWS)})
def laws(law: Claimed) -> Iterable[Comparison]:
    """The laws of the table: both sides of the identity, the order, the printed numbers."""
    for case in theory.claim(CLAIM).worst_cases:
        chosen, shown = LAWS[case.values["law"]](), {"law": case.values["law"]}
        given, index = law.rule.given_dither(chosen), law.rule.index(chosen)
        stated = float(case.values["conditional"])
        yield eq("entropy of a law given the dither", given, stated, PRINTED, headline=True, witness=shown)
        yield eq("entropy of a law", index, float(case.values["index"]), PRINTED, witness=shown)
        by_dither = conditional_by_dither(law.rule.law(chosen))
        yield eq("average over the dither", by_dither, given, ROUND_OFF, witness=shown)
        yield le("order", given, index, ROUND_OFF, witness=shown)


@judge.exact(instance="normal", s=[0.5, 1.0, 3.0])
def normal_law(law: Claimed, s: float) -> Iterable[Comparison]:
    """Normal x: the stated probabilities and density against quadrature."""
    found = index_probabilities(normal(s))
    middle = len(found) // 2
    for i in range(3):
        # The stated second difference cancels: one is added to both sides.
        shown = {"i": i, "s": s}
        stated = 1 + law("gauss_index", i=i, s=s)
        yield eq("normal probability", 1 + float(found[middle + i]), stated, ROUND_OFF, witness=shown)
        density, stated = float(normal(s).density(np.array(i + 0.25))), law("gauss_density", i=i + 0.25, s=s)
        yield eq("normal density", 1 + density, 1 + stated, ROUND_OFF, witness=shown)


FEW = (
    {F(0): F(1, 2), F(1, 3): F(1, 3), F(1): F(1, 6)},
    {F(-3, 2): F(1, 4), F(-1, 2): F(1, 4), F(1, 2): F(1, 4), F(3, 2): F(1, 4)},
    {F(0): F(9, 10), F(1, 8): F(1, 20), F(17, 5): F(1, 20)},
)
"""Laws of few values: their chances."""


@judge.exact(parameters={"points": (2, 3, 4, 16), "laws": len(FEW)}, points=(2, 3, 4, 16))
def information(law: Claimed, points: Sequence[int]) -> Iterable[Comparison]:
    """The information of pairs of sent and received values against the entropy of indices at each dither."""
    for N, (place, chances) in itertools.product(points, enumerate(FEW)):
        codec = law.codec(1, scale=1, points=N)
        pairs, received, indices = (defaultdict[Any, F](F) for _ in range(3))
        for x, weight in chances.items():
            for p, draws in codec.outcomes([x]):
                q, u = codec.reference_symbols([x], draws)[0], draws.shared[0]
                value = q - law.subtracted * u
                pairs[x, value] += weight * p
                received[value] += weight * p
                indices[u, q] += weight * p
        told = sum(
            float(p) * math.log2(p / (chances[x] * received[value])) for (x, value), p in pairs.items()
        )
        # Each dither has the chance 1/N.
        given = -sum(float(p) * math.log2(N * p) for p in indices.values())
        yield eq("information", told, given, ROUND_OFF, witness={"points": N, "law": place})


def atomic_entropies(positions: Any, weights: Any) -> tuple[float, float]:
    """Return H(q | u) and H(q) of a law with atoms, (k,) each: f is constant between its jumps."""
    jumps = np.sort(np.concatenate([positions - 0.5, positions + 0.5]))
    middles = (jumps[1:] + jumps[:-1]) / 2
    f = (weights * (np.abs(middles[:, None] - positions) < 0.5)).sum(axis=-1)
    logs = np.log2(np.where(f > 0, f, 1.0))
    last = math.ceil(float(np.abs(positions).max()) + 1)
    i = np.arange(-last, last + 1)[:, None]
    p = (weights * np.maximum(0.0, 1 - np.abs(i - positions))).sum(axis=-1)
    return float(-(np.diff(jumps) * f * logs).sum()), entropy(p)


@judge.adversarial(parameters={"atoms": ATOMS, "range": 3})
def atoms(law: Claimed) -> AdversarialCase:
    """H(q | u) is at most H(q) for laws with four atoms; equal where all are indices."""

    @functools.lru_cache(maxsize=4096)
    def both(row: tuple[float, ...]) -> tuple[float, float]:
        positions = 3 * np.tanh(np.array(row[:ATOMS]))
        # Not all of them 0; a law with such a weight is one of the laws that are searched.
        weights = np.abs(row[ATOMS:]) + 1e-12
        given, index = atomic_entropies(positions, weights / weights.sum())
        return (index, given) if law.rule.exchanged else (given, index)

    def side(place: int) -> Callable[[Any], Any]:
        # One bit is added to both: a single atom has no entropy to divide by.
        return lambda inputs: np.array([1 + both(tuple(row))[place] for row in inputs])

    on_grid = np.concatenate([np.arctanh(np.array([-2.0, -1.0, 0.0, 1.0]) / 3), np.ones(ATOMS)])
    between = np.concatenate([np.arctanh(np.array([-1.5, -0.5, 0.5, 1.5]) / 3), np.ones(ATOMS)])
    return AdversarialCase(
        side(0), side(1), 2 * ATOMS, starts=[on_grid, between], scale_invariant=False, budget=1000
    )


def _sampled(law: Claimed, coordinates: int, tolerance: float, *, given: bool) -> MonteCarloCase:
    """Mean information of the indices that the codec sends, in bits; a sample is a mean over coordinates."""
    chosen = LAWS[SAMPLED]()
    chances = index_probabilities(chosen)
    middle = len(chances) // 2
    logs = -np.log2(np.maximum(chances, 1e-300))

    def sample(rng: Any, size: int) -> Any:
        x = rng.laplace(scale=SCALE, size=(size, coordinates))
        codec = law.codec(1, scale=1.0)
        draws = codec.draw(rng, x.shape)
        index = codec.message(x, draws).symbols
        if given:
            return -np.log2(chosen.density(index - draws.shared)).mean(axis=-1)
        return logs[np.clip(index + middle, 0, len(logs) - 1)].mean(axis=-1)

    variance = information_variance(chosen, given_dither=given) / coordinates
    stated = law.rule.given_dither(chosen) if given else law.rule.index(chosen)
    return MonteCarloCase("eq", sample, stated, variance=variance, tolerance=tolerance)


@judge.montecarlo(coordinates=64, tolerance=0.005)
def conditional(law: Claimed, coordinates: int, tolerance: float) -> MonteCarloCase:
    return _sampled(law, coordinates, tolerance, given=True)


@judge.montecarlo(coordinates=64, tolerance=0.005)
def index(law: Claimed, coordinates: int, tolerance: float) -> MonteCarloCase:
    return _sampled(law, coordinates, tolerance, given=False)


@judge.montecarlo(label="conditional", coordinates=256, tolerance=0.002, profile="full")
def conditional_fine(law: Claimed, coordinates: int, tolerance: float) -> MonteCarloCase:
    return _sampled(law, coordinates, tolerance, given=True)


@judge.montecarlo(label="index", coordinates=256, tolerance=0.002, profile="full")
def index_fine(law: Claimed, coordinates: int, tolerance: float) -> MonteCarloCase:
    return _sampled(law, coordinates, tolerance, given=False)
