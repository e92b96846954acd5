"""All rules: costs that are none, and gradients that are no vectors of real numbers."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import (
    cat_qsgd,
    cat_s,
    cat_s_reference,
    cat_sq,
    cat_sq_reference,
    cat_st,
    cat_st_reference,
)
from impl.communication import Packet, Payload
from impl.errors import ArgumentError, NonFiniteError

FAST = [cat_s, cat_sq, cat_st, cat_qsgd]
LITERAL = {cat_s: cat_s_reference, cat_sq: cat_sq_reference, cat_st: cat_st_reference}
RULES = pytest.mark.parametrize("rule", [*FAST, *LITERAL.values()])
PAIRS = pytest.mark.parametrize(("fast", "literal"), LITERAL.items())
GRADIENTS = pytest.mark.parametrize("g", [[3.0, -4.0], [F(3), F(-4)]])


class Wrong:
    """A cost that is none: f(bits), in arrays too; `is_affine` as the rules ask for it."""

    empty = 1

    def __init__(self, function, is_affine):
        self.function, self.is_affine = function, is_affine

    def __call__(self, bits):
        return self.function(bits)


COSTS = {
    "zero": (lambda bits: 0 * bits, r"\)=0"),
    "negative": (lambda bits: bits - 10_000, r"\)=-"),
    "nan": (lambda bits: bits * float("nan"), r"\)=nan"),
    "infinite": (lambda bits: bits * float("inf"), r"\)=inf"),
    "negative-later": (lambda bits: 69 - 2 * bits, r"\)=-"),  # positive for one entry
}


@RULES
@GRADIENTS
@pytest.mark.parametrize("name", COSTS)
def test_costs_that_are_not_positive_and_finite_are_named(rule, g, name):
    cost, shown = COSTS[name]
    with pytest.raises(
        ArgumentError, match=r"cost\(\d+" + shown + ".*must be positive and finite.*take one of impl.commun"
    ):
        rule(g, cost)


@PAIRS
@GRADIENTS
@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("is_affine", [False, True])
def test_literal_forms_refuse_costs_with_the_same_error(fast, literal, g, name, is_affine):
    cost = Wrong(COSTS[name][0], is_affine)
    assert error_of(literal, g, cost) == error_of(fast, g, cost)


@PAIRS
@pytest.mark.parametrize(
    "g",
    [
        [1.0, float("nan")],
        [float("inf"), 1.0],
        [1.0, float("-inf"), float("nan")],
        [F(1), float("nan")],
        [F(1), float("inf")],
        [],
        ["a"],
        [1 + 1j, 2],
        [[1.0], [2.0]],
        [[F(1)]],
        None,
        3.0,
    ],
    ids=repr,
)
def test_literal_forms_refuse_gradients_with_the_same_error(fast, literal, g):
    assert error_of(literal, g, Payload()) == error_of(fast, g, Payload())


@pytest.mark.parametrize("rule", [*FAST[:3], *LITERAL.values()])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"entry_bits": 0}, ["entry_bits=0 must be a positive whole number"]),
        ({"entry_bits": 2.5}, ["entry_bits=2.5"]),
        ({"entry_bits": True}, ["entry_bits=True"]),
        ({"float_bits": 16}, ["float_bits=16 must be 32 or 64"]),
        ({"entry_bits": -1, "float_bits": 31}, ["entry_bits=-1", "float_bits=31"]),
    ],
)
def test_wrong_sizes_are_all_named(rule, options, named):
    with pytest.raises(ArgumentError) as caught:
        rule([1.0, 2.0], Payload(), **options)
    for part in named:
        assert part in str(caught.value)


@PAIRS
@pytest.mark.parametrize("options", [{"entry_bits": 0}, {"entry_bits": 1.5}, {"float_bits": 16}], ids=repr)
def test_literal_forms_refuse_sizes_with_the_same_error(fast, literal, options):
    assert error_of(literal, [1.0], Payload(), **options) == error_of(fast, [1.0], Payload(), **options)


@PAIRS
@pytest.mark.parametrize("g", [[3, F(-4), 0], [F(1, 2), 2.0], np.array([1.0, -2.0, 0.5])], ids=repr)
def test_literal_forms_take_the_gradients_that_the_rules_take(fast, literal, g):
    assert literal(g, Packet(64, 3)).size == fast(g, Packet(64, 3)).size


@pytest.mark.parametrize("rule", LITERAL.values())
@pytest.mark.parametrize("price", [None, "much", 1j, np.ones(2)], ids=repr)
def test_literal_forms_refuse_what_has_no_order(rule, price):
    with pytest.raises(ArgumentError, match="must be positive and finite"):
        rule([3.0, -4.0], lambda bits: price)


@pytest.mark.parametrize("rule", LITERAL.values())
def test_literal_forms_need_a_cost(rule):
    with pytest.raises(ArgumentError, match="cost=3 must map payload bits to cost"):
        rule([3.0, -4.0], 3)


def error_of(rule, *arguments, **options):
    """Return the type and the message of the error that a rule raises."""
    with pytest.raises(ArgumentError) as caught:
        rule(*arguments, **options)
    return caught.type, str(caught.value)


@pytest.mark.parametrize("rule", FAST)
@pytest.mark.parametrize("price", ["much", 1j])
def test_costs_that_are_no_numbers_are_named(rule, price):
    with pytest.raises(ArgumentError, match="must be positive and finite"):
        rule([3.0, -4.0], lambda bits: price)


@pytest.mark.parametrize("rule", FAST)
def test_one_cost_is_needed_for_each_payload(rule):
    with pytest.raises(ArgumentError, match="return one cost for each"):
        rule([3.0, -4.0], lambda bits: 5.0)
    with pytest.raises(ArgumentError, match="cost=3 must map payload bits to cost"):
        rule([3.0, -4.0], 3)


@RULES
@pytest.mark.parametrize("one", [1.0, F(1)])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_entry_that_is_not_finite_is_named(rule, one, bad):
    name = rule.__name__.removesuffix("_reference")
    with pytest.raises(NonFiniteError, match=rf"{name}: g\[1\] ?= ?{bad} must be finite"):
        rule([one, bad, np.nan], Payload())


@RULES
@pytest.mark.parametrize(
    "g",
    [["a"], np.array([1 + 1j, 2]), [[F(1)]], [[1.0], [1.0, 2.0]], np.ones((2, 2)), [], 3.0],
    ids=repr,
)
def test_what_is_no_vector_of_real_numbers(rule, g):
    with pytest.raises(ArgumentError, match=r"g( of shape .*)? must be a vector \(d,\)"):
        rule(g, Payload())
