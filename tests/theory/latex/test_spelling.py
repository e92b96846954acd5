"""A name that is seen as something else than a name, or as another one, is refused."""

import re

import pytest
from sympy import IndexedBase, Symbol

from theory.claim import Claim, Hypothesis, Part, Variable
from theory.formula import eq
from theory.latex.nodes import Unreadable
from theory.latex.parser import read
from theory.latex.spelling import relation_in, shown, spelling_problem
from theory.latex.vocabulary import Vocabulary
from theory.paper import Paper

p, q = (Symbol(name, real=True) for name in "pq")
a = IndexedBase("a", real=True)


def claim(*variables, text="Nothing.", evidence="proof", **others):
    return Claim(
        id="sample/spelling",
        kind="identity",
        provenance="derived",
        title="Names",
        position=1,
        paper=Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue"),
        parts=(Part("a", text, evidence=(evidence,)),),
        variables=variables,
        **others,
    )


def variable(symbol, tex, shape="", **others):
    return Variable(symbol, tex, r"\mathbb R", "", shape, **others)


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"x\not", r"\not, which is no part"),
        (r"x\phantom{y}", r"\phantom, which is no part"),
        (r"\color{white}x", r"\color, which is no part"),
        (r"x\mathllap{y}", r"\mathllap, which is no part"),
        (r"x\text{ is not}", "is no part"),
        ("x%", "'%', which is not seen"),
        ("\N{CYRILLIC SMALL LETTER HA}", "which is not seen"),
        ("p{}", "empty braces"),
        ("p_{ }", "empty braces"),
        (r"\mathit{p}", r"\mathit, which looks as without"),
        ("x(", "without its partner"),
        ("x|", "without its partner"),
        ("x-", "ends with -"),
        (r"x\frac", r"ends with \frac"),
        ("x_", "ends with _"),
    ],
)
def test_what_is_no_name_is_refused(tex, message):
    assert message in spelling_problem(tex)
    with pytest.raises(ValueError, match=re.escape(message)):
        claim(variable(p, "p", aliases=(tex,)))
    with pytest.raises(ValueError, match=re.escape(message)):
        claim(notation={tex: "notation"})


@pytest.mark.parametrize(
    "tex",
    [
        r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2",
        "L_-",
        r"L_\pm",
        "x^+",
        r"c_{\rm vary}",
        r"\hat g'",
        r"x_{\text{max}}",
        r"H(q\mid u)",
        r"V^\perp",
    ],
)
def test_names_are_allowed(tex):
    assert spelling_problem(tex) == "" == relation_in(tex)


@pytest.mark.parametrize(
    "tex", [r"\sum_{k<K}C_k", r"\Pr(j\ne0)", r"\mathbb P(e\le t)", r"\prod_{#1<k<#2}(1-q_k)"]
)
def test_relations_stand_in_indices_and_probabilities(tex):
    assert relation_in(tex) == ""


@pytest.mark.parametrize(
    "tex",
    [
        r"p(1-p)\le\frac15",
        r"(p\le\frac15)",
        "p=",
        r"p\in A",
        r"p\to0",
        r"2\mid p",
        r"q\perp p",
        r"p\text{-odd}",
    ],
)
def test_relations_are_no_names(tex):
    with pytest.raises(ValueError, match="as a relation does: register"):
        claim(variable(q, tex))
    with pytest.raises(ValueError, match="as a relation does: register"):
        claim(variable(p, "p"), notation={tex: "a bound"})


def test_an_event_may_be_notation_beside_a_check():
    text = "A share of the entries has $|z|>1$."
    assert claim(variable(p, "p"), text=text, evidence="run/share", notation={"|z|>1": "an event"})
    with pytest.raises(ValueError, match="as a relation does: register"):
        claim(variable(p, "p"), text=text, notation={"|z|>1": "an event"})


@pytest.mark.parametrize(
    ("one", "other"), [("h_j^2", "h^2_j"), ("p", "{p}"), ("{ab}c", "abc"), ("x'", "{x}'")]
)
def test_names_that_look_alike_are_refused(one, other):
    assert shown(one) == shown(other)
    with pytest.raises(ValueError, match="both written"):
        claim(variable(p, one), variable(q, other))


def test_names_that_look_different_are_allowed():
    assert claim(variable(p, "p"), variable(q, r"\mathbf p"), notation={"P": "", "p_j": ""})
    assert shown("h_{jk}") != shown("h_jk")


def test_a_scalar_is_no_entry_of_an_array():
    array = variable(a, "a", "(d,)")
    size = variable(Symbol("d", real=True), "d")
    for tex in ("a_1", "a_{12}", "a_d"):
        with pytest.raises(ValueError, match="looks like an entry of the array 'a'"):
            claim(array, size, variable(p, tex))
    for tex in ("a_0", r"a_{\max}", "b_1"):
        assert claim(array, size, variable(p, tex))
    first = Hypothesis("definition", eq(p, a[0]), "the first entry")
    assert claim(array, size, variable(p, "a_1"), hypotheses={"first": first})
    for tex in ("a_j", "a_{k}"):
        with pytest.raises(ValueError, match="looks like an entry of the array 'a'"):
            claim(array, size, variable(p, tex), hypotheses={"first": first})


def test_lg_is_refused_and_other_logarithms_are_read():
    vocabulary = Vocabulary(claim(variable(p, "p")))
    with pytest.raises(Unreadable, match=r"write \\log_\{10\} or \\log_2"):
        read(r"\lg8", vocabulary)
    assert read(r"\log_28", vocabulary) == read(r"\log_2(8)", vocabulary)
