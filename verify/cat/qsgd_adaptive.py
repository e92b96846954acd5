"""Checks of `cat/qsgd-adaptive`: the compressor enumerated in rationals, the rule, the worst case."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_qsgd
from impl.communication import Affine, levels_bits
from impl.compressors import StochasticQuantizer
from verify.binding import Check
from verify.cat.outcome_tree import square
from verify.cat.special_cases import rational_norm
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.expectation.enumeration import enumerate_moments
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/qsgd-adaptive"
# Maps a dimension and a number of levels to a lower bound of the share.
Bound = Callable[[int, int], Any]

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


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_exact(name, g) for name, g in VECTORS.items()),
        *(_searched(s) for s in (1, 3)),
    )


def bound(d: int, s: int) -> float:
    """Return the stated lower bound."""
    return evaluate(theory.claim(ID).bound, {"d": d, "levels": s})


def eighth(d: int, s: int) -> float:
    """Return the bound with an eighth for the quarter."""
    return 1 / (1 + min(d / (8 * s * s), math.sqrt(d) / s))


def share(g: Sequence[Any], s: int) -> Any:
    """Return the stated share, exactly; the norm must be rational."""
    values = {"g": g, "N": rational_norm(g), "d": len(g), "levels": s}
    found = evaluate_exact(theory.claim(ID).exact, values)
    return F(int(found.p), int(found.q))


@dataclass(frozen=True)
class Claimed:
    """What is claimed: a lower bound, whether the share grows, and whether full codes suffice."""

    bound: Bound = bound
    monotone: bool = False
    full_codes: bool = False


def _exact(name: str, g: tuple[int, ...]) -> Check:
    def case(claimed: Claimed | None = None, scale: F = F(1)) -> ExactCase:
        return ExactCase(lambda: compare([scale * item for item in g], claimed or Claimed()))

    mutants = {"scaled-gradient": case(scale=F(-7, 3))}
    if name == "equal":
        mutants["eighth"] = case(Claimed(eighth))
        mutants["monotone"] = case(Claimed(monotone=True))
    if name == "norm-5":
        mutants["full-codes"] = case(Claimed(full_codes=True))
    return Check("exact", name, case(), {"g": g, "levels": LEVELS}, mutants, seconds=0.2)


def compare(g: Sequence[F], claimed: Claimed) -> Iterable[Comparison]:
    """Hold the enumerated compressor, one step on half the squared norm, bound and rule against the claim."""
    energy, before = square(g), F(0)
    for s in LEVELS:
        witness = {"g": tuple(g), "levels": s}
        quantizer, omega = StochasticQuantizer(F(1, s)), share(g, s)
        if s < 4:
            moments = enumerate_moments(quantizer, list(g), [1] * len(g))
            for j, item in enumerate(g):
                yield Comparison(f"mean of entry {j}", "eq", moments.mean[j], item, witness=witness)
            measured = energy / (energy + moments.second_moment)
            yield Comparison("share", "eq", measured, omega, witness=witness, headline=True)
        closed = energy / (energy + quantizer.variance(list(g)))
        yield Comparison("closed form", "eq", closed, omega, witness=witness)
        # On half the squared norm the decrease is attained: E|g - omega Q|^2 = (1 - omega) |g|^2.
        values = {"omega": omega, "G": energy, "L": 1}
        stated = evaluate_exact(theory.claim(ID).formulas["decrease"], values)
        after = energy - 2 * omega * energy + omega**2 * energy / closed
        yield Comparison("decrease", "eq", (energy - after) / 2, stated, witness=witness)
        yield Comparison(
            "lower bound", "le", claimed.bound(len(g), s), float(omega), ROUND_OFF, witness=witness
        )
        if claimed.monotone:
            yield Comparison("grows", "le", before, omega, witness=witness)
        before = omega
    yield from _compare_rule(g, claimed.full_codes)


def _compare_rule(g: Sequence[F], full_codes: bool) -> Iterable[Comparison]:
    """The rule is at least as good as each number of levels, and takes the first of equal ones."""
    cost = Affine(1, 5)
    choice = cat_qsgd(list(g), cost, most_levels=max(LEVELS))
    found = {s: share(g, s) / cost(levels_bits(s, len(g))) for s in range(1, max(LEVELS) + 1)}
    chosen, best = choice.size, choice.efficiency
    if full_codes:
        chosen = max((1, 3, 7), key=lambda s: (found[s], -s))
        best = found[chosen]
    for s, efficiency in found.items():
        witness = {"g": tuple(g), "levels": s, "chosen": chosen}
        yield Comparison("rule", "le", efficiency, best, witness=witness)
        if s < chosen:
            yield Comparison("first of equal ones", "le", efficiency / best, F(10**9 - 1, 10**9))


DIMENSION = 4


def _searched(s: int) -> Check:
    """Search the gradient whose share is closest to the lower bound."""
    quantizer = StochasticQuantizer(1 / s)

    def value(lower: Bound, inputs: Any) -> Any:
        return np.full(len(inputs), lower(DIMENSION, s))

    def measured(inputs: Any) -> Any:
        energy = (inputs**2).sum(axis=1)
        return np.where(energy > 0, energy / (energy + quantizer.variance(inputs)), 1.0)

    def case(lower: Bound = bound) -> AdversarialCase:
        starts = [np.ones(DIMENSION), np.arange(1.0, DIMENSION + 1)]
        return AdversarialCase(partial(value, lower), measured, DIMENSION, starts, budget=2000)

    mutants = {"eighth": case(eighth)} if s == 1 else {}
    return Check("adversarial", f"levels-{s}", case(), {"d": DIMENSION, "levels": s}, mutants, seconds=0.2)
