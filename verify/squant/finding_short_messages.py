"""Checks of `squant/finding-short-messages`: nonzeros counted exactly, lengths in growth, measured runs."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.experiments.squant.gain_runs import LONG, PAIR, REPLICATES, SHORT, cost_case, ratio_exponent
from verify.rungs.costs import CostCase, Exponent
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.exponents import compare_exponent
from verify.squant.fixtures.families import family
from verify.squant.fixtures.literal_length import literal_bound


@dataclass(frozen=True)
class Instance:
    """An input of rational norm and a rational step h = sqrt(d) / beta."""

    x: tuple[int, ...]
    beta: int
    support: int

    @property
    def step(self) -> F:
        """Return the uniform step."""
        return F(round(len(self.x) ** 0.5), self.beta)


INSTANCES = {
    "flat": Instance((1,) * 4 + (0,) * 5, 3, 4),
    "two-coordinates": Instance((3, 4) + (0,) * 7, 3, 2),
    "small-budget": Instance((1, 2, 2) + (0,) * 6, 2, 3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/finding-short-messages")
    short = (
        ratio_exponent("rounds", SHORT, PAIR, 0.8, 0.0, "at_least"),
        ratio_exponent("bits", SHORT, PAIR, 0.75, 0.0, "at_most"),
    )
    long = (ratio_exponent("rounds", LONG, PAIR, 1.0, 0.15), ratio_exponent("bits", LONG, PAIR, 0.5, 0.15))
    like_rounds = ratio_exponent("bits", SHORT, PAIR, 1.0, 0.05, "at_least")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "lengths", ExactCase(compare_lengths), {"n": [4, 16, 64], "q": 8}, seconds=0.5),
        _runs(SHORT, short, {"bits-like-rounds": _case(SHORT, (like_rounds,))}, "quick"),
        _runs(LONG, long, {}, "full"),
    )


def _exact(name: str, instance: Instance) -> Check:
    flat = replace(instance, x=(1,) * len(instance.x))
    mutants = {
        "spread-input": ExactCase(lambda: compare(flat)),
        "moved-support": ExactCase(lambda: compare(replace(instance, x=instance.x[::-1]))),
    }
    parameters = {"x": instance.x, "step": instance.step, "support": instance.support}
    return Check("exact", name, ExactCase(lambda: compare(instance)), parameters, mutants)


def compare(instance: Instance) -> Iterable[Comparison]:
    """Mean number of nonzeros over all messages against the stated value."""
    quantizer, x = StochasticQuantizer(instance.step), [F(item) for item in instance.x]
    mean = F(0)
    for chance, draws in quantizer.outcomes(x):
        mean += chance * int(np.count_nonzero(quantizer.message(instance.x, draws).symbols))
    formula = theory.claim("squant/finding-short-messages").bound
    values = {"beta": instance.beta, "support": instance.support, "d": len(x)}
    stated = evaluate(formula, values)
    witness = {"x": instance.x}
    yield Comparison("expected nonzeros", "le", float(mean), stated, ROUND_OFF, witness, headline=True)
    if set(instance.x) == {0, 1}:
        yield Comparison("attained by a flat input", "eq", float(mean), stated, ROUND_OFF, witness)


def compare_lengths() -> Iterable[Comparison]:
    """Expected content of an unaware message on one block against the worst case, as n grows."""
    sizes, ratios = (4, 16, 64), []
    for n in sizes:
        d = 8 * n * n
        x = np.zeros(d)
        x[: d // n] = 1.0
        quantizer = StochasticQuantizer(d**0.5 / (d / n), norm_bits=32)
        content = float(quantizer.expected_bits(x)) - 32
        ratios.append((literal_bound(d / n, d, 1) - 32) / content)
    # 1/2 but for the gap codes, whose logarithms fall from n = 4 to 64 at different rates.
    yield from compare_exponent("of worst-case over real content", sizes, ratios, at_least=0.35, at_most=0.65)


def _case(sizes: Sequence[int], claims: Sequence[Exponent]) -> CostCase:
    return cost_case(functools.partial(family, "H"), sizes, claims, PAIR)


def _runs(sizes: Sequence[int], claims: Sequence[Exponent], mutants: dict[str, Any], profile: Any) -> Check:
    parameters = {"family": "H", "n": list(sizes), "q": 8, "replicates": REPLICATES}
    seconds = 2.0 if profile == "quick" else 150.0
    return Check("run", f"H-to-n{sizes[-1]}", _case(sizes, claims), parameters, mutants, seconds, profile)
