"""All rules: costs that are none, and gradients that are no vectors of real numbers."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import cat_qsgd, cat_s, cat_sq, cat_st
from impl.communication import Payload
from impl.errors import ArgumentError, NonFiniteError

RULES = pytest.mark.parametrize("rule", [cat_s, cat_sq, cat_st, cat_qsgd])
GRADIENTS = pytest.mark.parametrize("g", [[3.0, -4.0], [F(3), F(-4)]])


@RULES
@GRADIENTS
@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (lambda bits: 0 * bits, r"\)=0"),
        (lambda bits: bits - 10_000, r"\)=-"),
        (lambda bits: bits * float("nan"), r"\)=nan"),
        (lambda bits: bits * float("inf"), r"\)=inf"),
    ],
)
def test_costs_that_are_not_positive_and_finite_are_named(rule, g, cost, shown):
    with pytest.raises(ArgumentError, match=r"cost\(\d+" + shown + ".*must be positive and finite"):
        rule(g, cost)


@RULES
def test_one_cost_is_needed_for_each_payload(rule):
    with pytest.raises(ArgumentError, match="return one cost for each"):
        rule([3.0, -4.0], lambda bits: 5.0)
    with pytest.raises(ArgumentError, match="cost=3 must map payload bits to cost"):
        rule([3.0, -4.0], 3)


@RULES
def test_rational_gradients_with_nan_are_named(rule):
    with pytest.raises(NonFiniteError, match=r"g\[1\]"):
        rule([F(1), float("nan")], Payload())


@RULES
@pytest.mark.parametrize("g", [["a"], np.array([1 + 1j, 2]), [[F(1)]], [[1.0], [1.0, 2.0]]])
def test_what_is_no_vector_of_real_numbers(rule, g):
    with pytest.raises(ArgumentError, match=r"g must be a vector \(d,\)"):
        rule(g, Payload())
