"""What in a node may be one thing at some points and another elsewhere: choices, steps, conditions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from theory.latex.nodes import Node

_EXTREME = 10**7
MOST_MARKS = 16
_STEPS = {("call", name) for name in ("floor", "ceiling", "frac", "Abs", "sign")}


def has_conditions(node: Any) -> bool:
    """Return whether a node has a sum, product or extremum over places that a condition chooses."""
    if not isinstance(node, tuple):
        return False
    if node and node[0] == "fold" and len(node) > 4 and node[4]:
        return True
    return any(has_conditions(item) for item in node)


def has_steps(node: Any) -> bool:
    """Return whether a node has a function or a choice that may be one thing near and another far out."""
    if not isinstance(node, tuple):
        return False
    if node and (node[0] in ("cases", "fold", "max", "min") or node[:2] in _STEPS):
        return True
    return any(has_steps(item) for item in node)


def extreme(node: Any) -> frozenset[int]:
    """Return the integers in a node, above and below bars, that are beyond all points: from 10 million on."""
    if not isinstance(node, tuple):
        return frozenset()
    if node and node[0] == "number":
        ends = (abs(node[1].numerator), node[1].denominator)
        return frozenset(item for item in ends if item >= _EXTREME)
    if node and node[0] == "pow" and node[1][0] == node[2][0] == "number" and node[2][1].denominator == 1:
        size = abs(int(node[2][1]))
        ends = (abs(node[1][1].numerator), node[1][1].denominator)
        if size <= 1000:
            return frozenset(item**size for item in ends if item > 1 and item**size >= _EXTREME)
    return frozenset().union(*(extreme(item) for item in node)) if node else frozenset()


def marks(*nodes: Any) -> tuple[Fraction, ...]:
    """Return the numbers in nodes, what lies halfway between two of them, and one beyond: between them a sum
    of steps may be something else than near 1 and far out.
    """
    found = sorted({item for node in nodes for item in _numbers(node) if item < _EXTREME})[:MOST_MARKS]
    between = [(low + high) / 2 for low, high in itertools.pairwise(found)]
    return tuple(sorted({*found, *between, 2 * found[-1] + 1})) if found else ()


def _numbers(node: Any) -> Iterator[Fraction]:
    if isinstance(node, tuple) and node[:1] == ("number",):
        if node[1]:
            yield abs(node[1])
    elif isinstance(node, tuple):
        for item in node:
            yield from _numbers(item)


def branches(node: Any) -> Iterator[tuple[Node, int]]:
    """Yield every branch of every extremum and case distinction in a node."""
    if not isinstance(node, tuple):
        return
    if node and node[0] in ("max", "min", "cases"):
        yield from zip(itertools.repeat(node), range(len(node) - 1))
    for item in node:
        yield from branches(item)
