"""By how many orders of ten the constants of a node differ from 1: terms that few digits do not show."""

from __future__ import annotations

import math
from typing import Any

from theory.latex.nodes import Node

_CONSTANTS = {"e": math.e, "pi": math.pi}
_LARGEST = 10.0**9


def orders_of_ten(node: Any) -> int:
    """Return by how many orders of ten the constants in a node may take it away from 1, rounded up."""
    return math.ceil(min(_orders(node), _LARGEST))


def _orders(node: Any) -> float:
    if not isinstance(node, tuple) or not node:
        return 0.0
    if node[0] == "number":
        ends = abs(node[1].numerator), node[1].denominator
        return max(math.log10(item) for item in ends if item) if any(ends) else 0.0
    if node[0] == "constant":
        return math.log10(_CONSTANTS.get(node[1], 1.0))
    if node[0] == "pow":
        return min(_orders(node[1]) * _size(node[2]), _LARGEST)
    if node[:2] in (("call", "factorial"), ("call", "binomial")):
        sizes = [_size(item) for item in node[2:]]
        return min(max(sizes) * math.log10(max(sizes) + 1), _LARGEST)
    if node[0] == "fold" and node[1] in ("sum", "prod"):
        terms = _terms(node)
        inner = [_orders(item) for item in node[2:]]
        return min(inner[0] * terms if node[1] == "prod" else sum(inner) + math.log10(terms), _LARGEST)
    inner = [_orders(item) for item in (node[1:] if isinstance(node[0], str) else node)]
    if node[0] == "mul":
        return sum(inner)
    # Ten ones are a ten.
    return max(inner, default=0.0) + (math.log10(len(inner)) if node[0] == "add" and inner else 0.0)


def _terms(node: Node) -> float:
    """Return about how many terms a sum or product has where names are 1, 1 at least."""
    return min(math.prod(max(1.0, _size(high) + _size(low)) for _, low, high in node[3]), _LARGEST)


def _size(node: Node) -> float:
    """Return about how large an exponent is where its names are 1."""
    if node[0] == "number":
        return float(min(abs(node[1]), _LARGEST))
    if node[0] == "constant":
        return _CONSTANTS.get(node[1], 1.0)
    inner = [_size(item) for item in node[1:] if isinstance(item, tuple) and item]
    if node[0] == "mul":
        return min(math.prod(inner), _LARGEST)
    if node[0] == "add":
        return min(sum(inner), _LARGEST)
    if node[0] == "pow":
        base, power = inner
        return 10 ** min(math.log10(max(base, 1.0)) * power, math.log10(_LARGEST))
    if node[:2] in (("call", "factorial"), ("call", "binomial")):
        return 10 ** min(_orders(node), math.log10(_LARGEST))
    if node[0] == "fold" and node[1] in ("sum", "prod"):
        body, terms = _size(node[2]), _terms(node)
        many = math.log10(max(body, 1.0)) * terms if node[1] == "prod" else math.log10(max(body, 1.0) * terms)
        return 10 ** min(many, math.log10(_LARGEST))
    if node[0] == "fold":
        return _size(node[2])
    if node[0] == "cases":
        return max(_size(item) for item, _ in node[1:])
    return max(inner, default=1.0)
