"""Defining properties of functions, by name.

Each maps its arguments to hypotheses and a conclusion, and holds for all real numbers wherever the hypotheses
hold and the terms are defined.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.kernel.node import ONE, ZERO, KernelError, Node, add, mul, num

Axiom = tuple[tuple[Node, ...], Node]


def _le(a: Node, b: Node) -> Node:
    return Node("le", a, b)


def _lt(a: Node, b: Node) -> Node:
    return Node("lt", a, b)


def _eq(a: Node, b: Node) -> Node:
    return Node("eq", a, b)


def _fn(function: str, *arguments: Node) -> Node:
    return Node("fn", function, *arguments)


def _pow(base: Node, exponent: Node) -> Node:
    return Node("pow", base, exponent)


def _constant(node: Node) -> Fraction:
    if node.op != "num":
        raise KernelError(f"{node!r} must be a rational number here")
    return node.args[0]  # type: ignore[no-any-return]


def _product_power(a: Node, b: Node, r: Node) -> Axiom:
    _constant(r)
    return (_lt(ZERO, a), _lt(ZERO, b)), _eq(_pow(mul(a, b), r), mul(_pow(a, r), _pow(b, r)))


def _product_root(a: Node, b: Node, r: Node) -> Axiom:
    if _constant(r) <= 0:
        raise KernelError(f"{r!r} must be positive; for negative exponents use power-product")
    return (_le(ZERO, a), _le(ZERO, b)), _eq(_pow(mul(a, b), r), mul(_pow(a, r), _pow(b, r)))


def _power_of_power(a: Node, r: Node, s: Node) -> Axiom:
    product = num(_constant(r) * _constant(s))
    return (_lt(ZERO, a),), _eq(_pow(_pow(a, r), s), _pow(a, product))


def _root_of_root(a: Node, r: Node, s: Node) -> Axiom:
    first, second = _constant(r), _constant(s)
    if first <= 0 or second <= 0:
        raise KernelError("both exponents must be positive; else use power-power")
    return (_le(ZERO, a),), _eq(_pow(_pow(a, r), s), _pow(a, num(first * second)))


def _log_power(a: Node, r: Node) -> Axiom:
    return (_lt(ZERO, a),), _eq(_fn("log", _pow(a, r)), mul(r, _fn("log", a)))


AXIOMS: dict[str, Callable[..., Axiom]] = {
    # absolute value
    "abs-above": lambda x: ((), _le(x, _fn("abs", x))),
    "abs-below": lambda x: ((), _le(mul(num(-1), x), _fn("abs", x))),
    "abs-nonnegative": lambda x: ((), _le(ZERO, _fn("abs", x))),
    "abs-of-nonnegative": lambda x: ((_le(ZERO, x),), _eq(_fn("abs", x), x)),
    "abs-of-nonpositive": lambda x: ((_le(x, ZERO),), _eq(_fn("abs", x), mul(num(-1), x))),
    "abs-product": lambda x, y: ((), _eq(_fn("abs", mul(x, y)), mul(_fn("abs", x), _fn("abs", y)))),
    # maximum and minimum
    "max-above-left": lambda a, b: ((), _le(a, _fn("max", a, b))),
    "max-above-right": lambda a, b: ((), _le(b, _fn("max", a, b))),
    "max-least": lambda a, b, c: ((_le(a, c), _le(b, c)), _le(_fn("max", a, b), c)),
    "max-is-right": lambda a, b: ((_le(a, b),), _eq(_fn("max", a, b), b)),
    "min-below-left": lambda a, b: ((), _le(_fn("min", a, b), a)),
    "min-below-right": lambda a, b: ((), _le(_fn("min", a, b), b)),
    "min-greatest": lambda a, b, c: ((_le(c, a), _le(c, b)), _le(c, _fn("min", a, b))),
    "min-is-left": lambda a, b: ((_le(a, b),), _eq(_fn("min", a, b), a)),
    # floor and integers
    "floor-below": lambda x: ((), _le(_fn("floor", x), x)),
    "floor-above": lambda x: ((), _lt(x, add(_fn("floor", x), ONE))),
    "floor-integer": lambda x: ((), Node("int", _fn("floor", x))),
    "floor-unique": lambda x, k: ((Node("int", k), _le(k, x), _lt(x, add(k, ONE))), _eq(_fn("floor", x), k)),
    "integer-gap": lambda a, b: ((Node("int", a), Node("int", b), _lt(a, b)), _le(add(a, ONE), b)),
    # logarithm and exponential
    "log-product": lambda a, b: (
        (_lt(ZERO, a), _lt(ZERO, b)),
        _eq(_fn("log", mul(a, b)), add(_fn("log", a), _fn("log", b))),
    ),
    "log-power": _log_power,
    "log-below": lambda a: ((_lt(ZERO, a),), _le(_fn("log", a), add(a, num(-1)))),
    "log-exp": lambda x: ((), _eq(_fn("log", _fn("exp", x)), x)),
    "exp-log": lambda a: ((_lt(ZERO, a),), _eq(_fn("exp", _fn("log", a)), a)),
    "exp-above": lambda x: ((), _le(add(ONE, x), _fn("exp", x))),
    "exp-sum": lambda x, y: ((), _eq(_fn("exp", add(x, y)), mul(_fn("exp", x), _fn("exp", y)))),
    # powers with rational exponents
    "power-product": _product_power,
    "root-product": _product_root,
    "power-power": _power_of_power,
    "root-root": _root_of_root,
    "power-zero": lambda q: ((), _eq(_pow(q, ZERO), ONE)),
    # delta
    "delta-same": lambda s: ((), _eq(_fn("delta", s, s), ONE)),
    "delta-other": lambda s, t: ((Node("ne", s, t),), _eq(_fn("delta", s, t), ZERO)),
}


def axiom(name: str, arguments: tuple[Node, ...]) -> Axiom:
    """Return the hypotheses and the conclusion of an axiom at these arguments.

    Raises:
        KernelError: There is no such axiom, or the arguments do not fit.
    """
    if name not in AXIOMS:
        raise KernelError(f"axiom {name!r} is unknown; known: {', '.join(AXIOMS)}")
    try:
        return AXIOMS[name](*arguments)
    except TypeError as error:
        raise KernelError(f"axiom {name!r} does not take {len(arguments)} arguments") from error
