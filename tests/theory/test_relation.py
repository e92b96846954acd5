"""A relation that is none is told where it is written."""

import pytest
from sympy import Symbol

from theory.claim import Relation

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
