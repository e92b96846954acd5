"""A text assumes what its hypotheses assume: of all indices, in their range, all formulas, each by itself."""

import pytest
from sympy import IndexedBase, Sum, Symbol

from theory.claim import Claim, Part, Relation, Variable
from theory.formula import every, le
from theory.hypotheses import definition, domain, model, parameter
from theory.paper import Paper
from verify.statements import check, hashes
from verify.statements.refusals.declared import restricts

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
d, k, w, x, y, i, j = (Symbol(name, real=True) for name in "dkwxyij")
a, b = (IndexedBase(name, real=True) for name in "ab")
SIZES = domain(r"$d,k\ge1$ are integers, $k\le d$")
TOTAL = Relation((0, Sum(a[j], (j, 0, d - 1))), ("<=",), under=("m",))
SUM = Relation((w, x + y), ("<=",), under=("m",))
ONE = Relation((x, 1), ("<=",), under=("m",))
ENTRY = Relation((a[j], 1), ("<=",), every=((j, 0, d - 1),), under=("m",))


def claim(text, relation, m, setting="Let $k\\le d$.", **more):
    return Claim(
        id="sample/scopes",
        kind="upper",
        provenance="rederived",
        title="Scopes",
        position=1,
        paper=PAPER,
        setting=setting,
        parts=(Part("a", text, says=("r",), evidence=("proof",)),),
        variables=(
            *(Variable(name, str(name), r"\mathbb R", "a number") for name in (w, x, y)),
            *(Variable(name, str(name), r"\mathbb N", "a size") for name in (d, k)),
            *(Variable(name, str(name), r"\mathbb R^d", "numbers", "(d,)") for name in (a, b)),
        ),
        hypotheses={"sizes": SIZES, "m": m, **more},
        relations={"r": relation},
    )


def problems(said):
    return " | ".join(str(problem) for problem in check(said, hashes(said)))


SIGN = parameter(r"$a_j\ge0$")
FIRST = parameter(r"$a_j\ge0$ for $j\le k$")


@pytest.mark.parametrize(
    ("text", "relation", "hypothesis", "message"),
    [
        (r"If $a_j\ge0$ for some $j$, then $$0\le\sum_ja_j.$$", TOTAL, SIGN, "not for some"),
        (r"If $a_j\ge0$ for one $j$, then $$0\le\sum_ja_j.$$", TOTAL, SIGN, "not for some"),
        (r"If $a_j\ge0$ for $j\le k$, then $$0\le\sum_ja_j.$$", TOTAL, SIGN, "not assumed in this range"),
        (r"If $a_j\ge0$ for $j>k$, then $$0\le\sum_ja_j.$$", TOTAL, FIRST, "not assumed in this range"),
        (r"For each $j$ with $a_j\ge0$ $$0\le\sum_ja_j.$$", TOTAL, SIGN, "write another letter"),
        (
            r"If at least one of $x\ge w$ and $y\ge0$ holds, then $$w\le x+y.$$",
            SUM,
            parameter(r"$x\ge w$, $y\ge0$"),
            "not one of several",
        ),
        (
            r"If $y\ge0$ whenever $x\ge w$, then $$w\le x+y.$$",
            SUM,
            parameter(r"$y\ge0$, $x\ge w$"),
            "not one under the other",
        ),
        (r"If $y\ge0$, then $$w\le x+y.$$", SUM, parameter(r"$y\ge0$, $x\ge w$"), "w <= x, which neither"),
        (r"For every real $x$ $$x\le1.$$", ONE, definition("$0=x$"), "speaks of every x"),
        (r"For every real $x$ $$x\le1.$$", ONE, definition("$y^2=1-x$"), "speaks of every x"),
        (r"For every $a\in\mathbb R^d$ $$a_j\le1.$$", ENTRY, definition("$a_1=0$"), "speaks of every a"),
        (r"$$a_j\le1.$$", ENTRY, model("nice", every(le(a[i], -2), (i, 0, d - 1))), "neither its words"),
        (r"$$x\le1.$$", ONE, model("it is nice", every(le(x, -j), (j, 0, 5))), "neither its words"),
        (r"$$a_j\le1.$$", ENTRY, model("it is nice", le(d, 1)), "neither its words"),
        (r"$$a_j\le b_j.$$", Relation((a[j], b[j]), ("<=",), every=((j, 0, d - 1),), under=("m",)),
         domain(r"$a_i\le b_i$"), "proves nothing"),
    ],
)  # fmt: skip
def test_a_text_that_assumes_less_is_refused(text, relation, hypothesis, message):
    assert message in problems(claim(text, relation, hypothesis))


@pytest.mark.parametrize(
    ("text", "relation", "hypothesis"),
    [
        (r"If $a_j\ge0$ for each $j$, then $$0\le\sum_ja_j.$$", TOTAL, SIGN),
        (r"If $a_j\ge0$ for $j\le k$, then $$0\le\sum_{j=1}^ka_j.$$",
         Relation((0, Sum(a[j], (j, 0, k - 1))), ("<=",), under=("m",)), FIRST),
        (r"If $y\ge0$ and $x\ge w$, then $$w\le x+y.$$", SUM, parameter(r"$y\ge0$, $x\ge w$")),
    ],
)  # fmt: skip
def test_a_text_that_assumes_the_same_is_taken(text, relation, hypothesis):
    assert problems(claim(text, relation, hypothesis)) == ""


def test_a_range_in_the_setting_is_that_of_the_hypothesis():
    setting = r"Let $k\le d$ and $a_j\ge0$ for $j\in\{2,\dots,d\}$."
    said = claim(r"$$0\le\sum_ja_j.$$", TOTAL, SIGN, setting)
    assert "not assumed in this range" in problems(said)


@pytest.mark.parametrize(
    ("words", "told"),
    [("$x^2=x$", True), ("$xy=0$", True), ("$x=0$", True), ("$y^2=1-x$", True), ("$x=y+1$", False)],
)
def test_an_equation_that_defines_no_name_restricts(words, told):
    """Citations leave out definitions, and tell what restricts."""
    assert restricts(claim(r"$$x\le1.$$", ONE, definition(words)), "m") == told
