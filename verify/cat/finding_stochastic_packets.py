"""Checks of `cat/finding-stochastic-packets`: mean costs in rationals, and the rule that ignores them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.adaptive import SortedGradient, cat_st, expected_cost, keep_probabilities, omegas
from impl.communication import PRESETS, Packet, index_bits
from verify.binding import Check
from verify.cat.expected_packets import enumerated
from verify.cat.golden_vectors import GI, gh, rational
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-stochastic-packets"


@dataclass(frozen=True)
class Instance:
    """A gradient, an expected size, and packets; `sign` is that of mean cost minus cost of the mean."""

    g: tuple[int, ...]
    T: int
    entry_bits: int
    packet: int
    sign: int
    fixed: F = F(0)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {
            "g": self.g,
            "T": self.T,
            "entry_bits": self.entry_bits,
            "P_max": self.packet,
            "c_0": self.fixed,
        }


INSTANCES = {
    "above": Instance((1,) * 4, 2, 1, 2, 1),
    "equal": Instance((1,) * 4, 2, 1, 3, 0),
    "below": Instance((1,) * 2, 1, 3, 2, -1),
    "gi": Instance(GI, 2, 35, 64, -1),
    "fixed-price": Instance((1,) * 4, 2, 1, 2, 1, F(1, 2)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        _misled("four-equal-entries", rational((1,) * 4), Packet(2), 1),
        _misled("harmonic-6lowpan", gh(), PRESETS["6lowpan"], index_bits(64) + 32),
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(scale: F = F(1), believed: str = "") -> ExactCase:
        return ExactCase(partial(compare, instance, scale, believed))

    mutants = {"scaled-gradient": case(F(-7, 3))}
    if instance.sign:
        mutants["mean-decides"] = case(believed="mean-decides")
    if len(set(instance.g)) == 1:
        mutants["one-more-entry"] = case(believed="one-more-entry")
    if instance.sign < 0:
        mutants["lower-bound"] = case(believed="lower-bound")
    return Check("exact", name, case(), instance.parameters, mutants, seconds=0.1)


def compare(instance: Instance, scale: F = F(1), believed: str = "") -> Iterable[Comparison]:
    """Hold the mean cost over all sets of survivors against the cost of the mean."""
    g = [scale * item for item in instance.g]
    p, cost, witness = (
        keep_probabilities(g, instance.T),
        Packet(instance.packet, 1, instance.fixed),
        instance.parameters,
    )
    mean = enumerated(list(p), cost, instance.entry_bits)
    formulas = theory.claim(ID).expressions
    values = {"T": instance.T, "b": instance.entry_bits, "P_max": instance.packet, "c_0": instance.fixed}
    naive = evaluate_exact(formulas["cost_of_mean"], values)
    yield Comparison(
        "cost of the mean", "eq", F(cost(instance.T * instance.entry_bits)), naive, witness=witness
    )
    if len(set(instance.g)) == 1:
        d = len(g) + 1 if believed == "one-more-entry" else len(g)
        stated = evaluate_exact(formulas["exact"], {**values, "d": d})
        yield Comparison("stated mean cost", "eq", mean, stated, witness=witness, headline=True)
    if believed == "mean-decides":
        yield Comparison("the mean decides", "eq", mean, naive, witness=witness)
    elif believed == "lower-bound":
        yield Comparison("the cost of the mean is a lower bound", "le", naive, mean, witness=witness)
    elif instance.sign > 0:
        yield Comparison("above, by 1/100 at least", "le", naive * F(101, 100), mean, witness=witness)
    elif instance.sign < 0:
        yield Comparison("below, by 1/100 at least", "le", mean, naive * F(99, 100), witness=witness)
    else:
        yield Comparison("equal", "eq", mean, naive, witness=witness)


def misled_choice(g: Sequence[Any], cost: Any, entry_bits: int) -> tuple[int, Any]:
    """Return the size that the rule chooses with the cost of the mean, and its real efficiency."""
    shares = omegas(SortedGradient(g, "verify"))
    sizes = range(1, len(shares) + 1)
    size = max(sizes, key=lambda T: shares[T - 1] / F(cost(T * entry_bits)))  # the first of equal ones
    return size, shares[size - 1] / expected_cost(keep_probabilities(g, size), cost, entry_bits)


def _misled(name: str, g: Sequence[Any], cost: Any, entry_bits: int) -> Check:
    parameters = {"d": len(g), "cost": repr(cost), "entry_bits": entry_bits}

    def compare_rules(claim_equal: bool = False) -> Iterable[Comparison]:
        tolerance = EXACT if isinstance(g, list) else ROUND_OFF
        size, efficiency = misled_choice(g, cost, entry_bits)
        best = cat_st(g, cost, entry_bits=entry_bits)
        witness = {"misled": size, "best": best.size}
        relation: Any = "eq" if claim_equal else "le"
        factor = 1 if claim_equal else F(6, 5)
        loss = efficiency * factor if isinstance(g, list) else float(efficiency) * float(factor)
        yield Comparison(
            "loss of a factor 6/5", relation, loss, best.efficiency, witness=witness, tolerance=tolerance
        )

    mutants = {"mean-decides": ExactCase(partial(compare_rules, True))}
    return Check("exact", name, ExactCase(compare_rules), parameters, mutants, seconds=0.1)
