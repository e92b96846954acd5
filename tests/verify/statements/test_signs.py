r"""Names that may be negative or 0 are so at some points: $|x|$ is not $x$."""

from types import SimpleNamespace

import pytest
from sympy import (
    Abs,
    Function,
    IndexedBase,
    Max,
    Rational,
    Sum,
    Symbol,
    ceiling,
    floor,
    root,
    sign,
    sqrt,
    sympify,
)

from theory.claim import Hypothesis, Relation, Variable
from theory.formula import IsInteger, le, ne
from theory.latex.nodes import from_sympy
from verify.statements.comparing.domains import lows, nonzero
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.names import kinds
from verify.statements.comparing.values import FAR, ZERO, Kinds, Point

i = Symbol("i", real=True)
x, y, L, phi = Symbol("x", real=True), Symbol("y", real=True), Symbol("L", real=True), Function("phi")


def claim(*domains, hypotheses=(), shape="", relations=()):
    names = (x, y, L)
    return SimpleNamespace(
        variables=tuple(
            Variable(IndexedBase(str(name), real=True) if shape else name, str(name), domain, "", shape)
            for name, domain in zip(names, domains, strict=False)
        ),
        hypotheses={str(place): item for place, item in enumerate(hypotheses)},
        relations=dict(enumerate(relations)),
    )


@pytest.mark.parametrize(
    ("domain", "low"),
    [
        (r"\mathbb R_{>0}", "positive"),
        (r"\mathbb R_{\ge 0}^{n\times d}", "nonnegative"),
        (r"\mathbb R^{d+1}_{>0}", "positive"),
        (r"\mathbb R_{\ge1}", "positive"),
        (r"\mathbb R_{\ge-1}", ""),
        (r"\mathbb R_{>-1}", ""),
        (r"\mathbb R", ""),
        (r"\mathbb R^{\mathbb N}", ""),
        (r"\mathbb N", "positive"),
        (r"\mathbb N_0^d", "nonnegative"),
        (r"\mathbb N_{\ge2}", "positive"),
        (r"\mathbb Z^d", ""),
        (r"\mathbb Z", ""),
        ("(0,1]^d", "positive"),
        ("[0,1)", "nonnegative"),
        ("[-1,1]", ""),
        (r"[-\frac12,\frac12)^N", ""),
        (r"[\frac1L,1]", "positive"),
        ("[y,1]", ""),
        ("[L,nL]", "positive"),
        ("(0,1/(1-y))", "positive"),
        (r"\{0,1\}^d", "nonnegative"),
        (r"\{1,\dots,d\}", "positive"),
        (r"\{-1,1\}", ""),
        (r"\{1,y\}", ""),
        (r"\mathbb R\setminus\mathbb R_{>0}", ""),
        (r"[0,1]\cup[-5,-3]", ""),
        (r"\{1,\dots,-3\}", ""),
        (r"\mathbb R_{>0}^{-1}", ""),
        ("real", ""),
        ("a positive number", ""),
        ("", ""),
    ],
)
def test_a_name_is_nowhere_negative_only_where_its_domain_says_so(domain, low):
    known = claim(domain, r"\mathbb R", r"\mathbb R_{>0}")
    if "^" in domain:
        known.variables = (claim(domain, shape="(d,)").variables[0], *known.variables[1:])
    assert lows(known)["x"] == low


def test_hypotheses_of_all_relations_tell_signs():
    positive = Hypothesis("domain", (le(1, x), ne(y, 0)), "")
    assert lows(claim("", "", hypotheses=[positive])) == {"x": "positive", "y": ""}
    assert nonzero(claim("", "", hypotheses=[positive])) == {"y"}
    everywhere = [Relation((x, y), ("<=",), under=("0",))]
    assert lows(claim("", "", hypotheses=[positive], relations=everywhere))["x"] == "positive"
    somewhere = [*everywhere, Relation((x, y), ("<=",))]
    assert lows(claim("", "", hypotheses=[positive], relations=somewhere))["x"] == ""


def same(one, other, *domains):
    compare = Sides(kinds(claim(*domains)))
    return compare.same(Side(from_sympy(one)), Side(from_sympy(other)))


@pytest.mark.parametrize("domain", ["", "[-1,1]", r"\mathbb Z", r"\mathbb R_{\ge-1}", "real"])
def test_an_absolute_value_is_no_name_that_may_be_negative(domain):
    assert not same(Abs(x), x, domain)
    assert not same(Abs(x * y), x * y, domain, domain)
    assert not same(Abs(x * y), -x * y, domain, domain)
    assert not same(Abs(Max(x, y)), Max(x, y), domain, domain)
    assert same(Abs(x) ** 2, x**2, domain)


