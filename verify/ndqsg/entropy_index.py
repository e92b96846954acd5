"""Checks of `ndqsg/entropy-index`: quadrature of both sides, laws with atoms, indices of the codec."""

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, Tolerance
from verify.evaluation import evaluate
from verify.ndqsg.index_entropy import (
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
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/entropy-index"
QUADRATURE = Tolerance(1e-13, "double-exponential quadrature, some thousand positive terms")
PRINTED = Tolerance(2e-13, "the table has 13 decimals, 5e-14 of at least 0.45, and the quadrature")
ATOMS = 4
SAMPLED = "laplace-1/2"


@dataclass(frozen=True)
class Rule:
    """What is taken for the two entropies: as stated, or with one fault.

    Args:
        dithered: Whether the index has a dither.
        unit: Factor on all entropies, 1 for bits.
        conditional: Whether the conditional entropy is one.
        mirrored: Whether -x is quantized.
    """

    dithered: bool = True
    unit: float = 1.0
    conditional: bool = True
    mirrored: bool = False

    def law(self, law: Law) -> Law:
        """Return the law of what is quantized."""
        if not self.mirrored:
            return law
        return Law(lambda t: 1 - law.distribution(-t), law.reach)

    def index(self, law: Law) -> float:
        """Return what is taken for H(q)."""
        return self.unit * (index_entropy if self.dithered else rounded_entropy)(self.law(law))

    def given_dither(self, law: Law) -> float:
        """Return what is taken for H(q | u)."""
        return self.unit * conditional_entropy(self.law(law)) if self.conditional else self.index(law)


STATED = Rule()
RULES = {
    "no-dither": Rule(dithered=False),
    "natural-logarithm": Rule(unit=math.log(2)),
    "index-for-conditional": Rule(conditional=False),
    "mirrored": Rule(mirrored=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    seen = ("natural-logarithm", "index-for-conditional", "mirrored")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "uniform",
            ExactCase(functools.partial(compare_uniform, STATED)),
            {"M": (1, 2, 3, 7)},
            {name: ExactCase(functools.partial(compare_uniform, RULES[name])) for name in seen},
            seconds=0.1,
        ),
        Check(
            "exact",
            "laws",
            ExactCase(functools.partial(compare_laws, STATED)),
            {"laws": list(LAWS)},
            {name: ExactCase(functools.partial(compare_laws, rule)) for name, rule in RULES.items()},
            seconds=0.2,
        ),
        Check("exact", "normal", ExactCase(compare_normal), {"s": (0.5, 1, 3)}, seconds=0.1),
        _atoms(),
        _sampled("conditional", "conditional", "index-for-conditional"),
        _sampled("index", "index", "no-dither"),
        _sampled("conditional-fine", "conditional", coordinates=256, tolerance=0.002),
        _sampled("index-fine", "index", coordinates=256, tolerance=0.002),
    )


def compare_uniform(rule: Rule) -> Iterable[Comparison]:
    """Uniform x: probabilities and entropies by quadrature against the closed forms."""
    claim = theory.claim(CLAIM)
    for M in (1, 2, 3, 7):
        law, values = rule.law(uniform(M)), {"M": M}
        found = index_probabilities(law)
        middle = len(found) // 2
        for i in range(M + 1):
            stated = evaluate(claim.formulas["outer" if i == M else "inner"], values)
            yield Comparison(f"P(q={i}), M={M}", "eq", float(found[middle + i]), stated, QUADRATURE)
        stated = evaluate(claim.formulas["index"], values)
        yield Comparison(f"H(q), M={M}", "eq", rule.index(uniform(M)), stated, QUADRATURE)
        stated = evaluate(claim.exact, values)
        yield Comparison(
            f"H(q | u), M={M}", "eq", rule.given_dither(uniform(M)), stated, QUADRATURE, headline=True
        )
        raw = evaluate(claim.formulas["raw"], values)
        yield Comparison(f"raw bits, M={M}", "le", rule.index(uniform(M)), raw, QUADRATURE)


def compare_laws(rule: Rule) -> Iterable[Comparison]:
    """The laws of the table: both sides of the identity, the order, the printed numbers."""
    for case in theory.claim(CLAIM).worst_cases:
        name = case.values["law"]
        law = LAWS[name]()
        given, index = rule.given_dither(law), rule.index(law)
        yield Comparison(
            f"{name}: H(q | u)", "eq", given, float(case.values["conditional"]), PRINTED, headline=True
        )
        yield Comparison(f"{name}: H(q)", "eq", index, float(case.values["index"]), PRINTED)
        by_dither = conditional_by_dither(rule.law(law))
        yield Comparison(f"{name}: average over the dither", "eq", by_dither, given, QUADRATURE)
        yield Comparison(f"{name}: order", "le", given, index, QUADRATURE)


def compare_normal() -> Iterable[Comparison]:
    """Normal x: the stated probabilities and density against quadrature."""
    formulas = theory.claim(CLAIM).formulas
    for s in (0.5, 1.0, 3.0):
        law = normal(s)
        found = index_probabilities(law)
        middle = len(found) // 2
        # The stated second difference cancels: absolute errors are of the order of 1e-16 s.
        tolerance = Tolerance(1e-12, "second differences of numbers up to s, near one in sum")
        for i in range(3):
            stated = evaluate(formulas["gauss_index"], {"i": i, "s": s})
            yield Comparison(f"P(q={i}), s={s}", "eq", float(found[middle + i]), stated, tolerance)
            density = float(law.density(np.array(i + 0.25)))
            stated = evaluate(formulas["gauss_density"], {"i": i + 0.25, "s": s})
            yield Comparison(f"f({i + 0.25}), s={s}", "eq", density, stated, tolerance)


# ---------------------------------------------------------------- laws with atoms


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


def _atoms() -> Check:
    """H(q | u) is at most H(q) for laws with four atoms; equal where all are indices."""

    def case(swapped: bool) -> AdversarialCase:
        @functools.lru_cache(maxsize=4096)
        def both(row: tuple[float, ...]) -> tuple[float, float]:
            positions = 3 * np.tanh(np.array(row[:ATOMS]))
            # Not all of them 0; a law with such a weight is one of the laws that are searched.
            weights = np.abs(row[ATOMS:]) + 1e-12
            given, index = atomic_entropies(positions, weights / weights.sum())
            return (index, given) if swapped else (given, index)

        def side(place: int) -> Callable[[Any], Any]:
            # One bit is added to both: a single atom has no entropy to divide by.
            return lambda inputs: np.array([1 + both(tuple(row))[place] for row in inputs])

        on_grid = np.concatenate([np.arctanh(np.array([-2.0, -1.0, 0.0, 1.0]) / 3), np.ones(ATOMS)])
        between = np.concatenate([np.arctanh(np.array([-1.5, -0.5, 0.5, 1.5]) / 3), np.ones(ATOMS)])
        return AdversarialCase(
            side(0), side(1), 2 * ATOMS, starts=[on_grid, between], scale_invariant=False, budget=1000
        )

    return Check(
        "adversarial",
        "atoms",
        case(False),
        {"atoms": ATOMS, "range": 3},
        {"index-for-conditional": case(True)},
        seconds=0.2,
    )


# ---------------------------------------------------------------- indices of the codec


def _sampled(
    name: str, which: str, mutant: str = "", *, coordinates: int = 64, tolerance: float = 0.005
) -> Check:
    """Mean information of the indices that the codec sends, in bits; a sample is a mean over coordinates."""
    scale = 0.5

    def case(rule: Rule) -> MonteCarloCase:
        law = LAWS[SAMPLED]()
        chances = index_probabilities(law)
        middle = len(chances) // 2
        logs = -np.log2(np.maximum(chances, 1e-300))

        def sample(rng: Any, size: int) -> Any:
            x = rng.laplace(scale=scale, size=(size, coordinates))
            codec = DitheredQuantizer(1, scale=1.0)
            draws = codec.draw(rng, x.shape)
            index = codec.message(x, draws).symbols
            if which == "index":
                return logs[np.clip(index + middle, 0, len(logs) - 1)].mean(axis=-1)
            return -np.log2(law.density(index - draws.shared)).mean(axis=-1)

        variance = information_variance(law, given_dither=which == "conditional") / coordinates
        stated = rule.given_dither(law) if which == "conditional" else rule.index(law)
        return MonteCarloCase("eq", sample, stated, variance=variance, tolerance=tolerance)

    return Check(
        "montecarlo",
        name,
        Lazy(functools.partial(case, STATED), tests=1),
        {"law": SAMPLED, "coordinates": coordinates, "tolerance_bits": tolerance},
        {mutant: Lazy(functools.partial(case, RULES[mutant]), tests=1)} if mutant else {},
        seconds=0.6 if mutant else 4.0,
        profile="quick" if mutant else "full",
    )
