"""Values of terms at instances, and normal forms of numbers, against numbers known by hand."""

import random
from fractions import Fraction

import flint
import pytest
from flint import fmpq

from verify.kernel.instances.truth import holds, places_of
from verify.kernel.instances.values import Instance, TooLargeError, UndefinedError, value
from verify.kernel.node import ZERO, Node, name, num
from verify.kernel.normal.forms import constant, form_of

AT = Instance({"n": fmpq(3), "x": fmpq(-7, 2)}, {"a": {(0,): fmpq(5), (1,): fmpq(-1)}})
TWO = num(2)


def fn(name, *arguments):
    return Node("fn", name, *arguments)


def fraction(p, q):
    return num(Fraction(p, q))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Node("pow", num(8), fraction(2, 3)), fmpq(4)),
        (Node("pow", fraction(4, 9), fraction(-3, 2)), fmpq(27, 8)),
        (Node("pow", name("x"), num(-2)), fmpq(4, 49)),
        (fn("floor", name("x")), fmpq(-4)),
        (fn("abs", name("x")), fmpq(7, 2)),
        (fn("max", name("x"), num(-4), num(-5)), fmpq(-7, 2)),
        (fn("min", name("x"), num(-3), num(-2)), fmpq(-7, 2)),
        (fn("delta", name("n"), num(3)), fmpq(1)),
        (fn("delta", name("n"), TWO), fmpq(0)),
        (fn("log", num(1)), fmpq(0)),
        (fn("exp", ZERO), fmpq(1)),
        (Node("sum", "j", ZERO, num(1), Node("entry", "a", name("j"))), fmpq(4)),
        (Node("sum", "j", num(2), num(1), Node("entry", "a", name("j"))), fmpq(0)),
    ],
)
def test_exact_values(term, expected):
    assert value(term, AT) == expected


def test_irrational_values_are_balls_around_the_number():
    found = value(Node("pow", num(5), fraction(2, 3)), AT)
    assert abs(found - flint.arb(25).root(3)) < 1e-12
    assert value(fn("floor", Node("pow", num(5), fraction(2, 3))), AT) == 2
    assert abs(value(fn("exp", fn("log", TWO)), AT) - 2) < 1e-12
    root = Node("pow", TWO, fraction(1, 2))
    assert abs(value(Node("pow", num(5), root), AT) - flint.arb(5) ** flint.arb(2).sqrt()) < 1e-12
    with pytest.raises(UndefinedError, match="not positive"):
        value(Node("pow", name("x"), root), AT)


@pytest.mark.parametrize(
    "term",
    [
        fn("log", ZERO),
        Node("pow", ZERO, num(-1)),
        Node("pow", name("x"), fraction(1, 2)),
        Node("sum", "j", num(3), num(1), name("j")),
        name("unknown"),
        Node("entry", "a", num(7)),
    ],
)
def test_terms_without_a_value(term):
    with pytest.raises(UndefinedError):
        value(term, AT)


def test_what_is_not_decided_is_neither_true_nor_false():
    root = Node("pow", TWO, fraction(1, 2))
    assert holds(Node("le", Node("mul", root, root), TWO), AT) is None
    assert holds(Node("lt", ZERO, root), AT) is True
    with pytest.raises(TooLargeError):
        value(fn("max", Node("mul", root, root), TWO), AT)


def test_places_of_a_range_without_end():
    assert places_of(ZERO, None, AT, 24) == [0, 1, 2, 3]  # up to the n of the instance
    far = Instance(dict(AT.names), {}, far=True)
    assert places_of(num(1), None, far, 24) == [1, 2, 3, 4, 21, 151]
    assert places_of(ZERO, num(2), AT, 24) == [0, 1, 2]


@pytest.mark.parametrize(
    ("term", "number"),
    [
        (fn("max", num(1), TWO), 2),
        (fn("min", num(1), TWO), 1),
        (fn("abs", num(-3)), 3),
        (fn("max", TWO, TWO), 2),
    ],
)
def test_functions_of_numbers_are_numbers(term, number):
    assert form_of(term) == constant(number)


