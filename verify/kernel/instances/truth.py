"""Whether formulas hold at an instance; what a ball leaves open is None."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

from flint import fmpq

from verify.kernel.instances.values import (
    Instance,
    TooLargeError,
    UndefinedError,
    added,
    function_of,
    longest,
    sign,
    times,
    whole,
)
from verify.kernel.memory import kept
from verify.kernel.node import RELATIONS, Node

_Judge = Callable[..., bool | None]
_EXACTLY: dict[str, Any] = {"le": operator.le, "lt": operator.lt, "eq": operator.eq, "ne": operator.ne}


def holds(
    formula: Node, at: Instance, indices: tuple[str, ...] = (), places: tuple[int, ...] = ()
) -> bool | None:
    """Return whether a formula is defined and true, None where that is not decided.

    `every` without end and families are tried at a few places only: true there counts as true.

    Args:
        formula: The formula.
        at: The instance.
        indices: Indices that are bound, outermost first.
        places: Their values.
    """
    return _judge(formula, indices)(at, *places)


@kept(maxsize=50_000)
def _judge(formula: Node, indices: tuple[str, ...]) -> _Judge:
    """Return whether a formula holds as a function of the instance and of places: many are asked for."""
    decide = _decide(formula, indices)

    def found(at: Instance, *places: int) -> bool | None:
        try:
            return decide(at, *places)
        except TooLargeError:
            return None
        except UndefinedError:
            return False

    return found


def _decide(formula: Node, indices: tuple[str, ...]) -> _Judge:
    op, args = formula.op, formula.args
    if op in RELATIONS:
        return _comparison(_EXACTLY[op], *(function_of(item, indices) for item in args))
    if op == "int":
        term = function_of(args[0], indices)

        def is_integer(at: Instance, *places: int) -> bool | None:
            number = term(at, *places)
            return number.q == 1 if isinstance(number, fmpq) else None

        return is_integer
    if op == "power":
        base, exponent = (function_of(item, indices) for item in args)

        def is_power(at: Instance, *places: int) -> bool | None:
            a, e = base(at, *places), exponent(at, *places)
            natural = isinstance(e, fmpq) and e.q == 1 and e >= 0
            return natural or sign(a) == 1

        return is_power
    if op == "every":
        index, low, high, body = args
        inner = _judge(body, (*indices, index))
        first = _integer(low, indices)
        last = None if high is None else _integer(high, indices)

        def every(at: Instance, *places: int) -> bool | None:
            answers = [inner(at, *places, k) for k in _places(first, last, at, longest(at), places)]
            return False if False in answers else (None if None in answers else True)

        return every

    def family(at: Instance, *places: int) -> bool | None:
        for index, place in zip(indices, places, strict=True):
            at = at.within(index, fmpq(place))
        return _holds_family(formula, at)

    return family


def _integer(node: Node, indices: tuple[str, ...]) -> Callable[..., int]:
    """Return a term that must be an integer as a function of the instance and of places."""
    if node.op == "num" and node.args[0].denominator == 1:
        number = int(node.args[0])
        return lambda at, *places: number
    term = function_of(node, indices)
    return lambda at, *places: whole(term(at, *places))


def _comparison(exactly: Any, left: Any, right: Any) -> _Judge:
    def found(at: Instance, *places: int) -> bool | None:
        above, below = right(at, *places), left(at, *places)
        if type(above) is fmpq and type(below) is fmpq:
            return bool(exactly(below, above))
        s = sign(added([above, times(fmpq(-1), below)]))
        return None if s is None else bool(exactly(0, s))

    return found


def places_of(low: Node, high: Node | None, at: Instance, most: int) -> list[int]:
    """Return the places of a range; of one without end the first ones, and far ones or those that names
    stand for.
    """
    return _places(_integer(low, ()), None if high is None else _integer(high, ()), at, most, ())


def _places(
    low: Callable[..., int],
    high: Callable[..., int] | None,
    at: Instance,
    most: int,
    places: tuple[int, ...],
) -> list[int]:
    first = low(at, *places)
    if high is None and at.far:
        return [first, first + 1, first + 2, first + 3, first + 20, first + 150]
    if high is None:
        named = [
            int(k)
            for k in (*at.names.values(), *at.bound.values(), *places)
            if getattr(k, "denominator", 0) == 1
        ]
        most = max((k for k in named if k <= first + 12), default=first)
        return list(range(first, max(first + 3, most) + 1))
    last = high(at, *places)
    if last - first > most:
        raise TooLargeError(f"a range from {first} to {last}")
    return list(range(first, last + 1))


_SCALES = fmpq(10**4), fmpq(1, 100), fmpq(10**9)


class _Wide(dict[tuple[Any, ...], Any]):
    """Entries of a family that is drawn: small, large or tiny ones."""

    def __init__(self, scale: fmpq) -> None:
        super().__init__()
        self._scale = scale

    def __setitem__(self, places: tuple[Any, ...], number: Any) -> None:
        super().__setitem__(places, number * self._scale)


def _holds_family(formula: Node, at: Instance) -> bool | None:
    family, body = formula.args
    at = (
        at
        if at.source is not None
        else Instance(at.names, at.entries, random.Random(1), at.bound, at.drawn, at.far, at.fuel)
    )
    drawn: list[dict[tuple[Any, ...], Any]] = [{} for _ in range(5)]
    drawn += [_Wide(scale) for scale in _SCALES]
    answers = [holds(body, at.with_family(family, values)) for values in drawn]
    return False if False in answers else (None if None in answers else True)


def fails_beyond(formula: Node, at: Instance) -> bool:
    """Return whether what is said of all integers or all families fails beyond the values of an instance.

    So a bound on all of them, which contradicts itself, is not satisfied by a large number.
    """
    far = 2 * max((abs(int(k)) for k in at.names.values() if isinstance(k, fmpq)), default=0) + 3
    if formula.op == "every" and formula.args[2] is None and not _mentions_entries(formula.args[3]):
        return holds(formula.args[3], at.within(formula.args[0], fmpq(far))) is False
    if formula.op != "family":
        return False
    family, body = formula.args
    drawn = Instance(at.names, at.entries, random.Random(2), at.bound, at.drawn, at.far, at.fuel)
    return any(holds(body, drawn.with_family(family, _Wide(fmpq(far)))) is False for _ in range(8))


def _mentions_entries(node: Node) -> bool:
    return node.op == "entry" or any(_mentions_entries(item) for item in node.args if isinstance(item, Node))


def endless_in_entries(formula: Node) -> bool:
    """Return whether a formula speaks of infinitely many entries, or of all families."""
    if formula.op == "family":
        return True
    if formula.op != "every":
        return False
    return (formula.args[2] is None and _mentions_entries(formula.args[3])) or endless_in_entries(
        formula.args[3]
    )
