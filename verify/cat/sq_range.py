"""Checks of `cat/sq-range`: shares of signs in rationals, at their extremes, and searched for beyond them."""

import functools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_sq
from impl.communication import Affine, Packet
from verify.binding import Check
from verify.cat.literal_shares import alphas, betas, float_betas
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/sq-range"
FIXED = ((6, 2), (6, 4))
"""Dimensions and sizes of the search, below and above the root of the dimension."""
DIMENSIONS = (2, 4, 30, 100)
BEST = 64
"""Dimension of the search for the least max beta: rho is above 2 there."""


@dataclass(frozen=True)
class Rule:
    """What is claimed: as stated, or with one fault.

    Args:
        flat: The share T/d of flat vectors is claimed as the least one.
        half: The largest share is claimed to be at least 1/2.
        reverse: alpha <= beta is claimed.
        last: Whether the cost under the Polyak-Łojasiewicz inequality counts the last message.
        scale: Factor of all vectors.
    """

    flat: bool = False
    half: bool = False
    reverse: bool = False
    last: bool = True
    scale: int = 1

    def least(self, T: int, d: int) -> F:
        """Return the claimed least share of the signs of T entries."""
        if self.flat:
            return F(T, d)
        return F(str(evaluate_exact(theory.claim(CLAIM).bound, {"T": T, "d": d})))

    def best(self, d: int) -> float:
        """Return the claimed least value of the largest share."""
        return 0.5 if self.half else evaluate(theory.claim(CLAIM).formulas["best"], {"d": d})


STATED = Rule()
RULES = {
    "share-of-flat": Rule(flat=True),
    "one-half": Rule(half=True),
    "alpha-below": Rule(reverse=True),
    "without-last-message": Rule(last=False),
    "scaled-vector": Rule(scale=8),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)

    def exact(
        name: str,
        held: Callable[[Rule], Iterable[Comparison]],
        seen: Sequence[str],
        parameters: dict[str, Any],
        seconds: float,
    ) -> Check:
        mutants = {key: ExactCase(functools.partial(held, RULES[key])) for key in (*seen, "scaled-vector")}
        return Check("exact", name, ExactCase(functools.partial(held, STATED)), parameters, mutants, seconds)

    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        exact("rational-vectors", compare_range, ("share-of-flat", "alpha-below"), {"vectors": 64}, 0.3),
        exact("extremal", compare_extremal, ("one-half",), {"d": DIMENSIONS}, 0.2),
        exact("polyak-cost", compare_cost, ("without-last-message",), {"runs": len(RUNS)}, 0.1),
        Check("exact", "rho", ExactCase(compare_rho), {"d": (1, 2, 4, 100, 10000)}, seconds=0.1),
        *(
            Check(
                "adversarial",
                f"d{d}-T{T}",
                _search_fixed(STATED, d, T),
                {"d": d, "T": T},
                {"share-of-flat": _search_fixed(RULES["share-of-flat"], d, T)} if d < T**2 else {},
                seconds=0.2,
            )
            for d, T in FIXED
        ),
        Check(
            "adversarial",
            "largest-share",
            _search_best(STATED),
            {"d": BEST},
            {"one-half": _search_best(RULES["one-half"])},
            seconds=0.3,
        ),
    )


def _vectors() -> Iterable[tuple[int, ...]]:
    rng = random.Random(4)
    yield from ((1, 0, 0, 0, 0, 0, 0, 0), (2,) * 8, (3, 3, 1), (5,))
    for _ in range(60):
        vector = tuple(rng.choice((-7, -3, -1, 0, 1, 1, 2, 9)) for _ in range(rng.randint(1, 9)))
        if any(vector):
            yield vector


def compare_range(rule: Rule) -> Iterable[Comparison]:
    """Share of signs between its bound and the share of entries, equal iff the kept magnitudes are."""
    for vector in _vectors():
        g = [F(rule.scale * item) for item in vector]
        sizes = sorted((abs(item) for item in g), reverse=True)
        own, entries = betas(g), alphas(g)
        for T, (beta, alpha) in enumerate(zip(own, entries, strict=True), 1):
            label, witness = f"g={vector}, T={T}", {"g": vector, "T": T}
            low, high = (alpha, beta) if rule.reverse else (beta, alpha)
            yield Comparison(f"{label}: beta and alpha", "le", low, high, witness=witness)
            yield Comparison(
                f"{label}: equal iff flat", "eq", int(beta == alpha), int(sizes[0] == sizes[T - 1])
            )
            yield Comparison(
                f"{label}: least", "le", rule.least(T, len(g)), beta, witness=witness, headline=True
            )
            if vector in ((1, 0, 0, 0, 0, 0, 0, 0), (2,) * 8):
                attained = F(1, T) if sizes[-1] == 0 else F(T, len(g))
                yield Comparison(f"{label}: one nonzero entry, or equal ones", "eq", beta, attained)


def extremal(d: int) -> Any:
    """Return the magnitudes sqrt(j) - sqrt(j-1), (d,)."""
    return np.diff(np.sqrt(np.arange(d + 1)))


