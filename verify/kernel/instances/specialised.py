"""Places at which a derivation uses what its hypotheses say of all integers or families.

A place may be named by an index or a name that the derivation itself binds or replaces later on; it is looked
at with what is put there in the end, or with integers of the range. Signs take a hypothesis at entries, and
no theorem says where: one without an end is looked at wherever entries and ranges of the derivation are.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import fmpq

from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import Instance, UndefinedError, value
from verify.kernel.memory import kept
from verify.kernel.node import KernelError, Node, name, substitute
from verify.kernel.theorem import Over, Put

if TYPE_CHECKING:
    from verify.kernel.theorem import Theorem

_FIRST = 4
"""Integers that are tried of each range, beside the places that the derivation names."""
_VALUES = 256
"""Combinations of values that are tried at one place."""
_BELOW = 200
"""Integers below a named place that are tried of one range: an induction takes its step at each of them."""
_WAYS = 20_000
"""Ways from what is concluded down to places; derivations of claims have at most 2400."""


@dataclass(frozen=True)
class Place:
    """A hypothesis at one place, or of one family, and what has to hold for that.

    Args:
        needed: Formulas that say that the place is one.
        conclusion: What the hypothesis says there.
        ranges: Names that rules have bound on the way to the conclusion, outermost first, and their ranges.
    """

    needed: tuple[Node, ...]
    conclusion: Node
    ranges: tuple[Over, ...] = ()


@dataclass(frozen=True)
class Places:
    """The places of theorems, and what says where they are.

    Args:
        items: Places that theorems tell.
        terms: All terms that are put for an index or a name.
        endless: What hypotheses say without an end, each said of a name of its range.
        wheres: Terms that tell where entries are taken, and where ranges begin and end.
    """

    items: tuple[Place, ...]
    terms: tuple[Node, ...]
    endless: tuple[Place, ...]
    wheres: tuple[Node, ...]

    def false_at(self, at: Instance) -> Place | None:
        """Return a place at which its hypothesis fails, by values that the instance has, or None."""
        ways = ((self.items, self.terms), (self.endless, (*self.terms, *self.wheres)))
        for items, terms in ways:
            named = _integers(terms, at) if items else []
            found = next((item for item in items if _false_there(item, at, named)), None)
            if found is not None:
                return found
        return None


def specialised(theorems: Iterable[Theorem], stated: Collection[Node]) -> Places:
    """Return the places at which theorems rest on stated hypotheses.

    Raises:
        KernelError: There are too many ways down to them.
    """
    found: dict[Place, None] = {}
    terms: dict[Node, None] = {}
    wheres: dict[Node, None] = {}
    seen: set[tuple[int, ...]] = set()
    pending: list[tuple[Theorem, tuple[Put | Over, ...]]] = [(theorem, ()) for theorem in theorems]
    while pending:
        theorem, binders = pending.pop()
        way = (id(theorem), *map(id, binders))
        if way in seen:
            continue
        if len(seen) == _WAYS:
            raise KernelError(
                "what is concluded rests on its hypotheses in too many ways: conclude steps by `know`, and "
                "instantiate once"
            )
        seen.add(way)
        wheres.update(dict.fromkeys(_wheres(theorem.conclusion)))
        if isinstance(theorem.binder, Put):
            terms.update(dict.fromkeys(theorem.binder.names.values()))
        inner = binders
        if theorem.binder is not None and theorem.rule != "specialise":  # there a parent has bound the index
            inner = (*binders, theorem.binder)
        bound = 2 if theorem.rule == "induction" else 1  # what else a rule used stands beside the binder
        pending += [(item, inner if k < bound else binders) for k, item in enumerate(theorem.parents)]
        if theorem.rule == "specialise":
            said = _said(theorem)
            needed = [item for item in theorem.hypotheses if item not in said.hypotheses]
            if said.rule == "assume" and said.conclusion in stated:
                found[_opened(needed, theorem.conclusion, binders)] = None
    said_so = [*found, *(Place((), item) for item in stated)]
    endless = [_everywhere(item) for item in said_so if _is_endless(item.conclusion)]
    return Places(tuple(found), tuple(terms), tuple(endless), tuple(wheres))


def _is_endless(item: Node) -> bool:
    return item.op == "every" and (item.args[2] is None or _is_endless(item.args[3]))


def _everywhere(place: Place) -> Place:
    """Return what is said there of every integer of a range as what is said of a name."""
    item, ranges = place.conclusion, list(place.ranges)
    while item.op == "every":
        index, low, high, body = item.args
        ranges.append(Over(f"{index}~{len(ranges)}", low, high))
        item = substitute(body, {index: name(ranges[-1].index)})
    return Place(place.needed, item, tuple(ranges))


@kept(maxsize=50_000)
def _wheres(node: Node) -> tuple[Node, ...]:
    """Return the terms that tell in a formula where entries are taken, and where ranges begin and end."""
    own = {"entry": node.args[1:], "sum": node.args[1:3], "every": node.args[1:3]}.get(node.op, ())
    parts = [_wheres(item) for item in node.args if isinstance(item, Node)]
    return tuple(dict.fromkeys((*(item for item in own if item), *(item for part in parts for item in part))))


def _opened(needed: Sequence[Node], conclusion: Node, binders: Sequence[Put | Over]) -> Place:
    """Return a place as it is where theorems are concluded: what was put is there, bound names are others."""
    items, ranges = [*needed, conclusion], list[Over]()
    for number, binder in enumerate(reversed(binders)):
        if isinstance(binder, Put):
            names, families = dict(binder.names), dict(binder.families)
        else:
            fresh = f"@{number}"
            names, families = {binder.index: name(fresh)}, {}
        items = [substitute(item, names, families) for item in items]
        ranges = [_moved(item, names, families) for item in ranges]
        if isinstance(binder, Over) and any(("name", fresh) in item.free for item in items):
            ranges.insert(0, Over(fresh, binder.low, binder.high))
    return Place(tuple(items[:-1]), items[-1], tuple(ranges))


def _moved(item: Over, names: dict[str, Node], families: dict[str, Any]) -> Over:
    low, high = (end and substitute(end, names, families) for end in (item.low, item.high))
    assert low is not None
    return Over(item.index, low, high)


def _said(theorem: Theorem) -> Theorem:
    """Return what is taken at a place, or at several."""
    while theorem.rule == "specialise":
        theorem = theorem.parents[0]  # the others settle that the place is one
    return theorem


def _false_there(place: Place, at: Instance, named: Sequence[int]) -> bool:
    """Return whether a hypothesis fails at its place, by values that the instance has.

    Names that it does not have are those of ranges, or arbitrary: any value that is one shows the failure.
    """
    closed = Instance(dict(at.names), at.entries, _NoDraws(), at.bound, at.drawn, far=at.far)
    free = {key for item in (*place.needed, place.conclusion) for kind, key in item.free if kind == "name"}
    own = {item.index for item in place.ranges}
    others = sorted(free - own - closed.names.keys())
    pool = [fmpq(item) for item in dict.fromkeys((0, 1, -1, 2, *named))]
    alone = len(place.ranges) == 1  # with several ranges these would take the place of other combinations
    tried = [*named, *range(min(max(named, default=0), _BELOW))] if alone else named
    for values in itertools.islice(itertools.product(pool, repeat=len(others)), _VALUES):
        closed.names.update(zip(others, values, strict=True))
        if any(
            _fails(place, closed) for _ in itertools.islice(_ranged(place.ranges, closed, tried), _VALUES)
        ):
            return True
    return False


def _ranged(ranges: Sequence[Over], at: Instance, named: Sequence[int]) -> Iterator[None]:
    """Give values to the names of ranges, one combination after the other."""
    if not ranges:
        yield
        return
    first, *rest = ranges
    low = _integer(first.low, at)
    high = None if first.high is None else _integer(first.high, at)
    if low is None or (first.high is not None and high is None):
        return
    last = low + _FIRST - 1 if high is None else min(high, low + _FIRST - 1)
    further = [item for item in named if last < item and (high is None or item <= high)]
    for number in dict.fromkeys(
        (*range(low, last + 1), *further, *(() if high is None or high < low else (high,)))
    ):
        at.names[first.index] = fmpq(number)
        yield from _ranged(rest, at, named)
    at.names.pop(first.index, None)


def _fails(place: Place, at: Instance) -> bool:
    try:
        return all(holds(item, at) is True for item in place.needed) and holds(place.conclusion, at) is False
    except _MissingError:
        return False


def _integers(terms: Iterable[Node], at: Instance) -> list[int]:
    """Return the integers that terms are, by values that the instance has."""
    closed = Instance(dict(at.names), at.entries, _NoDraws(), at.bound, at.drawn, at.far)
    return sorted({found for item in terms if (found := _integer(item, closed)) is not None})


def _integer(node: Node, at: Instance) -> int | None:
    try:
        found = value(node, at)
    except (_MissingError, UndefinedError):
        return None
    return int(found) if isinstance(found, fmpq) and found.q == 1 else None


class _MissingError(Exception):
    """A value that the instance does not have."""


class _NoDraws(random.Random):
    def random(self) -> float:
        raise _MissingError
