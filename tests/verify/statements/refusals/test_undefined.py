"""Words of proved relations are defined wherever their formula is stated."""

from dataclasses import replace

import pytest
from sympy import IndexedBase, Sum, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable
from theory.formula import IsInteger, le, lt
from theory.paper import Paper
from verify.statements import check, hashes

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
n, x, y, K, i, k = (Symbol(name, real=True) for name in "nxyKik")
a, b = (IndexedBase(name, real=True) for name in "ab")
VARIABLES = (
    Variable(n, "n", r"\mathbb N", "length"),
    Variable(K, "K", r"\mathbb N", "rounds"),
    Variable(x, "x", r"\mathbb R", "a number"),
    Variable(y, "y", r"\mathbb R", "another one"),
    Variable(a, "a", r"\mathbb R^n", "numbers", "(n,)"),
    Variable(b, "b", r"\mathbb R^\infty", "errors of rounds", "(oo,)", first=0),
)
POSITIVE = Hypothesis("parameter", lt(0, x), r"$x>0$")
SIZES = Hypothesis("parameter", (IsInteger(n), le(2, n), IsInteger(K), le(0, K)), r"$n\ge2$, $K\ge0$")


def claim(text, left, right, *, under=None, operators=("<=",), every=(), evidence="proof"):
    return Claim(
        id="sample/words",
        kind="upper",
        provenance="rederived",
        title="Words",
        position=1,
        paper=PAPER,
        setting="Numbers.",
        parts=(Part("a", text, says=("said",), evidence=(evidence,)),),
        variables=VARIABLES,
        notation={},
        hypotheses=under or {},
        relations={"said": Relation((left, right), operators, every)},
    )


def messages(said):
    return [str(problem) for problem in check(said, hashes(said)) if "defined" in str(problem)]


@pytest.mark.parametrize(
    ("text", "left", "right", "needed"),
    [
        (r"$\frac xx\cdot y\le y^2+1$", y, y**2 + 1, "x != 0"),
        (r"$\frac{x^2}x\le x^2+1$", x, x**2 + 1, "x != 0"),
        (r"$e^{\log x}\le x^2+1$", x, x**2 + 1, "0 < x"),
        (r"$(\log x-\log x)y\le y^2$", 0 * y, y**2, "0 < x"),
        (r"$(\sqrt x)^2\le x^2+1$", x, x**2 + 1, "0 <= x"),
        (r"$\left(\frac1{1/x}\right)\le x^2+1$", x, x**2 + 1, "x != 0"),
    ],
)
def test_what_sympy_cancels_must_be_defined(text, left, right, needed):
    (found,) = messages(claim(text, left, right))
    assert needed in found
    assert "does not follow" in found


def test_a_side_alone_must_be_defined():
    (found,) = messages(claim(r"$x\le x^2+1$, that is at least $e^{\log x}$", x, x**2 + 1))
    assert "0 < x" in found


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        (r"$\frac{x^2}x\le x^2+1$", x, x**2 + 1),
        (r"$e^{\log x}\le x^2+1$", x, x**2 + 1),
        (r"$\frac{x\,y}{x(1+x)(1+x)}\le y^2+1$", y / (1 + x) ** 2, y**2 + 1),
    ],
)
def test_what_the_hypotheses_define_may_be_written(text, left, right):
    assert messages(claim(text, left, right, under={"positive": POSITIVE})) == []


def test_hypotheses_of_other_relations_do_not_count():
    said = claim(r"$\frac{x^2}x\le x^2+1$", x, x**2 + 1, under={"positive": POSITIVE})
    other = Part("b", "$x\\le x+1$", says=("other",), evidence=("proof",))
    relations = {**said.relations, "other": Relation((x, x + 1), ("<=",), (), ("positive",))}
    assert messages(replace(said, relations=relations, parts=(*said.parts, other)))


def test_an_index_is_taken_over_its_range():
    ranges = ((i, 0, n - 1),)
    entry = a[i]
    text = r"$\frac{a_i^2}{a_i}\le a_i^2+1$ for all $i$"
    (found,) = messages(claim(text, entry, entry**2 + 1, under={"sizes": SIZES}, every=ranges))
    assert "for i = 0" in found
    assert "!= 0" in found


def test_a_sum_that_hides_its_divisor_must_have_terms():
    text = r"$\sum_{i=1}^n\frac{a_i^2}{n^2-n}\le\frac{1}{n(n-1)}\sum_ia_i^2+1$"
    total = Sum(a[i] ** 2, (i, 0, n - 1))
    left, right = total / (n**2 - n), total / (n * (n - 1)) + 1
    assert messages(claim(text, left, right, under={"sizes": SIZES})) == []
    assert messages(claim(text, left, right))


def test_sums_below_a_bound_end_there():
    text = r"$\sum_{k<K}\frac{b_k^2}{b_k}\le\sum_{k<K}b_k+1$"
    total = Sum(b[k], (k, 0, K - 1))
    (found,) = messages(claim(text, total, total + 1, under={"sizes": SIZES}))
    assert "for k = 0..K - 1: b[k] != 0" in found


def test_parts_that_are_not_proved_are_not_asked():
    assert messages(claim(r"$e^{\log x}\le x^2+1$", x, 1 + x**2, evidence="exact/x")) == []
