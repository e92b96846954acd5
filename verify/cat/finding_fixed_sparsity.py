"""Checks of `cat/finding-fixed-sparsity`: flat starts cost no less with fewer entries, steep ones do."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import isotropic
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/finding-fixed-sparsity"
D = 24
SIZES = (1, 5, 8, 24)
COSTS = {"payload": (0, 1), "affine": (5, 1)}
STEEP = 2.0 ** -np.arange(D)
ACCURACY = 1e-3
GRADIENTS: dict[str, list[int]] = {
    "flat": [1] * D,
    "steep": [2 ** (D - j) for j in range(D)],
    "balanced": [3] * 4 + [2] * 20,
}
BALANCED = 4
"""Entries of the last gradient that pay exactly, at a fixed cost of 5."""


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        saves: Whether the messages of a flat start are claimed to cost less than one with all entries.
        steep: Whether the start is steep and the run ends at 1e-3 of the squared gradient.
        scale: Factor of the start.
        flat_share: Whether the share T / d is said to pay.
    """

    saves: bool = False
    steep: bool = False
    scale: int = 1
    flat_share: bool = False


STATED = Rule()
RULES = {
    "claims-saving": Rule(saves=True),
    "flat-share-pays": Rule(flat_share=True),
    "steep-start": Rule(steep=True),
    "scaled-start": Rule(scale=3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    exactly = ("claims-saving", "scaled-start")
    parameters = {"d": D, "T": SIZES, "(c_0,c_1)": COSTS}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "flat-start",
            ExactCase(functools.partial(compare_exactly, STATED)),
            {"F": "||x||^2 / 2", **parameters},
            {name: ExactCase(functools.partial(compare_exactly, RULES[name])) for name in exactly},
            seconds=0.1,
        ),
        Check(
            "exact",
            "share-that-pays",
            ExactCase(functools.partial(compare_break_even, STATED)),
            {"g": tuple(GRADIENTS), **parameters},
            {
                name: ExactCase(functools.partial(compare_break_even, RULES[name]))
                for name in ("flat-share-pays", "scaled-start")
            },
            seconds=0.1,
        ),
        Check(
            "run",
            "flat-start",
            DriftCase(functools.partial(compare_runs, STATED)),
            {"F": "||x||^2", **parameters},
            {
                name: DriftCase(functools.partial(compare_runs, RULES[name]))
                for name in ("claims-saving", "steep-start", "scaled-start")
            },
            seconds=0.1,
        ),
    )


def _held(rule: Rule, label: str, paid: F, whole: F, size: int) -> Comparison:
    """Hold what a run has paid against one message with all entries."""
    witness = {"T": size, "paid": paid, "all entries": whole}
    if rule.saves and size < D:
        return Comparison(f"{label}: less than all entries", "le", paid, whole - 1, witness=witness)
    return Comparison(f"{label}: at least all entries", "le", whole, paid, witness=witness, headline=True)


def compare_exactly(rule: Rule) -> Iterable[Comparison]:
    """What flat starts cost until they are 0, against the stated value and one message with all entries."""
    claim = theory.claim(CLAIM)
    for name, (fixed, per_entry) in COSTS.items():
        for size in SIZES:
            states = descend(
                RationalQuadratic((1,) * D),
                fixed_size(size, Affine(per_entry, fixed)),
                [rule.scale] * D,
                rounds=2 * D,
            )
            paid = sum((F(state.choice.cost) for state in states), F(0))
            values = {"d": D, "c_0": fixed, "c_1": per_entry}
            stated = F(str(evaluate_exact(claim.exact, {**values, "T": size})))
            label = f"{name}, T={size}"
            yield Comparison(f"{label}: cost", "eq", paid, stated)
            yield _held(rule, label, paid, F(str(evaluate_exact(claim.bound, values))), size)


def compare_break_even(rule: Rule) -> Iterable[Comparison]:
    """Where a message costs no more for its share than all entries: at the stated share and above it."""
    for name, (fixed, per_entry) in COSTS.items():
        whole, paying = fixed + per_entry * D, set()
        for size in SIZES:
            values = {"d": D, "T": size, "c_0": fixed, "c_1": per_entry}
            share = _share(rule, values)
            label = f"{name}, T={size}"
            yield Comparison(f"{label}: at least T / d", "le", F(size, D), share, headline=True)
            for kind, gradient in GRADIENTS.items():
                g = [F(rule.scale * item) for item in gradient]
                choice = fixed_size(size, Affine(per_entry, fixed))(g)
                witness = {"T": size, "g": kind, "share": choice.share, "stated": share}
                pays = choice.cost / choice.share <= whole
                paying.add(bool(pays))
                text = f"{label}, {kind}: pays where the share is at least the stated one"
                yield Comparison(text, "eq", int(pays), int(choice.share >= share), witness=witness)
        # Without a fixed cost every size pays.
        yield Comparison(f"{name}: what happens", "eq", len(paying), 2 if fixed else 1)
    fixed, per_entry = COSTS["affine"]
    stated = _share(rule, {"d": D, "T": BALANCED, "c_0": fixed, "c_1": per_entry})
    choice = fixed_size(BALANCED, Affine(per_entry, fixed))([F(item) for item in GRADIENTS["balanced"]])
    yield Comparison("balanced: share", "eq", choice.share, stated)
    yield Comparison("balanced: the same guarantee", "eq", choice.cost / choice.share, fixed + per_entry * D)


def _share(rule: Rule, values: dict[str, int]) -> F:
    """Return the share that is said to pay."""
    if rule.flat_share:
        return F(values["T"], values["d"])
    return F(str(evaluate_exact(theory.claim(CLAIM).formulas["break_even"], values)))


def compare_runs(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """The same in runs in double precision; all entries are multiples of powers of 2."""
    start = rule.scale * (STEEP if rule.steep else np.ones(D))
    problem = isotropic(D, 2.0)
    accuracy = ACCURACY * float(problem.objective(start)) if rule.steep else 0.0
    for name, (fixed, per_entry) in COSTS.items():
        for size in SIZES:
            result = cat_gd(
                problem,
                fixed_size(size, Affine(per_entry, fixed)),
                step_size=0.5,
                rounds=2 * D,
                rng=rng,
                start=start,
                until=accuracy,
            )
            paid = F(float(result.cost[0, -1]))
            yield _held(rule, f"{name}, T={size}", paid, F(fixed + per_entry * D), size)
