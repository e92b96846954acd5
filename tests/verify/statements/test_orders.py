"""Constants far from 1: a term that is far below another one is still a term."""

from types import SimpleNamespace

import pytest
from sympy import Integer, Max, Rational, Symbol, exp, factorial

from theory.claim import Variable
from theory.latex.nodes import from_sympy
from theory.latex.parser import read
from theory.latex.tokens import tokenize
from theory.latex.vocabulary import Vocabulary
from verify.statements.comparing import digits
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.orders import orders_of_ten
from verify.statements.comparing.values import Kinds

n, x, y = (Symbol(name, real=True) for name in "nxy")
VOCABULARY = Vocabulary(
    SimpleNamespace(
        variables=(
            Variable(n, "n", r"\mathbb N", "clients"),
            Variable(x, "x", r"\mathbb R_{\ge0}", "one"),
            Variable(y, "y", r"\mathbb R_{\ge0}", "other"),
        ),
        notation={},
        ranges={},
        values={},
    ),
    set(),
)


def node_of(text):
    return read(tokenize(text), VOCABULARY, lambda slot: None)


def same(text, formula):
    kinds = Kinds(frozenset("n"), (), ("n",), frozenset("xy"))
    return Sides(kinds).same(Side(node_of(text)), Side(from_sympy(formula)))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (r"(1-2^{-170})(x+y)", x + y),
        (r"x+10^{60}", Integer(10) ** 60),
        (r"2^{-52}x", Rational(1, 2**52) * x + Rational(1, 2**1074)),
        (r"(1-e^{-200})x", x),
        (r"(1+10^{-30})^2x", x),
        (r"(1-(2^{-20}x)^{10})y", (1 - Rational(1, 2**201) * x**10) * y),
        (r"x+2^{-256n}", x),
        (r"(1+e^{-e^5})x", x),
        (r"(1+e^{-\pi 2^{n+4}})x", x),
        (r"\max(x,(1+e^{-80})y)", Max(x, y)),
        (r"\lceil n+e^{-150}\rceil", n),
        (r"10^{30}x-(10^{30}-10^{-30})x", x * Rational(1, 10**31)),
        (r"x+\frac1{(1+1+1+1+1+1+1+1+1+1)^{60}}", x),
        (r"x+(\sum_{i=1}^{10}1)^{-60}", x),
        (r"x+10^{-\sum_{i=1}^{60}1}", x),
        (r"x+\prod_{i=1}^{60}\frac1{10}", x),
        (r"x+10^{-\lfloor60\rfloor}", x),
        (r"x+e^{-|200|}", x),
        (r"x+\frac1{60!}", x),
        (r"x+\frac1{\binom{300}{150}}", x),
    ],
)
def test_a_term_far_below_the_others_is_no_round_off(text, formula):
    assert not same(text, formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (r"\frac{x}{2^{1074}}+2^{-52}x", (1 + Integer(2) ** 1022) * x / Integer(2) ** 1074),
        (r"10^{30}x-(10^{30}-10^{-30})x", x * Rational(1, 10**30)),
        (r"(1-e^{-100})(1+e^{-100})x", x - exp(-200) * x),
        (r"(1-2^{-128n})^2y", (1 - 2 * 2 ** (-128 * n) + 2 ** (-256 * n)) * y),
        (r"\max(x,(1+e^{-80})y)", Max(x, y + exp(-80) * y)),
        (r"x+\frac1{(1+1+1+1+1+1+1+1+1+1)^{60}}", x + Rational(1, 10**60)),
        (r"(x+60!)/60!", 1 + x / factorial(60)),
    ],
)
def test_sides_with_such_terms_may_be_written_otherwise(text, formula):
    assert same(text, formula)


def test_what_is_too_far_apart_is_compared_as_it_is_written():
    for node in (node_of("e^{-100000}"), node_of(r"\exp(-100000)"), from_sympy(exp(-100000))):
        assert orders_of_ten(node) == 43430
    assert same("x+e^{-100000}", exp(-100000) + x)
    assert not same("(x+e^{-100000})^2", x**2)


def test_more_digits_are_taken_for_one_comparison_only():
    with digits.apart(100):
        assert digits.precision() == 360
        assert not digits.agree(digits.CONTEXT.mpf(1), 1 + digits.CONTEXT.mpf(10) ** -200)
    assert digits.precision() == 60
    assert digits.agree(digits.CONTEXT.mpf(1), 1 + digits.CONTEXT.mpf(10) ** -50)
