"""Checks of `cat/expected-packets`: all sets of survivors in rationals against the law of their number."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import expected_cost, keep_probabilities, survivor_law
from impl.communication import PRESETS, Affine, LoRaAirtime, Packet, Wire
from verify.binding import Check
from verify.cat.golden_vectors import GI, gh, rational
from verify.cat.outcome_tree import kept_entries
from verify.cat.written_out import LINKS, LinkRules, compare_links
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/expected-packets"
# Maps chances, a cost and the bits of an entry to what is claimed to be the expected cost.
Claimed = Callable[[Sequence[Any], Any, int], Any]


@dataclass(frozen=True)
class Instance:
    """Chances of the entries and the cost of a message by its bits."""

    chances: tuple[F, ...]
    cost: Any
    entry_bits: int

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"p": self.chances, "cost": repr(self.cost), "entry_bits": self.entry_bits}


def filled(g: Sequence[int], T: F) -> tuple[F, ...]:
    """Return the best chances of an expected size."""
    return tuple(keep_probabilities(rational(g), T))


INSTANCES = {
    "flat-two-to-a-packet": Instance(filled((1,) * 4, F(2)), Packet(2), 1),
    "flat-three-to-a-packet": Instance(filled((1,) * 4, F(2)), Packet(3), 1),
    "gi": Instance(filled(GI, F(2)), Packet(64), 35),
    "gi-fixed-price": Instance(filled(GI, F(5)), Packet(3, 2, F(1, 2)), 2),
    "sure-and-never": Instance((F(1), F(0), F(1, 3), F(2, 5), F(1)), Packet(5, 1, 1), 3),
    "wire": Instance(filled(GI, F(3)), Wire(64, 20, 5), 35),
    "airtime": Instance(filled(GI, F(7, 2)), LoRaAirtime(), 37),
    "affine": Instance(filled(GI, F(5, 2)), Affine(F(3, 2), 7), 35),
}
# Equal chances are equal, those of 1/2 swapped, too; and for whole packets or affine costs the mean decides.
UNSEEN = {
    "flat-two-to-a-packet": ("equal-chances", "swapped-coin"),
    "flat-three-to-a-packet": ("cost-of-the-mean", "equal-chances", "swapped-coin"),
    "affine": ("cost-of-the-mean", "equal-chances"),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        Check("exact", "floats", ExactCase(_compare_floats), {"d": 64}, seconds=0.1),
        _links(),
    )


def cost_of_the_mean(chances: Sequence[Any], cost: Any, entry_bits: int) -> Any:
    """Return the cost of a message of the expected number of entries."""
    return F(cost(sum(chances) * entry_bits))


def equal_chances(chances: Sequence[Any], cost: Any, entry_bits: int) -> Any:
    """Return the expected cost with the mean chance for all entries."""
    return expected_cost([sum(chances) / len(chances)] * len(chances), cost, entry_bits)


SABOTAGED: dict[str, Claimed] = {"cost-of-the-mean": cost_of_the_mean, "equal-chances": equal_chances}


def _exact(name: str, instance: Instance) -> Check:
    backwards = Instance(instance.chances[::-1], instance.cost, instance.entry_bits)
    mutants = {"permuted-coins": ExactCase(lambda: compare(backwards))}
    for key, claimed in SABOTAGED.items():
        if key not in UNSEEN.get(name, ()):
            mutants[key] = ExactCase(partial(compare, instance, claimed))
    if "swapped-coin" not in UNSEEN.get(name, ()):
        mutants["swapped-coin"] = ExactCase(lambda: compare(instance, swapped=True))
    return Check(
        "exact", name, ExactCase(lambda: compare(instance)), instance.parameters, mutants, seconds=0.1
    )


def stated(chances: Sequence[Any], costs: Sequence[Any]) -> Any:
    """Return the stated expected cost, the law grown coin by coin by the stated recursion."""
    claim = theory.claim(ID)
    law: list[Any] = [F(1)]
    for chance in chances:
        pairs = zip([*law, F(0)], [F(0), *law], strict=True)
        law = [_grown(claim.formulas["grown_law"], chance, stayed, grown) for stayed, grown in pairs]
    return evaluate_exact(claim.exact, {"P": law, "C": costs, "d": len(chances)})


def _grown(formula: Any, chance: F, stayed: F, grown: F) -> F:
    found = evaluate_exact(formula, {"chance": chance, "stayed": stayed, "grown": grown})
    return F(int(found.p), int(found.q))


def enumerated(chances: Sequence[F], cost: Any, entry_bits: int) -> F:
    """Return the expected cost over all sets of survivors."""
    law = kept_entries((F(1),) * len(chances), chances)
    counted = ((chance, sum(1 for item in vector if item)) for chance, vector in law)
    return sum((chance * F(cost(entry_bits * count)) for chance, count in counted), F(0))


def compare(
    instance: Instance, claimed: Claimed | None = None, *, swapped: bool = False
) -> Iterable[Comparison]:
    """Hold the mean over all sets of survivors against the stated one and that of `impl`.

    Sabotaged, that of `impl` is what is `claimed`, or the stated law grows with `swapped` chances.
    """
    p, cost, bits = instance.chances, instance.cost, instance.entry_bits
    witness, found = instance.parameters, enumerated(p, cost, bits)
    costs = [F(cost(bits * count)) for count in range(len(p) + 1)]
    judged = (claimed or expected_cost)(list(p), cost, bits)
    yield Comparison("rule", "eq", judged, found, witness=witness, headline=True)
    grown = stated([1 - chance for chance in p] if swapped else p, costs)
    yield Comparison("stated", "eq", grown, found, witness=witness)
    yield Comparison("total", "eq", sum(survivor_law(list(p))), 1, witness=witness)
    yield Comparison("no survivors", "eq", F(cost.empty), costs[0], witness=witness)
    if isinstance(cost, Affine):
        values = {"c_0": cost.fixed, "c_1": cost.per_bit * bits, "p": p, "d": len(p)}
        affine = evaluate_exact(theory.claim(ID).formulas["affine"], values)
        yield Comparison("affine", "eq", affine, found, witness=witness)


def _compare_floats() -> Iterable[Comparison]:
    """The law in floats leaves out what is negligible; rationals of the same chances leave out nothing."""
    for T in (1, 14, 40):
        p = keep_probabilities(gh(), T)
        exact = survivor_law([F(item) for item in p])
        for name in ("6lowpan", "lora51", "eth-wire", "lora-airtime"):
            cost = PRESETS[name]
            costs = np.array([float(cost(38 * count)) for count in range(len(p) + 1)])
            witness = {"T": T, "cost": name}
            claim = theory.claim(ID)
            mean = evaluate(claim.exact, {"P": [float(item) for item in exact], "C": costs, "d": len(p)})
            yield Comparison("floats", "eq", expected_cost(p, cost, 38), mean, ROUND_OFF, witness)


def _links() -> Check:
    """Costs of numbers and arrays on all links against their definitions, around the ends of packets."""
    mutants = {
        "half-full-packets-free": ExactCase(partial(compare_links, LinkRules(last=0))),
        "short-preamble": ExactCase(partial(compare_links, LinkRules(preamble=F(33, 4)))),
    }
    return Check("exact", "links", ExactCase(compare_links), {"links": sorted(LINKS)}, mutants, seconds=0.1)
