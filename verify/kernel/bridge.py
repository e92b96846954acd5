"""From sympy expressions and formulas of `theory` to terms and formulas of the kernel.

Names are taken as they are, and their assumptions are refused: a sign would be a silent hypothesis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from theory.expectation import Expectation
from theory.formula import Compare, Every, EveryFamily, IsInteger
from verify.kernel.memory import kept
from verify.kernel.node import ONE, KernelError, Node, add, mul, name, num, substitute

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_']*[+*]?\Z")
_FUNCTIONS = {
    sympy.log: "log",
    sympy.exp: "exp",
    sympy.Abs: "abs",
    sympy.floor: "floor",
    sympy.Max: "max",
    sympy.Min: "min",
    sympy.KroneckerDelta: "delta",
}
_CLASSES = frozenset(_FUNCTIONS) | {
    *(sympy.Symbol, sympy.IndexedBase, sympy.Indexed, sympy.Tuple, sympy.Sum, sympy.ceiling, Expectation),
    *(sympy.Add, sympy.Mul, sympy.Pow, sympy.Integer, sympy.Rational, type(sympy.E)),
    *(type(sympy.S.Zero), type(sympy.S.One), type(sympy.S.NegativeOne), type(sympy.S.Half)),
}
_OPERATORS = {"<=": "le", "<": "lt", "=": "eq", "!=": "ne"}
_PLAIN = (sympy.Symbol("x", real=True).assumptions0, sympy.Symbol("x").assumptions0)
"""All that symbols may say of themselves: sympy simplifies by anything else before the kernel sees a term."""
_TOLD = (
    *("positive", "negative", "zero", "nonnegative", "nonpositive", "nonzero"),
    *("extended_nonnegative", "extended_nonpositive", "extended_nonzero", "integer", "rational", "polar"),
)


def term(expression: Any) -> Node:
    """Return the term of a sympy expression.

    Raises:
        KernelError: It contains a float, an assumption, or a function that the kernel does not know.
    """
    if isinstance(expression, bool | float):
        raise KernelError(f"{expression!r} is a {type(expression).__name__}; the kernel takes exact numbers")
    if isinstance(expression, int | Fraction):
        return num(expression)
    if not isinstance(expression, sympy.Basic):
        raise KernelError(f"{expression!r} is no sympy expression")
    _refuse_strangers(expression)
    _refuse_namesakes(expression)
    return _term(expression)


def _refuse_strangers(expression: Any) -> None:
    """Refuse classes that are not sympy's or ours: one may equal an expression and have other parts."""
    pending = [expression]
    while pending:
        part = pending.pop()
        if type(part) not in _CLASSES:
            raise KernelError(
                f"{part} ({type(part).__name__}) is nothing that the kernel knows; state it by hypotheses"
            )
        if type(part) is not sympy.IndexedBase:  # its label is looked at with its name
            pending += part.args


def _refuse_namesakes(expression: Any) -> None:
    """Refuse different symbols with one name: sympy tells them apart, a reader and the kernel do not."""
    known: dict[str, Any] = {}
    for symbol in expression.atoms(sympy.Symbol):
        if known.setdefault(symbol.name, symbol) != symbol:
            raise KernelError(f"two different symbols are named {symbol.name!r} in {expression}; make it one")


