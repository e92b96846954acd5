"""Sums over the entries of long vectors, all at a time: those of a loop in Python up to round-off."""

import functools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sympy import Basic, Expr

LONG = 2**12
"""Entries of a vector from which on this is faster by far; short ones take longer, for the calls of numpy."""


class LongVector(tuple[float, ...]):
    """The entries of a long vector; as an array, (d,), they are made once."""

    @functools.cached_property
    def array(self) -> Any:
        """The entries as float64."""
        import numpy as np

        found = np.array(self, np.float64)
        found.flags.writeable = False
        return found

    @functools.cached_property
    def is_inexact(self) -> bool:
        """Whether a loop computes with floats: with whole numbers beyond 1 it would be exact beyond 2^53."""
        return all(type(item) is float or abs(item) <= 1 for item in self)


class _OtherwiseError(Exception):
    """A loop must decide: it may return a value where arrays have none, and has the message where not."""


def value_of(formula: "Expr", values: Mapping[str, Any]) -> float | None:
    """Return the value of a formula, None where a loop in Python must find it, or why there is none.

    The terms of a sum are quotients of sums, products and squares of entries at its index and of scalars.
    Each is computed as in Python, but that a square there differs in its last digit once in a thousand times,
    and the sum is exact before it is rounded.

    Args:
        formula: A sympy expression.
        values: Numbers and long vectors by name; with a short vector the value is None.
    """
    vectors = [item for item in values.values() if isinstance(item, tuple)]
    if not vectors or not all(isinstance(item, LongVector) and item.is_inexact for item in vectors):
        return None
    compiled = _compiled(formula, tuple(sorted(values)))
    if compiled is None:
        return None
    import numpy as np

    arrays = {name: item.array if isinstance(item, LongVector) else item for name, item in values.items()}
    try:
        with np.errstate(all="raise", under="ignore"):
            found = float(compiled(**arrays))
    except (ArithmeticError, ValueError, _OtherwiseError):
        return None
    return found if math.isfinite(found) else None


@functools.cache
def _compiled(formula: "Expr", names: tuple[str, ...]) -> Callable[..., Any] | None:
    from sympy import IndexedBase, Sum, Symbol, lambdify
    from sympy.printing.pycode import PythonCodePrinter

    sums = formula.atoms(Sum)
    if not sums or not all(map(_is_of_entries, sums)):
        return None
    outer = formula.xreplace(dict.fromkeys(sums, Symbol("sum")))
    if outer.atoms(IndexedBase):
        return None

    class Printer(PythonCodePrinter):  # type: ignore[misc]
        """Python code in which an entry at the index of a sum is all entries in its range."""

        def _print_Sum(self, expr: Any) -> str:
            ((_, first, last),) = expr.limits
            self._range = f"{self._print(first)}, {self._print(last)}"
            return f"exact_sum({self._print(expr.function)})"

        def _print_Indexed(self, expr: Any) -> str:
            return f"entries({expr.base.name}, {self._range})"

    printer = Printer(
        {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True, "strict": True}
    )
    modules = [{"entries": _entries, "exact_sum": _exact_sum}, "math"]
    return lambdify(names, formula, modules=modules, printer=printer, cse=False)  # type: ignore[no-any-return]


def _entries(vector: Any, first: int, last: int) -> Any:
    if not 0 <= first <= last + 1 <= len(vector):
        raise _OtherwiseError
    return vector[first : last + 1]


def _exact_sum(terms: Any) -> float:
    return math.fsum(terms.tolist())


def _is_of_entries(total: Any) -> bool:
    """Return whether the terms of a sum over one index are as `value_of` says."""
    from sympy import Add, Indexed, Mul, Pow, Rational, Symbol

    if len(total.limits) != 1:
        return False
    index = total.limits[0][0]

    def fits(node: "Basic", divides: bool = False) -> bool:
        if isinstance(node, Indexed):
            return bool(node.indices == (index,))
        if isinstance(node, Symbol):
            return bool(node != index)
        if isinstance(node, Pow):
            # Other powers are rounded otherwise by numpy; the square of a divisor is printed as one.
            return node.exp in ((2, -1, -2) if divides else (2, -1)) and fits(node.base)
        if isinstance(node, Mul):
            return all(fits(item, divides=True) for item in node.args)
        return isinstance(node, Rational) or (isinstance(node, Add) and all(map(fits, node.args)))

    return bool(total.function.atoms(Indexed)) and fits(total.function)
