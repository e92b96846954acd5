"""Relations and claims that are none are told where they are written."""

import pytest
from sympy import Symbol

from theory.claim import Claim, Part, Relation, Variable
from theory.hypotheses import domain
from theory.paper import Paper

x = Symbol("x")


@pytest.mark.parametrize(
    ("sides", "operators", "under", "words"),
    [
        ((x, 1), ("=<",), (), "'=<' must be a tuple of <=, <, =, !=, >=, >"),
        ((x, 1), "<=", (), "'<=' must be a tuple"),
        ((x, 1), ("<=", "<="), (), "2 sides and 2 operators"),
        ((x,), (), (), "1 sides and 0 operators"),
        ((x, None), ("<=",), (), "two or more expressions"),
        ((x, 1), ("<=",), "positive", r"must be a tuple of names, \('positive',\)"),
    ],
)
def test_what_is_wrong_with_a_relation_is_told(sides, operators, under, words):
    with pytest.raises(TypeError, match=words):
        Relation(sides, operators, under=under)


def test_a_chain_is_a_relation():
    assert [item.operator for item in Relation((0, x, 1), ("<=", ">")).formulas] == ["<=", "<"]


GOOD = {
    "id": "sample/one",
    "kind": "upper",
    "provenance": "rederived",
    "title": "One",
    "position": 1,
    "paper": Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue"),
    "parts": (Part("a", "$x\\le1$", says=("r",), evidence=("proof",)),),
    "variables": (Variable(x, "x", r"\mathbb R", "a number"),),
    "hypotheses": {"unit": domain(r"$x\le1$")},
    "relations": {"r": Relation((x, 2), ("<=",))},
}


def test_a_claim_of_the_right_types_is_one():
    assert Claim(**GOOD).id == "sample/one"


@pytest.mark.parametrize(
    ("argument", "given", "words"),
    [
        ("paper", "sample", "paper='sample' must be a Paper"),
        ("formulas", None, "formulas must be a mapping"),
        ("relations", {"r": x <= 2}, r"relations\['r'\] must be a Relation, is a LessThan"),
        ("relations", [Relation((x, 2), ("<=",))], "relations must be a mapping, .* is a list"),
        ("hypotheses", None, "hypotheses must be a mapping"),
        ("hypotheses", {"unit": "x<=1"}, r"hypotheses\['unit'\] must be a Hypothesis, is a str"),
        ("variables", Variable(x, "x", "", ""), r"variables must be a tuple, \(Variable"),
        ("parts", ("a",), "parts: 'a' must be a Part"),
    ],
)
def test_an_argument_of_another_type_is_named(argument, given, words):
    with pytest.raises(ValueError, match=words):
        Claim(**GOOD | {argument: given})
