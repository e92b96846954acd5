"""Whether two sides are the same function: by one form of both, else at points.

At opaque points all branches are taken at once; where these differ, there are points that take every branch.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from theory.latex.nodes import Node, number
from verify.statements.comparing.canonical import canonical, merged
from verify.statements.comparing.digits import Undefined, agree, apart, precision
from verify.statements.comparing.endless import endless
from verify.statements.comparing.orders import orders_of_ten
from verify.statements.comparing.steps import branches, extreme, has_conditions, has_steps, marks
from verify.statements.comparing.values import (
    FAR,
    MANY,
    MARKED,
    POINTS,
    WHOLE,
    ZERO,
    Kinds,
    Point,
    value,
)

NEEDED = 6
"""Points at which both sides must be defined; four are the least that counts."""
FEW_ORDERS, MOST_ORDERS = 10, 2000
"""Orders of ten by which constants differ from 1 that need no more digits, and that are looked at at all."""


@dataclass(frozen=True)
class Side:
    """A node with its free indices: name here, name in the formula, what is added to its value here."""

    node: Node
    indices: tuple[tuple[str, str, int], ...] = ()


class Sides:
    """Compare sides at points; values of registered sides are kept."""

    def __init__(self, kinds: Kinds) -> None:
        self._made = functools.lru_cache(maxsize=None)(
            lambda seed, opaque, _, marks: Point(seed, kinds, opaque, marks)
        )
        self._marks: tuple[Any, ...] = ()  # of the sides that are compared
        self._values: dict[Any, tuple[Any, frozenset[int]]] = {}
        self._nodes: list[Node] = []
        self._branches: dict[int, tuple[Node, frozenset[Any]]] = {}
        self._beginnings: dict[int, tuple[Node, frozenset[Node]]] = {}
        self._forms: dict[Any, tuple[Node, Node]] = {}
        self._orders: dict[int, tuple[Node, int]] = {}

    def same(self, text: Side, formula: Side) -> bool:
        """Return whether a side in a text is a registered one."""
        if text == formula or self.form(text) == self.form(formula):
            return True
        if self._endless(text) != self._endless(formula):
            return False
        orders = max(self._orders_of(text.node), self._orders_of(formula.node))
        if orders > MOST_ORDERS:
            return False
        with apart(orders if orders > FEW_ORDERS else 0):
            return self._compared(text, formula)

    def _compared(self, text: Side, formula: Side) -> bool:
        opaque = self._opaque(text, formula)
        if not opaque and not self._at_points(text, formula):
            return False
        sides = text.node, formula.node
        steps = has_steps(sides)
        # What a step does there no point shows.
        if steps and extreme(text.node) != extreme(formula.node):
            return False
        self._marks = marks(*sides) if steps else ()
        further = (*ZERO, *(WHOLE if steps else ()), *(MANY if has_conditions(sides) else ()))
        further += tuple(MARKED[: len(self._marks)])
        return self._far(text, formula, opaque) and self._further(text, formula, opaque, further)

    def _opaque(self, text: Side, formula: Side) -> bool:
        defined = 0
        for seed in range(POINTS):
            left, right = self._value(formula, seed, True), self._value(text, seed, True)
            if left is None and right is None:
                continue
            if left is None or right is None or not agree(left, right):
                return False
            defined += 1
            if defined == NEEDED:
                return True
        return False

    def _far(self, text: Side, formula: Side, opaque: bool) -> bool:
        """Return whether two sides agree at points beyond all usual sizes where both have a value.

        Of long sums only some terms are taken: that says nothing where the two sum over other places.
        """
        for seed in FAR:
            left, right = self._value(formula, seed, opaque), self._value(text, seed, opaque)
            if left is None or right is None or agree(left, right):
                continue
            if self._shortened(formula, seed, opaque) == self._shortened(text, seed, opaque):
                return False
        return True

    def _further(self, text: Side, formula: Side, opaque: bool, seeds: Iterable[int]) -> bool:
        """Return whether two sides agree at points, as where names are 0, where both have a value.

        Where only one has a value, see `undefined`.
        """
        values = ((self._value(formula, seed, opaque), self._value(text, seed, opaque)) for seed in seeds)
        return all(left is None or right is None or agree(left, right) for left, right in values)

    def _at_points(self, text: Side, formula: Side) -> bool:
        missing = set(self._branches_of(text.node) | self._branches_of(formula.node))
        if not missing:  # then the opaque points were points
            return False
        defined = 0
        for seed in range(POINTS):
            left, right = self._value(formula, seed, False), self._value(text, seed, False)
            if left is None and right is None:
                continue
            if left is None or right is None or not agree(left, right):
                return False
            defined += 1
            missing -= self._points(seed, False).taken
            if defined >= NEEDED and not missing:
                return True
        return False

    def form(self, side: Side) -> Node:
        """Return the form that sides share which differ in order and names only; see `canonical`."""
        key = id(side.node), side.indices
        if key not in self._forms:
            # The node beside it, so that no other one gets its identity.
            self._forms[key] = side.node, canonical(side.node, _names(side))
        return self._forms[key][1]

    def _endless(self, side: Side) -> frozenset[Node]:
        """Return where the infinite sums of a side begin."""
        if id(side.node) not in self._beginnings:
            self._beginnings[id(side.node)] = (side.node, endless(side.node))
        found = self._beginnings[id(side.node)][1]
        return frozenset(canonical(low, _names(side)) for low in found) if found else found

    def _points(self, seed: int, opaque: bool) -> Point:
        return self._made(seed, opaque, precision(), self._marks if seed in MARKED else ())

    def _orders_of(self, node: Node) -> int:
        if id(node) not in self._orders:
            self._orders[id(node)] = (node, orders_of_ten(node))
        return self._orders[id(node)][1]

    def _branches_of(self, node: Node) -> frozenset[Any]:
        if id(node) not in self._branches:
            self._branches[id(node)] = (node, frozenset(branches(node)))
        return self._branches[id(node)][1]

    def _shortened(self, side: Side, seed: int, opaque: bool) -> frozenset[int]:
        """Return the lengths of the sums of a side of which only some terms were taken."""
        self._value(side, seed, opaque)
        return self._values[self._key(side, seed, opaque)][1]

    def _key(self, side: Side, seed: int, opaque: bool) -> Any:
        # By identity: to hash a deep node takes as long as to walk through it.
        return id(side.node), side.indices, seed, opaque, precision(), self._marks if seed in MARKED else ()

    def _value(self, side: Side, seed: int, opaque: bool) -> Any:
        key = self._key(side, seed, opaque)
        if key not in self._values:
            self._nodes.append(side.node)  # so that no other node gets its identity
            # A free index is one of 0, 1, 2, 3, or a large one; at every point the same for text and formula.
            bound = {ours: _free(theirs, seed) + offset for ours, theirs, offset in side.indices}
            point = self._points(seed, opaque)
            point.shortened.clear()
            try:
                found = value(side.node, point, bound)
            except Undefined:
                found = None
            if len(self._values) > 200_000:
                self._values.clear()
                self._nodes.clear()
            self._values[key] = found, frozenset(point.shortened)
        return self._values[key][0]


def _names(side: Side) -> dict[str, Node]:
    return {ours: merged("add", (("name", theirs), number(by))) for ours, theirs, by in side.indices}


def _free(name: str, seed: int) -> int:
    small = (seed * 7 + sum(map(ord, name)) * 3) % 4
    return small + 10 ** (1 + seed % 6) if seed in FAR else small
