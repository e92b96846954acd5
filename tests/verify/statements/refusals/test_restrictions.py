"""What a proved relation takes for granted is said, where a reader looks for it."""

from fractions import Fraction

import pytest
from sympy import Symbol, floor

from theory.claim import Claim, Part, Relation, Variable
from theory.formula import le
from theory.hypotheses import definition, domain, model, parameter
from theory.paper import Paper
from verify.statements import check, hashes
from verify.statements.comparing.written_domains import declared

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
x, y, z = (Symbol(name, real=True) for name in "xyz")


def claim(*texts, domains=r"\mathbb R", setting="Numbers.", relations=None, **hypotheses):
    """Return a claim with one part for each text, which says the relation of its place."""
    stated = relations or {"r": Relation((x**2, x), ("<=",), under=tuple(hypotheses))}
    parts = tuple(
        Part(label, text, says=(name,), evidence=("proof",))
        for label, text, name in zip("abc", texts, stated, strict=False)
    )
    return Claim(
        id="sample/restrictions",
        kind="upper",
        provenance="rederived",
        title="Restrictions",
        position=1,
        paper=PAPER,
        setting=setting,
        parts=parts,
        variables=tuple(Variable(name, str(name), domains, "a number") for name in (x, y, z)),
        hypotheses=hypotheses,
        relations=stated,
    )


def problems(said):
    return [str(problem) for problem in check(said, hashes(said))]


UNIT = parameter(r"$0\le x\le1$")


def test_all_of_a_hypothesis_is_said():
    (found,) = problems(claim(r"For $x\ge0$ $$x^2\le x.$$", unit=UNIT))
    assert "x <= 1, which neither a domain nor a text up to here says" in found
    assert problems(claim(r"For $0\le x\le1$ $$x^2\le x.$$", unit=UNIT)) == []


def test_an_equation_says_no_strict_bound():
    relations = {
        "r": Relation((x, 3), ("<",), under=("one",)),
        "s": Relation((x, 2), ("<",), under=("below",)),
    }
    texts = (r"With $x=1$ $$x<3.$$", r"Then $$x<2.$$")
    found = problems(claim(*texts, relations=relations, below=parameter("$x<1$"), one=parameter("$x=1$")))
    assert any("x < 1, which neither a domain nor a text up to here says" in item for item in found)


def test_a_list_says_it_of_each_name():
    signs = parameter(r"$x,y>0$")
    relations = {"r": Relation((0, x * y), ("<",), under=("signs",))}
    assert problems(claim(r"For $x,y>0$ $$0<xy.$$", relations=relations, signs=signs)) == []
    assert problems(claim(r"For $y>0$ $$0<xy.$$", relations=relations, signs=signs))


def test_an_integer_is_said():
    whole = parameter("$x$ is an integer")
    relations = {"r": Relation((floor(x), x), ("=",), under=("whole",))}
    assert (
        "x is an integer"
        in problems(claim(r"Always $$\lfloor x\rfloor=x.$$", relations=relations, whole=whole))[0]
    )
    assert (
        problems(claim(r"For integers $x$ $$\lfloor x\rfloor=x.$$", relations=relations, whole=whole)) == []
    )


def asked_for_an_integer(words):
    """Return what is told of a text that should say that x is an integer."""
    relations = {"r": Relation((floor(x), x), ("=",), under=("whole",))}
    text = f"{words} $$\\lfloor x\\rfloor=x.$$"
    said = claim(text, relations=relations, whole=parameter("$x$ is an integer"))
    return [item for item in problems(said) if "x is an integer, which" in item]


@pytest.mark.parametrize(
    "words",
    [
        r"For every integer $x$",
        r"For all integers $y$, $x$ and $z$",
        r"For integer sizes $x>z$",
        r"If $x$ is an integer, then",
        r"Let $y$ and $x$ be integers; then",
        r"Let $x$ be a natural number;",
        r"If $x\ge0$ is an integer, then",
        r"If $x$ and $y$ are both positive integers, then",
    ],
)
def test_words_that_say_an_integer(words):
    assert not asked_for_an_integer(words)


