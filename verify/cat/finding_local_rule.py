"""Checks of `cat/finding-local-rule`: what CAT-ST chooses on a node, and what all nodes lose by it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.adaptive import cat_st
from impl.communication import Affine
from verify.binding import Check
from verify.cat.mn_joint_rule import Link, best_size, efficiency
from verify.comparison import EXACT, ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-local-rule"
# The optimum of all nodes is a whole number at the first three: 4, 3 and 2.
WHOLE = (Link(64, 5, 1), Link(81, 10, 1), Link(100, 26, 1))
LINKS = (*WHOLE, Link(1024, 16, 10))
LEAST_LOSS = 2


@dataclass(frozen=True)
class Nodes:
    """The nodes as stated, or one sabotage.

    Args:
        alone: Whether there is one node only.
        agrees: Whether the loss is claimed to be at most `LEAST_LOSS`.
        dear: Whether the fixed cost is (n - 1) c_1 d.
        scale: Factor of the gradients.
    """

    alone: bool = False
    agrees: bool = False
    dear: bool = False
    scale: int = 1


STATED = Nodes()
RULES = {
    "one-node": Nodes(alone=True),
    "local-agrees": Nodes(agrees=True),
    "large-fixed-cost": Nodes(dear=True),
    "scaled-gradient": Nodes(scale=8),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        Check(
            "exact",
            "loss",
            ExactCase(partial(compare, STATED)),
            {"links": [link.values for link in LINKS]},
            {name: ExactCase(partial(compare, nodes)) for name, nodes in RULES.items()},
            seconds=0.4,
        ),
    )


def local_size(link: Link, scale: int = 1) -> tuple[int, Any]:
    """Return what CAT-ST chooses on one of the nodes with a flat gradient, and its efficiency."""
    g = [F(scale) * (-1) ** j for j in range(link.d)]
    exact = link.d <= 100  # fractions with the sums of many entries are slow
    choice = cat_st(g if exact else [float(item) for item in g], Affine(link.c_1, link.c_0), entry_bits=1)
    return choice.size, choice.efficiency


def compare(nodes: Nodes) -> Iterable[Comparison]:
    """The nodes' own choice, and what it loses against the best joint size, at least twice."""
    claim = theory.claim(ID)
    for given in LINKS:
        link = Link(given.d, 1, given.c_0, given.c_1) if nodes.alone else given
        if nodes.dear:
            link = replace(given, c_0=(given.n - 1) * given.c_1 * given.d)
        witness = link.values
        size, own = local_size(link, nodes.scale)
        yield Comparison("a node's own choice", "eq", size, link.d, EXACT, witness)
        values = {"T": size, "d": link.d, "c_0": link.c_0, "c_1": link.c_1}
        local = evaluate_exact(claim.formulas["local"], values)
        yield Comparison("its efficiency", "eq", float(own), float(local), ROUND_OFF, witness)
        best = best_size(link)
        loss = efficiency(link, best) / efficiency(link, size)
        stated = evaluate(claim.exact, link.values)
        yield Comparison("loss", "le", float(loss), stated, ROUND_OFF, witness, headline=True)
        if given in WHOLE:
            yield Comparison("loss at a whole optimum", "eq", float(loss), stated, ROUND_OFF, witness)
        yield Comparison("at most n", "le", loss, given.n, EXACT, witness)
        if nodes.agrees:
            yield Comparison("claimed agreement", "le", loss, LEAST_LOSS, EXACT, witness)
        else:
            yield Comparison("at least twice", "le", LEAST_LOSS, loss, EXACT, witness)