def compare_extremal(rule: Rule) -> Iterable[Comparison]:
    """The largest share at the extremal vectors, and at others; what the rule finds at a constant cost."""
    rng = np.random.default_rng(5)
    for d in DIMENSIONS:
        stated = rule.best(d)
        witness = {"d": d}
        constant = float_betas(rule.scale * extremal(d))
        yield Comparison(f"d={d}: least share", "le", stated, float(constant.min()), ROUND_OFF, witness)
        yield Comparison(
            f"d={d}: the same for all sizes", "eq", float(constant.min()), float(constant.max()), ROUND_OFF
        )
        if not rule.half:
            share = float(constant.max())
            yield Comparison(f"d={d}: largest share", "eq", share, stated, ROUND_OFF, witness, headline=True)
        for place, g in enumerate((*rng.standard_normal((4, d)), np.ones(d), np.eye(d)[0])):
            choice = cat_sq(rule.scale * g, Packet(10**9), entry_bits=1)  # all sizes cost the same
            label = f"d={d}, vector {place}: share that is chosen"
            yield Comparison(label, "le", stated, float(choice.share), ROUND_OFF, {"T": choice.size})


RUNS: tuple[tuple[RationalQuadratic, tuple[int, ...], F, int], ...] = (
    (RationalQuadratic((1,)), (1,), F(9, 10), 3),
    (RationalQuadratic((3,) * 4), (1, 1, -1, 1), F(1, 10), 0),
    (RationalQuadratic((1, 2, 3, 2)), (4, -1, 1, 2), F(1, 3), 5),
    (RationalQuadratic((2, 1, 1), (1, -1, 1)), (1, 3, -1), F(1, 20), 1),
)
"""Objective, start, accuracy relative to the first gap, and fixed cost of a message of T + c_0."""


def _at_most(accuracy: F, value: F, square: F) -> bool:
    return value <= accuracy


def compare_cost(rule: Rule) -> Iterable[Comparison]:
    """The cost of runs of CAT-SQ until a gap against the stated one; steps in rationals."""
    formula = theory.claim(CLAIM).formulas["polyak_cost" if rule.last else "cost"]
    for problem, start, part, fixed in RUNS:
        x, cost = [rule.scale * item for item in start], Affine(1, fixed)
        gap = problem.value([F(item) for item in x])
        states = descend(
            problem,
            functools.partial(cat_sq, cost=cost, entry_bits=1),
            x,
            200,
            reached=functools.partial(_at_most, part * gap),
        )
        d, spent = len(start), sum(state.choice.cost for state in states)
        values = {
            "A": float(problem.L / problem.mu) * math.log(1 / part),
            "rho": evaluate(theory.claim(CLAIM).formulas["rho"], {"d": d}),
            "C_d": d + fixed,
        }
        witness = {"h": problem.diagonal, "x_0": start, "epsilon": part, "messages": len(states)}
        label = f"x_0={start}: cost until the gap"
        yield Comparison(label, "le", float(spent), evaluate(formula, values), ROUND_OFF, witness)


def compare_rho() -> Iterable[Comparison]:
    """The sum rho against its bound, and both against each other as the dimension grows."""
    formulas = theory.claim(CLAIM).formulas
    for d in (1, 2, 4, 100, 10_000):
        rho, bound = (evaluate(formulas[name], {"d": d}) for name in ("rho", "rho_bound"))
        yield Comparison(f"rho_{d}", "eq", float((extremal(d) ** 2).sum()), rho, ROUND_OFF)
        yield Comparison(f"rho_{d} and its bound", "le", rho, bound, ROUND_OFF, headline=d > 1)


def _shares(inputs: Any) -> Any:
    """Return beta of all sizes, (m, d)."""
    sizes = -np.sort(-np.abs(np.asarray(inputs, dtype=float)), axis=-1)
    sums, whole = np.cumsum(sizes, axis=-1), (sizes**2).sum(axis=-1, keepdims=True)
    counts = np.arange(1, sizes.shape[-1] + 1)
    return np.divide(sums**2, counts * whole, out=np.zeros_like(sums), where=whole > 0)


def _inverse(shares: Any) -> Any:
    return np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)


def _search_fixed(rule: Rule, d: int, T: int) -> AdversarialCase:
    """Search for the input with the least share of T signs; what is held is its inverse."""
    most = 1 / float(rule.least(T, d))
    return AdversarialCase(
        lambda inputs: _inverse(_shares(inputs)[:, T - 1]),
        lambda inputs: np.full(len(inputs), most),
        d,
        starts=(np.ones(d), np.eye(d)[0]),
        budget=3000,
    )


def _search_best(rule: Rule) -> AdversarialCase:
    """Search for the input whose largest share is least."""
    most = 1 / rule.best(BEST)
    return AdversarialCase(
        lambda inputs: _inverse(_shares(inputs).max(axis=-1)),
        lambda inputs: np.full(len(inputs), most),
        BEST,
        starts=(extremal(BEST), np.ones(BEST), np.eye(BEST)[0]),
        budget=2000,
    )