@pytest.mark.parametrize(
    "words",
    [
        r"For every integer $y$ and real $x$",
        r"For every real $x$ and each integer $y$",
        r"For $x$, which need not be an integer,",
        r"For every non-integer $x$",
        r"If $x$ is no integer, then also",
        r"If $x$ is not an integer, then also",
        r"For an integer or real number $x$",
        r"For a natural number of terms and $x$",
        r"For $x$, where $y$ is an integer,",
        r"The integer part is",
        r"If $x$ and $y$ are not integers, then",
        r"If $x$ is an almost integer, then",
        r"For an integer multiple $x$ of one half",
        r"If $x$ and $y$ are hardly ever integers, then",
        r"For an integer $y$, $x$ being real,",
        r"For an integer $y$ or $x$",
        r"For $x$ near an integer",
        r"If $x$ is an integer or not, then",
        r"If $x$ is an integer multiple of $y$, then",
        r"If $x$ is an integer plus one half, then",
        r"If $x$ is an integer on average, then",
        r"If $x$ and $y$ are integers in sum, then",
    ],
)
def test_an_integer_of_another_name_is_not_said_of_this_one(words):
    assert asked_for_an_integer(words)


def test_a_global_restriction_is_declared_or_said():
    relations = {"r": Relation((0, x**3), ("<=",))}
    nonnegative = domain(r"$x\ge0$")
    text = r"For every $x$ $$x^3\ge0.$$"
    assert problems(claim(text, relations=relations, sign=nonnegative))
    assert problems(claim(text, domains=r"\mathbb R_{\ge0}", relations=relations, sign=nonnegative)) == []
    said = claim(text, setting=r"Let $x\ge0$.", relations=relations, sign=nonnegative)
    assert problems(said) == []


def test_every_x_is_not_a_defined_one():
    (found,) = problems(claim(r"For all real $x$ $$x^2\le x.$$", one=definition("$x=1$")))
    assert "speaks of every x" in found
    assert problems(claim(r"For all real $x$ $$x^2\le x.$$", small=definition(r"$x\le1$")))


@pytest.mark.parametrize(
    "said",
    [
        r"For all real $y$ and $x$",
        r"For all $y,x$",
        r"For all real numbers $z$, $y$ and $x$",
        r"For every $y\in\mathbb R$ and every $x$",
        r"For any $y$, $z\in\mathbb R$ and any real $x$",
        r"No matter which $x$",
        r"Each $x$ has that",
        r"For $x$ arbitrary",
        r"Let $x$ be arbitrary. Then",
        r"For real $x$",
        r"For any given $x$",
    ],
)
def test_every_name_of_a_list_is_one_of_all(said):
    (found,) = problems(claim(rf"{said}, $$x^2\le x.$$", one=definition("$x=y$")))
    assert "speaks of every x, but relation 'r' holds under 'one', x = y" in found
    assert problems(claim(rf"{said}, $$x^2\le x.$$".replace("x$", "z$"), one=definition("$x=y$"))) == []


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        (r"For $x\in\mathbb R$", True),
        (r"For $y,x\in\mathbb R$", True),
        (r"For $y\in\mathbb R$ the number $x$ has", False),
        (r"For $x\in\mathbb R$ with $x=y$", False),
    ],
)
def test_a_name_in_its_domain_is_every_one_of_it(said, refused):
    assert bool(problems(claim(rf"{said} $$x^2\le x.$$", one=definition("$x=y$")))) == refused


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        (r"There is a constant $y$ such that for every real $x$", True),
        (r"For some real $y$ and for every $x$", True),
        (r"For every real $x$ and its $y$", False),
    ],
)
def test_what_depends_on_every_x_is_no_constant(said, refused):
    relations = {"r": Relation((x, y), ("<=",))}
    found = problems(claim(rf"{said} $$x\le y.$$", relations=relations, square=definition("$y=x^2+1$")))
    assert any("speaks of one y for every x" in item for item in found) == refused


