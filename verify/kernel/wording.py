"""From the nodes of a text to terms of the kernel, as they are written: sympy would cancel.

These terms only tell where the words are defined; nothing is proved of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theory.latex import nodes
from verify.kernel.node import ONE, KernelError, Node, add, minus, mul, name, num, substitute

_FUNCTIONS = {"floor": "floor", "Abs": "abs", "log": "log", "KroneckerDelta": "delta"}
_HEADS = {"add": add, "mul": mul}


def worded(written: nodes.Node, indices: Mapping[str, tuple[str, int]]) -> Node:
    """Return the term that a text writes.

    Args:
        written: What was read.
        indices: Free index of the text to its name in the formula, and what is added to its value there.

    Raises:
        KernelError: The kernel has no such term.
    """
    renamed = {
        ours: add(name(theirs), num(by)) if by else name(theirs) for ours, (theirs, by) in indices.items()
    }
    return substitute(_term(written), renamed)


def _term(written: nodes.Node) -> Node:
    kind, *rest = written
    if kind == "number":
        return num(rest[0])
    if kind == "name":
        return name(rest[0])
    if kind == "entry":
        return Node("entry", rest[0], *map(_term, rest[1]))
    if kind in _HEADS:
        return _HEADS[kind](*map(_term, rest))
    if kind == "pow":
        base, exponent = rest
        e = base == ("constant", "e")
        return Node("fn", "exp", _term(exponent)) if e else Node("pow", _term(base), _term(exponent))
    if written == ("constant", "e"):
        return Node("fn", "exp", ONE)
    if kind in ("max", "min"):
        return Node("fn", kind, *map(_term, rest))
    if kind == "call":
        return _call(rest[0], *map(_term, rest[1:]))
    if kind == "fold" and rest[0] == "sum":
        return _sum(*rest[1:])
    raise KernelError(f"the kernel has no {rest[0] if kind == 'fold' else kind}")


def _call(function: str, *arguments: Node) -> Node:
    if function in ("frac", "ceiling"):
        opposite = mul(num(-1), arguments[0])
        if function == "ceiling":
            return mul(num(-1), Node("fn", "floor", opposite))
        return minus(arguments[0], Node("fn", "floor", arguments[0]))
    if function not in _FUNCTIONS:
        raise KernelError(f"the kernel has no {function}")
    return Node("fn", _FUNCTIONS[function], *arguments)


def _sum(body: nodes.Node, ranges: Any, conditions: Any) -> Node:
    """Return a sum over all places of its ranges: more must be defined than under its conditions.

    A range ends at the least bound of its index among the conditions if it has no other end.
    """
    found = _term(body)
    inner = {index for index, _, _ in ranges}
    for index, low, high in reversed(ranges):
        end = _end(index, high, conditions, inner)
        found = Node("sum", index, _term(low), _term(end), found)
    return found


def _end(index: str, high: nodes.Node, conditions: Any, inner: set[str]) -> nodes.Node:
    if nodes.INFINITY not in (high, *high[1:]):
        return high
    for left, sign, right in conditions:
        if left == ("name", index) and sign in ("<", "<=") and not nodes.names_of(right) & inner:
            return right if sign == "<=" else nodes.shifted(right, -1)
    raise KernelError("the kernel has no sum without an end")
