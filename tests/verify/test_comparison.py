from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy

from verify.authoring import eq, le, lt
from verify.authoring.sides import untight
from verify.comparison import (
    EXACT,
    LARGEST,
    NAMED,
    ROUND_OFF,
    Comparison,
    Tolerance,
    printed,
    rational,
    vetted,
)
from verify.errors import CheckError


def excess(relation, value, bound, tolerance=EXACT):
    return Comparison("x", relation, value, bound, tolerance).excess


def test_rationals_are_compared_exactly():
    third = Fraction(1, 3)
    tiny = Fraction(1, 10**40)
    assert excess("eq", third, sympy.Rational(1, 3)) == 0
    assert excess("eq", third, third + tiny) > 0
    assert excess("le", third, third) == 0
    assert excess("le", third, third + tiny) == 0
    assert excess("le", third + tiny, third) > 0


def test_a_tolerance_does_not_soften_rationals():
    assert excess("eq", Fraction(1), 1 + Fraction(1, 10**20), ROUND_OFF) > 0


def test_a_failure_too_small_for_a_float_still_shows():
    assert excess("eq", Fraction(1, 10**400), Fraction(2, 10**400)) > 0


@pytest.mark.parametrize("relation", ["eq", "le"])
def test_floats_are_compared_to_the_relative_tolerance(relation):
    assert excess(relation, 1e6 * (1 + 5e-13), 1e6, ROUND_OFF) == 0
    assert excess(relation, 1e6 * (1 + 5e-12), 1e6, ROUND_OFF) == pytest.approx(5e-12, rel=1e-3)


def test_an_inequality_may_be_loose():
    assert excess("le", 1.0, 100.0, ROUND_OFF) == 0
    assert excess("eq", 1.0, 100.0, ROUND_OFF) > 0


@pytest.mark.parametrize("relation", ["eq", "le"])
@pytest.mark.parametrize(("value", "bound"), [(float("nan"), 1.0), (1.0, float("nan"))])
def test_nan_never_passes(relation, value, bound):
    assert excess(relation, value, bound, ROUND_OFF) > 0


def test_infinity_does_not_equal_infinity():
    assert excess("eq", float("inf"), float("inf"), ROUND_OFF) > 0


def test_what_counts_as_rational():
    assert rational(3) == Fraction(3)
    assert rational(sympy.Rational(2, 6)) == Fraction(1, 3)
    assert rational(0.5) == 0.5
    assert not isinstance(rational(0.5), Fraction)
    assert rational(True) is True
    assert not Comparison("x", "eq", 0.5, Fraction(1, 2)).is_rational
    assert Comparison("x", "eq", 1, sympy.Integer(1)).is_rational


def test_equal_rationals_above_one_are_not_below_each_other():
    assert excess("lt", 2, 2) > 0  # the least positive float over 2 is 0
    assert excess("lt", Fraction(226, 9), Fraction(226, 9)) > 0
    assert excess("lt", 1, 2) == 0


def test_small_floats_are_compared_relative_to_themselves():
    assert excess("eq", 1e-13, 2e-13, ROUND_OFF) > 0
    assert excess("le", 2e-13, 1e-13, ROUND_OFF) > 0


def test_the_arithmetic_of_a_subclass_is_not_asked():
    class Near(Fraction):
        def __eq__(self, other):
            return True

        def __sub__(self, other):
            return Fraction(0)

        __hash__ = Fraction.__hash__

    assert type(rational(Near(1, 2))) is Fraction
    assert excess("eq", Near(1, 2), Fraction(2, 3)) > 0


@pytest.mark.parametrize("rung", ["exact", "adversarial", "montecarlo", "run"])
def test_no_rung_takes_a_tolerance_of_more_than_two_percent(rung):
    assert LARGEST[rung] <= {"exact": 5e-3, "run": 0.02}.get(rung, 1e-9)


def test_comparisons_that_pass_whatever_they_compare_are_not_watched(monkeypatch):
    items = [Comparison("x", "eq", 1, 1), Comparison("y", "le", 1.0, 2.0, ROUND_OFF)]
    assert untight(items) == []
    monkeypatch.setattr(Comparison, "excess", property(lambda item: 0.0))
    assert untight(items) == ["x", "y"]


def test_an_unknown_relation_is_refused():
    with pytest.raises(CheckError, match="relation='ge' must be one of eq, le, lt"):
        Comparison("a", "ge", 1, 2)


def test_less_than_is_strict():
    assert lt("a", 1, 2).excess == 0
    assert lt("a", 1, 1).excess > 0
    assert lt("a", 1.0, 1.0 + 1e-14, ROUND_OFF).excess > 0
    assert lt("a", 1.0, 1.1, ROUND_OFF).excess == 0


def test_a_tightened_comparison_fails():
    for item in (eq("a", 1, 1), le("a", Fraction(1, 3), 1), lt("a", 0, 1), le("a", 0.0, 1.0, ROUND_OFF)):
        assert item.excess == 0
        assert item.tightened().excess > 0


def test_named_tolerances_have_reasons():
    assert all(item.reason for item in NAMED)
    assert printed(4).relative == 5e-4
    with pytest.raises(CheckError, match="must be from 3 to 13"):
        printed(2)


@pytest.mark.parametrize(
    "number",
    [
        np.complex128(1 + 5j),
        np.complex64(1),
        1j,
        "1.0",
        b"1",
        flint.arb(1, 100),
        np.ma.masked,
        np.array([1.0]),
    ],
    ids=repr,
)
def test_what_float_takes_and_is_no_real_number_is_refused(number):
    for sides in ((number, 1.0), (1.0, number)):
        with pytest.raises(CheckError, match="must be a finite real number"):
            vetted(eq("x", *sides, ROUND_OFF), "exact")


class Meter:
    """Counts, and tells what it has counted when it is asked."""

    count = 0

    def __float__(self):
        return float(self.count)


class Float(Meter, float):
    pass


class Whole(Meter, int):
    def __int__(self):
        return self.count


class Quotient(Meter, Fraction):
    @property
    def numerator(self):
        return self.count


class Formula(Meter):
    free_symbols = frozenset()


@pytest.mark.parametrize("kind", [Meter, Float, Whole, Quotient, Formula])
def test_a_number_that_changes_afterwards_is_judged_as_it_was(kind):
    meter = kind()
    meter.count = 9
    found = [le("x", meter, 1.0, ROUND_OFF), le("x", 1.0, meter, ROUND_OFF)]
    meter.count = 0
    assert [item.excess > 0 for item in found] == [True, False]


def test_an_array_that_changes_afterwards_is_judged_as_it_was():
    total = np.array(9.0)
    found = [le("x", total, 1.0, ROUND_OFF), le("x", 1.0, total, ROUND_OFF)]
    total[...] = 0.0
    assert [item.excess > 0 for item in found] == [True, False]


def test_numbers_of_python_numpy_and_sympy_stay_as_they_are():
    for number in (3, 2.5, Fraction(1, 3), np.int64(3), np.float32(2.5), sympy.sqrt(2), sympy.Rational(1, 3)):
        assert eq("x", number, number).value is number


def test_a_comparison_does_not_judge_itself():
    class Mild(Comparison):
        excess = 0.0

    class Wide(Tolerance):
        def __eq__(self, other):
            return True

    for item in (Mild("x", "le", 2, 1), Comparison("x", "le", 2.0, 1.0, Wide(1.0, "wide"))):
        with pytest.raises(CheckError, match="is no comparison"):
            vetted(item, "exact")
