"""What signs are learned of other facts is not taken over."""

from itertools import pairwise

import pytest

from verify.kernel.inequalities.signs import Signs
from verify.kernel.node import ZERO, Node, add, mul, name, num
from verify.kernel.rules import Rules

X, Y = name("x"), name("y")
POSITIVE = Node("lt", ZERO, X)


def facts(*formulas):
    rules = Rules(())
    return [rules._assumed(item) for item in formulas]


def test_facts_of_another_scope_are_not_known():
    elsewhere = Signs(facts(POSITIVE))
    assert elsewhere.decide(POSITIVE) is not None
    for given in ((), facts(Node("lt", ZERO, Y)), facts(Node("lt", ZERO, Y), POSITIVE)[:1]):
        assert Signs(given, known=elsewhere).decide(POSITIVE) is None


def test_what_ranges_say_stays_with_them():
    inside = Signs((), (("i", num(1), Y),))
    assert inside.decide(Node("lt", ZERO, name("i"))) is not None
    assert Signs((), known=inside).decide(Node("lt", ZERO, name("i"))) is None
    assert Signs((), (("i", num(-1), Y),), known=inside).decide(Node("lt", ZERO, name("i"))) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_a_strict_fact_is_learned_beside_a_weak_one(sign):
    weak, strict = (Node(op, ZERO, mul(num(sign), X)) for op in ("le", "lt"))
    for given in ((weak, strict), (strict, weak)):
        assert Signs(facts(*given)).decide(strict) is not None
    assert Signs(facts(weak, weak)).decide(strict) is None


@pytest.mark.parametrize("first", range(3))
def test_learning_in_pieces_is_learning_at_once(first):
    given = facts(POSITIVE, Node("le", X, Y), Node("int", Y))
    pieces = Signs(given, known=Signs(given[:first]))
    for goal in (
        POSITIVE,
        Node("lt", ZERO, Y),
        Node("int", Y),
        Node("le", num(1), Y),
        Node("int", add(X, Y)),
    ):
        assert (pieces.decide(goal) is None) == (Signs(given).decide(goal) is None)


def test_three_inequalities_are_added_up_to_a_fourth():
    names = [name(f"x{place}") for place in range(6)]
    known = Signs(facts(*(Node("le", *pair) for pair in pairwise(names))))
    decided = [known.decide(Node("le", names[0], last)) is not None for last in names[1:]]
    assert decided == [True] * 4 + [False]


def test_what_is_positive_as_it_is_written_is_not_zero():
    square = Node("pow", add(X, mul(num(-1), Y)), num(2))
    nothing = Signs(())
    assert nothing.decide(Node("ne", add(num(1), square), ZERO)) is not None
    for form in (square, add(num(-1), square), add(num(1), mul(num(-1), square))):
        assert nothing.decide(Node("ne", form, ZERO)) is None
    assert nothing.decide(Node("ne", add(num(1), square), num(1))) is None
