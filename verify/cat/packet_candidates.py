"""Checks of `cat/packet-candidates`: the candidates against all sizes, exactly."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

from sympy import ceiling

import theory
from impl.adaptive import cat_s
from impl.communication import PRESETS, CostModel, LoRaAirtime, Packet, Wire, sparse_bits
from theory.cat.packet_candidates_derivation import P_max, b, derivation, m
from verify.binding import Check
from verify.cat.fixtures.efficiencies import efficiencies, energies, smallest_maximiser
from verify.cat.golden_vectors import GI
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/packet-candidates"
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


PACKETS = (
    Instance(GI, 2, Packet(3)),
    Instance(GI, 2, Packet(5)),
    Instance((1,) * 12, 2, Packet(3, 1, F(1, 2))),
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

Candidates = Callable[[Instance], Sequence[int]]


def stated_sizes(instance: Instance) -> list[int]:
    """Return the stated sizes that fill packets, at most all nonzeros, without 0."""
    return _packet_sizes(instance)


def rounded_up(instance: Instance) -> list[int]:
    """Sabotage: sizes that begin a packet."""
    return _packet_sizes(instance, up=True)


def early_stop(instance: Instance) -> list[int]:
    """Sabotage: stop at the first fall."""
    sizes, found = stated_sizes(instance), instance.found()
    falls = [at for at in range(1, len(sizes)) if found[sizes[at] - 1] < found[sizes[at - 1] - 1]]
    return sizes[: falls[0]] if falls else sizes


def all_sizes(instance: Instance) -> Sequence[int]:
    """Return all sizes up to the nonzeros."""
    return range(1, instance.nonzeros + 1)


def ends_of_steps(instance: Instance) -> list[int]:
    """Return the largest size of every step of the cost, and all nonzeros."""
    costs, last = instance.costs(), instance.nonzeros
    return [T for T in range(1, last + 1) if last == T or costs[T + 1] > costs[T]]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    changed = {**claim.expressions, "candidate": ceiling(m * P_max / b)}
    faults = {"rounded-up": rounded_up, "early-stop": early_stop, "all-sizes": all_sizes}
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"rounded-up": SymbolicCase(derivation(changed))},
            seconds=0.3,
        ),
        Check(
            "exact",
            "packets",
            ExactCase(partial(compare, PACKETS, stated_sizes)),
            {"g,b,C": _shown(PACKETS)},
            {name: ExactCase(partial(compare, PACKETS, fault)) for name, fault in faults.items()},
            seconds=0.4,
        ),
        Check("exact", "stated-sizes", ExactCase(compare_sizes), {"g,b,C": _shown(PACKETS)}, seconds=0.2),
        Check(
            "exact",
            "whole-ratio",
            ExactCase(compare_whole_ratios),
            {"g,b,C": _shown(WHOLE_RATIOS)},
            seconds=0.1,
        ),
        Check(
            "exact",
            "airtime",
            ExactCase(partial(compare, AIRTIME, ends_of_steps)),
            {"C": repr(AIRTIME[0].cost), "g": ["gi", "2^-j", "gh"]},
            {
                "packets-for-airtime": ExactCase(partial(compare, AIRTIME, _frames)),
                "all-sizes": ExactCase(partial(compare, AIRTIME, all_sizes)),
            },
            seconds=0.3,
        ),
        Check(
            "exact",
            "wire",
            ExactCase(partial(compare, (WIRE,), all_sizes)),
            {"g,b,C": _shown((WIRE,))},
            {"packets-for-wire": ExactCase(partial(compare, (WIRE,), stated_sizes))},
            seconds=0.1,
        ),
    )


def compare(instances: Sequence[Instance], candidates: Candidates) -> Iterable[Comparison]:
    """The best candidate is the best of all sizes, and the smallest best one is what the rule chooses."""
    for instance in instances:
        found, sizes = instance.found(), list(candidates(instance))
        best = max(sizes, key=lambda T: (found[T - 1], -T))
        witness = {"g": instance.g, "b": instance.entry_bits, "C": repr(instance.cost), "T": best}
        yield Comparison("best of all", "le", max(found), found[best - 1], witness=witness, headline=True)
        yield Comparison("smallest maximiser", "eq", best, smallest_maximiser(found), witness=witness)
        yield Comparison("choice of the rule", "eq", instance.chosen(), best, witness=witness)


def compare_sizes() -> Iterable[Comparison]:
    """The stated sizes are the ends of steps, the stated packets and efficiencies those of the cost."""
    for instance in PACKETS:
        packet = instance.cost
        assert isinstance(packet, Packet)
        found, costs, squares = instance.found(), instance.costs(), energies(instance.g)
        ends = ends_of_steps(instance)
        yield Comparison("number of candidates", "eq", len(stated_sizes(instance)), len(ends))
        for stated, end in zip(stated_sizes(instance), ends, strict=True):
            yield Comparison("candidate", "eq", stated, end, witness={"g": instance.g})
        values = {"b": instance.entry_bits, "P_max": packet.payload_bits}
        prices = {"c_0": F(packet.fixed), "c_1": F(packet.per_packet)}
        for T in range(1, min(len(instance.g), 12) + 1):
            packets = _exactly("packets", {**values, "T": T})
            yield Comparison("cost", "eq", costs[T], prices["c_1"] * packets + prices["c_0"])
            stated_one = _exactly("exact", {**values, **prices, "T": T, "a": squares, "d": len(squares)})
            yield Comparison("efficiency", "eq", found[T - 1], stated_one, witness={"g": instance.g, "T": T})
    given = {"a": energies(HALVES), "d": 16, "b": 36, "P_max": 11680, "h": 624, "c_0": 0}
    for T, value in enumerate(WIRE.found(), start=1):
        yield Comparison("efficiency with a price per bit", "eq", value, _exactly("wire", {**given, "T": T}))


def compare_whole_ratios() -> Iterable[Comparison]:
    """Where packets hold whole entries, the efficiency has one peak over the packets."""
    for instance in WHOLE_RATIOS:
        sizes, found = stated_sizes(instance), instance.found()
        values = [found[T - 1] for T in sizes]
        witness = {"g": instance.g, "C": repr(instance.cost)}
        # One sorted with a peak: the larger of both sides of a value is never above it on both.
        for at in range(1, len(values) - 1):
            outer = min(max(values[:at]), max(values[at + 1 :]))
            yield Comparison("one peak", "le", outer, values[at], witness={**witness, "m": at + 1})


def _packet_sizes(instance: Instance, up: bool = False) -> list[int]:
    assert isinstance(instance.cost, Packet | Wire | LoRaAirtime)
    frame, bits, last = instance.cost.payload_bits, instance.entry_bits, instance.nonzeros
    sizes = []
    for count in range(1, -(-bits * last // frame) + 1):
        values = {"m": count, "P_max": frame, "b": bits}
        size = F(-(-count * frame // bits)) if up else _exactly("candidate", values)
        sizes.append(min(int(size), last))
    return sorted({size for size in sizes if size > 0})


def _frames(instance: Instance) -> list[int]:
    """Sabotage: full frames only."""
    return stated_sizes(instance)


def _shown(instances: Sequence[Instance]) -> list[list[Any]]:
    return [[[str(item) for item in one.g], one.entry_bits, repr(one.cost)] for one in instances]


def _exactly(name: str, values: dict[str, Any]) -> F:
    return rational(evaluate_exact(theory.claim(ID).expressions[name], values))  # type: ignore[no-any-return]
