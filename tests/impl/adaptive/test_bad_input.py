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
from impl.communication import Payload
from impl.errors import ArgumentError, NonFiniteError

FAST = [cat_s, cat_sq, cat_st, cat_qsgd]
LITERAL = {cat_s: cat_s_reference, cat_sq: cat_sq_reference, cat_st: cat_st_reference}
RULES = pytest.mark.parametrize("rule", [*FAST, *LITERAL.values()])
GRADIENTS = pytest.mark.parametrize("g", [[3.0, -4.0], [F(3), F(-4)]])


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


@RULES
@pytest.mark.parametrize("price", ["much", 1j])
def test_costs_that_are_no_numbers_are_named(rule, price):
    with pytest.raises(ArgumentError, match="must be positive and finite"):
        rule([3.0, -4.0], lambda bits: price)


@pytest.mark.parametrize("rule", FAST)
def test_one_cost_is_needed_for_each_payload(rule):
    with pytest.raises(ArgumentError, match="return one cost for each"):
        rule([3.0, -4.0], lambda bits: 5.0)


@RULES
def test_a_cost_is_needed(rule):
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
    [["a"], None, np.array([1 + 1j, 2]), [[F(1)]], [[1.0], [1.0, 2.0]], np.ones((2, 2)), [], 3.0],
    ids=repr,
)
def test_what_is_no_vector_of_real_numbers(rule, g):
    with pytest.raises(ArgumentError, match=r"g( of shape .*)? must be a vector \(d,\)"):
        rule(g, Payload())
