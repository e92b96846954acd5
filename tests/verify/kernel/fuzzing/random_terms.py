"""Random terms: nested and dependent sums, quotients, powers, roots, functions, expectations."""

from __future__ import annotations

import random
from fractions import Fraction

from flint import fmpq

from verify.kernel.instances.values import Instance
from verify.kernel.node import ONE, ZERO, Node, add, mul, name, num

REALS, NATURALS, INDICES = ("x", "y"), ("n", "m"), ("i", "j")


class Terms:
    """A source of random terms; sizes are limited by depth."""

    def __init__(self, source: random.Random) -> None:
        self.source = source

    def term(self, depth: int, random_family: str = "") -> Node:
        pick = self.source.random()
        if depth == 0 or pick < 0.12:
            return self._leaf(random_family)
        inner = depth - 1
        if pick < 0.30:
            return add(*(self.term(inner, random_family) for _ in range(self.source.choice((2, 2, 3)))))
        if pick < 0.48:
            return mul(*(self.term(inner, random_family) for _ in range(2)))
        if pick < 0.70:
            return self._sum(inner, random_family)
        if pick < 0.78:
            return Node("pow", self.term(inner, random_family), num(self.source.choice((2, 2, 3, 0))))
        if random_family:
            return self._leaf(random_family)
        if pick < 0.84:
            exponent = self.source.choice((Fraction(-1), Fraction(-1), Fraction(-2)))
            return Node("pow", self.term(inner), num(exponent))
        if pick < 0.89:
            return self._root(inner)
        if pick < 0.92:
            return Node("pow", self.term(inner), self._natural())
        if pick < 0.975:
            return self._function(inner)
        return self._mean(inner)

    def _leaf(self, random_family: str) -> Node:
        if random_family and self.source.random() < 0.35:
            return Node("entry", random_family, self._place())
        pick = self.source.random()
        if pick < 0.15:
            return num(Fraction(self.source.randint(-3, 3), self.source.choice((1, 1, 2))))
        if pick < 0.35:
            return name(self.source.choice(REALS))
        if pick < 0.45:
            return name(self.source.choice((*NATURALS, *INDICES)))
        if pick < 0.80:
            return Node("entry", self.source.choice("ac"), self._place())
        return Node("entry", "b", self._place(), self._place())

    def _place(self) -> Node:
        index = name(self.source.choice((*INDICES, *INDICES, "n")))
        return index if self.source.random() < 0.8 else add(index, num(self.source.choice((1, -1, 0))))

    def _natural(self) -> Node:
        shift = num(self.source.choice((0, 1, 1, 2, -1)))
        return add(name(self.source.choice((*NATURALS, "i"))), shift)

    def _bounds(self) -> tuple[Node, Node]:
        low = self.source.choice((ZERO, ZERO, ZERO, ONE, name("i"), name("m"), num(-1)))
        high = self.source.choice(
            (
                add(name("n"), num(-1)),
                add(name("n"), num(-1)),
                add(name("m"), num(-1)),
                name("n"),
                name("i"),
                name("j"),
                num(2),
                add(low, name("n")),
                add(low, num(1)),
            )
        )
        return low, high

    def _sum(self, depth: int, random_family: str) -> Node:
        low, high = self._bounds()
        body = self.term(depth, random_family)
        if self.source.random() < 0.5:
            body = mul(body, self._leaf(random_family))
        if self.source.random() < 0.12:
            body = mul(body, self._delta())
        return Node("sum", self.source.choice(INDICES), low, high, body)

    def _root(self, depth: int) -> Node:
        base = self.term(depth)
        if self.source.random() < 0.6:
            base = Node("pow", base, num(2))
        exponent = self.source.choice(
            (Fraction(1, 2), Fraction(1, 2), Fraction(3, 2), Fraction(-1, 2), Fraction(1, 3))
        )
        root = Node("pow", base, num(exponent))
        return Node("pow", root, num(2)) if self.source.random() < 0.2 else root

    def _delta(self) -> Node:
        return Node("fn", "delta", self._place(), self._place())

    def _function(self, depth: int) -> Node:
        kind = self.source.choice(("abs", "max", "min", "floor", "delta", "exp", "log"))
        if kind == "delta":
            return self._delta()
        if kind in ("max", "min"):
            return Node("fn", kind, *(self.term(depth) for _ in range(self.source.choice((2, 2, 3)))))
        if kind in ("exp", "log"):
            return Node("fn", kind, self._leaf(""))
        return Node("fn", kind, self.term(depth))

    def _mean(self, depth: int) -> Node:
        """An expectation of a product of two forms that are linear in the family, or of one term."""
        family = self.source.choice("ae")
        body = self.term(min(depth, 2), family)
        if self.source.random() < 0.5:
            linear = Node("sum", "i", ZERO, add(name("n"), num(-1)), Node("entry", family, name("i")))
            body = mul(linear, self._linear(family))
        law = ((self.source.choice(INDICES), ZERO, add(name("n"), num(-1))),)
        index = name(law[0][0])
        mean = self.source.choice((ZERO, Node("entry", "c", index), name("i"), name("x")))
        variance = self.source.choice((ONE, Node("pow", Node("entry", "c", index), num(2)), name("n")))
        return Node("mean", body, family, law, mean, variance)

    def _linear(self, family: str) -> Node:
        entry = Node("entry", family, name("j"))
        weight = self.source.choice(
            (ONE, Node("entry", "c", name("j")), Node("entry", "b", name("j"), name("i")))
        )
        return Node("sum", "j", ZERO, add(name("n"), num(-1)), mul(weight, entry))


class Dependent:
    """Random sums of inverse differences over dependent ranges: new names turn their signs."""

    def __init__(self, source):
        self.source = source

    def total(self, indices=(), depth=2):
        pick, index = self.source.choice, "ijl"[len(indices)]
        ranges = [(ZERO, add(name("n"), num(-1)))]
        if indices:
            outer = name(indices[-1])
            ranges += [(ZERO, add(outer, num(-1))), (add(outer, ONE), name("n")), (outer, add(outer, ONE))]
        inside = (*indices, index)
        factors = [self._factor(inside) for _ in range(pick((1, 1, 2)))]
        if depth:
            factors.append(self.total(inside, depth - 1))
        return Node("sum", index, *pick(ranges), mul(*factors))

    def _factor(self, inside):
        places = [add(name(index), num(shift)) for index in inside for shift in (0, 1)]
        one, two = (Node("entry", "a", place) for place in self.source.sample(places, 2))
        if self.source.random() < 0.3:
            return one
        return Node("pow", add(one, mul(num(-1), two)), num(self.source.choice((-1, -1, -3))))


def instance(source: random.Random) -> Instance:
    """Return an instance with small natural numbers for what counts."""
    at = Instance({}, {}, source)
    for key in NATURALS:
        at.names[key] = fmpq(source.choice((0, 1, 1, 2, 2, 3)))
    for key in INDICES:
        at.names[key] = fmpq(source.choice((0, 0, 1, 2, -1)))
    return at
