"""The rules as they are run against their literal methods: options, ties, vectors of several chunks."""

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import cache
from typing import Any

import numpy as np

from impl.adaptive import (
    Choice,
    cat_qsgd,
    cat_qsgd_reference,
    cat_s,
    cat_s_reference,
    cat_sq,
    cat_sq_reference,
    cat_st,
    cat_st_reference,
)
from impl.communication import Affine, LoRaAirtime, Packet, Wire
from verify.authoring import eq
from verify.comparison import ROUND_OFF, Comparison

PAIRS: dict[Any, Any] = {
    cat_s: cat_s_reference,
    cat_sq: cat_sq_reference,
    cat_st: cat_st_reference,
    cat_qsgd: cat_qsgd_reference,
}
GRADIENTS: dict[str, list[Any]] = {
    "mixed": [4.0, -2.0, 0.0, 8.0, -5.0, 1.0],
    "ties": [1.0, -1.0, 1.0, 1.0, 0.0],
    "one entry": [-3.0],
    "wide": [1e150, -3e150, 2e150],
    "tiny": [2.0**-600, -3 * 2.0**-600, 2.0**-599, 0.0],
    "exact": [F(2), F(-1), F(0), F(2)],
    "exact parts": [F(3, 7), F(-4, 7), F(12, 7)],
    "nothing": [0.0, 0.0],
}
COSTS = (Packet(64, 3, 2), Affine(F(3, 2), 40), Wire(50, 20, 5), LoRaAirtime(7, payload_bits=77))
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"entry_bits": 5}, {"float_bits": 64, "dense": True})
_CHUNK = 2**15
"""Entries that the rules work on at a time; the vectors below are longer."""
_NUMBERS = ("share", "efficiency", "step_factor", "cost")


def compare_fast(made: Callable[[Choice], Choice]) -> Iterable[Comparison]:
    """Hold each choice against that of the literal method, and what a message of it costs."""
    for rule in PAIRS:
        for name, g in GRADIENTS.items():
            for place, cost in enumerate(COSTS):
                for given in OPTIONS if place < 2 else OPTIONS[:1]:
                    options = {"most_levels": 9, **given} if rule is cat_qsgd else given
                    if rule is cat_qsgd and "entry_bits" in given:
                        continue
                    at = {"rule": rule.__name__, "g": name, "link": repr(cost), **given}
                    found, stated = _choices(rule, name, cost, tuple(options.items()))
                    found = made(found)
                    same = [found.size == stated.size, found.dense == stated.dense, found.bits == stated.bits]
                    same.append(rule is cat_st or repr(found.compressor) == repr(stated.compressor))
                    yield eq("fast choices that differ", 4 - sum(same), 0, witness=at)
                    for number in _NUMBERS:
                        value, bound = (float(getattr(item, number)) for item in (found, stated))
                        yield eq("fast numbers", value, bound, ROUND_OFF, witness={**at, "number": number})
                    for entries in range(len(g) + 1) if stated.price else ():
                        value = float(found.price(entries)) if found.price else 0.0
                        bound = float(stated.price(entries))
                        yield eq("fast prices", value, bound, ROUND_OFF, witness={**at, "entries": entries})


@cache  # a mutant changes what has been chosen: the choices are the same
def _choices(rule: Any, name: str, cost: Any, options: tuple[tuple[str, Any], ...]) -> tuple[Choice, Any]:
    """Return the choice of a rule for a gradient, and that of the literal method."""
    g, given = GRADIENTS[name], dict(options)
    return rule(g, cost, **given), PAIRS[rule](_near_one(g), cost, **given)


def _near_one(g: list[Any]) -> list[Any]:
    """Return a gradient whose squares do not underflow: no choice depends on the scale."""
    return [item * 2.0**600 for item in g] if 0 < abs(g[0]) < 1e-150 else g


def compare_long(
    made: Callable[[Choice], Choice], chances: Callable[[Any, int], Any]
) -> Iterable[Comparison]:
    """Hold chances and shares of vectors of several chunks against what defines them."""
    d = 2 * _CHUNK + 5
    falling = 1.0 / np.arange(1.0, d + 1)
    for name, g in {
        "flat": np.ones(d),
        "falling": falling[::-1].copy(),
        "geometric": 0.9 ** np.arange(2000.0),
    }.items():
        energy = float(g @ g)
        for T in (7, _CHUNK + 1, len(g) - 3):
            if len(g) < T:
                continue
            at = {"g": name, "T": T}
            p = chances(g, T)
            yield eq("fast sum of the chances", float(p.sum()), float(T), ROUND_OFF, witness=at)
            level = p[p < 1] / g[p < 1]
            outside = int((level > level[:1] * (1 + 1e-12)).sum() + (level < level[:1] * (1 - 1e-12)).sum())
            outside += (
                int((g[p == 1] * (level[:1].max(initial=np.inf)) < 1 - 1e-9).sum()) if level.size else 0
            )
            yield eq("fast chances off their level", outside, 0, witness=at)
            choice = made(cat_st(g, Affine(1, 3), entry_bits=1, sizes=[T]))
            yield eq(
                "fast share", float(choice.share), energy / float((g * g / p).sum()), ROUND_OFF, witness=at
            )
    apart = np.array([2.0**1000, 2.0**-90, 0.0])  # chances below the least float
    lost = int(((chances(apart, 1) > 0) != (apart > 0)).sum())
    yield eq("fast chances off their level", lost, 0, witness={"g": "far apart"})
    decaying = np.exp(-np.arange(d) / 20_000)  # of which each chunk has a share that counts
    for rule, sizes in itertools.product((cat_s, cat_sq), (falling, decaying)):
        sums = np.cumsum(sizes**2) if rule is cat_s else np.cumsum(sizes) ** 2 / np.arange(1, d + 1)
        shares = sums / float(sizes @ sizes)
        for fixed in (100, 10**5, 10**12):
            efficiencies = shares / (np.arange(1, d + 1) + fixed)
            # The same cost as a function, of which nobody knows that it is affine: all chunks are looked at.
            for cost in (Affine(1, fixed), lambda bits, fixed=fixed: bits + fixed):
                choice = made(rule(sizes[::-1], cost, entry_bits=1))
                known = isinstance(cost, Affine)
                at = {"rule": rule.__name__, "c_0": fixed, "affine": known, "T": choice.size}
                own = float(efficiencies[choice.size - 1]) if choice.size <= d else 0.0
                yield eq("fast best of a long vector", own, float(efficiencies.max()), ROUND_OFF, witness=at)
                share = float(shares[choice.size - 1]) if choice.size <= d else 0.0
                yield eq("fast share of a long vector", float(choice.share), share, ROUND_OFF, witness=at)
