"""Checks of `cat/finding-sq-not-unimodal`: what shortcuts over the sizes miss, on vectors and along runs."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_sq
from impl.adaptive.cat_s import candidates
from impl.communication import Affine, CostModel, Packet
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat.golden_vectors import quad
from verify.cat.literal_shares import betas, float_betas
from verify.comparison import Comparison, Tolerance
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/finding-sq-not-unimodal"
NEAR = Tolerance(
    1e-11, "the rule takes the smallest size within 1e-12 of the best; sums of d float64 numbers"
)
CONSTANT = Packet(10**6)
"""All messages fit in one packet."""


@dataclass(frozen=True)
class Rule:
    """How the size is chosen: over all sizes, or by a shortcut that is sound for entries only.

    Args:
        early: Stop at the first size after which the efficiency falls.
        full: Look at full packets only.
        scale: Factor of the vectors.
    """

    early: bool = False
    full: bool = False
    scale: int = 1

    def size(self, g: Any, shares: Any, cost: CostModel) -> int:
        """Return the size for a gradient with these shares; entries have one bit each."""
        efficiency = [share / F(cost(T)) for T, share in enumerate(shares, 1)]
        if self.early:
            falls = (T for T in range(1, len(shares)) if efficiency[T] < efficiency[T - 1])
            return next(falls, len(shares))
        if self.full:
            sizes = candidates(len(shares), cost, 1).tolist()
            return int(max(sizes, key=lambda T: (efficiency[T - 1], -T)))
        return cat_sq(g, cost, entry_bits=1).size


STATED = Rule()
RULES = {
    "early-stop": Rule(early=True),
    "full-packets": Rule(full=True),
    "scaled-vector": Rule(scale=4),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)

    def exact(
        name: str,
        held: Callable[[Rule], Iterable[Comparison]],
        seen: tuple[str, ...],
        parameters: Any,
        seconds: float,
    ) -> Check:
        mutants = {key: ExactCase(functools.partial(held, RULES[key])) for key in (*seen, "scaled-vector")}
        return Check("exact", name, ExactCase(functools.partial(held, STATED)), parameters, mutants, seconds)

    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        exact("thousand-entries", compare_thousand, ("early-stop",), {"h": F(1, 10), "d": 1000}, 0.2),
        exact("one-packet", compare_packet, ("full-packets",), {"g": (10, *(1,) * 7)}, 0.1),
        Check(
            "run",
            "quad",
            DriftCase(functools.partial(compare_run, STATED)),
            {"problem": "quad", "C": ("T + 60", "packets of 5"), "rounds": 60},
            {
                name: DriftCase(functools.partial(compare_run, RULES[name]))
                for name in ("early-stop", "full-packets")
            },
            seconds=0.2,
        ),
    )


def _stated(name: str, values: dict[str, Any]) -> F:
    claim = theory.claim(CLAIM)
    formula = claim.exact if name == "exact" else claim.formulas[name]
    return F(str(evaluate_exact(formula, values)))


def _held(label: str, shares: Any, size: int, cost: CostModel) -> Comparison:
    """Hold the best share per cost of all sizes against that of the chosen one."""
    efficiency = [share / F(cost(T)) for T, share in enumerate(shares, 1)]
    best = max(range(len(shares)), key=lambda place: efficiency[place])
    witness = {"chosen": size, "best": best + 1}
    return Comparison(
        f"{label}: best of all sizes",
        "le",
        efficiency[best],
        efficiency[size - 1],
        witness=witness,
        headline=True,
    )


def compare_thousand(rule: Rule) -> Iterable[Comparison]:
    """One entry 1 and 999 entries 1/10, at a constant cost."""
    d, h = 1000, F(1, 10)
    g = [rule.scale * item for item in (F(1), *(h,) * (d - 1))]
    shares = [_stated("exact", {"h": h, "d": d, "T": T}) for T in (1, 2, 8, 9, 10, d)]
    whole = sum(item * item for item in g)
    for T, share in zip((1, 2, 8, 9, 10, d), shares, strict=True):
        yield Comparison(f"beta({T})", "eq", sum(g[:T]) ** 2 / (T * whole), share)
    least_at, least = (
        _stated(name, {"h": h, "d": d} if name == "least" else {"h": h}) for name in ("least_at", "least")
    )
    yield Comparison("where it is least", "eq", least_at, F(9))
    yield Comparison("least", "eq", shares[3], least)
    for place, T in enumerate((1, 8, 9)):
        following = (shares[1], shares[3], shares[4])[place]
        before = (shares[0], shares[2], shares[3])[place]
        stated = _stated("difference", {"h": h, "d": d, "T": T})
        yield Comparison(f"beta({T + 1}) - beta({T})", "eq", following - before, stated)
    all_shares = [(1 + (T - 1) * h) ** 2 / (T * (1 + (d - 1) * h**2)) for T in range(1, d + 1)]
    yield _held("constant cost", all_shares, rule.size(g, all_shares, CONSTANT), CONSTANT)


def compare_packet(rule: Rule) -> Iterable[Comparison]:
    """One entry 10 and seven entries 1, all of which fit in one packet; and two to a packet."""
    g = [F(rule.scale * item) for item in (10, *(1,) * 7)]
    shares = betas(g)
    for T, share in enumerate(shares, 1):
        yield Comparison(f"beta({T})", "eq", share, _stated("exact", {"h": F(1, 10), "d": 8, "T": T}))
    for label, cost in (("one packet", Packet(8)), ("packets of two", Packet(2))):
        yield _held(label, shares, rule.size(g, shares, cost), cost)


def compare_run(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """The size that is chosen at the iterates of a run is the best of all sizes."""
    problem = quad()
    for label, cost in (("T+60", Affine(1, 60)), ("packets", Packet(5))):
        if rule.full and not isinstance(cost, Packet):
            continue
        result = cat_gd(
            problem,
            functools.partial(cat_sq, cost=cost, entry_bits=1),
            step_size=1 / problem.L,
            rounds=60,
            rng=rng,
            start=np.ones(problem.d),
            trace=True,
        )
        for k in range(result.rounds):
            g = problem.gradients(result.iterates[:, k])[0, 0]  # type: ignore[index]  # traced
            shares = float_betas(g)
            efficiency = shares / cost(np.arange(1, problem.d + 1))
            size = rule.size(g, [float(item) for item in shares], cost)
            witness = {"chosen": size, "best": int(np.argmax(efficiency)) + 1}
            best, own = float(efficiency.max()), float(efficiency[size - 1])
            yield Comparison(f"{label}, k={k}: best", "le", best, own, NEAR, witness, headline=True)
