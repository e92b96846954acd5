"""Rules, links and runs written out in rationals or loops: what the fast forms in floats must equal."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cache, partial
from typing import Any

import numpy as np

from impl.adaptive import cat_qsgd, cat_s, cat_sq, cat_st
from impl.communication import PRESETS, Affine, CostModel, LoRaAirtime, Packet, Wire
from impl.compressors import Draws, TopKSigns
from verify.comparison import ROUND_OFF, Comparison

FLOAT_BITS = 32
MOST_LEVELS = 12

# Bits of a message to its cost, exactly.
Price = Callable[[Any], F]


# ---------------------------------------------------------------- links


@dataclass(frozen=True)
class LinkRules:
    """What a mutant changes of the literal links.

    Args:
        last: What the last packet of a message counts where it is not full.
        more: Added to the cost of every message.
        preamble: Symbols of a preamble with what follows it.
    """

    last: int = 1
    more: int = 0
    preamble: F = F(49, 4)


STATED_LINKS = LinkRules()


def price_of(link: CostModel, bits: Any, rules: LinkRules = STATED_LINKS) -> F:
    """Return the cost of a message by the definition of its link."""
    bits = F(bits)
    assert isinstance(bits, F)
    if isinstance(link, Affine):
        total: F = F(link.per_bit) * bits + F(link.fixed)
        return total + rules.more
    if isinstance(link, LoRaAirtime):
        return _airtime(link, bits, rules)
    if not isinstance(link, Packet | Wire):
        return bits + rules.more
    full, rest = divmod(bits, link.payload_bits)
    count = full + (rules.last if rest else 0)
    paid: F = F(link.per_packet) * count if isinstance(link, Packet) else bits + F(link.overhead) * count
    return paid + F(link.fixed) + rules.more


def _airtime(link: LoRaAirtime, bits: F, rules: LinkRules) -> F:
    """Frame by frame, symbol by symbol (Semtech AN1200.13): a preamble of 8 symbols, 8 symbols, and more."""
    SF, symbol = link.spreading_factor, F(1000 * 2**link.spreading_factor, link.bandwidth)
    slow = symbol > 16
    total, left = F(link.fixed) + rules.more, math.ceil(bits)
    while left > 0:
        own = min(left, link.payload_bits)
        left -= own
        size = math.ceil(F(own, 8)) + link.overhead_bytes
        blocks = math.ceil(F(8 * size - 4 * SF + 28 + 16, 4 * (SF - (2 if slow else 0))))
        total += (rules.preamble + 8 + max(5 * blocks, 0)) * symbol
    return total


LINKS: dict[str, CostModel] = {
    **PRESETS,
    "affine-fractions": Affine(F(3, 2), 7),
    "packets": Packet(64, 3, 2),
    "small-packets": Packet(35, 3),
    "dear-messages": Packet(64, 1, 100),
    "wire": Wire(64, 20, 5),
    "fast-airtime": LoRaAirtime(7, 125_000, 1000, 13),
    "slow-airtime": LoRaAirtime(11, 125_000, 80, 5, 2),
}


def compare_links(rules: LinkRules = STATED_LINKS) -> Iterable[Comparison]:
    """Costs of numbers, exactly, and of arrays, around the ends of packets."""
    for name, link in LINKS.items():
        frame = int(getattr(link, "payload_bits", 408))
        ends = [k * frame + off for k in range(4) for off in (-9, -8, -1, 0, 1, 7, 8, 9, frame // 2)]
        sizes = sorted({item for item in ends if item >= 0})
        stated = [price_of(link, item, rules) for item in sizes]
        arrays = [np.asarray(link(np.array(sizes, dtype=kind)), dtype=float) for kind in (np.int64, float)]
        for place, bits in enumerate(sizes):
            witness = {"link": name, "bits": bits}
            yield Comparison("cost", "eq", F(link(bits)), stated[place], witness=witness)
            for found in arrays:
                yield Comparison(
                    "cost in an array", "eq", float(found[place]), float(stated[place]), ROUND_OFF, witness
                )
        yield Comparison("no message", "eq", F(link.empty), stated[0], witness={"link": name})


# ---------------------------------------------------------------- rules


@dataclass(frozen=True)
class LiteralChoice:
    """What a rule chooses: size, share, squared or plain step times L, cost, bits, all entries or not."""

    size: int
    share: F
    step: float
    cost: F
    bits: int
    dense: bool = False


def indices(d: int) -> int:
    """Return the least k with 2^k >= d."""
    return next(k for k in itertools.count() if 2**k >= d)


def _best(found: Sequence[LiteralChoice]) -> LiteralChoice:
    """Return the first of the largest share per cost."""
    best = found[0]
    for other in found[1:]:
        if other.share * best.cost > best.share * other.cost:
            best = other
    return best


def _literal_s(g: Sequence[F], price: Price, extra: int) -> list[LiteralChoice]:
    sizes = sorted((abs(item) for item in g if item), reverse=True)
    total, entry = sum(item * item for item in g), indices(len(g)) + FLOAT_BITS
    found = []
    for T in range(1, len(sizes) + 1):
        share, bits = F(sum(item * item for item in sizes[:T])) / total, T * entry + extra
        found.append(LiteralChoice(T, share, 1.0, price(bits), bits))
    return found


def _literal_sq(g: Sequence[F], price: Price, extra: int) -> list[LiteralChoice]:
    sizes = sorted((abs(item) for item in g if item), reverse=True)
    total, entry = sum(item * item for item in g), indices(len(g)) + 1
    found = []
    for T in range(1, len(sizes) + 1):
        share, bits = F(sum(sizes[:T])) ** 2 / (T * total), FLOAT_BITS + T * entry + extra
        found.append(LiteralChoice(T, share, math.sqrt(share / T), price(bits), bits))
    return found


def chances(g: Sequence[F], T: int) -> list[F]:
    """Return the best chances of T expected entries: raise one level until their sum is T."""
    sure: set[int] = set()
    while True:
        rest = [j for j in range(len(g)) if j not in sure and g[j]]
        if not rest:
            return [F(j in sure) for j in range(len(g))]
        level = F(T - len(sure)) / sum(abs(g[j]) for j in rest)
        over = [j for j in rest if level * abs(g[j]) > 1]
        if not over:
            return [F(1) if j in sure else level * abs(item) for j, item in enumerate(g)]
        sure |= set(over)


def _literal_st(g: Sequence[F], price: Price, extra: int) -> list[LiteralChoice]:
    total, entry = sum(item * item for item in g), indices(len(g)) + FLOAT_BITS + extra
    found = []
    for T in range(1, sum(1 for item in g if item) + 1):
        p = chances(g, T)
        share = total / F(sum(item * item / chance for item, chance in zip(g, p, strict=True) if item))
        law = [F(1)]
        for chance in p:
            law = [
                (1 - chance) * stayed + chance * grown
                for stayed, grown in zip([*law, F(0)], [F(0), *law], strict=True)
            ]
        mean = sum((q * price(N * entry) for N, q in enumerate(law)), F(0))
        found.append(LiteralChoice(T, share, float(share), mean, T * entry))
    return found


def _literal_qsgd(g: Sequence[F], price: Price, extra: int) -> list[LiteralChoice]:
    total = sum(item * item for item in g)
    norm = F(math.isqrt(int(total)))
    assert norm * norm == total, "the norm must be rational"
    found = []
    for s in range(1, MOST_LEVELS + 1):
        noise = F(0)
        for item in g:
            place = s * abs(item) / norm
            noise += (place - math.floor(place)) * (1 - (place - math.floor(place)))
        share = 1 / (1 + noise / s**2)
        bits = FLOAT_BITS + len(g) * (1 + indices(s + 1)) + extra
        found.append(LiteralChoice(s, share, float(share), price(bits), bits))
    return found


Literal = Callable[[Sequence[F], Price, int], list[LiteralChoice]]
RULES: dict[str, tuple[Callable[..., Any], Literal]] = {
    "cat-s": (cat_s, _literal_s),
    "cat-sq": (cat_sq, _literal_sq),
    "cat-st": (cat_st, _literal_st),
    "cat-qsgd": (partial(cat_qsgd, most_levels=MOST_LEVELS), _literal_qsgd),
}
VECTORS = {
    "falling": (16, -8, 8, 4, 2, -1, 1, 0),
    "one-large": (2, 14, -1, 5, 2, -2, 1, 1, 1, 1),
    "flat": (1, -1, 1, 1, 1, 1, -1, 1, 1),
    "zeros": (3, 0, 0, -4, 0, 12),
}
"""Whole numbers; all but the first have whole norms, too."""

SCANNED = (
    "payload",
    "affine",
    "affine-fractions",
    "packets",
    "dear-messages",
    "wire",
    "lora51",
    "fast-airtime",
    "slow-airtime",
)


def compare_rule(
    name: str, extra: int = 0, made: Callable[[Any], Any] = lambda choice: choice, scale: Any = "mean"
) -> Iterable[Comparison]:
    """Hold the choices of a rule in floats against the literal ones in rationals, on all links.

    For mutants: `extra` makes the literal messages longer, `made` changes choices, `scale` what goes with
    signs.
    """
    stated_rule, literal = RULES[name]

    def rule(*arguments: Any, **options: Any) -> Any:
        return made(stated_rule(*arguments, **options))

    for vector, g in VECTORS.items():
        exact = [F(item) for item in g]
        whole = math.isqrt(sum(item * item for item in g)) ** 2 == sum(item * item for item in g)
        if name == "cat-qsgd" and not whole:
            continue
        for link in SCANNED:
            price = cache(partial(price_of, LINKS[link]))
            best = _best(literal(exact, price, extra))
            all_bits = len(g) * FLOAT_BITS
            all_cost = price(all_bits)
            for dense in (False, True):
                stated = best
                if dense and best.cost > best.share * all_cost:
                    stated = LiteralChoice(len(g), F(1), 1.0, all_cost, all_bits, True)
                found = rule(np.array(g, dtype=float), LINKS[link], dense=dense)
                witness = {"g": vector, "link": link, "dense": dense}
                yield Comparison("size", "eq", found.size, stated.size, witness=witness)
                yield Comparison("bits", "eq", found.bits, stated.bits, witness=witness)
                yield Comparison("dense", "eq", int(found.dense), int(stated.dense), witness=witness)
                for label, number, value in (
                    ("share", found.share, stated.share),
                    ("cost", found.cost, stated.cost),
                    ("efficiency", found.efficiency, stated.share / stated.cost),
                    ("step", found.step_factor, stated.step),
                ):
                    yield Comparison(label, "eq", float(number), float(value), ROUND_OFF, witness)
        if name == "cat-sq":
            for T in (1, 3):
                sent = TopKSigns(T, scale=scale).compress(np.array(g, dtype=float), Draws())
                mean = sum(sorted(map(abs, g), reverse=True)[:T]) / T
                yield Comparison(
                    "mean of the largest", "eq", float(sent.max()), mean, ROUND_OFF, {"g": vector}
                )
    if name == "cat-s":  # more entries than are scanned at a time
        d = 2**15 + 100
        found = rule(np.ones(d), Affine(1, 10**9))
        yield Comparison("size of a long flat vector", "eq", found.size, d, witness={"d": d})
        yield Comparison("its share", "eq", float(found.share), 1.0, ROUND_OFF, {"d": d})
