"""What a claim is made of cannot change once it is made, nor answer otherwise from call to call."""

from collections import UserDict

import pytest
from sympy import Function, Symbol

from tests.theory.test_forms_of_claims import GOOD, x
from theory.claim import Claim, Part, Relation
from theory.fixed import fixed
from theory.formula import le
from verify.kernel.bridge import term
from verify.kernel.node import KernelError

UNIT = Relation((x, 2), ("<=",))


class Square(Relation):
    """Gives the kernel another formula than its sides."""

    @property
    def formulas(self):
        return (le(0, self.sides[0] ** 2),)


class Text(str):
    """Is shown otherwise than it is read."""

    def __format__(self, how):
        return "another text"


class Name(str):
    """Equals every other one."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 7


class Abs(Function):
    """Has a value of its own."""

    @classmethod
    def eval(cls, number):
        return number**2 if number.is_number else None


class Ours(Square):
    """Says that it is one of ours."""


Ours.__module__, Ours.__qualname__ = "theory.claim", "Relation"


class OfSympy(Abs):
    """Says that it is one of sympy."""


OfSympy.__module__, OfSympy.__qualname__ = "sympy.functions.elementary.complexes", "Abs"


class Renamed(Claim):
    """Is no claim."""


@pytest.mark.parametrize(
    ("argument", "given"),
    [
        ("relations", {"r": Square((x, 2), ("<=",))}),
        ("relations", {"r": Ours((x, 2), ("<=",))}),
        ("relations", {"r": Relation((x, OfSympy(x)), ("<=",))}),
        ("relations", UserDict({"r": UNIT})),
        ("relations", {"r": Relation((x, Abs(x)), ("<=",))}),
        ("relations", {"r": Relation((Symbol(Name("x")), 2), ("<=",))}),
        ("relations", {Text("r"): UNIT}),
        ("formulas", {"bound": 1 + Abs(x)}),
        ("formulas", {"bound": Function("Abs", __dict__={"_imp_": staticmethod(lambda number: 2)})(x)}),
        ("title", Text("One")),
        ("parts", (Part("a", Text("$x\\le1$"), says=("r",), evidence=("proof",)),)),
    ],
)
def test_classes_of_ones_own_are_refused(argument, given):
    with pytest.raises(ValueError, match="a class of its own"):
        Claim(**GOOD | {argument: given})


def test_functions_without_a_value_are_taken():
    phi = Function("phi", real=True)
    assert fixed((phi, phi(x)), "formulas") == (phi, phi(x))


def test_a_claim_of_another_class_is_refused():
    with pytest.raises(ValueError, match="a class of its own"):
        Renamed(**GOOD)


def test_what_is_changed_afterwards_is_not_in_the_claim():
    sides, relations = [x, 2], {}
    relations["r"] = Relation(sides, ("<=",))
    claim = Claim(**GOOD | {"relations": relations})
    sides[:] = [0, x**2]
    relations["r"] = Relation((0, x**2), ("<=",))
    assert claim.relations["r"].sides == (x, 2)
    with pytest.raises(TypeError, match="item assignment"):
        claim.relations["r"] = UNIT
    with pytest.raises(TypeError, match="item assignment"):
        claim.hypotheses["unit"] = None


def test_names_that_equal_each_other_are_no_terms():
    with pytest.raises(KernelError, match="is not allowed"):
        term(Symbol(Name("u")))
