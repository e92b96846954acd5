"""Infinite sums are no finite ones, however many terms these have."""

from types import SimpleNamespace

import pytest
from sympy import IndexedBase, Sum, Symbol, floor, oo

from theory.claim import Variable
from theory.latex.nodes import INFINITY, from_sympy, number
from theory.latex.parser import read
from theory.latex.tokens import tokenize
from theory.latex.vocabulary import Vocabulary
from verify.statements.comparing.endless import ended, endless
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.values import Kinds

k, K, r = (Symbol(name, real=True) for name in "kKr")
a = IndexedBase("a", real=True)
CLAIM = SimpleNamespace(
    variables=(
        Variable(a, "a", r"\mathbb R_{\ge0}^\infty", "terms", "(oo,)", first=0),
        Variable(K, "K", r"\mathbb N", "rounds"),
        Variable(r, "r", "[0,1)", "ratio"),
    ),
    notation={},
    ranges={},
    values={},
)
VOCABULARY = Vocabulary(CLAIM, {"k"})


def same(text, formula):
    node = read(tokenize(text), VOCABULARY, lambda slot: None)
    return Sides(Kinds(frozenset("K"), (), ("K",))).same(Side(node), Side(from_sympy(formula)))


@pytest.mark.parametrize("last", [19, 23, 24, 29, 58])
def test_an_infinite_sum_is_no_finite_one(last):
    assert not same(r"\sum_{k=0}^\infty\frac1{k+1}", Sum(1 / (k + 1), (k, 0, last)))
    assert not same(rf"\sum_{{k=0}}^{{{last}}}\frac1{{k+1}}", Sum(1 / (k + 1), (k, 0, oo)))
    assert not same(rf"\sum_{{k<{last + 7}}}a_k", Sum(a[k], (k, 0, last)))


def test_an_infinite_sum_has_the_same_range():
    assert same(r"\sum_{k=0}^\infty(a_k+r)r^k", Sum(r**k * r + a[k] * r**k, (k, 0, oo)))
    assert not same(r"\sum_{k=1}^\infty a_kr", Sum(a[k] * r, (k, 0, oo)) - a[0] * r)
    assert not same(r"\sum_{k=0}^\infty a_k", Sum(a[k] * (1 + floor(k / 25)), (k, 0, oo)))


def test_a_condition_ends_a_sum():
    assert same(r"\sum_{k<K}a_k", Sum(a[k], (k, 0, K - 1)))
    assert same(r"\sum_{k<30}a_k", Sum(a[k], (k, 0, 29)))
    assert not same(r"\sum_{k<30}a_k", Sum(a[k], (k, 0, 28)))


def test_a_condition_on_a_later_index_ends_none():
    i, j = ("name", "i"), ("name", "j")
    ranges = (("i", number(0), INFINITY), ("j", number(0), INFINITY))
    ends = [high for _, _, high in ended(ranges, ((i, "<", j),))]
    assert ends == [INFINITY, INFINITY]
    ends = [high for _, _, high in ended(ranges, ((j, "<", i), (number(7), ">", i)))]
    assert ends == [("call", "floor", number(7)), ("call", "floor", i)]
    assert endless(("fold", "sum", i, ranges, ())) == {number(0)}
