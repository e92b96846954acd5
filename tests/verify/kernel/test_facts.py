"""Lemmas of `theory/facts` for all sizes: proved, attacked, and refused without their hypotheses."""

import pytest
from claims import families, proved, said, symbols
from sympy import Sum, exp, log, oo

from theory.facts.logarithms.fair_sign import cosine, fair_sign
from theory.facts.logarithms.logarithm_above import logarithm_above
from theory.facts.sums.chebyshev_sum import chebyshev_sum
from theory.facts.sums.geometric_sum import geometric_sum
from theory.facts.sums.linear_recursion import linear_recursion
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.facts.sums.triangular_number import triangular_number
from theory.formula import IsInteger, every, le, lt
from verify.kernel.instances.attack import attacked
from verify.kernel.node import KernelError

q, n, c, j, k, d, j2 = symbols("q n c j k d j2")
a, b, r = families("a b r")
OVER, INTEGERS = (j, 0, d - 1), {"whole": IsInteger(n), "one": le(1, n)}
SIZE = {"whole": IsInteger(d), "one": le(1, d)}
ORDERED = every(le(0, (a[j] - a[j2]) * (b[j] - b[j2])), (j2, 0, d - 1), OVER)


def _total(term):
    return Sum(term, OVER)


LEMMAS = {
    "geometric": (
        said((1 - q) * Sum(q**j, (j, 0, n - 1)), "=", 1 - q**n),
        lambda K: geometric_sum(K, q, n),
        INTEGERS,
    ),
    "triangular": (
        said(Sum(j, (j, 0, n - 1)), "=", n * (n - 1) / 2),
        lambda K: triangular_number(K, n),
        INTEGERS,
    ),
    "telescoping": (
        said(Sum(a[k + 1] - a[k], (k, 0, n - 1)), "=", a[n] - a[0]),
        lambda K: telescoping_sum(K, a[k], k, n),
        INTEGERS,
    ),
    "recursion": (
        said(r[k], "<=", q**k * r[0] + c / (1 - q), (k, 0, oo)),
        lambda K: linear_recursion(K, r, k, q, c, K.at(K.given("step"), k)),
        {
            "least": le(0, q),
            "below": lt(q, 1),
            "c": le(0, c),
            "step": every(le(r[k + 1], q * r[k] + c), (k, 0, oo)),
        },
    ),
    "chebyshev": (
        said(_total(a[j]) * _total(b[j]), "<=", d * _total(a[j] * b[j])),
        lambda K: chebyshev_sum(K, a[j], b[j], OVER, K.at(K.given("ordered"), j2, j)),
        {**SIZE, "ordered": ORDERED},
    ),
    "logarithm": (
        said(2 * (q - 1) / (q + 1), "<=", log(q)),
        lambda K: logarithm_above(K, q),
        {"above": le(1, q)},
    ),
    "sign": (said(cosine(c), "<=", exp(c**2 / 2)), lambda K: fair_sign(K, c), {}),
}


def _prove(name, without=()):
    relation, derive, hypotheses = LEMMAS[name]
    kept = {key: item for key, item in hypotheses.items() if key not in without}

    def derivation(K):
        if "ordered" in hypotheses:
            K.index(OVER)
        K.conclude("main", derive(K))

    return proved(relation, derivation, **kept)


@pytest.mark.parametrize("name", LEMMAS)
def test_lemma_holds_where_it_is_attacked(name):
    kernel = _prove(name)
    met, false = attacked(kernel.concluded["main"].theorems[0], tries=20)
    assert met > 0
    assert not false


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("geometric", "whole"),
        ("triangular", "whole"),
        ("telescoping", "one"),
        ("recursion", "least"),
        ("recursion", "below"),
        ("recursion", "c"),
        ("logarithm", "above"),
    ],
)
def test_lemma_needs_its_hypotheses(name, dropped):
    with pytest.raises(KernelError):
        _prove(name, without=(dropped,))
