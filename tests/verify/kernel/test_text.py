"""Different terms are written differently: monomials are ordered by the texts of their atoms."""

import itertools

import pytest
from claims import families, symbols
from sympy import Max, Sum, floor, log, sqrt

from verify.kernel.bridge import term
from verify.kernel.node import KernelError
from verify.kernel.normal.polynomials import Ring, atom
from verify.kernel.text import text

x, y, z, i, n = symbols("x y z i n")
a, b = families("a b")


def test_nested_powers_are_told_apart():
    assert text(term((x**y) ** z)) == "(x^y)^z"
    assert text(term(x ** (y**z))) == "x^(y^z)"
    assert text(term(1 / (x**y) ** z)) != text(term(1 / x ** (y**z)))


def test_terms_of_all_kinds_are_told_apart():
    inner = [
        x,
        x + y,
        x * y,
        x / y,
        x**y,
        -x,
        2 * x,
        x / 2,
        x**2,
        sqrt(x),
        1 / x,
        log(x),
        a[x],
        Max(x, y),
        floor(x),
    ]
    outer = [
        *(
            lambda e, f: e**f,
            lambda e, f: e * f,
            lambda e, f: e + f,
            lambda e, f: e / f,
            lambda e, f: a[e] ** f,
        ),
        *(lambda e, f: Sum(e * b[i], (i, 0, n)) * f, lambda e, f: Sum(e * b[i] * f, (i, 0, n))),
        *(lambda e, f: Sum(e + b[i], (i, 0, n)) + f, lambda e, f: Max(e, f) ** z, lambda e, f: (e**z) ** f),
        lambda e, f: z ** (e**f),
    ]
    known = {}
    for make, e, f in itertools.product(outer, inner, inner):
        node = term(make(e, f))
        assert known.setdefault(text(node), node) == node, text(node)
    assert len(known) > 1000


def test_a_second_atom_with_one_text_is_refused():
    (fresh,) = symbols("nowhere_else")
    found = atom(("name", "only"), term(fresh))
    assert atom(("name", "only"), term(fresh)) is found
    with pytest.raises(KernelError, match="two different terms are written"):
        atom(("name", "another"), term(fresh))


def test_a_monomial_that_is_there_twice_is_refused():
    first, second = symbols("nowhere_one nowhere_two")
    one, other = atom(("name", "nowhere_one"), term(first)), atom(("name", "nowhere_two"), term(second))
    terms = [(((one, 1), (other, 1)), 1), (((other, 1), (one, 1)), 2)]
    with pytest.raises(KernelError, match="a monomial is there twice"):
        Ring([one, other]).polynomial(terms)
