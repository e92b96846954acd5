"""When two formulas are the same: by the forms of their terms, whatever the names of bound indices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.kernel.memory import kept
from verify.kernel.node import Node, minus, name, rename_family, substitute
from verify.kernel.normal.forms import Form, constant, form_of, multiplied


def scaled(form: Form) -> tuple[int, Form]:
    """Return the sign of the leading coefficient and the form divided by it."""
    if form.is_zero:
        return 1, form
    lead = form.num[-1][1]
    return (1 if lead > 0 else -1), multiplied(constant(1 / lead), form)


@kept(maxsize=100_000)
def formula_key(formula: Node, level: int = 0) -> tuple[Any, ...]:
    """Return what formulas that say the same share.

    Inequalities are compared by their slack up to a positive number, equations up to any number.
    """
    op, args = formula.op, formula.args
    if op in ("le", "lt"):
        sign, form = scaled(form_of(minus(args[1], args[0])))
        return (op, sign, form)
    if op in ("eq", "ne"):
        return (op, scaled(form_of(minus(args[1], args[0])))[1])
    if op == "int":
        return (op, form_of(args[0]))
    if op == "power":
        return (op, form_of(args[0]), form_of(args[1]))
    if op == "every":
        index, low, high, body = args
        bound = f"@{level}"
        span = (form_of(low), None if high is None else form_of(high))
        return (op, *span, formula_key(substitute(body, {index: name(bound)}), level + 1))
    family, body = args
    return (op, formula_key(rename_family(body, family, f"@{level}"), level + 1))


def truth(formula: Node) -> bool | None:
    """Return whether a comparison of numbers is true, None where it is no comparison of numbers."""
    if formula.op not in ("le", "lt", "eq", "ne", "int"):
        return None
    if formula.op == "int":
        value = form_of(formula.args[0]).number
        return None if value is None else value.denominator == 1
    value = form_of(minus(formula.args[1], formula.args[0])).number
    if value is None:
        return None
    zero = Fraction(0)
    return {"le": value >= zero, "lt": value > zero, "eq": value == zero, "ne": value != zero}[formula.op]
