"""Evaluate the formulas of claims: in double precision, in exact arithmetic, and at the root of an equation.

Values are given by name: scalars as numbers, vectors as sequences (index from 0), matrices as sequences of
rows.
"""

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verify.formulas import array_sums
from verify.formulas.exact_evaluation import (
    UndecidedError,
    argument_of_binary_logarithm,
    as_exact,
    as_sympy,
    compiled_exactly,
)

if TYPE_CHECKING:
    from sympy import Basic, Expr
    from sympy.printing.pycode import PythonCodePrinter

    from theory.claim import ImplicitValue

__all__ = ["EvaluationError", "evaluate", "evaluate_exact", "names", "prepared", "root", "solve"]

_LARGEST_EXPONENT = 1000
"""Roots are bracketed between the powers of two with this exponent, just inside the range of doubles."""

_RELATIVE = 4 * math.ulp(1.0)
"""The smallest relative tolerance that scipy's root finder accepts."""


class EvaluationError(ValueError):
    """A formula cannot be evaluated at these values; the message names the values and the remedy."""


def names(formula: "Expr | ImplicitValue") -> tuple[str, ...]:
    """Return the names of the values that a formula needs, sorted."""
    return tuple(sorted(_needed(formula)))


def evaluate(formula: "Expr | ImplicitValue", values: Mapping[str, Any]) -> float:
    """Return the value of a formula in double precision.

    Args:
        formula: A sympy expression, or an implicit value (then as `solve`).
        values: Numbers, sequences or nested sequences by the names in `names(formula)`, no more and no fewer.

    Raises:
        EvaluationError: A value is missing, unknown, of the wrong shape or outside the domain of the formula.
    """
    if hasattr(formula, "equation"):
        return solve(formula, values)
    _check_values(formula, values)
    return _call(formula, {name: _as_floats(name, value) for name, value in values.items()})


def prepared(vector: Any) -> Any:
    """Return a vector, (d,), in the form that `evaluate` and `root` make of it, to be given to many."""
    return _as_floats("vector", vector)


def evaluate_exact(formula: "Expr", values: Mapping[str, Any]) -> "Expr":
    """Return the value of a formula as an exact sympy number.

    Args:
        formula: A sympy expression.
        values: As for `evaluate`, of integers, `Fraction` or exact sympy numbers.

    Raises:
        EvaluationError: As for `evaluate`, or a value is a float.
    """
    _check_values(formula, values)
    arguments = _arguments(formula)
    scope = {arguments[name]: _as_exact(name, value) for name, value in values.items()}
    try:
        return as_sympy(compiled_exactly(formula)(scope))
    except UndecidedError as error:
        raise EvaluationError(str(error)) from error
    except IndexError as error:
        raise EvaluationError(_index_message(values)) from error


def solve(value: "ImplicitValue", values: Mapping[str, Any]) -> float:
    """Return the value of an expression at the root of its defining equation, in double precision.

    Raises:
        EvaluationError: As for `evaluate`, or the equation has no root, so that the formula does not apply
        there.
    """
    return _at_root(value, values)[1]


def root(value: "ImplicitValue", values: Mapping[str, Any]) -> float:
    """Return the nonnegative root of the defining equation of an implicit value.

    Raises:
        EvaluationError: As for `solve`.
    """
    return _at_root(value, values)[0]


def _at_root(value: "ImplicitValue", values: Mapping[str, Any]) -> tuple[float, float]:
    _check_values(value, values)
    unknown = value.unknown.name
    given = {name: _as_floats(name, item) for name, item in values.items()}

    def restricted(formula: "Expr") -> Callable[[float], float]:
        arguments = {name: given.get(name) for name in names(formula)}
        return lambda point: _call(
            formula, {**arguments, unknown: point} if unknown in arguments else arguments
        )

    found = _nonnegative_root(restricted(value.equation))
    if found is None:
        raise EvaluationError(
            f"{value.equation} has no root {unknown} >= 0 at these values; the formula does not apply there, "
            "choose the formula of the other regime"
        )
    return found, restricted(value.expression)(found)


