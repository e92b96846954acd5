"""Checks of `cat/mn-joint-rule`: enumerated decreases of equal nodes, and all sizes tried one by one."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F

from impl.adaptive import keep_probabilities
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.cat.nodes.joint_sizes import Link, best_size, efficiency
from verify.comparison import Comparison
from verify.expectation.outcome_tree import independent_mean, kept_entries, square

judge = checks_of("cat/mn-joint-rule", probabilities=keep_probabilities)

LINKS = (
    Link(1024, 16, 10),
    Link(1024, 2, 10),
    Link(1024, 1, 10),
    Link(64, 5, 1),
    Link(50, 3, F(1, 1000)),
    Link(20, 2, 500),
)

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "n-for-n-minus-one at exact/*: Put n for n - 1 in share and optimum: 72 for 101 at n = 2, d = 1024, c_0 "
    "= 10. | share = share(n = n + 1) * n / (n + 1), optimum = optimum(n = n + 1), efficiency = "
    "efficiency(n = n + 1)",
    "local-as-joint at exact/best-size: Take the best size of one node, d, for that of all nodes. "
    "| optimum = d",
    "half-step at exact/equal-nodes: Take half of the stated step: three quarters of the decrease. "
    "| step = step / 2",
    "no-half at exact/equal-nodes: Claim twice the decrease that there is. | bound = 2 * bound",
    "whole-gradients at exact/equal-nodes: Keep every entry: nothing is random.",
    {"probabilities": lambda g, T: [F(1)] * len(g)},
    "gain-over-one-entry at exact/best-size: Compare with one entry in place of whole gradients. "
    "| gain = gain(d = 1)",
)
judge.sabotage_data(
    "scaled-costs, neutral at exact/best-size: Multiply both costs by 3: no choice may change.",
    lambda links: {"links": tuple(replace(link, c_0=3 * link.c_0, c_1=3 * link.c_1) for link in links)},
)


# ---------------------------------------------------------------- checks


@judge.exact(
    parameters={"n": [1, 2, 3], "d": 3},
    sizes=((1, 3, 1), (1, 3, 2), (2, 3, 1), (2, 3, 2), (3, 2, 1), (2, 3, 3)),
)
def equal_nodes(law: Law, sizes: Sequence[tuple[int, int, int]]) -> Iterable[Comparison]:
    """The exact expected decrease of ||x||^2 / 2 with equal nodes at the stated step."""
    for n, d, T in sizes:
        x = (F(2), F(-2), F(2))[:d]
        outcomes = independent_mean([kept_entries(x, list(law.probabilities(list(x), T)))] * n)
        # The probability is part of the model.
        G, V = square(x), square(x) * (1 + (F(d, T) - 1) / n)
        values = {"G": G, "V": V, "L": 1}
        step = law.exactly("step", **values)
        after = sum(p * square(a - step * b for a, b in zip(x, v, strict=True)) for p, v in outcomes) / 2
        witness = {"n": n, "d": d, "T": T}
        decrease = G / 2 - after
        yield eq("decrease", decrease, law.exactly("bound", **values), witness=witness, headline=True)
        share = law.exactly("share", n=n, d=d, T=T)
        yield eq("share of whole gradients", 2 * decrease / G, share, witness=witness)


def stated_size(law: Law, link: Link) -> int:
    """Return the better one of the two integers next to the stated optimum, from 1 to d."""
    if link.n == 1:
        return link.d
    optimum = law("optimum", **link.values)
    ends = [min(max(size, 1), link.d) for size in (math.floor(optimum), math.ceil(optimum))]
    return max(ends, key=lambda T: (law.exactly("efficiency", **link.values, T=T), -T))


@judge.exact(instance="best-size", parameters={"links": [link.values for link in LINKS]}, links=LINKS)
def best_size_of_all(law: Law, links: Sequence[Link]) -> Iterable[Comparison]:
    """The stated size against the best of all sizes, and the stated efficiency and gain there."""
    for link in links:
        best, witness = best_size(link), link.values
        yield eq("best size", stated_size(law, link), best, witness=witness)
        found, values = efficiency(link, best), {**link.values, "T": best}
        yield eq("efficiency", found, law.exactly("efficiency", **values), witness=witness)
        yield eq("gain", found / efficiency(link, link.d), law.exactly("gain", **values), witness=witness)
