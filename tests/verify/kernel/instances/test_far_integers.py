"""Hypotheses for all integers or families fail where they do, and are not said to fail elsewhere."""

import pytest
from claims import families, symbols
from flint import fmpq
from sympy import Abs, Max, Rational, Sum, floor, log, oo

from theory.formula import EveryFamily, eq, every, le, lt, ne
from verify.kernel.bridge import formula
from verify.kernel.instances.far_integers import fails_far_out
from verify.kernel.instances.values import Instance

k, m, x, q = symbols("k m x q")
a, b = families("a b")
AT = {"x": fmpq(57), "q": fmpq(1, 2)}

FAIL = {
    "k = 300": le(1, (k - 300) ** 2),
    "k = 58": ne(k, x + 1),
    "k = 3": lt(k**3, 27),
    "k = 0": eq(k, k**2 + 1),
    "k = 10": le(1, (2**k - 1024) ** 2),
    "k = 4000": le(1, Max(k - 4000, 4000 - k)),
    "k = 1000": le(Rational(1, 2), Abs(k - 1000) * log(k + 2)),
}
STAND = {
    "below the range": le(1, (k + 300) ** 2),
    "between two integers": le(Rational(1, 4), (k - Rational(601, 2)) ** 2),
    "entries": le(1, (a[k] - 300) ** 2),
    "a sum of entries": le(Sum(a[m], (m, 0, k)), 3),
    "no comparison that is decided": le(q**k, 1),
    "an integer part": le(floor(k / 2), k),
    "undefined at one place": le(0, (k - 57) * (k - 57) ** -1),
    "a name without a value": le(1, (k - symbols("z")[0]) ** 2),
}


@pytest.mark.parametrize("where", FAIL)
def test_it_fails_there(where):
    assert fails_far_out(formula(every(FAIL[where], (k, 0, oo))), Instance(dict(AT))) == where


@pytest.mark.parametrize("name", STAND)
def test_it_is_not_said_to_fail(name):
    assert not fails_far_out(formula(every(STAND[name], (k, 0, oo))), Instance(dict(AT)))


def test_ranges_that_end_at_each_other():
    said = every(le(1, (k - 300) ** 2), (k, 0, m), (m, 0, oo))
    assert fails_far_out(formula(said), Instance()) == "m = 1000, k = 300"
    assert not fails_far_out(formula(every(le(1, (k - m - 1) ** 2), (k, 0, m), (m, 0, oo))), Instance())


def test_families_of_numbers():
    said = EveryFamily(b, le(1, (2 * b[0] - 1) ** 2 + (b[1] - 57) ** 2))
    assert fails_far_out(formula(said), Instance()) == "b[0] = 1/2, b[1] = 57"
    assert not fails_far_out(formula(EveryFamily(b, le(-1, b[0] ** 2 - 2 * b[0]))), Instance())