def _nonnegative_root(function: Callable[[float], float]) -> float | None:
    """Return the root of a monotone function on [0, infinity), or None."""
    from scipy.optimize import brentq

    if _or_nan(function, 0.0) == 0.0:
        return 0.0
    low = high = 1.0
    at_one = at_low = at_high = function(1.0)
    if at_one == 0.0:
        return 1.0
    for exponent in range(1, _LARGEST_EXPONENT + 1):
        below, above = math.ldexp(1.0, -exponent), math.ldexp(1.0, exponent)
        at_below, at_above = _or_nan(function, below), _or_nan(function, above)
        # Signs, not products of values: those underflow.
        if at_below == 0.0 or ((at_below > 0.0) != (at_low > 0.0) and not math.isnan(at_below)):
            return float(brentq(function, below, low, xtol=math.ldexp(below, -52), rtol=_RELATIVE))
        if at_above == 0.0 or ((at_above > 0.0) != (at_high > 0.0) and not math.isnan(at_above)):
            return float(brentq(function, high, above, xtol=math.ldexp(high, -52), rtol=_RELATIVE))
        if not math.isnan(at_below):
            low, at_low = below, at_below
        if not math.isnan(at_above):
            high, at_high = above, at_above
    # Rounding at a root of zero: the function does not change its sign, but all but vanishes there.
    return 0.0 if abs(at_low) <= 4 * _RELATIVE * abs(at_one) else None


def _or_nan(function: Callable[[float], float], point: float) -> float:
    # Far out a power or quotient can leave the range of doubles; such a point is no end of a bracket.
    try:
        return function(point)
    except EvaluationError:
        return math.nan


def _call(formula: "Expr", values: Mapping[str, Any]) -> float:
    try:
        result = _value(formula, values)
    except IndexError as error:
        raise EvaluationError(_index_message(values)) from error
    except (ArithmeticError, ValueError) as error:
        shown = ", ".join(f"{name}={_show(value)}" for name, value in sorted(values.items()))
        raise EvaluationError(f"{_shown(formula)} is undefined at {shown}: {error}") from error
    if math.isnan(result):
        raise EvaluationError(
            f"{_shown(formula)} is not a number at these values; give finite values in its domain"
        )
    return result


def _value(formula: "Expr", values: Mapping[str, Any]) -> float:
    found = array_sums.value_of(formula, values)
    return float(_compiled(formula)(**values)) if found is None else found


@functools.cache
def _shown(formula: "Expr") -> str:
    """Return a formula as text: where a root is searched for, many points are outside of its domain."""
    return str(formula)


def _needed(formula: "Expr | ImplicitValue") -> Mapping[str, "Basic"]:
    if not hasattr(formula, "equation"):
        return _arguments(formula)
    needed = {**_arguments(formula.expression), **_arguments(formula.equation)}
    return {name: argument for name, argument in needed.items() if argument != formula.unknown}


@functools.cache
def _arguments(formula: "Basic") -> Mapping[str, "Basic"]:
    """Return the free scalars and vectors of a formula by name."""
    found: dict[str, Basic] = {}
    for item in _free(formula, frozenset()):
        if found.setdefault(item.name, item) != item:
            raise EvaluationError(f"{formula} has two symbols named {item.name}; rename one of them")
    return found


def _free(node: "Basic", bound: frozenset["Basic"]) -> Iterator[Any]:
    # sympy's own free_symbols rebuilds every sum on the way, which takes seconds for a message length.
    from sympy import Indexed, Product, Sum, Symbol

    if isinstance(node, Symbol):
        if node not in bound:
            yield node
    elif isinstance(node, Sum | Product):
        for position, (_, first, last) in enumerate(node.limits):
            outer = bound | {limit[0] for limit in node.limits[position + 1 :]}
            yield from _free(first, outer)
            yield from _free(last, outer)
        yield from _free(node.function, bound | {limit[0] for limit in node.limits})
    elif isinstance(node, Indexed):
        yield node.base
        for entry in node.indices:
            yield from _free(entry, bound)
    else:
        for argument in node.args:
            yield from _free(argument, bound)


