"""Exact values of terms at an instance: rational where they can be, balls (arb) elsewhere."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import flint
from flint import fmpq

from verify.kernel.instances.draws import small
from verify.kernel.instances.loops import compiled
from verify.kernel.memory import kept
from verify.kernel.node import Node
from verify.kernel.normal.forms import _integer_root

DRAWN = 24
BITS = 300
FUEL = 15_000
_ZERO, _ONE = fmpq(0), fmpq(1)
_LARGEST = 4096
"""Terms of a sum, or outcomes of an expectation, beyond which an instance is too large."""


class UndefinedError(ArithmeticError):
    """A term has no value at an instance."""


class TooLargeError(UndefinedError):
    """A term has a value at an instance, perhaps, and it takes too long or too many digits to know it."""


@dataclass(slots=True)
class Instance:
    """Values of names and families; what nothing fixed is drawn when it is looked at.

    Args:
        names: Values of scalars.
        entries: Values of families by indices.
        source: Random numbers for what is looked at first; None makes that an error.
        bound: Values of bound indices.
        drawn: Values of bound families.
        far: Whether `every` without end is looked at far out, too.
        fuel: How many terms of sums may still be looked at, [] for any number.
    """

    names: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, dict[tuple[Any, ...], Any]] = field(default_factory=dict)
    source: random.Random | None = None
    bound: Mapping[str, Any] = field(default_factory=dict)
    drawn: Mapping[str, dict[tuple[Any, ...], Any]] = field(default_factory=dict)
    far: bool = False
    fuel: list[int] = field(default_factory=list)

    def copy(self, source: random.Random) -> Instance:
        """Return an instance of its own with the same values, for which others are drawn from a source."""
        entries = {family: dict(values) for family, values in self.entries.items()}
        return replace(self, names=dict(self.names), entries=entries, source=source, fuel=[FUEL])

    def within(self, index: str, place: Any) -> Instance:
        """Return the instance with a bound index."""
        return Instance(
            self.names,
            self.entries,
            self.source,
            {**self.bound, index: place},
            self.drawn,
            self.far,
            self.fuel,
        )

    def with_family(self, family: str, values: dict[tuple[Any, ...], Any]) -> Instance:
        """Return the instance with a bound family."""
        return Instance(
            self.names,
            self.entries,
            self.source,
            self.bound,
            {**self.drawn, family: values},
            self.far,
            self.fuel,
        )

    def family(self, family: str) -> dict[tuple[Any, ...], Any]:
        """Return the entries of a family that are known."""
        return self.drawn[family] if family in self.drawn else self.entries.setdefault(family, {})

    def entry(self, family: str, places: tuple[Any, ...]) -> Any:
        """Return an entry."""
        known = self.family(family)
        if places not in known:
            if self.source is None:
                raise UndefinedError(f"{family}{list(map(str, places))} has no value")
            known[places] = small(self.source)
        return known[places]

    def name(self, key: str) -> Any:
        """Return the value of a name."""
        if key in self.bound:
            return self.bound[key]
        if key not in self.names:
            if self.source is None:
                raise UndefinedError(f"{key} has no value")
            self.names[key] = small(self.source)
        return self.names[key]

    def shown(self) -> dict[str, str]:
        """Return the values as text."""
        rows = {key: str(value) for key, value in sorted(self.names.items()) if "~" not in key}
        for family, values in sorted(self.entries.items()):
            rows |= {
                f"{family}[{', '.join(map(str, places))}]": str(v) for places, v in sorted(values.items())
            }
        return rows


_Value = Callable[[Instance], Any]


def value(node: Node, at: Instance, indices: tuple[str, ...] = (), places: Sequence[int] = ()) -> Any:
    """Return the value of a term, a rational of flint or a ball.

    Raises:
        UndefinedError: It has none.
    """
    return function_of(node, indices)(at, *places)


def function_of(node: Node, indices: tuple[str, ...]) -> Callable[..., Any]:
    """Return the value of a term as a function of the instance and of places, outermost first."""
    return _of_places(node, indices) if indices else _evaluator(node)


@kept(maxsize=50_000)
def _of_places(node: Node, indices: tuple[str, ...]) -> Callable[..., Any]:
    found = compiled(node, indices, _HELPERS, _evaluator)
    if found is not None:
        return found

    def within(at: Instance, *places: int) -> Any:
        for index, place in zip(indices, places, strict=True):
            at = at.within(index, fmpq(place))
        return _evaluator(node)(at)

    return within


@kept(maxsize=50_000)
def _evaluator(node: Node) -> _Value:
    """Return the value of a term as a function of the instance; terms are asked for at many of them."""
    op, args = node.op, node.args
    if op == "num":
        number = fmpq(args[0].numerator, args[0].denominator)
        return lambda at: number
    if op == "name":
        key = args[0]
        return lambda at: at.name(key)
    if op == "sum":
        return compiled(node, (), _HELPERS, _evaluator) or _term_by_term(args[0], *map(_evaluator, args[1:]))
    if op == "mean":
        return lambda at: _expectation(node, at)
    if op in ("add", "mul"):
        parts = [_evaluator(item) for item in args]
        combined = added if op == "add" else _product
        return lambda at: combined([part(at) for part in parts])
    if op == "pow":
        base, exponent = map(_evaluator, args)
        if args[1].op == "num" and args[1].args[0].denominator == 1:
            power = int(args[1].args[0])
            return lambda at: _to_power(base(at), power)
        return lambda at: _power(base(at), exponent(at))
    first, parts = args[0], [_evaluator(item) for item in args[1:]]
    if op == "entry" and len(parts) == 1:
        (part,) = parts
        return lambda at: at.entry(first, (as_place(part(at)),))
    if op == "entry":
        return lambda at: at.entry(first, tuple([as_place(part(at)) for part in parts]))
    return lambda at: _function(first, [part(at) for part in parts])


def _product(numbers: Sequence[Any]) -> Any:
    return math.prod(numbers, start=_ONE)


def _to_power(number: Any, power: int) -> Any:
    """Return an integer power."""
    if type(number) is not fmpq:
        return _power(number, fmpq(power))
    if power >= 0:
        return number**power
    if not number:
        raise UndefinedError("division by zero")
    return 1 / number**-power


def _term_by_term(index: str, low: _Value, high: _Value, body: _Value) -> _Value:
    def found(at: Instance) -> Any:
        places = _span(at, whole(low(at)), whole(high(at)))
        return added([body(at.within(index, fmpq(place))) for place in places])

    return found


def longest(at: Instance) -> int:
    """Return how long a range may be: short for values that are drawn."""
    return _LARGEST if at.source is None else DRAWN


def _span(at: Instance, first: int, last: int) -> range:
    """Return the places of a sum."""
    if last - first + 1 < 0:
        raise UndefinedError(f"a range from {first} to {last}")
    if last - first > longest(at):
        raise TooLargeError(f"a range from {first} to {last}")
    if at.fuel:
        at.fuel[0] -= last - first + 1
        if at.fuel[0] < 0:
            raise TooLargeError("too many terms")
    return range(first, last + 1)


def whole(number: Any) -> int:
    """Return a number that must be an integer."""
    if not isinstance(number, fmpq) or number.q != 1:
        raise UndefinedError(f"{number} is no integer")
    return int(number.p)


def as_place(number: Any) -> Any:
    """Return a number as a place of a family: the hash of an int is quick.

    Raises:
        TooLargeError: It is irrational: families have values at rational places only.
    """
    if not isinstance(number, fmpq):
        raise TooLargeError(f"{number} is no place of a family")
    return int(number.p) if number.q == 1 else number


def _ball(number: Any) -> Any:
    return flint.arb(number) if isinstance(number, fmpq) else number


def added(numbers: Iterable[Any]) -> Any:
    """Return the sum of numbers, exact where all of them are."""
    return sum(numbers, _ZERO)


def times(a: Any, b: Any) -> Any:
    """Return the product of two numbers, exact where both are."""
    return a * b if type(a) is fmpq and type(b) is fmpq else _ball(a) * _ball(b)


def sign(number: Any) -> int | None:
    """Return the sign of a number, None where a ball contains 0 and more."""
    if isinstance(number, fmpq):
        return (number > 0) - (number < 0)
    if number > 0:
        return 1
    if number < 0:
        return -1
    return 0 if number == 0 else None


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, fmpq):
        if sign(base) != 1:
            raise UndefinedError("a power of a base that is not positive")
        return (_ball(exponent) * _ball(base).log()).exp()
    if exponent.q == 1:
        if exponent < 0 and sign(base) in (0, None):
            raise UndefinedError("division by zero")
        power = abs(int(exponent))
        result = base**power if isinstance(base, fmpq) else _ball(base) ** power
        return result if exponent >= 0 else _inverse(result)
    s = sign(base)
    if s is None or s < 0 or (s == 0 and exponent < 0):
        raise UndefinedError(f"a root of {base}")
    if s == 0:
        return fmpq(0)
    if isinstance(base, fmpq):
        roots = [_integer_root(int(part), int(exponent.q)) for part in (base.p, base.q)]
        if None not in roots:
            return fmpq(*roots) ** int(exponent.p)
    return _ball(base).root(int(exponent.q)) ** int(exponent.p)


def _inverse(number: Any) -> Any:
    return 1 / number if isinstance(number, fmpq) else 1 / _ball(number)


def _function(function: str, arguments: Sequence[Any]) -> Any:
    first = arguments[0]
    if function == "log":
        if sign(first) != 1:
            raise UndefinedError(f"a logarithm of {first}")
        return fmpq(0) if first == 1 else _ball(first).log()
    if function == "exp":
        return fmpq(1) if first == 0 else _ball(first).exp()
    if function == "abs":
        return abs(first)
    if function == "floor":
        if isinstance(first, fmpq):
            return fmpq(first.floor())
        down = first.floor().unique_fmpz()
        if down is None:
            raise TooLargeError("a floor that is not decided")
        return fmpq(int(down))
    if function == "delta":
        return fmpq(int(first == arguments[1]))
    best = first
    for item in arguments[1:]:
        s = sign(added([item, times(fmpq(-1), best)]))
        if s is None:
            raise TooLargeError("a maximum that is not decided")
        best = item if (s > 0) == (function == "max") else best
    return best


def _expectation(node: Node, at: Instance) -> Any:
    """Return the expectation under a law of two points for each entry, independent, with the moments
    asked for.
    """
    body, family, ranges, mean, variance = node.args
    indices = tuple(index for index, _, _ in ranges)
    spans = [range(whole(value(low, at)), whole(value(high, at)) + 1) for _, low, high in ranges]
    places = list(itertools.product(*spans))
    if 2 ** len(places) > _LARGEST:
        raise TooLargeError("too many outcomes")
    points: list[tuple[Any, Any]] = []
    chances = [_ONE]
    for place in places:
        m, v = value(mean, at, indices, place), value(variance, at, indices, place)
        if not isinstance(m, fmpq) or not isinstance(v, fmpq):
            raise TooLargeError("an irrational law")
        if v < 0:
            raise UndefinedError("a variance below 0")
        c = fmpq(2)
        points.append((m + v / c, m - c))
        both = c * c / (c * c + v), v / (c * c + v)
        chances = [chance * p for chance in chances for p in both]
    drawn: dict[tuple[Any, ...], Any] = {}

    def outcomes() -> Iterator[Any]:
        last = 0
        for number, outcome in enumerate(itertools.product(*points)):
            if not chances[number]:
                continue
            if len(drawn) == len(places):
                rest = -(number ^ last).bit_length()  # from this place on it differs from the last one
                drawn.update(zip(places[rest:], outcome[rest:], strict=True))
            else:
                drawn.clear()  # entries beside the law are drawn anew for each outcome
                drawn.update(zip(places, outcome, strict=True))
            last = number
            yield chances[number]

    return _of_outcomes(body, family)(at.with_family(family, drawn), outcomes())


@kept(maxsize=50_000)
def _of_outcomes(body: Node, family: str) -> Callable[..., Any]:
    content = _evaluator(body)
    return compiled(body, (), _HELPERS, _evaluator, family) or (
        lambda at, chances: added(times(chance, content(at)) for chance in chances)
    )


_HELPERS = {
    "fmpq": fmpq,
    "zero": _ZERO,
    "whole": whole,
    "as_place": as_place,
    "span": _span,
    "power": _power,
    "to_power": _to_power,
    "function": _function,
    "times": times,
}