def test_a_list_ends_where_something_is_said():
    assert (
        problems(claim(r"For all real $y$ the number $x$ has $$x^2\le x.$$", one=definition("$x=y$"))) == []
    )


def test_every_x_is_not_the_one_of_the_part_before():
    relations = {name: Relation((x**k, x), ("<=",), under=("unit",)) for name, k in (("q", 2), ("r", 3))}
    first = r"For $0\le x\le1$ $$x^2\le x.$$"
    assert problems(claim(first, r"Then $$x^3\le x.$$", relations=relations, unit=UNIT)) == []
    assert problems(claim(first, r"For all real $x$ $$x^3\le x.$$", relations=relations, unit=UNIT))


def test_what_is_assumed_is_not_joined_to_what_is_concluded():
    wild = parameter(r"$x\le y$")
    relations = {
        "r": Relation((y, y + z**2), ("<=",)),
        "s": Relation((x, y + z**2), ("<=",), under=("wild",)),
    }
    second = r"If $x\le y$ then $$x\le y+z^2.$$"
    assert problems(claim(r"Always $$y\le y+z^2.$$", second, relations=relations, wild=wild)) == []
    (found, *_) = problems(claim(r"Always $$x\le y\le y+z^2.$$", second, relations=relations, wild=wild))
    assert "hypothesis wild is joined to what is concluded" in found
    apart = claim(r"Always $$x\le y,\quad y\le y+z^2.$$", second, relations=relations, wild=wild)
    assert "under which no relation of this part holds" in problems(apart)[0]


def test_a_definition_may_begin_a_chain():
    square = definition("$y=x^2$")
    relations = {"r": Relation((x**2, x**2 + 1), ("<=",))}
    assert problems(claim(r"$$y=x^2\le x^2+1.$$", relations=relations, square=square)) == []


@pytest.mark.parametrize("arrow", [r"\implies", r"\iff", r"\Rightarrow", r"\Leftrightarrow"])
def test_arrows_are_refused(arrow):
    text = rf"$$0\le x\le1{arrow} x^2\le x.$$"
    assert any("say in words what is assumed" in problem for problem in problems(claim(text, unit=UNIT)))


@pytest.mark.parametrize(
    ("written", "operator", "number", "above", "says"),
    [
        (r"\mathbb R_{>0}", "<", 0, True, True),
        (r"\mathbb R_{\ge0}^d", "<", 0, True, False),
        (r"\mathbb R_{\ge0}^d", "<=", 0, True, True),
        (r"\mathbb R", "<=", 0, True, False),
        (r"\mathbb N", "<=", 1, True, True),
        (r"\mathbb N", "<=", 2, True, False),
        ("(0,1]", "<", 0, True, True),
        ("(0,1]", "<", 1, False, False),
        (r"[-\frac12,\frac12]", "<=", Fraction(1, 2), False, True),
        (r"[-\frac12,\frac12]", "<=", 0, True, False),
        ("[L,nL]", "<", 0, True, False),
        ("[1,L]", "<=", 1, True, True),
        (r"\mathbb N_0", "<=", 1, True, False),
        (r"\mathbb N_0", "<=", 0, True, True),
        (r"\mathbb R_{>1/2}", "<=", 1, True, False),
        (r"\mathbb R_{>\frac32}", "<=", 1, True, True),
        (r"\{1,-1\}", "<=", 1, True, False),
        (r"\{3,1\}", "<=", 1, True, True),
        (r"\{1,1-3\}", "<=", 1, True, False),
        (r"[2,3]\cup[-5,-3]", "<=", 1, True, False),
        (r"-\mathbb R_{\ge1}", "<=", 1, True, False),
        (r"\mathbb R\setminus\mathbb R_{\ge1}", "<=", 1, True, False),
        (r"\mathbb R_{\ge1}-5", "<=", 1, True, False),
        (r"-\mathbb N", "<=", 1, True, False),
        (r"\mathbb N^{-1}", "<=", 1, True, False),
        (r"\{1,\dots,-3\}", "<=", 1, True, False),
        (r"\{1,\dots,-d\}", "<=", 1, True, False),
        (r"\{1,\dots,d-1\}", "<=", 1, True, True),
        (r"\{0,1\}", "<=", 1, False, True),
        (r"\{1,\dots,d\}", "<=", 1, True, True),
        (r"[0,\infty)", "<=", 7, False, False),
    ],
)
def test_domains_say_as_much_as_they_write(written, operator, number, above, says):
    assert declared(written).says(operator, Fraction(number), above=above) == says


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        (r"\mathbb N", True),
        (r"\mathbb Z^d", True),
        (r"\{1,\dots,d\}", True),
        (r"\{0,1\}", True),
        (r"\mathbb R", False),
        ("(0,1]", False),
        (r"\mathbb Z+\frac12", False),
        (r"\mathbb Z[\frac12]", False),
        (r"\frac12\mathbb N", False),
        (r"\mathbb N^{1/2}", False),
        (r"\{1,\frac12\}", False),
        (r"\{0,\frac12,\dots\}", False),
    ],
)
def test_sets_of_integers(written, whole):
    assert declared(written).integer == whole


