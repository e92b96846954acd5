"""What a rule needs, and what that takes to be defined: settled by what is known, else a hypothesis."""

import pytest
from claims import claim, symbols
from sympy import log

from theory.claim import Relation
from theory.formula import le, lt, ne
from verify.kernel.bridge import formula
from verify.kernel.kernel import Kernel

(x,) = symbols("x")
SQUARE = le(0, log(log(x)) ** 2)


def settled(needed, **hypotheses):
    left, used = Kernel(claim(Relation((x, x), ("<=",)), **hypotheses))._settled([formula(needed)])
    return set(left), used


@pytest.mark.parametrize(
    ("needed", "left"),
    [
        (le(0, x**2), []),
        (le(0, 1 / x**2), [ne(x, 0), le(0, 1 / x**2)]),  # of 0 nothing is known
        (SQUARE, [lt(0, log(x)), lt(0, x)]),  # the logarithm inside has a domain of its own
    ],
    ids=["a square", "a square of a quotient", "a square of a logarithm of a logarithm"],
)
def test_what_a_needed_formula_takes_to_be_defined_is_needed_too(needed, left):
    assert settled(needed) == (set(map(formula, left)), [])


def test_what_hypotheses_say_is_settled_by_them():
    left, used = settled(SQUARE, positive=lt(0, x), logarithm=lt(0, log(x)))
    assert left == set()
    assert {fact.conclusion for fact in used} == {formula(lt(0, x)), formula(lt(0, log(x)))}
