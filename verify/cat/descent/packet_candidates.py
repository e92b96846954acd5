"""Checks of `cat/packet-candidates`: the candidates against all sizes, exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

from impl.adaptive import cat_s
from impl.communication import PRESETS, CostModel, LoRaAirtime, Packet, Wire, sparse_bits
from theory.cat.descent.packet_candidates import FLAT
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.descent.efficiencies import efficiencies, energies, smallest_maximiser
from verify.cat.fixtures.golden_vectors import GI
from verify.comparison import Comparison

HALVES = tuple(F(1, 2**j) for j in range(16))
HARMONIC = tuple(F((-1) ** j, j) for j in range(1, 65))


@dataclass(frozen=True)
class Instance:
    """A vector, the bits of an entry and a cost."""

    g: tuple[Any, ...]
    entry_bits: int
    cost: CostModel

    @property
    def nonzeros(self) -> int:
        """Return the number of nonzeros."""
        return sum(item != 0 for item in self.g)

    def costs(self) -> list[F]:
        """Return the costs of 0, ..., d entries."""
        return [F(self.cost(self.entry_bits * T)) for T in range(len(self.g) + 1)]

    def found(self) -> list[F]:
        """Return all efficiencies, literally."""
        return efficiencies(self.g, self.costs())

    def chosen(self) -> int:
        """Return the size that CAT-S chooses."""
        return cat_s([F(item) for item in self.g], self.cost, entry_bits=self.entry_bits).size


def entry(d: int) -> int:
    """Return the bits of an entry among d, with 32 bits for its value."""
    return sparse_bits(1, d)  # type: ignore[no-any-return]


TWELVE = Instance((1,) * 12, 2, Packet(3, 1, F(1, 2)))
PACKETS = (
    Instance(GI, 2, Packet(3)),
    Instance(GI, 2, Packet(5)),
    TWELVE,
    Instance((3, 3, -3, 1, 0, 0, 2, 2), 3, Packet(7, 2, 1)),
    Instance((1, -1, 1, 0, 1), 4, Packet(4, 3)),
    Instance((5, 2, 2, 1, 1, 1, 1), 9, Packet(2, 1, F(3, 2))),
    Instance(HALVES, 36, Packet(100, 1, 2)),
    Instance(HARMONIC, entry(64), Packet(408, 512)),
)
WHOLE_RATIOS = (
    Instance((1,) * 12, 2, Packet(6, 1, F(1, 2))),
    Instance(GI, 3, Packet(6, 2, 5)),
    Instance((9, 9, 4, 4, 4, 3, 1, 1, 1), 5, Packet(10, 1, 3)),
)
AIRTIME = tuple(Instance(g, entry(len(g)), LoRaAirtime()) for g in (GI, HALVES, HARMONIC))
WIRE = Instance(HALVES, 36, PRESETS["eth-wire"])


def full_packets(law: Law, instance: Instance) -> list[int]:
    """Return the stated sizes that fill packets, at most all nonzeros, without 0."""
    assert isinstance(instance.cost, Packet | Wire | LoRaAirtime)
    frame, bits, last = instance.cost.payload_bits, instance.entry_bits, instance.nonzeros
    counts = range(1, -(-bits * last // frame) + 1)
    sizes = {min(int(law.exactly("candidate", m=m, P_max=frame, b=bits)), last) for m in counts}
    return sorted(sizes - {0})


def all_sizes(law: Law, instance: Instance) -> Sequence[int]:
    """Return all sizes up to the nonzeros."""
    return range(1, instance.nonzeros + 1)


def ends_of_steps(law: Law, instance: Instance) -> list[int]:
    """Return the largest size of every step of the cost, and all nonzeros."""
    costs, last = instance.costs(), instance.nonzeros
    return [T for T in range(1, last + 1) if last == T or costs[T + 1] > costs[T]]


judge = checks_of("cat/packet-candidates", fill=full_packets, steps=ends_of_steps, sizes=all_sizes)


judge.sabotage(
    "rounded-up at exact/packets, exact/stated-sizes: Round the candidates up: 1.14 times less efficient "
    "for `gi`, b = 2, P_max = 3.",
    candidate=lambda formula: -formula.func(-formula.args[0]),
)


@judge.mutant(
    "Stop at the first fall over the candidates: 1.176 times less efficient in the flat example.",
    at=("exact/packets", "exact/stated-sizes"),
)
def early_stop(law: Law) -> Law:
    def until_fall(law: Law, instance: Instance) -> list[int]:
        sizes, found = full_packets(law, instance), instance.found()
        falls = [at for at in range(1, len(sizes)) if found[sizes[at] - 1] < found[sizes[at - 1] - 1]]
        return sizes[: falls[0]] if falls else sizes

    return law.replace(fill=until_fall)


judge.sabotage_data(
    "straddling-entries at exact/whole-ratio: Expect one peak where entries straddle two packets.",
    lambda items: {"items": (TWELVE,)},
)
judge.sabotage(
    "packets-for-airtime at exact/airtime: Full frames as the only candidates for LoRa airtime: 1.227 times "
    "as long for `gi`, 1.520 for `gh`, 1.766 for 2^-j, d = 16.",
    {"steps": full_packets},
    "packets-for-wire at exact/wire: The same for packets with a price per bit: 1.616 times less efficient "
    "for 2^-j.",
    {"sizes": full_packets},
    "one-less at exact/packets, exact/wire: Send one entry less than is chosen.",
    lambda law: law.replace(
        fill=lambda law, item: [max(size - 1, 1) for size in full_packets(law, item)],
        sizes=lambda law, item: range(1, 2),
    ),
    "all-sizes, neutral at exact/packets, exact/airtime: Look at all sizes: no choice may change.",
    {"fill": all_sizes, "steps": all_sizes},
)


@judge.exact(
    instances={
        "packets": {"items": PACKETS, "candidates": "fill"},
        "airtime": {"items": AIRTIME, "candidates": "steps"},
        "wire": {"items": (WIRE,), "candidates": "sizes"},
    },
    parameters={"g,b,C": "see the module"},
)
def chosen(law: Law, items: Sequence[Instance], candidates: str) -> Iterable[Comparison]:
    """The best candidate is the best of all sizes, and the smallest best one is what the rule chooses."""
    for item in items:
        found, sizes = item.found(), list(getattr(law, candidates)(law, item))
        best = max(sizes, key=lambda T: (found[T - 1], -T))
        witness = {"g": item.g, "b": item.entry_bits, "C": repr(item.cost), "T": best}
        yield le("best of all", max(found), found[best - 1], witness=witness, headline=True)
        yield eq("smallest maximiser", best, smallest_maximiser(found), witness=witness)
        yield eq("choice of the rule", item.chosen(), best, witness=witness)


@judge.exact(items=PACKETS, parameters={"g,b,C": "see the module"})
def stated_sizes(law: Law, items: Sequence[Instance]) -> Iterable[Comparison]:
    """The stated sizes are the ends of steps, the stated packets and efficiencies those of the cost."""
    for item in items:
        packet = item.cost
        assert isinstance(packet, Packet)
        found, costs, squares = item.found(), item.costs(), energies(item.g)
        stated, ends = law.fill(law, item), ends_of_steps(law, item)
        yield eq("number of candidates", len(stated), len(ends))
        for size, end in zip(stated, ends, strict=False):
            yield eq("candidate", size, end, witness={"g": item.g})
        values = {"b": item.entry_bits, "P_max": packet.payload_bits}
        prices = {"c_0": F(packet.fixed), "c_1": F(packet.per_packet)}
        for T in range(1, min(len(item.g), 12) + 1):
            packets = law.exactly("packets", **values, T=T)
            yield eq("cost", costs[T], prices["c_1"] * packets + prices["c_0"])
            one = law.exactly("exact", **values, **prices, T=T, a=squares, d=len(squares))
            yield eq("efficiency", found[T - 1], one, witness={"g": item.g, "T": T})
            if item is TWELVE and T in FLAT:
                yield eq("flat efficiency", found[T - 1], one, witness={"T": T})
    given = {"a": energies(HALVES), "d": 16, "b": 36, "P_max": 11680, "h": 624, "c_0": 0}
    for T, value in enumerate(WIRE.found(), start=1):
        yield eq("efficiency with a price per bit", value, law.exactly("wire", **given, T=T))


@judge.exact(items=WHOLE_RATIOS, parameters={"g,b,C": "see the module"})
def whole_ratio(law: Law, items: Sequence[Instance]) -> Iterable[Comparison]:
    """Where packets hold whole entries, the efficiency has one peak over the packets."""
    for item in items:
        sizes, found = full_packets(law, item), item.found()
        values = [found[T - 1] for T in sizes]
        # One sorted with a peak: the larger of both sides of a value is never above it on both.
        for at in range(1, len(values) - 1):
            outer = min(max(values[:at]), max(values[at + 1 :]))
            yield le("one peak", outer, values[at], witness={"g": item.g, "C": repr(item.cost), "m": at + 1})
