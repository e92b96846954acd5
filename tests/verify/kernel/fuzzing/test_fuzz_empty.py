"""Forms of sums that may be empty: what no term asks for, the form must not take for granted."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import pytest
from flint import fmpq
from test_fuzz import difference

from verify.kernel.inequalities.definedness import obligations, of_form
from verify.kernel.instances.truth import holds
from verify.kernel.instances.values import Instance, UndefinedError, sign, value
from verify.kernel.node import ONE, ZERO, KernelError, Node, add, mul, name, num, substitute
from verify.kernel.normal.forms import form_of

COUNT = int(os.environ.get("BOUNDCHECK_FUZZ", "3000")) // 6
BATCHES = 4
MINUS, HALF = num(-1), num(Fraction(1, 2))
NODES = (ZERO, add(name("n"), MINUS))


def _power(base, exponent):
    return Node("pow", base, exponent)


class Hiding:
    """Random terms whose divisors, roots, powers and places seem to depend on an index."""

    def __init__(self, source):
        self.source = source

    def term(self):
        kind, factor = self.source.random(), self._base([])
        if kind < 0.3:
            found = self._mean()
        else:
            found = self._sum([], False, 2)
            found = _power(found, num(2)) if kind < 0.65 else found
        return mul(found, factor) if self.source.random() < 0.5 else found

    def _mean(self):
        low, high = self.source.choice((NODES, NODES, (ZERO, ONE)))
        mean = self.source.choice((ONE, _power(self._base(["i"]), MINUS), self._sum(["i"], False, 0)))
        variance = self.source.choice((ONE, _power(self._base(["i"]), num(-2)), ZERO))
        return Node("mean", self._sum([], True, 2), "b", (("i", low, high),), mean, variance)

    def _sum(self, indices, random_, depth):
        index = self.source.choice([item for item in "ijlp" if item not in indices])
        low, high = self.source.choice(
            (NODES, NODES, (ZERO, add(name("m"), MINUS)), (ONE, name("n")), (ZERO, ONE))
        )
        count = self.source.choice((1, 1, 2, 2))
        inside = [*indices, index]
        first = [Node("fn", "delta", *map(name, inside[-2:]))] * (
            len(inside) > 1 and self.source.random() < 0.4
        )
        return Node(
            "sum",
            index,
            low,
            high,
            mul(*first, *(self._factor(inside, random_, depth) for _ in range(count))),
        )

    def _factor(self, indices, random_, depth):
        kind, base = self.source.random(), self._base(indices)
        if kind < 0.2:
            return _power(base, MINUS)
        if kind < 0.3:
            return _power(_power(_power(base, num(2)), MINUS), HALF)
        if kind < 0.36:
            return Node("fn", "abs", _power(base, MINUS))
        if kind < 0.44:
            return _power(base, self.source.choice((name("k"), add(name("k"), ONE), mul(MINUS, name("k")))))
        if kind < 0.6 and random_:
            still = add(num(self.source.choice((0, 0, 1))), self._nothing(indices))
            return Node("entry", "b", self.source.choice((name(self.source.choice(indices)), still)))
        if kind > 0.75 and depth and len(indices) < 3:
            return self._sum(indices, random_, depth - 1)
        return base if kind < 0.7 else Node("entry", "a", name(self.source.choice(indices)))

    def _base(self, indices):
        base = self.source.choice((*[name("n")] * 4, name("x"), mul(name("n"), name("n")), num(2)))
        return add(base, self._nothing(indices)) if indices and self.source.random() < 0.7 else base

    def _nothing(self, indices):
        """Return what is 0 always, on a diagonal, or where a name is."""
        i, j = (name(self.source.choice(indices)) for _ in range(2))
        one, two = Node("entry", "a", i), Node("entry", "a", j)
        square = add(_power(add(i, ONE), num(2)), mul(MINUS, i, i), mul(num(-2), i), MINUS)
        return self.source.choice(
            (square, add(i, mul(MINUS, j)), add(one, mul(MINUS, two)), mul(one, name("x")), mul(i, two))
        )


def _instance(source):
    names = {"n": (0, 0, 0, 1), "m": (0, 0, 1, 2), "x": (0, 0, 1, -1), "k": (-1, -1, 0, 1)}
    at = Instance({key: fmpq(source.choice(values)) for key, values in names.items()}, {}, random.Random(1))
    at.entries["a"] = {(k,): fmpq(source.choice((0, 0, 1, -1, 2))) for k in range(4)}
    return at


def _put_in(form, at, source):
    """Return the form with the value of one of its names, None where that asks for more than holds there."""
    key = source.choice(sorted(at.names))
    number = at.names[key]
    put = substitute(form.node, {key: num(Fraction(int(number.p), int(number.q)))})
    return form_of(put) if all(holds(item, at) is True for item in of_form(put)) else None


def _compared(node, source):
    """Return how often a term was compared with its form, as it is and with a number for a name."""
    form, needed, count = form_of(node), obligations(node), 0
    for _ in range(6):
        at = _instance(source)
        try:
            if not all(holds(item, at) is True for item in needed):
                continue
            known = value(node, at)
        except UndefinedError:
            continue
        for make in (lambda: form, lambda at=at: _put_in(form, at, source)):
            try:
                other = make()
                found = known if other is None else value(other.node, at)
            except (UndefinedError, KernelError):  # no term of an empty sum, times 0
                continue
            assert sign(difference(known, found)) in (0, None), (
                f"{node!r} is {known}, its form {other and other.node!r} is {found}, at {at.shown()}"
            )
            count += 1
    return count


@pytest.mark.parametrize("batch", range(BATCHES))
def test_forms_of_empty_sums(batch):
    source = random.Random(f"empty/{batch}")
    count = 0
    for _ in range(COUNT // BATCHES):
        try:
            count += _compared(Hiding(source).term(), source)
        except KernelError:
            continue
    assert count > COUNT // BATCHES
