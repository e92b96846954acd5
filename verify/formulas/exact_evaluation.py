"""Formulas as functions of exact values: rational numbers as `fmpq`, others as sympy numbers."""

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import fmpq

if TYPE_CHECKING:
    from sympy import Basic

Scope = Mapping["Basic", Any]
"""Values of the symbols and vectors of a formula; those of a vector as nested tuples."""

Exact = Callable[[Scope], Any]


class UndecidedError(ValueError):
    """An expression has no exact value that could be told; the message names it."""


def as_exact(value: Any) -> Any:
    """Return an exact number as `fmpq` or, where it is irrational, as a sympy number; None for others."""
    from sympy import Basic

    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    if isinstance(value, Basic):
        return _rational(value) if value.is_number and not value.is_Float else None
    return fmpq(value.__index__()) if hasattr(value, "__index__") else None


def as_sympy(value: Any) -> "Basic":
    """Return a value as a sympy object."""
    from sympy import Rational, sympify

    if isinstance(value, fmpq):
        return Rational(int(value.p), int(value.q))
    return sympify(value)


def argument_of_binary_logarithm(node: "Basic") -> "Basic | None":
    """Return the argument where the node is the integer part of a binary logarithm, else None."""
    from sympy import floor, log

    if not isinstance(node, floor):
        return None
    numerator = node.args[0] * log(2)
    return numerator.args[0] if isinstance(numerator, log) else None


@functools.cache
def compiled_exactly(node: "Basic") -> Exact:
    """Return the function of a scope that an expression is; branches that do not apply are not looked at."""
    from sympy import Indexed, Piecewise, Product, Sum, Symbol

    if isinstance(node, Indexed):
        return _entry(node)
    if isinstance(node, Symbol):
        return lambda scope: scope.get(node, node)
    if isinstance(node, Piecewise):
        return _branches(node)
    if isinstance(node, Sum | Product):
        return _folded(node)
    if not node.args:
        constant = _rational(node)
        return lambda scope: constant
    number = argument_of_binary_logarithm(node)
    if number is not None:
        inner = compiled_exactly(number)
        return lambda scope: _floor_of_binary_logarithm(inner(scope))
    return _operation(node)


def _entry(node: Any) -> Exact:
    base, places = node.base, [compiled_exactly(index) for index in node.indices]

    def entry(scope: Scope) -> Any:
        found = scope[base]
        for place in places:
            found = found[_position(place(scope))]
        return found

    return entry


def _branches(node: Any) -> Exact:
    branches = [(compiled_exactly(condition), compiled_exactly(value)) for value, condition in node.args]

    def chosen(scope: Scope) -> Any:
        for condition, value in branches:
            if condition(scope) == True:  # noqa: E712 - sympy's true is another object
                return value(scope)
        raise UndecidedError(f"{node} has no branch at these values")

    return chosen


def _folded(node: Any) -> Exact:
    from sympy import Add, Mul, Sum

    inner = compiled_exactly(node.function)
    limits = [(index, compiled_exactly(first), compiled_exactly(last)) for index, first, last in node.limits]
    rational, general = (_sum, Add) if isinstance(node, Sum) else (_product, Mul)

    def folded(scope: Scope) -> Any:
        return _combined([inner(at) for at in _ranges(limits, scope)], rational, general)

    return folded


def _operation(node: "Basic") -> Exact:
    from sympy import floor

    parts = [compiled_exactly(argument) for argument in node.args]
    rational = _rational_form(node)

    def operation(scope: Scope) -> Any:
        values = [part(scope) for part in parts]
        result = _combined(values, rational, node.func)
        if isinstance(result, floor):
            raise UndecidedError(f"{result} could not be decided exactly")
        return result

    return operation


def _combined(values: list[Any], rational: Callable[[list[Any]], Any] | None, general: Any) -> Any:
    """Return what an operation makes of values: of rational numbers by `fmpq` where it can, else by sympy."""
    if rational is not None and all(type(value) is fmpq or type(value) is bool for value in values):
        result = rational(values)
        if result is not None:
            return result
    return _rational(general(*map(as_sympy, values)))


def _rational_form(node: "Basic") -> Callable[[list[Any]], Any] | None:
    """Return what an operation does to rational numbers, None where only sympy knows."""
    import sympy

    forms: Mapping[Any, Callable[[list[Any]], Any]] = {
        sympy.Add: _sum,
        sympy.Mul: _product,
        sympy.Pow: _power,
        sympy.Max: max,
        sympy.Min: min,
        sympy.Abs: lambda values: abs(values[0]),
        sympy.floor: lambda values: fmpq(values[0].floor()),
        sympy.ceiling: lambda values: fmpq(values[0].ceil()),
        sympy.StrictLessThan: lambda values: bool(values[0] < values[1]),
        sympy.LessThan: lambda values: bool(values[0] <= values[1]),
        sympy.StrictGreaterThan: lambda values: bool(values[0] > values[1]),
        sympy.GreaterThan: lambda values: bool(values[0] >= values[1]),
        sympy.Equality: lambda values: bool(values[0] == values[1]),
        sympy.Unequality: lambda values: bool(values[0] != values[1]),
        sympy.And: all,
        sympy.Or: any,
        sympy.Not: lambda values: not values[0],
    }
    return forms.get(node.func)


def _sum(values: list[Any]) -> Any:
    return sum(values, start=fmpq(0))


def _product(values: list[Any]) -> Any:
    return math.prod(values, start=fmpq(1))


def _power(values: list[Any]) -> Any:
    base, exponent = values
    if exponent.q != 1 or (base == 0 and exponent < 0):
        return None
    return base ** int(exponent.p)


def _floor_of_binary_logarithm(number: Any) -> Any:
    from sympy import floor, log

    if type(number) is not fmpq or number <= 0:
        return floor(log(as_sympy(number), 2))
    exponent = int(number.p).bit_length() - int(number.q).bit_length()
    power = fmpq(2) ** exponent
    return fmpq(exponent if power <= number else exponent - 1)


def _ranges(limits: list[tuple[Any, Exact, Exact]], scope: Scope) -> Iterator[Scope]:
    if not limits:
        yield scope
        return
    index, first, last = limits[-1]
    for position in range(_integer(first(scope)), _integer(last(scope)) + 1):
        yield from _ranges(limits[:-1], {**scope, index: fmpq(position)})


def _integer(value: Any) -> int:
    """Return the integer part towards zero, as `int` does."""
    if type(value) is not fmpq:
        return int(value)
    whole = value.floor() if value >= 0 else value.ceil()
    return int(whole)


def _position(index: Any) -> int:
    position = _integer(index)
    if position < 0:
        raise IndexError(position)
    return position


def _rational(node: Any) -> Any:
    """Return a sympy object as `fmpq` or bool where it is one, else itself."""
    if getattr(node, "is_Rational", False):
        return fmpq(int(node.p), int(node.q))
    if getattr(node, "is_Boolean", False) and node.is_Atom and not node.is_Symbol:
        return bool(node)
    return node