@pytest.mark.parametrize(
    ("domains", "accepted"),
    [
        (r"\mathbb N", True),
        ("[1,2]", True),
        (r"\mathbb N_0", False),
        (r"\{1,-1\}", False),
        (r"\mathbb N\cup\{0\}", False),
        (r"\mathbb N^2", False),  # of a number that is no array
    ],
)
def test_a_domain_of_another_form_says_no_bound(domains, accepted):
    relations = {"r": Relation((1, x**3), ("<=",))}
    text = r"For every $x$ $$1\le x^3.$$"
    found = problems(claim(text, domains=domains, relations=relations, one=domain(r"$x\ge1$")))
    assert (found == []) == accepted
    assert accepted or "1 <= x, which neither a domain nor a text up to here says" in found[0]


@pytest.mark.parametrize(
    ("domains", "accepted"), [("[y,z]", True), (r"\mathbb R", False), ("[y^2,z]", False), ("[-y,z]", False)]
)
def test_an_end_of_a_domain_is_said(domains, accepted):
    relations = {"r": Relation((0, (x - y) ** 3), ("<=",))}
    text, low = r"For every $x$ $$0\le(x-y)^3.$$", domain(r"$y\le x$")
    found = problems(claim(text, domains=domains, relations=relations, low=low))
    assert (found == []) == accepted


def test_every_x_leaves_out_no_restriction_of_several_names():
    relations = {"r": Relation((x**2, 1 + z**2), ("<=",))}
    inside = domain(r"$x^2\le1+y$")
    zero = domain("$y=0$")
    text = r"For every $x$ $$x^2\le1+z^2.$$"
    assert any(
        "x**2 <= y + 1" in item
        for item in problems(claim(text, relations=relations, inside=inside, zero=zero))
    )
    said = r"For every $x$ with $x^2\le1+y$ $$x^2\le1+z^2.$$"
    found = problems(claim(said, relations=relations, inside=inside, zero=zero))
    assert not any("x**2 <= y + 1" in item for item in found)


def test_what_follows_need_not_be_said():
    relations = {"r": Relation((x / (1 + x**2), x**2 + 1), ("<=",))}
    divisor = domain(r"$0<1+x^2$")
    assert (
        problems(claim(r"For every $x$ $$\frac x{1+x^2}\le x^2+1.$$", relations=relations, divisor=divisor))
        == []
    )
    other = domain(r"$0<1+x^3$")
    assert problems(claim(r"For every $x$ $$\frac x{1+x^2}\le x^2+1.$$", relations=relations, other=other))


def test_a_model_fact_restricts_the_x_of_every_x():
    relations = {"r": Relation((x**2, x), ("<=",))}
    given = model("the model", le(0, x), le(x, 1))
    assert problems(claim(r"For every $x$ $$x^2\le x.$$", relations=relations, given=given))
