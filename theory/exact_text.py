"""Exact numbers, tuples and formulas written as text: `3/10`, `24 * (3,) + (1,)`, `2 / (1 + sqrt(2))`.

Of a formula f that is known by its name, `f(n = n + 1)` is the formula with n + 1 put for its symbol n.
"""

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import sympy

_OPERATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {name: getattr(sympy, name) for name in ("sqrt", "log", "exp", "Max", "Min")}


def exact(text: str, names: Mapping[str, Any]) -> Any:
    """Return the value of a text in which the given names may stand; numbers are sympy numbers.

    Raises:
        ValueError: The text holds a float, an unknown name, or anything but arithmetic and tuples.
    """
    return _value(_parsed(text).body, names, text)


def exact_arguments(text: str) -> Mapping[str, Any]:
    """Return the values of `a = 1, b = (2, 3)` by name; later ones may use earlier ones.

    Raises:
        ValueError: As for `exact`, or the text does not read so.
    """
    found: dict[str, Any] = {}
    for name, value in assigned(text).items():
        found[name] = exact(value, found)
    return found


def assigned(text: str) -> Mapping[str, str]:
    """Return the texts of `a = 1, b = (2, 3)` by name.

    Raises:
        ValueError: The text does not read so.
    """
    call = _parsed(f"_({text})").body
    if not isinstance(call, ast.Call) or call.args or any(item.arg is None for item in call.keywords):
        raise ValueError(f"{text!r} must read: NAME = VALUE, NAME = VALUE")
    return {str(item.arg): ast.unparse(item.value) for item in call.keywords}


def _parsed(text: str) -> ast.Expression:
    try:
        return ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"{text!r} is no formula: {error.msg}") from error


def _value(node: ast.AST, names: Mapping[str, Any], text: str) -> Any:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return sympy.Integer(number)
        case ast.Constant(value=float(number)):
            raise ValueError(f"{number} in {text!r} is a float; write a fraction such as 1/2")
        case ast.Name(id=name):
            if name not in names:
                raise ValueError(f"{name!r} in {text!r} is unknown; known: {', '.join(names) or 'nothing'}")
            return names[name]
        case ast.Tuple(elts=items):
            return tuple(_value(item, names, text) for item in items)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, names, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            first, second = _value(left, names, text), _value(right, names, text)
            if isinstance(first, tuple) != isinstance(second, tuple):  # 3 * (1,)
                first, second = (int(a) if isinstance(a, sympy.Integer) else a for a in (first, second))
            try:
                return _OPERATIONS[type(op)](first, second)
            except TypeError as error:
                raise ValueError(f"{ast.unparse(node)!r} in {text!r}: {error}") from error
        case ast.Call(func=ast.Name(id=name), args=items, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(item, names, text) for item in items))
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[_, *_] as puts) if name in names:
            return _put_in(names[name], {str(item.arg): _value(item.value, names, text) for item in puts})
    raise ValueError(f"{ast.unparse(node)!r} in {text!r} is neither arithmetic nor a tuple")


@functools.lru_cache(maxsize=512)  # sympy rebuilds every sum on the way
def symbols_of(formula: Any) -> Mapping[str, Any]:
    """Return the plain symbols of a formula by name."""
    free = getattr(formula, "free_symbols", ())
    return {symbol.name: symbol for symbol in free if isinstance(symbol, sympy.Symbol)}


def _put_in(formula: Any, values: Mapping[str, Any]) -> Any:
    symbols = symbols_of(formula)
    unknown = [name for name in values if name not in symbols]
    if unknown:
        raise ValueError(f"{formula} has no symbol {', '.join(unknown)}; it has {', '.join(sorted(symbols))}")
    return formula.xreplace({symbols[name]: value for name, value in values.items()})
