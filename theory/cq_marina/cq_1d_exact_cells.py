r"""Formulas of stratified thresholds written out at inputs whose cells are known.

The cell of $y_i$ is $s_i=\lfloor ny_i\rfloor$, so $y_i=(s_i+\alpha_i)/n$ with $0\le\alpha_i<1$. A cell
decides every case distinction between two cells; within a cell the clients come in the order of their
fractions.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Abs, Expr, Integer, Max, Min, symbols

from theory.cq_marina.symbols import c, n, y
from theory.instance import instance

_LARGEST = 4
_FIRST = symbols(f"alpha_1:{_LARGEST + 1}", nonnegative=True)
_INCREASES = symbols(f"delta_1:{_LARGEST + 1}", nonnegative=True)
COEFFICIENTS = symbols(f"c_1:{_LARGEST + 1}", nonnegative=True)


@dataclass(frozen=True)
class Cells:
    """Clients with known cells, in increasing order of their inputs.

    Args:
        places: The cell of each client, (size,), increasing.
    """

    places: tuple[int, ...]

    @property
    def name(self) -> str:
        """Return a short name for steps: the cells one after another."""
        return "".join(map(str, self.places))

    @property
    def size(self) -> int:
        """Return the number of clients."""
        return len(self.places)

    @property
    def fractions(self) -> tuple[Expr, ...]:
        """Return the fractions alpha_i in [0, 1): within a cell each is the one before it and an increase."""
        found: list[Expr] = []
        for position, place in enumerate(self.places):
            same = position > 0 and self.places[position - 1] == place
            found.append(found[-1] + _INCREASES[position] if same else _FIRST[position])
        return tuple(found)

    @property
    def inputs(self) -> tuple[Expr, ...]:
        """Return the inputs y_i = (s_i + alpha_i) / n."""
        return tuple((s + alpha) / Integer(self.size) for s, alpha in self._pairs())

    def write_out(self, formula: Expr, values: Mapping[Any, Any] | None = None) -> Expr:
        """Return a formula at these inputs.

        Args:
            formula: Formula in n, y, c and indices.
            values: Values of further symbols, or in place of the coefficients; by default those are symbols.
        """
        return _written_out(self, formula, tuple((values or {}).items()))

    def shares(self) -> tuple[tuple[Integer | Expr, ...], ...]:
        """Return the chance of a bit 1 by client and stratum: 1 below its cell, alpha in it, 0 above it."""
        return tuple(
            tuple(Integer(1) if k < s else alpha if k == s else Integer(0) for k in range(self.size))
            for s, alpha in self._pairs()
        )

    def _pairs(self) -> Iterator[tuple[int, Expr]]:
        return zip(self.places, self.fractions, strict=True)


# Cached, so that a changed formula is the only one to be written out again.
@functools.cache
def _written_out(cells: Cells, formula: Expr, values: tuple[tuple[Any, Any], ...]) -> Expr:
    given = {n: Integer(cells.size), y: cells.inputs, c: COEFFICIENTS[: cells.size], **dict(values)}
    return instance(formula, given, cells.fractions).xreplace(_decided(cells))


@functools.cache
def _decided(cells: Cells) -> Mapping[Expr, Expr]:
    """Return the case distinctions that sympy leaves open, by their value."""
    rules: dict[Expr, Expr] = {}
    for alpha, above in itertools.product(cells.fractions, range(1, cells.size)):
        rules[Max(0, Min(1, alpha - above))] = Integer(0)
    for lower, upper in itertools.combinations(cells.inputs, 2):
        rules |= {Min(lower, upper): lower, Max(lower, upper): upper, Abs(upper - lower): upper - lower}
    return rules


def all_cells(size: int) -> tuple[Cells, ...]:
    """Return all increasing cells of this many clients; the order of the clients does not matter."""
    return tuple(Cells(places) for places in itertools.combinations_with_replacement(range(size), size))


@functools.cache
def enumerated_variance(cells: Cells, coefficients: tuple[Expr, ...]) -> Expr:
    """Return Var sum_i c_i 1[U_i < y_i] over all permutations, the bits being independent given one."""
    shares = cells.shares()
    strata = tuple(itertools.permutations(range(cells.size)))
    second: Expr = Integer(0)
    for permutation in strata:
        chances = [row[k] for row, k in zip(shares, permutation, strict=True)]
        mean = sum(ci * p for ci, p in zip(coefficients, chances, strict=True))
        second += mean**2 + sum(ci**2 * p * (1 - p) for ci, p in zip(coefficients, chances, strict=True))
    return second / len(strata) - sum(ci * yi for ci, yi in zip(coefficients, cells.inputs, strict=True)) ** 2
