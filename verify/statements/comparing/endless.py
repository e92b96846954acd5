"""Infinite sums and products: of them some terms are taken, so they are compared only with the same range."""

from __future__ import annotations

from typing import Any

from theory.latex.nodes import INFINITY, Node, names_of

MESSAGE = (
    "values of an infinite sum cannot be compared: it must be that of a registered relation, with the same "
    "range, or part of a pin"
)


def ended(ranges: tuple[Node, ...], tests: Any) -> tuple[Node, ...]:
    """Return ranges of indices, those without an end up to where a condition holds, such as $k<K$."""
    if not tests or not any(_is_endless(high) for _, _, high in ranges):
        return ranges
    found: list[Node] = []
    for place, (name, low, high) in enumerate(ranges):
        later = {other for other, _, _ in ranges[place:]}
        ends = [
            right
            for left, sign, right in tests
            if left == ("name", name) and sign in ("<", "<=") and not later & names_of(right)
        ]
        ends += [
            left
            for left, sign, right in tests
            if right == ("name", name) and sign in (">", ">=") and not later & names_of(left)
        ]
        found.append((name, low, ("call", "floor", ends[0]) if ends and _is_endless(high) else high))
    return tuple(found)


def endless(node: Any) -> frozenset[Node]:
    """Return where the infinite sums and products in a node begin."""
    if not isinstance(node, tuple):
        return frozenset()
    found: frozenset[Node] = frozenset().union(*map(endless, node))
    if node[:1] == ("fold",):
        found |= {low for _, low, high in ended(node[3], node[4]) if _is_endless(high)}
    return found


def _is_endless(high: Node) -> bool:
    return high == INFINITY or (high[0] == "add" and any(map(_is_endless, high[1:])))