def _check_values(formula: "Expr | ImplicitValue", values: Mapping[str, Any]) -> None:
    needed = _needed(formula)
    if values.keys() == needed.keys() and all(
        _is_sequence(values[name]) != argument.is_Symbol for name, argument in needed.items()
    ):
        return
    listed = ", ".join(sorted(needed)) or "no value"
    problems = []
    missing = [name for name in sorted(needed) if name not in values]
    extra = [name for name in values if name not in needed]
    if missing:
        problems.append(f"missing value of {', '.join(missing)}")
    if extra:
        problems.append(f"unknown value {', '.join(extra)}")
    for name, argument in sorted(needed.items()):
        if name in values and _is_sequence(values[name]) != (not argument.is_Symbol):
            kind = "number" if argument.is_Symbol else "sequence"
            problems.append(f"{name}={_show(values[name])} must be a {kind}")
    if problems:
        raise EvaluationError(f"{'; '.join(problems)}; the formula needs {listed}")


def _as_floats(name: str, value: Any) -> Any:
    if isinstance(value, array_sums.LongVector):
        return value
    if type(value) is float and math.isfinite(value):  # most values are, and long vectors of them
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if getattr(value, "dtype", None) == "float64" and getattr(value, "ndim", 0) == 1:
        value = value.tolist()  # floats of numpy take five times as long
    if _is_sequence(value):
        if set(map(type, value)) == {float} and all(map(math.isfinite, value)):
            kind = array_sums.LongVector if len(value) >= array_sums.LONG else tuple
            return kind([int(item) if item.is_integer() and abs(item) < 2**53 else item for item in value])
        return tuple([item if type(item) is int else _as_floats(name, item) for item in value])
    if isinstance(value, int) or getattr(value, "is_Integer", False):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{name}={value!r} must be a real number or a sequence of real numbers"
        ) from None
    if not math.isfinite(number):
        raise EvaluationError(f"{name}={value!r} must be finite")
    # A float that counts something (a dimension read from an array) must still work as the end of a range.
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _as_exact(name: str, value: Any) -> Any:
    if _is_sequence(value):
        return tuple(_as_exact(name, item) for item in value)
    exact = as_exact(value)
    if exact is None:
        raise EvaluationError(
            f"{name}={value!r} is not exact; give an integer, a Fraction or an exact sympy number"
        )
    return exact


def _is_sequence(value: Any) -> bool:
    if type(value) in (int, float, Fraction):  # most are
        return False
    return getattr(value, "ndim", None) != 0 and hasattr(value, "__len__") and hasattr(value, "__getitem__")


def _index_message(values: Mapping[str, Any]) -> str:
    lengths = [f"{name} has {len(value)}" for name, value in sorted(values.items()) if _is_sequence(value)]
    scalars = [f"{name}={value}" for name, value in sorted(values.items()) if not _is_sequence(value)]
    return f"a vector is too short: {', '.join(lengths)} entries, with {', '.join(scalars) or 'no scalars'}"


def _show(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


@functools.cache
def _compiled(formula: "Expr") -> Callable[..., Any]:
    from sympy import lambdify

    arguments = _arguments(formula)
    return lambdify(  # type: ignore[no-any-return]
        [arguments[name] for name in sorted(arguments)],
        formula,
        modules=["math"],
        printer=_printer(),
        cse=False,
    )


@functools.cache
def _printer() -> "PythonCodePrinter":
    from sympy.printing.pycode import PythonCodePrinter

    class Printer(PythonCodePrinter):  # type: ignore[misc]
        """Python code for sums, products, entries of matrices and binary logarithms of integers."""

        def _print_floor(self, expr: Any) -> str:
            number = argument_of_binary_logarithm(expr)
            if number is not None:
                # A quotient of two floating-point logarithms can fall just below the integer.
                return f"({self._module_format('math.frexp')}({self._print(number)})[1] - 1)"
            return f"{self._module_format('math.floor')}({self._print(expr.args[0])})"

        def _print_Sum(self, expr: Any) -> str:
            return self._fold("math.fsum", expr)

        def _print_Product(self, expr: Any) -> str:
            return self._fold("math.prod", expr)

        def _fold(self, function: str, expr: Any) -> str:
            loops = " ".join(
                f"for {self._print(index)} in range({self._print(first)}, {self._print(last)} + 1)"
                for index, first, last in reversed(expr.limits)
            )
            return f"{self._module_format(function)}(({self._print(expr.function)}) {loops})"

        def _print_Indexed(self, expr: Any) -> str:
            # Nested tuples: one subscript for each index.
            return str(expr.base.name) + "".join(f"[{self._print(index)}]" for index in expr.indices)

    return Printer(
        {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True, "strict": True}
    )
