"""Instances that satisfy formulas, drawn and repaired."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from verify.kernel.instances.draws import small
from verify.kernel.instances.truth import holds, places_of
from verify.kernel.instances.values import (
    BITS,
    DRAWN,
    FUEL,
    Instance,
    UndefinedError,
    as_place,
    value,
    whole,
)
from verify.kernel.memory import kept
from verify.kernel.node import Node

_ROUNDS = 60


def sample(
    formulas: Sequence[Node], source: random.Random, *, far: bool = False, rounds: int = _ROUNDS
) -> Instance | None:
    """Return an instance at which the formulas hold, by drawing and repairing; None where none was found."""
    at = Instance({}, {}, source, far=far, fuel=[FUEL])
    ordered = sorted(formulas, key=_urgency)
    for item in ordered:
        if item.op == "int":
            for key in _names(item):
                at.names.setdefault(key, fmpq(source.choice((1, 1, 2, 2, 3, 4))))
    return repaired(ordered, at, source, rounds)


def repaired(
    ordered: Sequence[Node], at: Instance, source: random.Random, rounds: int = _ROUNDS
) -> Instance | None:
    """Change an instance until the formulas hold there; None where that was not reached."""
    settled = _Settled(ordered, at)
    for _ in range(rounds):
        wrong = 0
        for place, item in enumerate(ordered):
            if not settled.holds(place):
                wrong += 1
                repair(item, at, source)
        if not wrong and all(settled.holds(place) for place in range(len(ordered))):
            at.fuel[0] = FUEL
            return at
        if at.fuel[0] < 0:
            return None
    return None


class _Settled:
    """Which formulas hold at an instance: looked at again only where values that they name have changed.

    Args:
        ordered: The formulas.
        at: The instance.
    """

    def __init__(self, ordered: Sequence[Node], at: Instance) -> None:
        self._ordered, self._at = ordered, at
        self._seen: list[Any] = [None] * len(ordered)
        self._kept = [not _draws(item, far=at.far) for item in ordered]

    def holds(self, place: int) -> bool:
        """Return whether the formula of this place holds."""
        if self._seen[place] is not None and self._seen[place] == self._values(place):
            return True
        if holds(self._ordered[place], self._at) is not True:
            self._seen[place] = None
            return False
        if self._kept[place]:
            self._seen[place] = self._values(place)
        return True

    def _values(self, place: int) -> list[Any]:
        names, entries = self._at.names, self._at.entries
        return [
            names.get(key) if kind == "name" else tuple(entries.get(key, {}).items())
            for kind, key in self._ordered[place].free
        ]


def _draws(node: Node, *, far: bool) -> bool:
    """Return whether each look at a formula draws families anew, or looks where other names stand."""
    if node.op == "family" or (node.op == "every" and node.args[2] is None and not far):
        return True
    return any(_draws(arg, far=far) for arg in node.args if isinstance(arg, Node))


def complete(formulas: Sequence[Node], at: Instance) -> None:
    """Give names that have no value the value that an equation states."""
    for _ in range(3):
        for item in formulas:
            _defined(item, at)


def _defined(item: Node, at: Instance) -> None:
    try:
        if item.op == "every" and item.args[2] is not None:
            index, low, high, body = item.args
            for k in range(whole(value(low, at)), whole(value(high, at)) + 1):
                _defined(body, at.within(index, fmpq(k)))
        elif item.op == "eq" and item.args[0].op in ("name", "entry"):
            try:
                value(item.args[0], at)
            except UndefinedError:
                found = value(item.args[1], at)
                if isinstance(found, fmpq):  # instances are rational
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
            for k in places_of(low, high, at, DRAWN):
                if holds(body, at, (index,), (k,)) is not True:
                    repair(body, at.within(index, fmpq(k)), source)
            return
        if item.op == "int":
            _assign(item.args[0], fmpq(source.choice((1, 1, 2, 3))), at)
            return
        if item.op in ("le", "lt", "eq", "ne"):
            _repair_comparison(item, at, source)
            return
    except UndefinedError:
        pass  # no value to set a side to: draw others
    _shake(item, at, source)


def _repair_comparison(item: Node, at: Instance, source: random.Random) -> None:
    left, right = item.args
    if item.op == "eq":
        for target, other in ((left, right), (right, left)):
            if target.op in ("name", "entry"):
                found = value(other, at)
                if isinstance(found, fmpq):
                    _assign(target, found, at)
                    return
        if not _solve(item, at, source):
            _shake(item, at, source)
        return
    if item.op == "ne":
        _shake(item, at, source)
        return
    step = fmpq(source.randint(0 if item.op == "le" else 1, 4), source.choice((1, 2, 3)))
    for target, other, direction in source.sample([(left, right, -1), (right, left, 1)], 2):
        if target.op in ("name", "entry") and source.random() < 0.9:
            found = value(other, at)
            if not isinstance(found, fmpq):
                middle = float(found.mid())
                if not math.isfinite(middle):
                    raise UndefinedError("a number beyond the range of doubles")
                simple = Fraction(middle).limit_denominator(1000)
                found = fmpq(simple.numerator, simple.denominator)
            if direction < 0 and found > 0 and source.random() < 0.8:
                factors = (fmpq(1), fmpq(1, 2), fmpq(1, 3), fmpq(9, 10))
                low = factors[1:] if item.op == "lt" else factors
                _assign(target, found * source.choice(low), at)
            else:
                _assign(target, found + direction * step, at)
            return
    _shake(item, at, source)


def _solve(item: Node, at: Instance, source: random.Random) -> bool:
    """Give a name the value that solves an equation between names, where both sides are affine in it."""
    names, families = _movable(item)
    names = [key for key in names if key not in at.bound]
    if not names or families:
        return False
    key = source.choice(names)
    kept, gaps = at.names.get(key), []
    try:
        for tried in range(3):
            at.names[key] = fmpq(tried)
            gaps.append(value(item.args[0], at) - value(item.args[1], at))
    except UndefinedError:
        gaps = []
    if kept is None:
        del at.names[key]
    else:
        at.names[key] = kept
    if not (len(gaps) == 3 and all(isinstance(gap, fmpq) for gap in gaps)):
        return False
    if gaps[2] - gaps[1] != gaps[1] - gaps[0] or gaps[1] == gaps[0]:
        return False
    found = gaps[0] / (gaps[0] - gaps[1])
    if found.numerator.bit_length() + found.denominator.bit_length() > BITS:
        return False
    at.names[key] = found
    return True


def _assign(target: Node, number: fmpq, at: Instance) -> None:
    if number.numerator.bit_length() + number.denominator.bit_length() > BITS:
        raise UndefinedError("a number of many digits")
    if target.op == "name":
        if target.args[0] in at.bound:
            raise UndefinedError("an index has the value of its place")
        at.names[target.args[0]] = number
    elif target.op == "entry":
        places = tuple(as_place(value(item, at)) for item in target.args[1:])
        at.entries.setdefault(target.args[0], {})[places] = number


def _shake(item: Node, at: Instance, source: random.Random) -> None:
    """Draw something in a formula anew."""
    names, families = _movable(item)
    names = [key for key in names if key not in at.bound]
    choice = source.choice([*names, *(key for key in families if at.entries.get(key))] or [""])
    if choice in names:
        at.names[choice] = abs(small(source)) if source.random() < 0.7 else small(source)
    elif choice:
        known = at.entries[choice]
        drawn = source.choice(sorted(known))
        known[drawn] = abs(small(source)) if source.random() < 0.7 else small(source)


@kept(maxsize=50_000)
def _movable(item: Node) -> tuple[list[str], list[str]]:
    """Return the free names of a formula that may be drawn anew, and its free families."""
    counting = set(_counting(item))
    families = sorted(key for kind, key in item.free if kind == "family")
    return [key for key in _names(item) if key not in counting], families


def _counting(node: Node) -> Iterator[str]:
    """Yield the names that stand in the bounds of a sum: they count something and stay integers."""
    if node.op in ("sum", "every"):
        for end in node.args[1:3]:
            if end is not None:
                yield from (key for kind, key in end.free if kind == "name")
    for arg in node.args:
        if isinstance(arg, Node):
            yield from _counting(arg)
