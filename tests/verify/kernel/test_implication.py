"""Which comparison of the same sides says what another one says."""

import pytest

from verify.kernel.inequalities.implication import implies
from verify.kernel.node import Node, add, name, num

X, Y, Z = name("x"), name("y"), name("z")
SAID = {
    "lt": {"lt", "le", "ne", "ne turned"},
    "le": {"le"},
    "eq": {"eq", "le", "le turned", "eq turned"},
    "ne": {"ne", "ne turned"},
}


@pytest.mark.parametrize("known", SAID)
@pytest.mark.parametrize("turned", ["", " turned"])
@pytest.mark.parametrize("wanted", ["lt", "le", "eq", "ne"])
def test_a_comparison_implies_weaker_ones_of_its_sides(known, wanted, turned):
    sides = (Y, X) if turned else (X, Y)
    assert implies(Node(known, X, Y), Node(wanted, *sides)) is (f"{wanted}{turned}" in SAID[known])
    assert not implies(Node(known, X, Y), Node(wanted, X, add(Y, num(1))))
    assert not implies(Node(known, X, Y), Node(wanted, Z, Y))
