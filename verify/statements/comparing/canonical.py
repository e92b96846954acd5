"""One form for nodes that differ only in the order of terms and factors and in how indices are named.

Equal forms are the same function, defined at the same places; different ones say nothing, and are compared at
points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from theory.latex.nodes import Node, number


def canonical(node: Node, names: Mapping[str, Node], depth: int = 0) -> Node:
    """Return a node with sorted and merged terms and factors, its indices numbered and counted from 0.

    Args:
        node: The node.
        names: What stands for a free name, in canonical form.
        depth: How many indices are bound around it.
    """
    kind = node[0]
    if kind == "name":
        return names.get(node[1], node)
    if kind == "entry":
        return kind, node[1], tuple(canonical(item, names, depth) for item in node[2])
    if kind in ("add", "mul"):
        return merged(kind, (canonical(item, names, depth) for item in node[1:]))
    if kind == "pow":
        return _power(canonical(node[1], names, depth), canonical(node[2], names, depth))
    if kind in ("max", "min"):
        return kind, *sorted((canonical(item, names, depth) for item in node[1:]), key=repr)
    if kind == "call" and node[1] == "frac":
        whole = canonical(node[2], names, depth)
        return merged("add", (whole, merged("mul", (number(-1), ("call", "floor", whole)))))
    if kind == "call":
        return kind, node[1], *(canonical(item, names, depth) for item in node[2:])
    if kind == "cases":
        cases = (
            (canonical(item, names, depth), _tests(tests or (), names, depth)) for item, tests in node[1:]
        )
        return kind, *cases
    if kind == "fold":
        return _fold(node, names, depth)
    return node


def merged(kind: str, items: Any) -> Node:
    """Return a sum or product of canonical nodes, its numbers in one."""
    neutral = Fraction(0 if kind == "add" else 1)
    constant, others = neutral, []
    for item in _members(kind, items):
        if item[0] == "number":
            constant = constant + item[1] if kind == "add" else constant * item[1]
        else:
            others.append(item)
    if constant != neutral or not others:
        others.append(number(constant))
    return (kind, *sorted(others, key=repr)) if len(others) > 1 else others[0]


def _members(kind: str, items: Any) -> Iterator[Node]:
    for item in items:
        yield from item[1:] if item[0] == kind else (item,)


def _power(base: Node, exponent: Node) -> Node:
    if exponent[0] != "number" or exponent[1].denominator != 1 or exponent[1] == 0:
        return "pow", base, exponent
    power = int(exponent[1])
    if power == 1:
        return base
    if base[0] == "number" and base[1]:
        return number(base[1] ** power)
    if base[0] == "mul":  # an integer power of a product is that of its factors
        return merged("mul", (_power(item, exponent) for item in base[1:]))
    if base[0] == "pow" and base[2][0] == "number" and base[2][1].denominator == 1:
        inner = int(base[2][1])
        if inner > 0 or power > 0:  # the inverse of an inverse is not defined at 0
            return "pow", base[1], number(inner * power)
    return "pow", base, exponent


def _fold(node: Node, names: Mapping[str, Node], depth: int) -> Node:
    """Return a sum, product or extremum over indices, sums of sums as one."""
    _, kind, body, ranges, tests = node
    inner, extents = dict(names), []
    for name, low, high in ranges:
        first, last = canonical(low, inner, depth), canonical(high, inner, depth)
        index: Node = ("bound", depth)
        if first[0] == "number":  # counted from 0
            if last != ("infinity",):
                last = merged("add", (last, number(-first[1])))
            index, first = merged("add", (index, first)), number(0)
        extents.append((first, last))
        inner[name] = index
        depth += 1
    content = canonical(body, inner, depth)
    conditions = _tests(tests, inner, depth)
    if kind == "sum" and content[:2] == ("fold", "sum") and not conditions and not content[4]:
        return "fold", kind, content[2], (*extents, *content[3]), ()
    return "fold", kind, content, tuple(extents), conditions


def _tests(tests: Any, names: Mapping[str, Node], depth: int) -> Node:
    return tuple(
        (canonical(left, names, depth), sign, canonical(right, names, depth)) for left, sign, right in tests
    )
