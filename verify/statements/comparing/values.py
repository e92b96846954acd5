"""Evaluate nodes at random rational points; see `digits`.

A point gives a value to every name, every entry of every array and every call of an unknown function. There
are points with n > d and d >> n, small, large and mixed ones.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from theory.latex.nodes import Node, names_of
from verify.statements.comparing.content import content
from verify.statements.comparing.digits import CONTEXT, Undefined, in_digits, real, shown, tiny
from verify.statements.comparing.endless import ended
from verify.statements.comparing.long_sums import some

POINTS = 48
"""Points from which those are taken at which both sides are defined."""
FAR = range(POINTS, POINTS + 6)
"""Further points, with integers of thousands to millions and numbers of 1e-7 to 1e8: two formulas may be the
same at all usual sizes only."""
ZERO = range(POINTS + 6, POINTS + 8)
"""Further points, at one of which each name is 0 that may be."""

WHOLE = range(ZERO.stop, ZERO.stop + 4)
"""Further points, at which numbers are integers or halves of integers, many of them equal."""
MANY = range(WHOLE.stop, WHOLE.stop + 2)
"""Further points for sums under conditions, with integers from 10 to 60."""

MARKED = range(MANY.stop, MANY.stop + 64)
"""Further points for steps, at which names are numbers that the sides have, and between these."""

_NEUTRAL = {"add": CONTEXT.mpf(0), "mul": CONTEXT.mpf(1)}
_TERMS = (*range(20), 29, 37, 58)
_FAR_TERMS = (*_TERMS, 1009, 1_000_003)
"""Of infinite sums these terms are taken, on both sides alike; see `endless`."""

_SCALES = ((0.3, 3.0), (0.02, 0.2), (5.0, 200.0), (0.02, 50.0))
_FAR_SCALES = ((1e4, 1e8), (1e-7, 1e-3), (1e-7, 1e8))


@dataclass(frozen=True)
class Kinds:
    """What is known of names: which are integers, may be negative, count the size of something, may be 0."""

    integers: frozenset[str] = frozenset()
    signed: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    zero: frozenset[str] = frozenset()


@dataclass
class Point:
    """A point; `opaque` gives an extremum or a case distinction a value that depends on all branches.

    `shortened` are lengths of families of which only some terms were taken; `folded` are values of the sums
    in the node that is evaluated, by the indices on which they depend; `marks` are the numbers of a marked
    point.
    """

    seed: int
    kinds: Kinds
    opaque: bool = False
    marks: tuple[Any, ...] = ()
    taken: set[tuple[Node, int]] = field(default_factory=set)
    shortened: set[int] = field(default_factory=set)
    known: dict[Any, Any] = field(default_factory=dict)
    folded: dict[Any, Any] = field(default_factory=dict)

    def scalar(self, name: str) -> Any:
        """Return the value of a name."""
        if name not in self.known:
            if self._is_zero(name, name):
                self.known[name] = 0
            elif name in self.kinds.integers:
                self.known[name] = self._sign(name, ()) * self._integer(name)
            else:
                self.known[name] = self._sign(name, ()) * self._rational(name)
        return self.known[name]

    def entry(self, name: str, indices: tuple[int, ...]) -> Any:
        """Return an entry of an array; every family of integers is an index."""
        key = (name, indices)
        if key not in self.known:
            place = f"{name}{indices}"
            size = 0 if self._is_zero(name, place) else self._rational(place)
            self.known[key] = CONTEXT.mpf(self._sign(name, indices) * size)
        return self.known[key]

    def _is_zero(self, name: str, key: str) -> bool:
        at = self.seed - ZERO.start
        return at >= 0 and name in self.kinds.zero and _seed(key) % len(ZERO) == at

    def _sign(self, name: str, indices: tuple[int, ...]) -> int:
        """Return the sign of a value, which is negative at some of any few points, as are products of two."""
        if name not in self.kinds.signed:
            return 1
        if indices:
            return -1 if random.Random(_seed(f"sign {name}{indices}/{self.seed}")).random() < 0.5 else 1
        group, place = divmod(self.kinds.signed.index(name), 7)
        odd = (self.seed & (place + 1)).bit_count() + (_seed(f"{group}/{self.seed}") if group else 0)
        return -1 if odd % 2 else 1

    def _integer(self, name: str) -> int:
        sizes = self.kinds.sizes
        if self.seed in FAR:
            return round(10 ** random.Random(_seed(f"{name}/{self.seed}")).uniform(3, 7))
        if self.seed in MARKED:
            return max(1, int(self._mark(name)))
        if self.seed in MANY:
            return random.Random(_seed(f"{name}/{self.seed}")).randint(10, 60)
        if name in sizes and self.seed < 8:
            place, last = sizes.index(name), len(sizes) - 1
            place = place if self.seed % 2 else last - place
            return (1, 2, 3)[self.seed % 3] + (2 if self.seed < 4 else 1) * place
        return random.Random(_seed(f"{name}/{self.seed}")).randint(1, 5)

    def _mark(self, key: str) -> Any:
        """Return one of the marks: a name has each of them at one of as many points."""
        return self.marks[(self.seed + _seed(key)) % len(self.marks)]

    def _rational(self, key: str) -> Any:
        if self.seed in MARKED:
            return in_digits(self._mark(key))
        source = random.Random(_seed(f"{key}/{self.seed}"))
        if self.seed in WHOLE:
            half = (self.seed - WHOLE.start) % 2
            return CONTEXT.mpf(2 * source.randint(1, 3) - half) / 2
        scales = _FAR_SCALES if self.seed in FAR else _SCALES
        low, high = scales[self.seed % len(scales)]
        denominator = source.choice((7, 11, 13, 17, 19, 23)) * (10**10 if self.seed in FAR else 100)
        numerator = max(1, round(low * (high / low) ** source.random() * denominator))
        return CONTEXT.mpf(numerator) / denominator


def _seed(text: str) -> int:
    return zlib.crc32(text.encode())


def value(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    """Return the value of a node at a point; `bound` are the values of indices.

    Raises:
        Undefined: There is none: a division by zero, an extremum of complex numbers, a fractional index.
    """
    point.folded.clear()
    try:
        found = _value(node, point, bound)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
        raise Undefined(str(error)) from error
    if CONTEXT.isnan(found):
        raise Undefined("infinity without infinity")
    return found


def _value(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    kind = node[0]
    if kind == "name":
        name = node[1]
        if name in bound:
            return bound[name]
        return point.known[name] if name in point.known else point.scalar(name)
    if kind == "number":
        return in_digits(node[1])
    if kind == "mul":
        product = _first(kind, node, point, bound)
        for item in node[2:]:
            product = product * _value(item, point, bound)
        return product
    if kind == "entry":
        return point.entry(node[1], tuple([_index(_value(item, point, bound)) for item in node[2]]))
    if kind == "add":
        total = _first(kind, node, point, bound)
        for item in node[2:]:
            total = total + _value(item, point, bound)
        return total
    if kind == "pow":
        return _power(node, point, bound)
    if kind == "constant":
        return CONTEXT.mpf(CONTEXT.e if node[1] == "e" else CONTEXT.pi)
    if kind == "infinity":
        return CONTEXT.inf
    if kind in ("max", "min"):
        return _extremum(node, kind, [_value(item, point, bound) for item in node[1:]], point)
    if node[:2] == ("call", "Abs"):
        return _absolute(node[2], point, bound)
    if node[:2] == ("call", "sign") and node[2][0] == "add":
        return _call("sign", [_value(node[2], point, bound)], point) * _absolute(node[2], point, bound)
    if kind == "call":
        return _call(node[1], [_value(item, point, bound) for item in node[2:]], point)
    if kind == "cases":
        return _cases(node, point, bound)
    if any(name in bound for name, _, _ in node[3]):  # an index that hides another one of its name
        return _fold(node, point, bound)
    # By identity: all nodes stay alive while the outermost one is evaluated.
    if id(node) not in point.folded:
        point.folded[id(node)] = names_of(node)
    inner = {name: bound[name] for name in bound if name in point.folded[id(node)]}
    key = id(node), *sorted(inner.items())
    if key not in point.folded:
        point.folded[key] = _fold(node, point, bound)
    return point.folded[key]


def _first(kind: str, node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    """Return the first term or factor, as a number of 60 digits."""
    if len(node) == 1:
        return _NEUTRAL[kind]
    found = _value(node[1], point, bound)
    if type(found) is CONTEXT.mpf:
        return found
    return _NEUTRAL[kind] + found if kind == "add" else _NEUTRAL[kind] * found


def _index(found: Any) -> int:
    if isinstance(found, int):
        return found
    rounded = int(CONTEXT.nint(found))
    if abs(found - rounded) > tiny():
        raise Undefined(f"the index {found} is no integer")
    return rounded


def _extremum(node: Node, kind: str, values: list[Any], point: Point) -> Any:
    for item in values:
        real(item)
    if point.opaque:
        return _hashed(kind, sorted({shown(item) for item in values}), point, _common_sign(values))
    best = max(values) if kind == "max" else min(values)
    point.taken.add((node, values.index(best)))
    return best


def _cases(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    if point.opaque:
        seen, values = [], []
        for item, tests in node[1:]:
            values.append(_value(item, point, bound))
            seen.append(shown(values[-1]))
            for left, sign, right in tests or ():
                seen += [shown(_value(left, point, bound)), sign, shown(_value(right, point, bound))]
        return _hashed("cases", seen, point, _common_sign(values))
    for place, (item, tests) in enumerate(node[1:]):
        if all(_holds(test, point, bound) for test in tests or ()):
            point.taken.add((node, place))
            return _value(item, point, bound)
    raise Undefined("no case applies")


def _holds(test: Node, point: Point, bound: Mapping[str, int]) -> bool:
    left, right = real(_value(test[0], point, bound)), real(_value(test[2], point, bound))
    outcomes: dict[str, bool] = {
        "<=": left <= right,
        "<": left < right,
        ">=": left >= right,
        ">": left > right,
        "=": left == right,
        "!=": left != right,
    }
    return outcomes[test[1]]


def _fold(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    _, kind, body, ranges, tests = node
    weighted = [
        (_value(body, point, inner), weight)
        for inner, weight in _family(ended(ranges, tests), point, bound, exact=kind == "prod" or bool(tests))
        if all(_holds(test, point, inner) for test in tests)
    ]
    values = [item for item, _ in weighted]
    if kind in ("max", "min"):
        if not values:
            raise Undefined("an extremum of nothing")
        best = max(real(item) for item in values) if kind == "max" else min(real(item) for item in values)
        if not point.opaque:
            return best
        return _hashed(kind, sorted({shown(item) for item in values}), point, _common_sign(values))
    result = CONTEXT.mpf(0 if kind == "sum" else 1)
    for item, weight in weighted:
        result = result + item * weight if kind == "sum" else result * item
    return result


def _family(
    ranges: tuple[Node, ...], point: Point, bound: Mapping[str, int], *, exact: bool
) -> Iterator[tuple[Mapping[str, int], Any]]:
    """Yield the values of indices with a weight; `exact`: a family that is too long is undefined."""
    if not ranges:
        yield bound, 1
        return
    name, low, high = ranges[0]
    first, last = _value(low, point, bound), _value(high, point, bound)
    start = _index(first)
    places: Sequence[tuple[int, Any]] = ()
    if CONTEXT.isinf(last):
        terms = _FAR_TERMS if point.seed in FAR and not exact else _TERMS
        places = [(start + place, 1) for place in terms]
    elif (stop := _index(last)) - start <= 60:
        places = [(place, 1) for place in range(start, stop + 1)]
    elif exact or point.seed not in FAR:
        raise Undefined("too long a sum")
    else:
        count = stop - start + 1
        point.shortened.add(count)
        places = [(start + place, in_digits(weight)) for place, weight in some(count)]
    for place, weight in places:
        for inner, other in _family(ranges[1:], point, {**bound, name: place}, exact=exact):
            yield inner, weight * other


def _call(name: str, values: list[Any], point: Point) -> Any:
    if name in ("floor", "ceiling", "frac"):
        return _step(name, real(values[0]), point)
    if name == "log":
        return CONTEXT.log(*values)
    if name in ("factorial", "binomial", "sign"):
        return getattr(CONTEXT, name)(*values)
    if name == "KroneckerDelta":  # a function of how far apart its arguments are
        values = [CONTEXT.fabs(values[0] - values[1])]
    return _hashed(name, [shown(item) for item in values], point, 0 if name in point.kinds.signed else 1)


def _step(name: str, argument: Any, point: Point) -> Any:
    """Return a value that is rounded: except far out it depends on all of the argument.

    A step that no point meets, as of a quotient that is 1 at one place only, is no constant by that.
    """
    nearest = CONTEXT.nint(argument)
    argument = nearest if abs(argument - nearest) < tiny() else argument
    if name == "ceiling":
        return -_step("floor", -argument, point)
    whole = CONTEXT.floor(argument)
    # By the fraction, which x and x + 1 share.
    if argument != nearest and (point.opaque or point.seed < POINTS):
        whole = argument - _hashed("frac", [shown(argument - whole)], point, 1)
    return whole if name == "floor" else argument - whole


def _absolute(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    """Return |node|; of a sum it is another function of it, as a step is: no point may meet its bend."""
    if node[0] == "mul":
        product = _NEUTRAL["mul"]
        for item in node[1:]:
            product *= _absolute(item, point, bound)
        return product
    found = CONTEXT.fabs(_value(node, point, bound))
    if node[0] == "add" and names_of(node) and found > tiny() and (point.opaque or point.seed < POINTS):
        factor = in_digits(content(node))
        return factor * _hashed("Abs", [shown(found / factor)], point, 1)
    return found


def _power(node: Node, point: Point, bound: Mapping[str, int]) -> Any:
    r"""Return a power; the root of an even power of a sum, as $\sqrt{4g^2}$, goes by what stands for |g|."""
    base, exponent = _value(node[1], point, bound), _value(node[2], point, bound)
    if node[1][:2] == ("call", "Abs") and exponent % 2 == 0:  # the square has no bend
        base = CONTEXT.fabs(_value(node[1][2], point, bound))
    found = CONTEXT.mpmathify(base) ** exponent
    if isinstance(exponent, int) or CONTEXT.isint(exponent):
        return found
    for factor in node[1][1:] if node[1][0] == "mul" else (node[1],):
        if factor[0] == "pow" and factor[1][0] == "add":
            inner = _value(factor[2], point, bound)
            size = CONTEXT.fabs(_value(factor[1], point, bound))
            if inner % 2 == 0 and size > tiny():
                found *= (_absolute(factor[1], point, bound) / size) ** (inner * exponent)
    return found


def _common_sign(values: list[Any]) -> int:
    """Return the sign that values share, 0 where they differ or are complex: so is any choice among them."""
    if any(isinstance(item, CONTEXT.mpc) for item in values):
        return 0
    return 1 if all(item >= 0 for item in values) else -1 if all(item <= 0 for item in values) else 0


def _hashed(name: str, parts: list[str], point: Point, sign: int) -> Any:
    """Return a value that depends on all parts; `sign`: its sign, 0 for any."""
    seed = 0 if point.opaque and name in ("max", "min", "cases") else point.seed
    source = random.Random(_seed(f"{name}{parts}{seed}"))
    size = 1 + CONTEXT.mpf(source.getrandbits(60)) / 2**60
    return size * (sign or source.choice((-1, 1)))