def test_a_deep_term_has_a_value_inside_a_sum():
    term, expected = name("j"), [fmpq(0), fmpq(1)]
    for _ in range(105):  # two brackets each, of which Python takes no 200 inside each other
        term = Node("add", Node("mul", term, fraction(1, 2)), num(1))
        expected = [item / 2 + 1 for item in expected]
    assert value(Node("sum", "j", ZERO, num(1), term), AT) == sum(expected, fmpq(0))


def test_what_an_empty_sum_does_not_look_at_may_be_undefined():
    inverse = Node("pow", name("x"), num(-1))
    at = Instance({"n": fmpq(2), "x": fmpq(0)}, {})
    inner = Node("sum", "k", num(1), name("j"), Node("mul", inverse, name("k")))
    assert value(Node("sum", "j", ZERO, ZERO, inner), at) == 0
    with pytest.raises(UndefinedError, match="division by zero"):
        value(Node("sum", "j", ZERO, num(1), inner), at)


def test_many_sums_inside_each_other_have_a_value():
    term = name("x")
    for place in range(25):  # Python takes 20 loops inside each other
        term = Node("sum", f"j{place}", ZERO, ZERO, term)
    assert value(term, AT) == fmpq(-7, 2)
    assert holds(Node("every", "k", ZERO, num(1), Node("le", term, name("k"))), AT) is True


def test_an_entry_at_an_irrational_place_is_not_decided():
    entry = Node("entry", "a", Node("pow", TWO, fraction(1, 2)))
    assert holds(Node("le", entry, entry), AT) is None
    with pytest.raises(TooLargeError, match="no place of a family"):
        value(Node("sum", "j", ZERO, num(1), entry), AT)


def entry(family, *places):
    return Node("entry", family, *places)


def mean(body, low, high, variance):
    """Return the expectation of a body over b[i], which has mean a[i]."""
    return Node("mean", body, "b", (("i", num(low), num(high)),), entry("a", name("i")), variance)


B = [entry("b", num(place)) for place in range(3)]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (mean(B[0], 0, 1, num(3)), fmpq(5)),
        (mean(Node("pow", B[1], TWO), 0, 1, num(3)), fmpq(4)),
        (mean(Node("mul", B[0], B[1], name("x")), 0, 1, num(3)), fmpq(35, 2)),
        (mean(Node("pow", B[1], TWO), 0, 1, ZERO), fmpq(1)),
        (
            mean(Node("sum", "j", ZERO, num(1), Node("mul", entry("b", name("j")), name("x"))), 0, 1, num(3)),
            -14,
        ),
        (mean(Node("add", mean(B[0], 0, 1, ZERO), B[1], name("n")), 0, 1, num(3)), fmpq(7)),
        (mean(Node("mul", name("x"), entry("a", Node("add", name("n"), num(-2)))), 0, 1, num(3)), fmpq(7, 2)),
        (mean(Node("add", name("n"), ZERO), 0, -1, num(3)), fmpq(3)),
    ],
)
def test_expectations(term, expected):
    assert value(term, AT) == expected


def test_an_expectation_asks_for_every_value_that_it_needs():
    for body in (B[2], name("y"), Node("pow", Node("add", name("n"), num(-3)), num(-1))):
        with pytest.raises(UndefinedError):
            value(mean(Node("mul", B[0], body), 0, 1, num(3)), AT)


def test_entries_beside_a_law_are_drawn_anew_for_each_outcome():
    at = Instance({}, {"a": {(0,): fmpq(0), (1,): fmpq(0)}}, random.Random(1))
    drawn = [value(mean(B[2], 0, 1, num(4)), at) for _ in range(20)]
    assert len(set(map(str, drawn))) > 15
    assert "b" not in at.entries


def test_balls_in_an_expectation_are_around_the_mean():
    found = value(mean(fn("exp", B[0]), 0, 0, num(4)), Instance({}, {"a": {(0,): fmpq(0)}}))
    assert found.overlaps((flint.arb(2).exp() + flint.arb(-2).exp()) / 2)
    assert found.rel_accuracy_bits() > 40
