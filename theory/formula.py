"""Formulas: relations between sympy expressions that stay as they were written.

sympy decides `x**2 >= 0` on the spot and then nothing is left to prove; these do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sympy import Expr, IndexedBase, Symbol

OPERATORS = ("<=", "<", "=", "!=")


@dataclass(frozen=True)
class Compare:
    """`left operator right` with one of `OPERATORS`."""

    left: Expr
    operator: str
    right: Expr

    def __post_init__(self) -> None:
        if self.operator not in OPERATORS:
            raise ValueError(
                f"operator={self.operator!r} must be one of {OPERATORS}; turn the sides for >= and >"
            )


@dataclass(frozen=True)
class IsInteger:
    """`term` is an integer."""

    term: Expr


@dataclass(frozen=True)
class Every:
    """`formula` holds for every integer `index` from `low` to `high`; `high` may be infinite."""

    index: Symbol
    low: Expr
    high: Expr
    formula: Formula


@dataclass(frozen=True)
class EveryFamily:
    """`formula` holds for every family of real numbers in place of `base`."""

    base: IndexedBase
    formula: Formula


Formula = Compare | IsInteger | Every | EveryFamily


def le(left: Any, right: Any) -> Compare:
    """Return `left <= right`."""
    return _compare(left, "<=", right)


def lt(left: Any, right: Any) -> Compare:
    """Return `left < right`."""
    return _compare(left, "<", right)


def eq(left: Any, right: Any) -> Compare:
    """Return `left = right`."""
    return _compare(left, "=", right)


def ne(left: Any, right: Any) -> Compare:
    """Return `left != right`."""
    return _compare(left, "!=", right)


def every(formula: Formula, *ranges: tuple[Any, Any, Any]) -> Formula:
    """Return the formula for every index of each range (index, low, high), the first range innermost."""
    from sympy import sympify

    for index, low, high in ranges:
        formula = Every(index, sympify(low), sympify(high), formula)
    return formula


def one_or_several(formulas: tuple[Formula, ...]) -> Formula | tuple[Formula, ...]:
    """Return a formula that is alone as it is."""
    return formulas[0] if len(formulas) == 1 else formulas


def text_of(formula: Formula) -> str:
    """Return a formula as one line."""
    if isinstance(formula, Compare):
        return f"{formula.left} {formula.operator} {formula.right}"
    if isinstance(formula, IsInteger):
        return f"{formula.term} is an integer"
    if isinstance(formula, EveryFamily):
        return f"{text_of(formula.formula)} for every {formula.base}"
    return f"{text_of(formula.formula)} for {formula.index} = {formula.low}..{formula.high}"


def _compare(left: Any, operator: str, right: Any) -> Compare:
    from sympy import sympify

    return Compare(sympify(left), operator, sympify(right))
