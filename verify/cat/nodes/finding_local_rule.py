"""Checks of `cat/finding-local-rule`: what CAT-ST chooses on a node, and what all nodes lose by it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F

from impl.adaptive import cat_st
from impl.communication import Affine
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.nodes.joint_sizes import Link, best_size, efficiency
from verify.comparison import ROUND_OFF, Comparison

judge = checks_of("cat/finding-local-rule", rule=cat_st)

# The optimum of all nodes is an integer at the first three: 4, 3 and 2.
LINKS = (Link(64, 5, 1), Link(81, 10, 1), Link(100, 26, 1), Link(1024, 16, 10))
# Messages so dear that no size is below the whole gradient: the first one just so.
DEAR = (Link(4, 2, 4), Link(4, 2, 10), Link(9, 3, 25))


judge.sabotage(
    "local-agrees at exact/loss: Claim that the nodes' own choice is at most twice worse than the joint "
    "one. | exact = 2",
    "n-for-n-minus-one at exact/loss: Put n for n - 1 in the loss. | exact = exact(n = n + 1)",
    "free-messages at exact/loss: The nodes pay nothing for a message besides its entries: all sizes tie.",
    {"rule": lambda g, cost, **options: cat_st(g, Affine(cost.per_bit, 0), **options)},
)
judge.sabotage_data(
    "cheap-messages at exact/beyond: A fifth of the cost of a message: a smaller size is better.",
    lambda links: {"links": tuple(replace(link, c_0=F(link.c_0, 5)) for link in links)},
)
judge.sabotage_data(
    "one-node at exact/loss: One node: nothing is lost.",
    lambda links, scale: {"links": tuple(replace(link, n=1) for link in links), "scale": scale},
    "scaled-gradient, neutral at exact/loss: Multiply the gradients by 8: no choice may change.",
    lambda links, scale: {"links": links, "scale": 8 * scale},
)


@judge.exact(parameters={"links": [link.values for link in LINKS]}, links=LINKS, scale=1)
def loss(law: Law, links: Sequence[Link], scale: int) -> Iterable[Comparison]:
    """A node's own choice, and what all of them lose by it against the best joint size."""
    for link in links:
        witness = link.values
        g = [F(scale) * (-1) ** j for j in range(link.d)]
        short = link.d <= 100  # fractions with the sums of many entries are slow
        message = Affine(link.c_1, link.c_0)
        choice = law.rule(g if short else [float(item) for item in g], message, entry_bits=1)
        yield eq("a node's own choice", choice.size, link.d, witness=witness)
        local = law("local", T=choice.size, d=link.d, c_0=link.c_0, c_1=link.c_1)
        yield eq("its efficiency", float(choice.efficiency), local, ROUND_OFF, witness=witness)
        best = best_size(link)
        found = efficiency(link, best) / efficiency(link, choice.size)
        stated = law("exact", **link.values)
        yield le("loss", float(found), stated, ROUND_OFF, witness=witness, headline=True)
        if link.d <= 100:
            yield eq("loss at an integer optimum", float(found), stated, ROUND_OFF, witness=witness)
        else:
            gain = law.exactly("gain", **link.values, T=best)
            yield eq("gain of sixteen nodes", found, gain, witness=witness)


@judge.exact(parameters={"links": [link.values for link in DEAR]}, links=DEAR)
def beyond(law: Law, links: Sequence[Link]) -> Iterable[Comparison]:
    """Where messages cost much, the best joint size and that of a node are the whole gradient."""
    for link in links:
        g = [F((-1) ** j) for j in range(link.d)]
        choice = law.rule(g, Affine(link.c_1, link.c_0), entry_bits=1)
        yield eq("a node's own choice", choice.size, link.d, witness=link.values)
        yield eq("best size beyond", best_size(link), link.d, witness=link.values)
