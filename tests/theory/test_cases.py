"""Worst cases as one text (`theory/worst_cases.py`)."""

import re

import pytest
from sympy import Rational, sqrt

from theory.claim import WorstCase
from theory.worst_cases import cases


def test_an_entry_has_description_values_and_the_value_there():
    text = r"""
    $|x|=1$ | one: words with a bar | u = 3 * (1/10,) + (2,), d = 4 | sqrt(d) + 1/2
    on two
      lines | a = ((1, 0), (0, -1)),
        b = 2**3 | b * 10
    """
    first, second = cases(text)
    assert first == WorstCase(
        r"$|x|=1$ | one: words with a bar",
        {"u": (Rational(1, 10),) * 3 + (2,), "d": 4},
        Rational(5, 2),
    )
    assert second == WorstCase("on two lines", {"a": ((1, 0), (0, -1)), "b": 8}, 80)
    assert [type(first.values["d"]), type(first.values["u"][0])] == [int, Rational]
    assert cases("x | a = 2 | 1 / sqrt(a)")[0].value == 1 / sqrt(2)


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        ("x | a = 1", "must read: DESCRIPTION | NAME = VALUE"),
        ("x | a = 0.5 | 1", "0.5 in '0.5' is a float; write a fraction such as 1/2"),
        ("x | a = 1 | b", "'b' in 'b' is unknown; known: a"),
        ("x | 1, 2 | 3", "must read: NAME = VALUE, NAME = VALUE"),
        ("x | a = 1 | a.real", "neither arithmetic nor a tuple"),
        ("x | a = open('f') | 1", "neither arithmetic nor a tuple"),
        ("x | a = True | 1", "neither arithmetic nor a tuple"),
        ("x | a = | 1", "is no formula"),
        ("x | a = (1, 2), b = 2 * a, c = a * a | 1", "'a * a' in 'a * a': can't multiply"),
    ],
)
def test_what_else_is_refused(entry, error):
    with pytest.raises(ValueError, match=re.escape(error)):
        cases(entry)
