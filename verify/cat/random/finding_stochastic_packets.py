"""Checks of `cat/finding-stochastic-packets`: mean costs in rationals, and the rule that ignores them."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

from impl.adaptive import SortedGradient, cat_st, expected_cost, keep_probabilities, omegas
from impl.communication import PRESETS, Packet, index_bits
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI, gh, rational
from verify.cat.random.survivors import enumerated_cost
from verify.comparison import EXACT, ROUND_OFF, Comparison

judge = checks_of("cat/finding-stochastic-packets", mean=enumerated_cost, price=expected_cost, rule=cat_st)


def _instance(g: Any, T: int, bits: int, packet: int, sign: int, fixed: Any = 0) -> dict[str, Any]:
    """Return a gradient, a size and packets; `sign` is that of mean cost minus cost of the mean."""
    return {"g": g, "T": T, "bits": bits, "packet": packet, "sign": sign, "fixed": F(fixed)}


INSTANCES = {
    "above": _instance((1,) * 4, 2, 1, 2, 1),
    "equal": _instance((1,) * 4, 2, 1, 3, 0),
    "below": _instance((1,) * 2, 1, 3, 2, -1),
    "gi": _instance(GI, 2, 35, 64, -1),
    "fixed-price": _instance((1,) * 4, 2, 1, 2, 1, F(1, 2)),
}
_SIGNED = tuple(f"exact/{name}" for name, item in INSTANCES.items() if item["sign"])
_FLAT = tuple(f"exact/{name}" for name, item in INSTANCES.items() if len(set(item["g"])) == 1)


judge.sabotage(
    "mean-decides: Claim that the cost of the mean is the mean cost.",
    mean=lambda p, cost, bits: F(cost(sum(p) * bits)),
    at=_SIGNED,
)
judge.sabotage(
    "twice-the-mean at exact/equal, exact/below, exact/gi: Double all mean costs: nothing is below, or "
    "equal.",
    mean=lambda p, cost, bits: 2 * enumerated_cost(p, cost, bits),
)
judge.sabotage("one-more-entry: State the mean cost for one more entry. | exact = exact(d = d + 1)", at=_FLAT)


@judge.mutant(
    "Give the rule the cost of the mean: nothing is lost.",
    at=("exact/four-equal-entries", "exact/harmonic-6lowpan"),
)
def rule_misled(law: Law) -> Law:
    def rule(g: Any, cost: Any, entry_bits: int) -> Any:
        return _misled_choice(law, g, cost, entry_bits)

    return law.replace(rule=rule)


judge.sabotage_data(
    "scaled-gradient, neutral: Multiply the gradient by -7/3: nothing may change.",
    lambda g, **others: {**others, "g": tuple(F(-7, 3) * item for item in g)},
    at=_FLAT,
)


@judge.exact(instances=INSTANCES)
def survivors(
    law: Law, g: Sequence[Any], T: int, bits: int, packet: int, sign: int, fixed: F
) -> Iterable[Comparison]:
    """The mean cost over all sets of survivors against the cost of the mean."""
    p, cost = keep_probabilities(rational(g), T), Packet(packet, 1, fixed)
    mean = law.mean(list(p), cost, bits)
    values = {"T": T, "b": bits, "P_max": packet, "c_0": fixed}
    of_mean = law.exactly("cost_of_mean", **values)
    yield eq("cost of the mean", F(cost(T * bits)), of_mean)
    if len(set(g)) == 1:
        yield eq("mean cost", mean, law.exactly("exact", **values, d=len(g)), headline=True)
    if sign > 0:
        yield le("above", of_mean * F(101, 100), mean)
    elif sign < 0:
        yield le("below", mean, of_mean * F(99, 100))
    else:
        yield eq("equal", mean, of_mean)


class _Choice:
    """A size with its real efficiency."""

    def __init__(self, size: int, efficiency: Any) -> None:
        self.size, self.efficiency = size, efficiency


def _misled_choice(law: Law, g: Sequence[Any], cost: Any, entry_bits: int) -> _Choice:
    """Return the size that the rule chooses with the cost of the mean, and its real efficiency."""
    shares = omegas(SortedGradient(g, "verify"))
    sizes = range(1, len(shares) + 1)
    size = max(sizes, key=lambda T: shares[T - 1] / F(cost(T * entry_bits)))  # the first of equal ones
    return _Choice(size, shares[size - 1] / law.price(keep_probabilities(g, size), cost, entry_bits))


def _misled(law: Law, g: Any, cost: Any, entry_bits: int) -> Iterable[Comparison]:
    """The rule that takes the cost of the mean loses the stated factor."""
    exact = isinstance(g, tuple)
    g = list(g) if exact else g
    misled, best = _misled_choice(law, g, cost, entry_bits), law.rule(g, cost, entry_bits=entry_bits)
    factor = law.exactly("loss")
    loss = misled.efficiency * factor if exact else float(misled.efficiency) * float(factor)
    witness = {"misled": misled.size, "best": best.size}
    label = "loss of four entries" if exact else "loss of 64 entries"
    yield le(label, loss, best.efficiency, EXACT if exact else ROUND_OFF, witness=witness)


for _name, _g, _cost, _bits in (
    ("four-equal-entries", tuple(rational((1,) * 4)), Packet(2), 1),
    ("harmonic-6lowpan", gh(), PRESETS["6lowpan"], index_bits(64) + 32),
):
    judge.exact(
        instance=_name,
        parameters={"d": len(_g), "cost": repr(_cost), "entry_bits": _bits},
        g=_g,
        cost=_cost,
        entry_bits=_bits,
    )(_misled)
