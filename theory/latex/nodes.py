"""Mathematics as plain tuples, which are cheap to build and to evaluate; from sympy and to it.

A node is a tuple of a kind and its arguments: `("number", Fraction)`, `("name", NAME)`,
`("entry", NAME, indices)`, `("add", ...)`, `("mul", ...)`, `("pow", base, exponent)`,
`("call", FUNCTION, ...)`, `("max", ...)`, `("min", ...)`,
`("fold", KIND, body, ((NAME, low, high), ...), conditions)`, `("cases", (value, condition), ...)` and
`("expectation", body, FAMILY, ((NAME, low, high), ...), mean, variance)`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

Node = tuple[Any, ...]

ONE: Node = ("number", Fraction(1))
ZERO: Node = ("number", Fraction(0))
INFINITY: Node = ("infinity",)
FUNCTIONS = ("floor", "ceiling", "frac", "Abs", "log", "factorial", "binomial", "sign")


class Unreadable(ValueError):
    """A formula or a text cannot be read; the message says what stands in the way."""


def number(value: int | Fraction) -> Node:
    """Return a number."""
    return ("number", Fraction(value))


def minus(node: Node) -> Node:
    """Return the negative."""
    return ("mul", number(-1), node)


def over(left: Node, right: Node) -> Node:
    """Return a quotient."""
    return ("mul", left, ("pow", right, number(-1)))


def shifted(node: Node, offset: int) -> Node:
    """Return the node plus an integer."""
    if offset == 0:
        return node
    if node[0] == "number":
        return number(node[1] + offset)
    return ("add", node, number(offset))


def names_of(node: Node) -> frozenset[str]:
    """Return the names of scalars (also indices) that are free in a node."""
    found: set[str] = set()
    _add_names(node, frozenset(), found)
    return frozenset(found)


def _add_names(node: Node, bound: frozenset[str], found: set[str]) -> None:
    kind = node[0]
    if kind == "name":
        if node[1] not in bound:
            found.add(node[1])
    elif kind == "entry":
        for item in node[2]:
            _add_names(item, bound, found)
    elif kind == "fold":
        inner = bound | {name for name, _, _ in node[3]}
        _add_names(node[2], inner, found)
        for _, low, high in node[3]:
            _add_names(low, inner, found)
            _add_names(high, inner, found)
        _add_names_of_tests(node[4], inner, found)
    elif kind == "expectation":
        _add_names(node[1], bound, found)
        inner = bound | {name for name, _, _ in node[3]}
        for item in (*(end for _, *both in node[3] for end in both), *node[4:]):
            _add_names(item, inner, found)
    elif kind == "cases":
        for value, condition in node[1:]:
            _add_names(value, bound, found)
            _add_names_of_tests(condition or (), bound, found)
    elif kind != "number":
        for item in node[1:]:
            if isinstance(item, tuple):
                _add_names(item, bound, found)


def _add_names_of_tests(tests: Node, bound: frozenset[str], found: set[str]) -> None:
    for test in tests:
        _add_names(test[0], bound, found)
        _add_names(test[2], bound, found)


def check_indices(sides: Iterable[Node]) -> None:
    r"""Refuse a letter of which the sides of a relation do not tell whether it is the index of a sum.

    $w_i=L_i/\sum_iL_i$ tells it, but $b_j\sum_{i\ne j}b_i$ may be a sum over $i$ alone or over both.

    Raises:
        Unreadable: It is an index of a sum under a condition, and free beside it or that of a sum around it.
    """
    sides = tuple(sides)
    free = frozenset[str]().union(*map(names_of, sides))
    for name in _doubtful(sides, free, frozenset()):
        raise Unreadable(
            f"the index {name} of a sum, product or extremum stands outside of it, too: write another letter "
            "or its bounds"
        )


def _doubtful(node: Any, free: frozenset[str], bound: frozenset[str]) -> Iterator[str]:
    if not isinstance(node, tuple):
        return
    if node and node[0] == "fold":
        own = frozenset(name for name, _, _ in node[3])
        yield from sorted(own & (bound | free)) if node[4] else ()
        bound |= own
    for item in node:
        yield from _doubtful(item, free, bound)


def entries_of(node: Any) -> list[Node]:
    """Return the entries of arrays in a node."""
    if not isinstance(node, tuple):
        return []
    found = [node] if node and node[0] == "entry" else []
    for item in node:
        found += entries_of(item)
    return found


@functools.lru_cache(maxsize=4096)
def from_sympy(expression: Any) -> Node:
    """Return a sympy expression as a node.

    Raises:
        Unreadable: It contains something that statements cannot say.
    """
    import sympy

    if expression.is_Rational:
        return number(Fraction(int(expression.p), int(expression.q)))
    if expression is sympy.oo:
        return INFINITY
    if expression in (sympy.E, sympy.pi):
        return ("constant", "e" if expression is sympy.E else "pi")
    if isinstance(expression, sympy.Symbol):
        return ("name", expression.name)
    if isinstance(expression, sympy.Indexed):
        return ("entry", str(expression.base.label), tuple(from_sympy(item) for item in expression.indices))
    if isinstance(expression, sympy.Sum | sympy.Product):
        kind = "sum" if isinstance(expression, sympy.Sum) else "prod"
        # The first limit of sympy is the innermost one; a fold has the outermost first.
        limits = tuple(
            (limit[0].name, from_sympy(limit[1]), from_sympy(limit[2]))
            for limit in reversed(expression.limits)
        )
        return ("fold", kind, from_sympy(expression.function), limits, ())
    if type(expression).__name__ in ("MaxOver", "MinOver"):
        body, (index, low, high) = expression.args
        kind = type(expression).__name__[:3].lower()
        return ("fold", kind, from_sympy(body), ((index.name, from_sympy(low), from_sympy(high)),), ())
    if isinstance(expression, sympy.Piecewise):
        return ("cases", *[(from_sympy(value), _conditions(test)) for value, test in expression.args])
    if isinstance(expression, sympy.exp):
        return ("pow", ("constant", "e"), from_sympy(expression.args[0]))
    heads = {sympy.Add: "add", sympy.Mul: "mul", sympy.Pow: "pow", sympy.Max: "max", sympy.Min: "min"}
    name = expression.func.__name__
    if expression.func not in heads and not isinstance(expression, sympy.Function):
        raise Unreadable(f"a statement cannot say {name}: {expression}")
    children = tuple(from_sympy(item) for item in expression.args)
    return (heads[expression.func], *children) if expression.func in heads else ("call", name, *children)


def _conditions(test: Any) -> tuple[Node, ...] | None:
    """Return the comparisons of a condition, all of which must hold; None if it always holds."""
    import sympy

    if test == True:  # noqa: E712 - sympy's true is another object
        return None
    if isinstance(test, sympy.And):
        return tuple(item for part in test.args for item in _conditions(part) or ())
    signs = {"Le": "<=", "Lt": "<", "Ge": ">=", "Gt": ">", "Eq": "=", "Ne": "!="}
    sign = signs.get(_relational(test))
    if sign is None:
        raise Unreadable(f"a statement cannot say the condition {test}")
    return ((from_sympy(test.args[0]), sign, from_sympy(test.args[1])),)


def _relational(test: Any) -> str:
    import sympy

    for name in ("Le", "Lt", "Ge", "Gt", "Eq", "Ne"):
        if isinstance(test, getattr(sympy, name)):
            return name
    return ""


def to_sympy(node: Node) -> Any:
    """Return a node as a sympy expression, for readers."""
    import sympy

    kind = node[0]
    if kind == "number":
        return sympy.Rational(node[1].numerator, node[1].denominator)
    if kind == "infinity":
        return sympy.oo
    if kind == "constant":
        return sympy.E if node[1] == "e" else sympy.pi
    if kind == "name":
        return sympy.Symbol(node[1], real=True)
    if kind == "entry":
        return sympy.IndexedBase(node[1], real=True)[tuple(to_sympy(item) for item in node[2])]
    if kind == "fold":
        limits = [
            (sympy.Symbol(name, real=True), to_sympy(low), to_sympy(high)) for name, low, high in node[3]
        ]
        head = {"sum": sympy.Sum, "prod": sympy.Product, "max": _max_over, "min": _min_over}[node[1]]
        body = to_sympy(node[2])
        if node[4]:
            tests = [_test(condition) for condition in node[4]]
            body = sympy.Piecewise((body, sympy.And(*tests)), (0 if node[1] == "sum" else 1, True))
        return head(body, *reversed(limits))
    if kind == "cases":
        return sympy.Piecewise(
            *[
                (to_sympy(value), True if test is None else sympy.And(*map(_test, test)))
                for value, test in node[1:]
            ]
        )
    if kind == "call":
        name, arguments = node[1], [to_sympy(item) for item in node[2:]]
        return (getattr(sympy, name) if name in FUNCTIONS else sympy.Function(name))(*arguments)
    heads = {"add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow, "max": sympy.Max, "min": sympy.Min}
    return heads[kind](*[to_sympy(item) for item in node[1:]])


def _max_over(body: Any, limits: Any) -> Any:
    from theory.extremum import MaxOver

    return MaxOver(body, limits)


def _min_over(body: Any, limits: Any) -> Any:
    from theory.extremum import MinOver

    return MinOver(body, limits)


def _test(condition: Node) -> Any:
    import sympy

    heads = {"<=": sympy.Le, "<": sympy.Lt, ">=": sympy.Ge, ">": sympy.Gt, "=": sympy.Eq, "!=": sympy.Ne}
    return heads[condition[1]](to_sympy(condition[0]), to_sympy(condition[2]))
