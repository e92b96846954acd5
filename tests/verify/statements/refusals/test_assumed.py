"""A hypothesis assumes what its words say: formulas beside words that can be read add nothing."""

import dataclasses

import pytest
from sympy import IndexedBase, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, model
from theory.paper import Paper
from verify.statements import check, hashes
from verify.statements.refusals.assumed import in_prose

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
x, y, z = (Symbol(name, real=True) for name in "xyz")


def claim(text, *sides, **hypotheses):
    return Claim(
        id="sample/assumed",
        kind="upper",
        provenance="rederived",
        title="Assumed",
        position=1,
        paper=PAPER,
        setting="Numbers.",
        parts=(Part("a", text, says=("r",), evidence=("proof",)),),
        variables=tuple(Variable(name, str(name), r"\mathbb R", "a number") for name in (x, y)),
        hypotheses=hypotheses,
        relations={"r": Relation(sides, ("<=",), under=tuple(hypotheses))},
    )


def problems(said):
    return [str(problem) for problem in check(said, hashes(said))]


@pytest.mark.parametrize("kind", ["domain", "definition", "parameter", "model"])
def test_formulas_beside_words_that_can_be_read_are_theirs(kind):
    """Else "for $x\\le1$, $x^3\\le0$" would be proved from $x\\le0$."""
    for formulas, message in (
        ((le(x, 1), le(x, 0)), "its words say x <= 1, its formulas also x <= 0: leave the formulas out"),
        ((le(x, 0),), "its words say x <= 1, its formulas also x <= 0"),
        ((le(x, 1), IsInteger(x)), "its words say x <= 1, its formulas also x is an integer"),
    ):
        said = claim(r"For $x\le1$ $$x^3\le0.$$", x**3, 0, small=Hypothesis(kind, formulas, r"$x\le1$"))
        assert any(f"(hypothesis small): {message}" in item for item in problems(said)), formulas


def test_less_than_the_words_is_refused_too():
    said = claim(r"For $x\le1$ $$x\le2.$$", x, 2, small=model(r"$x\le1$, $y\ge0$", le(x, 1)))
    assert any("say x <= 1; 0 <= y, its formulas less" in item for item in problems(said))


def test_the_formulas_of_the_words_may_stand_beside_them():
    said = claim(r"For $x\le1$ $$x\le2.$$", x, 2, small=model(r"$x\le1$", le(x, 1)))
    assert problems(said) == []


@pytest.mark.parametrize("kind", ["domain", "parameter"])
def test_a_domain_is_mathematics(kind):
    said = claim(r"For $x\le1$ $$x\le2.$$", x, 2, small=Hypothesis(kind, le(x, 1), "it is small"))
    assert any(f"a {kind} is read from its words: write it in mathematics" in item for item in problems(said))


@pytest.mark.parametrize(
    ("words", "formulas", "unsaid"),
    [
        ("it is small", (le(x, 0),), "x <= 0"),
        (r"$x\le1$; it is small", (le(x, 1), le(x, 0)), "x <= 0"),
        (r"$x\le1$; it is whole", (le(x, 1), IsInteger(x)), "x is an integer"),
        (r"$x\le1$ in the limit", (le(x, 1), lt(x, 1)), "x < 1"),
        (r"$x\le1$, and it is $y$", (le(x, 1), eq(x, y)), "x = y"),
    ],
)
def test_prose_hides_nothing_of_what_the_relation_is_about(words, formulas, unsaid):
    said = claim(r"For $x\le1$ $$x^3\le y^2.$$", x**3, y**2, small=model(words, *formulas))
    assert any(f"{unsaid}, which neither its words nor a text" in item for item in problems(said))


def test_what_a_name_of_the_relation_is_stands_in_mathematics():
    said = claim(r"$$x\le y^2.$$", x, y**2, mean=definition("$x$ is the mean of the inputs", eq(x, 0)))
    assert any("x = 0, which neither its words nor a text" in item for item in problems(said))
    said = claim(r"$$x\le y^2.$$", x, y**2, mean=definition("$x$ is the mean of the inputs", eq(x, z)))
    assert not any("neither its words" in item for item in problems(said))


def test_prose_may_say_it_in_mathematics_or_leave_it_to_the_text():
    said = claim(r"For $x\le1$ $$x\le2.$$", x, 2, small=model(r"it is small: $x\le1$", le(x, 1)))
    assert problems(said) == []
    said = claim(r"If $x\le1$, then $$x\le2.$$", x, 2, small=model("it is small", le(x, 1)))
    assert problems(said) == []


def test_what_follows_and_what_is_about_other_things_need_not_be_said():
    said = claim(
        r"For $x\le1$ $$x\le2.$$",
        x,
        2,
        small=model("it is small", le(x, z), le(z, 1)),
        one=definition("z", eq(z, 1)),
    )
    assert problems(said) == [] or not any("neither its words" in item for item in problems(said))


def test_hypotheses_in_prose_are_known():
    said = claim("Text.", x, 2, small=model("it is small", le(x, 1)), big=model(r"$x\ge-1$"))
    assert in_prose(said) == {"small"}


def test_the_law_of_an_expectation_is_said_in_a_hypothesis_alone():
    """What stands in a law is no relation of a text, and a text says no expectation of random names."""
    z = IndexedBase("z", real=True)
    law = r"over $z$ with mean $0$ and variance $1$"
    said = claim(r"$$x\le1.$$", x, 1, square=definition(r"$x=y^2$"))
    said = dataclasses.replace(
        said,
        variables=(*said.variables, Variable(z, "z", r"\mathbb R", "a random number", "(1,)")),
        hypotheses={"square": definition(rf"$x=\mathbb E(z^2)$, {law}")},
    )
    assert problems(said) == []
    fixed = {**said.hypotheses, "fixed": model("$z_1=1$")}
    found = problems(dataclasses.replace(said, hypotheses=fixed))
    assert any(
        "z is random in hypothesis 'square' and a number in hypothesis 'fixed'" in item for item in found
    )
    part = dataclasses.replace(said.parts[0], text=rf"$$x\le1.$$ $x=\mathbb E(z^2)$, {law}.")
    found = problems(dataclasses.replace(said, parts=(part,)))
    assert any(r"‘x=\mathbb E(z^2)’" in item and "cannot read" in item for item in found)
