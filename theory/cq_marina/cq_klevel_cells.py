"""Inputs of `cq_marina/cq-klevel` by their cells, and expectations over all permutations of the strata.

Input x_i = s + beta (c_i + alpha_i) / n lies in cell c_i of the grid of width beta / n, at the place
alpha_i in (0, 1). The clients are ordered by place: alpha_i is a sum of gaps q_i, q_{i+1}, ... (falling
order) or q_1, ..., q_i (rising order), so that every integer part is decided on the open simplex q > 0,
sum q < 1. Both sides of the identities are continuous in the places, so they hold on its boundary, too.
"""

import functools
from collections.abc import Sequence
from itertools import combinations, permutations
from math import factorial
from typing import Any

from sympy import Add, Expr, Integer, Min, Mul, Poly, Rational, Symbol, floor, symbols

from theory.cq_marina.symbols import n
from theory.instance import instance

beta = Symbol("beta", positive=True)
s = Symbol("s", real=True)
_sigma = Symbol("sigma", real=True)

PLACES = symbols("alpha_1:4", nonnegative=True)
GAPS = symbols("q_1:4", nonnegative=True)


@functools.cache
def written_out(formula: Expr, x: Any, cells: tuple[int, ...], *, rising: bool = False) -> Expr:
    """Return a formula at the inputs with these cells and symbolic places, as a polynomial in the gaps.

    Raises:
        ValueError: An integer part or a minimum is not the same on the whole simplex.
    """
    size = len(cells)
    places = PLACES[:size]
    inputs = tuple(beta * (_sigma + (cell + place) / size) for cell, place in zip(cells, places, strict=True))
    between = [] if rising else [first - second for first, second in combinations(places, 2)]
    expanded = instance(formula, {x: inputs, s: beta * _sigma, n: Integer(size)}, (*places, *between))
    return in_gaps(expanded, size, rising=rising)


def in_gaps(expression: Expr, size: int, *, rising: bool = False) -> Expr:
    """Return an expression in the places as one in the gaps, integer parts and minima decided."""
    gaps = GAPS[:size]
    ordered = {
        place: Add(*(gaps[: position + 1] if rising else gaps[position:]))
        for position, place in enumerate(PLACES[:size])
    }
    return _decided(expression.xreplace(ordered), gaps)


def _decided(part: Any, gaps: Sequence[Symbol]) -> Any:
    if not part.args:
        return part
    arguments = [_decided(item, gaps) for item in part.args]
    if isinstance(part, floor):
        return _integer_part(arguments[0].expand(), gaps)
    if isinstance(part, Min):
        return _least([item.expand() for item in arguments], gaps)
    return part.func(*arguments)


def _at_vertices(argument: Expr, gaps: Sequence[Symbol]) -> list[Expr]:
    """Return the values of an affine function at the corners of the simplex."""
    if not argument.free_symbols <= set(gaps) or Poly(argument, *gaps).total_degree() > 1:
        raise ValueError(f"{argument} is not affine in the gaps")
    return [argument.xreplace({gap: Integer(gap is one) for gap in gaps}) for one in (None, *gaps)]


def _integer_part(argument: Expr, gaps: Sequence[Symbol]) -> Integer:
    values = _at_vertices(argument, gaps)
    below = Integer(floor(min(values)))
    # Inside the simplex a function that is not constant lies strictly between its extreme corners.
    if max(values) > below + 1:
        raise ValueError(f"the integer part of {argument} is not constant")
    return below


def _least(arguments: Sequence[Expr], gaps: Sequence[Symbol]) -> Expr:
    values = [_at_vertices(item, gaps) for item in arguments]
    for item, found in zip(arguments, values, strict=True):
        if all(a <= b for other in values for a, b in zip(found, other, strict=True)):
            return item
    raise ValueError(f"no argument of the minimum {arguments} is the smallest everywhere")


@functools.cache
def enumerated_variance(cells: tuple[int, ...], *, rising: bool = False) -> Expr:
    """Return the variance of the mean over all permutations of the strata and independent bits.

    The bit of client i has probability 1, alpha_i or 0 where its stratum is below, at or above its cell.
    """
    size = len(cells)
    mean, second = Integer(0), Integer(0)
    for strata in permutations(range(size)):
        chances = [
            _chance(cell % size, stratum, place)
            for cell, stratum, place in zip(cells, strata, PLACES[:size], strict=True)
        ]
        total = Add(*chances)
        mean += total
        second += total**2 + Add(*(p * (1 - p) for p in chances))
    runs = factorial(size)
    return in_gaps((beta / size) ** 2 * (second / runs - (mean / runs) ** 2), size, rising=rising)


@functools.cache
def independent_variance(cells: tuple[int, ...]) -> Expr:
    """Return the variance of the mean with independent thresholds."""
    size = len(cells)
    chances = [
        Rational(cell % size, size) + place / size for cell, place in zip(cells, PLACES[:size], strict=True)
    ]
    return in_gaps((beta / size) ** 2 * Add(*(Mul(p, 1 - p) for p in chances)), size)


def _chance(cell: int, stratum: int, place: Expr) -> Expr:
    if stratum < cell:
        return Integer(1)
    return place if stratum == cell else Integer(0)
