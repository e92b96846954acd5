"""Multiplier certificates: a proof of lhs <= rhs as an exact identity (docs/evidence.md, section 8.2)."""

from collections.abc import Iterable
from typing import Any

from impl.errors import ArgumentError


def certificate(rhs_minus_lhs: Any, terms: Iterable[tuple[Any, Any]]) -> bool:
    """Decide whether rhs - lhs equals the sum of multiplier * slack identically.

    The difference is brought over a common denominator and the numerator expanded: a normal form, exact in
    any number of variables. Whether multipliers and slacks are nonnegative is not decided here. False means
    that the normal form is not zero; that is a failed proof, not a refutation of lhs <= rhs.

    Args:
        rhs_minus_lhs: sympy expression, or a rational number.
        terms: Pairs (multiplier, slack); no pair at all checks that rhs - lhs vanishes.

    Returns:
        Whether the identity holds, for all values at which no denominator vanishes.

    Raises:
        ArgumentError: An expression contains a floating-point number.
    """
    import sympy

    pairs = [(sympy.sympify(multiplier), sympy.sympify(slack)) for multiplier, slack in terms]
    difference = sympy.sympify(rhs_minus_lhs)
    refuse_floats("certificate", [difference, *(factor for pair in pairs for factor in pair)])
    remainder = difference - sympy.Add(*(multiplier * slack for multiplier, slack in pairs))
    undefined = (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
    if remainder.has(*undefined):
        return False
    numerator, denominator = sympy.fraction(sympy.together(remainder))
    # A denominator that vanishes identically would make every identity true.
    if _normal_form(denominator) == 0:
        return False
    return bool(_normal_form(numerator) == 0)


def _normal_form(expression: Any) -> Any:
    """Expand until nothing changes: a product of radicals may become a sum only after a first expansion."""
    while (expanded := expression.expand()) != expression:
        expression = expanded
    return expression


def refuse_floats(where: str, expressions: Iterable[Any]) -> None:
    """Raise where an expression holds a floating-point number, which sympy and solvers read differently.

    Raises:
        ArgumentError: Names the first such number and its remedy.
    """
    import sympy

    for expression in expressions:
        for number in sorted(expression.atoms(sympy.Float), key=str):
            raise ArgumentError(
                f"{where}: {expression} contains the float {number}, which is not an exact number; "
                f'write sympy.Rational("{float(number)!r}") or a fraction of integers'
            )
