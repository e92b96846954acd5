"""Checks of `cat/finding-sq-not-unimodal`: what shortcuts over the sizes miss, on vectors and along runs."""

import functools
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import cat_sq
from impl.adaptive.cat_s import candidates
from impl.communication import Affine, CostModel, Packet
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import quad
from verify.cat.fixtures.literal_shares import betas, float_betas
from verify.comparison import ROOT, Comparison

CONSTANT = Packet(10**6)
"""All messages fit in one packet."""


def _rule(g: Any, shares: Sequence[Any], cost: CostModel) -> int:
    """Return the size that CAT-SQ takes, entries of one bit each."""
    return int(cat_sq(g, cost, entry_bits=1).size)


def _early_stop(g: Any, shares: Sequence[Any], cost: CostModel) -> int:
    efficiency = _efficiencies(shares, cost)
    falls = (T for T in range(1, len(shares)) if efficiency[T] < efficiency[T - 1])
    return next(falls, len(shares))


def _full_packets(g: Any, shares: Sequence[Any], cost: CostModel) -> int:
    if not isinstance(cost, Packet):
        return _rule(g, shares, cost)
    efficiency = _efficiencies(shares, cost)
    return int(max(candidates(len(shares), cost, 1).tolist(), key=lambda T: (efficiency[T - 1], -T)))


def _efficiencies(shares: Sequence[Any], cost: CostModel) -> list[Any]:
    return [share / F(cost(T)) for T, share in enumerate(shares, 1)]


judge = checks_of("cat/finding-sq-not-unimodal", size=_rule, scale=1)


judge.sabotage(
    "early-stop at exact/thousand-entries, run/quad: Stop at the first size after which the efficiency "
    "falls: at a constant cost that keeps 1 of 1000.",
    {"size": _early_stop},
    "full-packets at exact/one-packet, run/quad: Look at full packets only: for (10, 1, ..., 1) in one "
    "packet that is 8 signs and not 1.",
    {"size": _full_packets},
    "scaled-vector, neutral at exact/*: Multiply the vector by 4: nothing may change. | scale = 4",
)


def _held(shares: Sequence[Any], size: int, cost: CostModel) -> Comparison:
    """Hold the best share per cost of all sizes against that of the chosen one."""
    efficiency = _efficiencies(shares, cost)
    best = max(range(len(shares)), key=lambda place: efficiency[place])
    witness = {"chosen": size, "best": best + 1}
    return le("best of all sizes", efficiency[best], efficiency[size - 1], witness=witness, headline=True)


@judge.exact(h=F(1, 10), d=1000)
def thousand_entries(law: Law, h: F, d: int) -> Iterable[Comparison]:
    """One entry 1 and 999 entries 1/10, at a constant cost."""
    g = [law.scale * item for item in (F(1), *(h,) * (d - 1))]
    whole = sum(item * item for item in g)
    shares = {T: sum(g[:T]) ** 2 / (T * whole) for T in (1, 2, 8, 9, 10, d)}
    for T, share in shares.items():
        yield eq("share", share, law.exactly("exact", h=h, d=d, T=T))
    least_at = law.exactly("least_at", h=h)
    yield eq("where it is least", least_at, 9)
    yield eq("least", shares[9], law.exactly("least", h=h, d=d))
    for T in (1, 8, 9):
        yield eq("difference", shares[T + 1] - shares[T], law.exactly("difference", h=h, d=d, T=T))
    everywhere = [(1 + (T - 1) * h) ** 2 / (T * (1 + (d - 1) * h**2)) for T in range(1, d + 1)]
    yield _held(everywhere, law.size(g, everywhere, CONSTANT), CONSTANT)


@judge.exact(g=(10, *(1,) * 7))
def one_packet(law: Law, g: Sequence[int]) -> Iterable[Comparison]:
    """One entry 10 and seven entries 1, all of which fit in one packet; and two to a packet."""
    vector = [F(law.scale * item) for item in g]
    shares = betas(vector)
    for T, share in enumerate(shares, 1):
        yield eq("share", share, law.exactly("exact", h=F(1, 10), d=8, T=T))
    for cost in (Packet(8), Packet(2)):
        yield _held(shares, law.size(vector, shares, cost), cost)


@judge.drift(instance="quad", problem="quad", C=("T + 60", "packets of 5"), rounds=60)
def quad_run(law: Law, rng: Any, rounds: int, **_: Any) -> Iterable[Comparison]:
    """The size that is chosen at the iterates of a run is the best of all sizes."""
    problem = quad()
    for cost in (Affine(1, 60), Packet(5)):
        result = cat_gd(
            problem,
            functools.partial(cat_sq, cost=cost, entry_bits=1),
            step_size=1 / problem.L,
            rounds=rounds,
            rng=rng,
            start=np.ones(problem.d),
            trace=True,
        )
        iterates: Any = result.iterates
        for k in range(result.rounds):
            g = problem.gradients(iterates[:, k])[0, 0]
            shares = float_betas(g)
            efficiency = shares / cost(np.arange(1, problem.d + 1))
            size = law.size(g, [float(item) for item in shares], cost)
            witness = {"chosen": size, "best": int(np.argmax(efficiency)) + 1, "k": k}
            best, own = float(efficiency.max()), float(efficiency[size - 1])
            # The rule takes the smallest size within 1e-12 of the best.
            yield le("best of all sizes", best, own, ROOT, witness=witness, headline=True)
