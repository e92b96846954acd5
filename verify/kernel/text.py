"""Terms and formulas as plain text, for messages and for `show --proof`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.kernel.node import Node

_SIGNS = {"le": "<=", "lt": "<", "eq": "=", "ne": "!="}


def text(node: Node) -> str:
    """Return a node as text."""
    return _text(node, 0)


def _text(node: Node, level: int) -> str:
    """Return the text, in brackets where the surroundings bind more strongly (0 sum, 1 product, 2 power)."""
    op, args = node.op, node.args
    if op == "num":
        value: Fraction = args[0]
        return f"({value})" if (level and value < 0) or (level > 1 and value.denominator > 1) else str(value)
    if op == "name":
        return str(args[0])
    if op == "entry":
        return f"{args[0]}[{', '.join(map(text, args[1:]))}]"
    if op == "add":
        joined = "".join(_signed(item, first=k == 0) for k, item in enumerate(args))
        return f"({joined})" if level else joined
    if op == "mul":
        return _product(node, level)
    if op == "pow":
        base, exponent = args
        if exponent.op == "num" and exponent.args[0] == Fraction(1, 2):
            return f"sqrt({text(base)})"
        written = f"{_text(base, 3)}^{_text(exponent, 3)}"
        return f"({written})" if level > 1 else written
    if op == "sum":
        return (
            f"Sum[{args[0]}={text(args[1])}..{text(args[2])}] {_text(args[3], 1)}"
            if not level
            else (f"(Sum[{args[0]}={text(args[1])}..{text(args[2])}] {_text(args[3], 1)})")
        )
    if op == "fn":
        return f"{args[0]}({', '.join(map(text, args[1:]))})"
    if op == "mean":
        body, family, ranges, mean, variance = args
        over = ", ".join(f"{i}={text(a)}..{text(b)}" for i, a, b in ranges)
        indices = ", ".join(i for i, _, _ in ranges)
        return f"E({text(body)}; {family}[{indices}], {over}, mean {text(mean)}, variance {text(variance)})"
    if op == "int":
        return f"{text(args[0])} is an integer"
    if op == "power":
        return f"{text(args[0])} > 0 or {text(args[1])} is a natural number"
    if op == "every":
        end = "infinity" if args[2] is None else text(args[2])
        return f"for {args[0]} = {text(args[1])}..{end}: {text(args[3])}"
    if op == "family":
        return f"for every family {args[0]}: {text(args[1])}"
    return f"{text(args[0])} {_SIGNS[op]} {text(args[1])}"


def _signed(item: Node, *, first: bool) -> str:
    written = _text(item, 0 if item.op != "add" else 1)
    if written.startswith("-"):
        return written if first else f" - {written[1:]}"
    return written if first else f" + {written}"


def _product(node: Node, level: int) -> str:
    sign, above, below = "", [], []
    for item in node.args:
        if item.op == "num" and item.args[0] == -1:
            sign = "" if sign else "-"
        elif item.op == "pow" and item.args[1].op == "num" and item.args[1].args[0] < 0:
            power = -item.args[1].args[0]
            below.append(
                _text(item.args[0], 3) if power == 1 else f"{_text(item.args[0], 3)}^{_exponent(power)}"
            )
        else:
            above.append(_text(item, 1))
    written = sign + ("*".join(above) or "1")
    if below:
        written += "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
    return f"({written})" if level > 1 or (level and sign) else written


def _exponent(power: Fraction) -> str:
    return str(power) if power.denominator == 1 else f"({power})"
