"""What solvers are asked: formulas of the kernel, over real symbols of its own and as they stand.

Nothing of the author's expressions goes to a solver, and sympy simplifies nothing on the way.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.kernel.node import KernelError, Node, num, substitute
from verify.kernel.text import text

_RELATIONS = {"le": sympy.Le, "lt": sympy.Lt, "eq": sympy.Eq, "ne": sympy.Ne}
_FUNCTIONS = {"abs": sympy.Abs, "max": sympy.Max, "min": sympy.Min}
_LONGEST = 64
"""Terms of a sum that are written out."""


def relation_of(formula: Node) -> Any:
    """Return a comparison of polynomials and quotients as a relation of sympy that is not evaluated.

    Raises:
        KernelError: It is none.
    """
    if formula.op not in _RELATIONS:
        raise KernelError(
            f"{text(formula)} is no comparison; solvers take comparisons of polynomials and quotients"
        )
    return _RELATIONS[formula.op](*map(_expression, formula.args), evaluate=False)


def _expression(node: Node) -> Any:
    op, args = node.op, node.args
    if op == "num":
        return sympy.Rational(args[0].numerator, args[0].denominator)
    if op == "name":
        return sympy.Symbol(args[0], real=True)
    if op in ("add", "mul"):
        kind = sympy.Add if op == "add" else sympy.Mul
        return kind(*map(_expression, args), evaluate=False)
    if op == "pow" and args[1].op == "num" and args[1].args[0]:
        return sympy.Pow(_expression(args[0]), _expression(args[1]), evaluate=False)
    if op == "fn" and args[0] in _FUNCTIONS:
        return _FUNCTIONS[args[0]](*map(_expression, args[1:]), evaluate=False)
    if op == "entry" and all(item.op in ("num", "name") for item in args[1:]):
        # Any real number, whatever the others are: also where two indices may be the same.
        return sympy.Symbol(text(node), real=True)
    if op == "sum" and args[1].op == args[2].op == "num":
        first, last = (item.args[0] for item in args[1:3])
        if first.denominator == last.denominator == 1 and first <= last < first + _LONGEST:
            places = range(int(first), int(last) + 1)
            return sympy.Add(
                *(_expression(substitute(args[3], {args[0]: num(k)})) for k in places), evaluate=False
            )
    raise KernelError(f"{text(node)} is nothing that solvers of polynomials and quotients read")
