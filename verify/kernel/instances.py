"""Exact evaluation of terms and formulas at an instance, and a sampler of instances that satisfy formulas.

Not trusted: it attacks theorems, and shows that hypotheses can be satisfied. Numbers are rational where
they can
be and balls (arb) elsewhere; what a ball leaves open is None.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint

from verify.kernel.forms import _integer_root
from verify.kernel.node import Node

_PRECISION = 200
_DRAWN = 24
_BITS = 300
_FUEL = 15_000
_LARGEST = 4096
"""Terms of a sum, or outcomes of an expectation, beyond which an instance is too large."""


class UndefinedError(ArithmeticError):
    """A term has no value at an instance."""


class TooLargeError(UndefinedError):
    """A term has a value at an instance, perhaps, and it takes too long or too many digits to know it."""


@dataclass
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

    def entry(self, family: str, places: tuple[Any, ...]) -> Any:
        """Return an entry."""
        known = self.drawn[family] if family in self.drawn else self.entries.setdefault(family, {})
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


def small(source: random.Random) -> Fraction:
    """Return a random small rational, simple ones more often."""
    kind = source.random()
    if kind < 0.35:
        return Fraction(source.randint(-3, 3))
    if kind < 0.85:
        return Fraction(source.randint(-12, 12), source.randint(1, 6))
    return Fraction(source.randint(-99, 99), source.choice((1, 7, 50)))


def value(node: Node, at: Instance) -> Any:
    """Return the value of a term, a Fraction or a ball.

    Raises:
        UndefinedError: It has none.
    """
    op, args = node.op, node.args
    if op == "num":
        return args[0]
    if op == "name":
        return at.name(args[0])
    if op == "entry":
        return at.entry(args[0], tuple(value(item, at) for item in args[1:]))
    if op == "add":
        return _sum(value(item, at) for item in args)
    if op == "mul":
        result: Any = Fraction(1)
        for item in args:
            result = _times(result, value(item, at))
        return result
    if op == "pow":
        return _power(value(args[0], at), value(args[1], at))
    if op == "sum":
        return _sum(value(args[3], inner) for inner in _through(args, at))
    if op == "mean":
        return _expectation(node, at)
    return _function(args[0], [value(item, at) for item in args[1:]])


def _through(args: tuple[Any, ...], at: Instance) -> Any:
    index, low, high = args[:3]
    first, last = _whole(value(low, at)), _whole(value(high, at))
    if last - first + 1 < 0:
        raise UndefinedError(f"a range from {first} to {last}")
    if last - first > _largest(at):
        raise TooLargeError(f"a range from {first} to {last}")
    for place in range(first, last + 1):
        _burn(at)
        yield at.within(index, Fraction(place))


def _largest(at: Instance) -> int:
    """Return how long a range may be: short for values that are drawn."""
    return _LARGEST if at.source is None else _DRAWN


def _burn(at: Instance) -> None:
    if at.fuel:
        at.fuel[0] -= 1
        if at.fuel[0] < 0:
            raise TooLargeError("too many terms")


def _whole(number: Any) -> int:
    if not isinstance(number, Fraction) or number.denominator != 1:
        raise UndefinedError(f"{number} is no integer")
    return int(number)


def _ball(number: Any) -> Any:
    return (
        flint.arb(flint.fmpq(number.numerator, number.denominator))
        if isinstance(number, Fraction)
        else number
    )


def _sum(numbers: Any) -> Any:
    total: Any = Fraction(0)
    for item in numbers:
        exact = isinstance(total, Fraction) and isinstance(item, Fraction)
        total = total + item if exact else _ball(total) + _ball(item)
    return total


def _times(a: Any, b: Any) -> Any:
    return a * b if isinstance(a, Fraction) and isinstance(b, Fraction) else _ball(a) * _ball(b)


def sign(number: Any) -> int | None:
    """Return the sign of a number, None where a ball contains 0 and more."""
    if isinstance(number, Fraction):
        return (number > 0) - (number < 0)
    if number > 0:
        return 1
    if number < 0:
        return -1
    return 0 if number == 0 else None


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, Fraction):
        if sign(base) != 1:
            raise UndefinedError("a power of a base that is not positive")
        return (_ball(exponent) * _ball(base).log()).exp()
    if exponent.denominator == 1:
        if exponent < 0 and sign(base) in (0, None):
            raise UndefinedError("division by zero")
        power = abs(int(exponent))
        result = base**power if isinstance(base, Fraction) else _ball(base) ** power
        return result if exponent >= 0 else _inverse(result)
    s = sign(base)
    if s is None or s < 0 or (s == 0 and exponent < 0):
        raise UndefinedError(f"a root of {base}")
    if s == 0:
        return Fraction(0)
    if isinstance(base, Fraction):
        roots = [_integer_root(part, exponent.denominator) for part in (base.numerator, base.denominator)]
        if None not in roots:
            return Fraction(*roots) ** exponent.numerator  # type: ignore[arg-type]
    return _ball(base).root(exponent.denominator) ** int(exponent.numerator)


def _inverse(number: Any) -> Any:
    return 1 / number if isinstance(number, Fraction) else 1 / _ball(number)


def _function(function: str, arguments: Sequence[Any]) -> Any:
    first = arguments[0]
    if function == "log":
        if sign(first) != 1:
            raise UndefinedError(f"a logarithm of {first}")
        return Fraction(0) if first == 1 else _ball(first).log()
    if function == "exp":
        return Fraction(1) if first == 0 else _ball(first).exp()
    if function == "abs":
        return abs(first)
    if function == "floor":
        if isinstance(first, Fraction):
            return Fraction(first.numerator // first.denominator)
        down = first.floor().unique_fmpz()
        if down is None:
            raise TooLargeError("a floor that is not decided")
        return Fraction(int(down))
    if function == "delta":
        return Fraction(int(first == arguments[1]))
    best = first
    for item in arguments[1:]:
        s = sign(_sum([item, _times(Fraction(-1), best)]))
        if s is None:
            raise TooLargeError("a maximum that is not decided")
        best = item if (s > 0) == (function == "max") else best
    return best


def _expectation(node: Node, at: Instance) -> Any:
    """Return the expectation under a law of two points for each entry, independent, with the moments
    asked for.
    """
    body, family, ranges, mean, variance = node.args
    spans = [range(_whole(value(low, at)), _whole(value(high, at)) + 1) for _, low, high in ranges]
    places = list(itertools.product(*spans))
    if 2 ** len(places) > _LARGEST:
        raise TooLargeError("too many outcomes")
    laws = []
    for place in places:
        inner = at
        for (index, _, _), k in zip(ranges, place, strict=True):
            inner = inner.within(index, Fraction(k))
        m, v = value(mean, inner), value(variance, inner)
        if not isinstance(m, Fraction) or not isinstance(v, Fraction):
            raise TooLargeError("an irrational law")
        if v < 0:
            raise UndefinedError("a variance below 0")
        c = Fraction(2)
        laws.append([(m + v / c, c * c / (c * c + v)), (m - c, v / (c * c + v))])
    total: Any = Fraction(0)
    for outcome in itertools.product(*laws):
        probability = Fraction(1)
        for _, p in outcome:
            probability *= p
        if probability:
            drawn = {tuple(map(Fraction, place)): x for place, (x, _) in zip(places, outcome, strict=True)}
            total = _sum([total, _times(probability, value(body, at.with_family(family, drawn)))])
    return total


def holds(formula: Node, at: Instance) -> bool | None:
    """Return whether a formula is defined and true, None where that is not decided.

    `every` without end and families are tried at a few places only: true there counts as true.
    """
    op, args = formula.op, formula.args
    try:
        if op in ("le", "lt", "eq", "ne"):
            s = sign(_sum([value(args[1], at), _times(Fraction(-1), value(args[0], at))]))
            if s is None:
                return None
            return {"le": s >= 0, "lt": s > 0, "eq": s == 0, "ne": s != 0}[op]
        if op == "int":
            number = value(args[0], at)
            return number.denominator == 1 if isinstance(number, Fraction) else None
        if op == "power":
            base, exponent = value(args[0], at), value(args[1], at)
            natural = isinstance(exponent, Fraction) and exponent.denominator == 1 and exponent >= 0
            return natural or sign(base) == 1
        if op == "every":
            return _holds_every(formula, at)
        return _holds_family(formula, at)
    except TooLargeError:
        return None
    except UndefinedError:
        return False


def _holds_every(formula: Node, at: Instance) -> bool | None:
    index, low, high, body = formula.args
    places = _tried(low, high, at, _largest(at))
    answers = [holds(body, at.within(index, Fraction(k))) for k in places]
    return False if False in answers else (None if None in answers else True)


def _tried(low: Node, high: Node | None, at: Instance, most: int) -> list[int]:
    """Return the places of a range; of one without end the first ones, and far ones or those that names
    stand for.
    """
    first = _whole(value(low, at))
    if high is None and at.far:
        return [first, first + 1, first + 2, first + 3, first + 20, first + 150]
    if high is None:
        named = [
            int(k) for k in (*at.names.values(), *at.bound.values()) if getattr(k, "denominator", 0) == 1
        ]
        most = max((k for k in named if k <= first + 12), default=first)
        return list(range(first, max(first + 3, most) + 1))
    last = _whole(value(high, at))
    if last - first > most:
        raise TooLargeError(f"a range from {first} to {last}")
    return list(range(first, last + 1))


class _Wide(dict[tuple[Any, ...], Any]):
    """Entries of a family that is drawn: small, large or tiny ones."""

    def __init__(self, scale: Fraction) -> None:
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
    scales = [Fraction(1)] * 5 + [Fraction(10**4), Fraction(1, 100), Fraction(10**9)]
    answers = [holds(body, at.with_family(family, _Wide(scale))) for scale in scales]
    return False if False in answers else (None if None in answers else True)


def fails_beyond(formula: Node, at: Instance) -> bool:
    """Return whether what is said of all integers or all families fails beyond the values of an instance.

    So a bound on all of them, which contradicts itself, is not satisfied by a large number.
    """
    far = 2 * max((abs(int(k)) for k in at.names.values() if isinstance(k, Fraction)), default=0) + 3
    if formula.op == "every" and formula.args[2] is None and not _mentions_entries(formula.args[3]):
        return holds(formula.args[3], at.within(formula.args[0], Fraction(far))) is False
    if formula.op != "family":
        return False
    family, body = formula.args
    drawn = Instance(at.names, at.entries, random.Random(2), at.bound, at.drawn, at.far, at.fuel)
    return any(holds(body, drawn.with_family(family, _Wide(Fraction(far)))) is False for _ in range(8))


def _mentions_entries(node: Node) -> bool:
    return node.op == "entry" or any(_mentions_entries(item) for item in node.args if isinstance(item, Node))


# ---------------------------------------------------------------- sampling

_ROUNDS = 60


def sample(formulas: Sequence[Node], source: random.Random, *, far: bool = False) -> Instance | None:
    """Return an instance at which the formulas hold, by drawing and repairing; None where none was found."""
    at = Instance({}, {}, source, far=far, fuel=[_FUEL])
    ordered = sorted(formulas, key=_urgency)
    for item in ordered:
        if item.op == "int":
            for key in _names(item):
                at.names.setdefault(key, Fraction(source.choice((1, 1, 2, 2, 3, 4))))
    return repaired(ordered, at, source)


def repaired(ordered: Sequence[Node], at: Instance, source: random.Random) -> Instance | None:
    """Change an instance until the formulas hold there; None where that was not reached."""
    for _ in range(_ROUNDS):
        wrong = 0
        for item in ordered:
            if holds(item, at) is not True:
                wrong += 1
                repair(item, at, source)
        if not wrong and all(holds(item, at) is True for item in ordered):
            at.fuel[0] = _FUEL
            return at
        if at.fuel[0] < 0:
            return None
    return None


def complete(formulas: Sequence[Node], at: Instance) -> None:
    """Give names that have no value the value that an equation states."""
    for _ in range(3):
        for item in formulas:
            _defined(item, at)


def _defined(item: Node, at: Instance) -> None:
    try:
        if item.op == "every" and item.args[2] is not None:
            index, low, high, body = item.args
            for k in range(_whole(value(low, at)), _whole(value(high, at)) + 1):
                _defined(body, at.within(index, Fraction(k)))
        elif item.op == "eq" and item.args[0].op in ("name", "entry"):
            try:
                value(item.args[0], at)
            except UndefinedError:
                found = value(item.args[1], at)
                if isinstance(found, Fraction):  # instances are rational
                    _assign(item.args[0], found, at)
    except UndefinedError:
        return


def _urgency(item: Node) -> int:
    body = item
    while body.op == "every":
        body = body.args[3]
    if body.op == "int":
        return 0
    return 2 if body.op == "eq" else 1


def _names(item: Node) -> list[str]:
    return sorted(key for kind, key in item.free if kind == "name")


def repair(item: Node, at: Instance, source: random.Random) -> None:
    """Change an instance where a formula fails, so that it may hold."""
    try:
        if item.op == "every":
            index, low, high, body = item.args
            for k in _tried(low, high, at, _DRAWN):
                inner = at.within(index, Fraction(k))
                if holds(body, inner) is not True:
                    repair(body, inner, source)
            return
        if item.op == "int":
            _assign(item.args[0], Fraction(source.choice((1, 1, 2, 3))), at)
            return
        if item.op in ("le", "lt", "eq", "ne"):
            _repair_comparison(item, at, source)
            return
    except UndefinedError:
        pass
    _shake(item, at, source)


def _repair_comparison(item: Node, at: Instance, source: random.Random) -> None:
    left, right = item.args
    if item.op == "eq":
        for target, other in ((left, right), (right, left)):
            if target.op in ("name", "entry"):
                found = value(other, at)
                if isinstance(found, Fraction):
                    _assign(target, found, at)
                    return
        _shake(item, at, source)
        return
    if item.op == "ne":
        _shake(item, at, source)
        return
    step = Fraction(source.randint(0 if item.op == "le" else 1, 4), source.choice((1, 2, 3)))
    for target, other, direction in source.sample([(left, right, -1), (right, left, 1)], 2):
        if target.op in ("name", "entry") and source.random() < 0.9:
            found = value(other, at)
            if not isinstance(found, Fraction):
                middle = float(found.mid())
                if not math.isfinite(middle):
                    raise UndefinedError("a number beyond the range of doubles")
                found = Fraction(middle).limit_denominator(1000)
            if direction < 0 and found > 0 and source.random() < 0.8:
                factors = (Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(9, 10))
                low = factors[1:] if item.op == "lt" else factors
                _assign(target, found * source.choice(low), at)
            else:
                _assign(target, found + direction * step, at)
            return
    _shake(item, at, source)


def _assign(target: Node, number: Fraction, at: Instance) -> None:
    if number.numerator.bit_length() + number.denominator.bit_length() > _BITS:
        raise UndefinedError("a number of many digits")
    if target.op == "name":
        at.names[target.args[0]] = number
    elif target.op == "entry":
        places = tuple(value(item, at) for item in target.args[1:])
        at.entries.setdefault(target.args[0], {})[places] = number


def _shake(item: Node, at: Instance, source: random.Random) -> None:
    """Draw something in a formula anew."""
    names = [key for key in _names(item) if not _counts(item, key)]
    families = sorted(key for kind, key in item.free if kind == "family" and at.entries.get(key))
    choice = source.choice([*names, *families] or [""])
    if choice in names:
        at.names[choice] = abs(small(source)) if source.random() < 0.7 else small(source)
    elif choice:
        known = at.entries[choice]
        place = source.choice(sorted(known))
        known[place] = abs(small(source)) if source.random() < 0.7 else small(source)


def _counts(node: Node, key: str) -> bool:
    """Return whether a name stands in the bounds of a sum: it counts something and stays an integer."""
    if node.op in ("sum", "every"):
        ends = [end for end in node.args[1:3] if end is not None]
        if any(("name", key) in end.free for end in ends):
            return True
    return any(_counts(arg, key) for arg in node.args if isinstance(arg, Node))