@kept(maxsize=100_000)
def _term(e: Any) -> Node:
    if e.is_Symbol:
        return name(_checked(e, e.name))
    if e.is_Rational:
        return num(Fraction(int(e.p), int(e.q)))
    if e is sympy.E:
        return Node("fn", "exp", ONE)
    if e.is_Add:
        return add(*map(_term, e.args))
    if e.is_Mul:
        return mul(*map(_term, e.args))
    if e.is_Pow:
        base, exponent = e.args
        return (
            Node("fn", "exp", _term(exponent))
            if base is sympy.E
            else Node("pow", _term(base), _term(exponent))
        )
    if type(e) is sympy.Indexed:
        return Node("entry", _checked_family(e.base), *map(_term, e.indices))
    if type(e) is sympy.Sum:
        body = _term(e.function)
        for index, low, high in e.limits:
            body = Node("sum", _checked(index, index.name), _term(low), _term(high), body)
        return body
    if type(e) is Expectation:
        body, family, ranges, mean, variance = e.args
        spans = tuple((_checked(i, i.name), _term(a), _term(b)) for i, a, b in ranges)
        indices = [index for index, _, _ in spans]
        ends = {key for _, low, high in spans for end in (low, high) for _, key in end.free}
        if len(set(indices)) < len(indices) or ends & set(indices):
            raise KernelError(f"the law of {family} needs indices of its own, that its ranges do not mention")
        return Node("mean", _term(body), _checked_family(family), spans, _term(mean), _term(variance))
    if isinstance(e, sympy.ceiling):
        return mul(num(-1), Node("fn", "floor", mul(num(-1), _term(e.args[0]))))
    function = _FUNCTIONS.get(type(e))
    if function is None or isinstance(e, AppliedUndef):
        raise KernelError(
            f"{e} ({type(e).__name__}) is nothing that the kernel knows; state it by hypotheses"
        )
    if function == "log" and len(e.args) != 1:
        raise KernelError(f"{e} has a base; write log(x)/log(b)")
    return Node("fn", function, *map(_term, e.args))


def _checked(symbol: Any, written: str) -> str:
    if type(written) is not str or not _NAME.match(written):  # a text of its own could equal another one
        raise KernelError(f"name {written!r} is not allowed; use letters, digits and _")
    if type(symbol) not in (sympy.Symbol, sympy.IndexedBase):
        raise KernelError(f"{written} is a {type(symbol).__name__}; use Symbol or IndexedBase of sympy")
    if symbol.assumptions0 not in _PLAIN:
        own = symbol.assumptions0
        told = next((key for key in _TOLD if own.get(key)), "other than real")
        raise KernelError(
            f"symbol {written} carries an assumption ({told}), which would be a silent hypothesis; "
            "use Symbol(name, real=True) and state it as a hypothesis"
        )
    return written


def key_of(key: Any) -> str:
    """Return the name of a symbol or family for which something is put.

    Raises:
        KernelError: It is neither, or has no name that a term could have.
    """
    if isinstance(key, sympy.IndexedBase):
        return _checked_family(key)
    if isinstance(key, sympy.Symbol):
        return _checked(key, key.name)
    raise KernelError(f"{key!r} is neither a symbol nor a family")


def _checked_family(base: Any) -> str:
    _checked(base, str(base.label.name))
    return _checked(base.label, str(base.label.name))


def formula(item: Any) -> Node:
    """Return the formula of the kernel for one of `theory.formula`.

    Raises:
        KernelError: It is no formula; words are none.
    """
    if isinstance(item, Compare):
        return Node(_OPERATORS[item.operator], term(item.left), term(item.right))
    if isinstance(item, IsInteger):
        return Node("int", term(item.term))
    if isinstance(item, Every):
        index = _checked(item.index, item.index.name)
        high = None if item.high is sympy.oo else term(item.high)
        return Node("every", index, term(item.low), high, formula(item.formula))
    if isinstance(item, EveryFamily):
        return Node("family", _checked_family(item.base), formula(item.formula))
    raise KernelError(f"{item!r} is no formula of theory.formula; use le, lt, eq, ne, IsInteger or every")


def entry_function(value: Any) -> tuple[tuple[str, ...], Node]:
    """Return a function of indices, which stands for a family, as names and entry.

    Raises:
        KernelError: It is no function.
    """
    if isinstance(value, sympy.IndexedBase):
        raise KernelError(f"give a function of the indices for a family, such as `lambda j: {value}[j]`")
    if not callable(value):
        raise KernelError(f"{value!r} is no function of indices")
    count = value.__code__.co_argcount
    symbols = [sympy.Symbol(f"index{k}", real=True) for k in range(count)]
    entry = term(value(*symbols))
    parameters = tuple(f"@index{k}" for k in range(count))
    renamed = substitute(entry, {f"index{k}": name(parameters[k]) for k in range(count)})
    return parameters, renamed


def spans_of(ranges: Iterable[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield ranges of indices.

    Raises:
        KernelError: One is no index with its first and last value.
    """
    for item in ranges:
        if not isinstance(item, tuple | list | sympy.Tuple) or len(item) != 3:
            raise KernelError(f"{item!r} is no range; write index, first and last value, as in (j, 0, d - 1)")
        index, low, high = item
        yield index, low, high
