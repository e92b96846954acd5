"""A formula over vectors, written out at a small dimension with the given entries.

So a step of a derivation can contain a stated formula itself: changing the formula changes the step.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from sympy import (
    Add,
    Expr,
    Ge,
    Indexed,
    Integer,
    Min,
    Mul,
    Piecewise,
    Product,
    Sum,
    Symbol,
    false,
    floor,
    sympify,
    true,
)
from sympy.core.relational import Relational


def instance(formula: Expr, values: Mapping[Any, Any], fractions: Sequence[Symbol] = ()) -> Expr:
    """Return a formula with its sums and products written out.

    Args:
        formula: Formula of a claim.
        values: For a scalar symbol an expression (an integer for a dimension or an index), for an array a
            sequence of expressions, or of rows of them.
        fractions: Symbols that stand for numbers in [0, 1): rounded down they are 0.
    """
    rules: dict[Any, Any] = {}
    for p in fractions:
        rules |= {floor(p): Integer(0), Ge(p, 1): false, Min(1, p): p}
    return _written_out(formula, values, rules)


# Values go in from the leaves up: substituting in the whole formula rebuilds it for every entry.
def _written_out(part: Any, values: Mapping[Any, Any], rules: Mapping[Any, Any]) -> Any:
    if isinstance(part, Indexed):
        entry = values[part.base]
        for index in part.indices:
            entry = entry[int(_written_out(index, values, rules))]
        return sympify(entry)
    if isinstance(part, Symbol):
        return sympify(values.get(part, part))
    if isinstance(part, Sum | Product):
        return _terms(part, values, rules)
    if isinstance(part, Piecewise):
        return _branch(part, values, rules)
    if not part.args:
        return part
    arguments = tuple(_written_out(item, values, rules) for item in part.args)
    if isinstance(part, floor):
        return _rounded_down(*arguments).xreplace(rules)
    result = part.func(*arguments)
    return result.xreplace(rules) if isinstance(part, Min | Relational) else result


# Rounding a logarithm down evaluates it to many digits; few distinct ones occur.
_rounded_down = functools.cache(floor)


def _terms(part: Any, values: Mapping[Any, Any], rules: Mapping[Any, Any]) -> Any:
    *inner, (index, first, last) = part.limits
    body = part.func(part.function, *inner) if inner else part.function
    first, last = (_written_out(limit, values, rules) for limit in (first, last))
    if not (first.is_Integer and last.is_Integer):
        raise ValueError(f"limits of {part} are no integers; give values for their symbols")
    places = range(int(first), int(last) + 1)
    terms = [_written_out(body, {**values, index: Integer(place)}, rules) for place in places]
    return Add(*terms) if isinstance(part, Sum) else Mul(*terms)


def _branch(part: Any, values: Mapping[Any, Any], rules: Mapping[Any, Any]) -> Any:
    """Return the branch whose condition holds; a branch that is not taken need not be defined."""
    for value, condition in part.args:
        decided = _written_out(condition, values, rules)
        if decided == true:
            return _written_out(value, values, rules)
        if decided != false:
            raise ValueError(f"condition {decided} is not decided; give symbols with a sign")
    raise ValueError(f"no branch of {part} applies")