def test_a_positive_name_is_its_absolute_value():
    assert same(Abs(x), x, r"\mathbb R_{>0}")
    assert same(Abs(Max(x, y)), Max(x, y), "[0,1]", r"\mathbb N")


def test_what_differs_at_zero_only_differs():
    assert same(sign(x), x / x, "(0,1]")
    assert not same(sign(x), x / x, "[0,1]")
    assert not same(sign(x) ** 2, x**0, r"\mathbb N_0")
    points = [Point(seed, Kinds(zero=frozenset("xy"))) for seed in ZERO]
    for name in "xyzabc":
        assert [point.scalar(name) for point in points].count(0) == (name in "xy")


def test_signs_of_names_entries_and_products_change():
    names = tuple("abcdefghijk")
    points = [Point(seed, Kinds(signed=names)) for seed in range(6)]
    signs = {name: tuple(point.scalar(name) > 0 for point in points) for name in names}
    for one in names[:7]:
        assert len(set(signs[one])) == 2
        for other in names[:7]:
            assert one == other or len({a == b for a, b in zip(signs[one], signs[other], strict=True)}) == 2
    far = [Point(seed, Kinds(signed=names)) for seed in FAR]
    assert len({point.entry("a", (1,)) > 0 for point in points + far}) == 2


def test_a_function_may_be_negative_too():
    compare = Sides(Kinds(signed=("phi",)))
    assert not compare.same(Side(from_sympy(Abs(phi(x)))), Side(from_sympy(phi(x))))
    assert Sides(Kinds()).same(Side(from_sympy(Abs(phi(x)))), Side(from_sympy(phi(x))))


INTEGER = Hypothesis("domain", (IsInteger(x),), "")
SOMEWHERE = [Relation((x, x**2), ("<=",), under=("0",)), Relation((x, y), ("<=",))]


@pytest.mark.parametrize(
    ("known", "whole"),
    [
        (claim(r"\mathbb Z"), {"x"}),
        (claim("", hypotheses=[INTEGER]), {"x"}),
        (claim("", hypotheses=[INTEGER], relations=SOMEWHERE[:1]), {"x"}),
        (claim("", hypotheses=[INTEGER], relations=SOMEWHERE), set()),
        (claim(r"\mathbb Z+\frac12"), set()),
        (claim(r"\mathbb R", relations=[Relation((Sum(L, (i, 1, x)), y), ("<=",))]), set()),
    ],
)
def test_a_name_is_an_integer_only_where_all_relations_say_so(known, whole):
    assert kinds(known).integers == whole
    assert set(kinds(known).sizes) <= whole


@pytest.mark.parametrize(("domain", "whole"), [(r"\mathbb R", set()), (r"\mathbb Z", {"x"})])
def test_the_length_of_an_array_makes_no_integer_and_no_sign(domain, whole):
    known = claim(domain)
    known.variables += (Variable(IndexedBase("b", real=True), "b", r"\mathbb R_{>0}^x", "", "(x,)"),)
    assert kinds(known).integers == whole
    assert "x" in kinds(known).signed


PEAK = 1 / (1 + (x - y - 3) ** 2)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (floor(PEAK), sympify(0), False),
        (ceiling(1 - PEAK), sympify(1), False),
        (floor(PEAK) + Max(x, y), Max(x, y), False),  # also where extrema are evaluated
        (ceiling(x), -floor(-x), True),
        (floor((x**2 - 1) / (x + 1)), floor(x - 1), True),
        (floor(x + floor(y)) - x, floor(floor(y) + x) - x, True),
    ],
)
def test_a_step_that_no_point_meets_is_a_step(one, other, alike):
    assert same(one, other, "[1,9]", r"\mathbb R") == alike


BENT = (1000 * x - 1000 * y - 3000) ** 2 - 1


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (Abs(BENT), BENT, False),
        (sqrt(BENT**2, evaluate=False), BENT, False),
        (sqrt(4 * BENT**2, evaluate=False), 2 * BENT, False),
        (root(BENT**4, 4), BENT, False),
        (sign(BENT), 1, False),
        (Abs(BENT) + Max(x, y), BENT + Max(x, y), False),
        (Abs(x - y), Abs(y - x), True),
        (x * Abs(x * (x - y)), x**2 * Abs(x - y), True),
        (Abs(x * y), x * Abs(y), True),
        (Abs(x - y) ** 2, (x - y) ** 2, True),
        (Abs(Rational(2, 3) * x - 4), 2 * Abs(x / 3 - 2), True),
        (sign(x - y) * y, -y * sign(y - x), True),
    ],
)
def test_a_bend_that_no_point_meets_is_a_bend(one, other, alike):
    assert same(sympify(one), sympify(other), "[1,9]", r"\mathbb R") == alike
