"""The rule for the ratio: table of the specification, and its edges."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.ndqsg.fixtures.ratio_rule import (
    chosen_ratio,
    estimated_innovation,
    excess,
    largest_deviation,
    smallest_ratio,
    sub_gaussian_ratio,
)

TABLE = {
    0.1: (2, 3),
    0.2: (3, 3),
    0.25: (3, 3),
    0.3: (3, 3),
    0.5: (5, 5),
    0.75: (7, 7),
    1.0: (10, 11),
    1.5: (15, 15),
    2.0: (20, 21),
    4.0: (41, 41),
}


@pytest.mark.parametrize(("sigma", "ratios"), TABLE.items())
def test_table_for_one_percent(sigma, ratios):
    assert smallest_ratio(sigma) == ratios[0]
    assert smallest_ratio(sigma, odd=True) == ratios[1]
    assert excess(sigma, ratios[0]) <= 0.01
    if ratios[0] > 2:
        assert excess(sigma, ratios[0] - 1) > 0.01


def test_ratio_three_needs_a_deviation_of_at_most_about_three_tenths():
    assert largest_deviation(3) == pytest.approx(0.3, abs=0.03)


def test_dithered_message_where_the_ratio_saves_nothing():
    assert chosen_ratio(0.1, 3) == 2
    assert chosen_ratio(0.7, 3) is None
    assert chosen_ratio(0.25, 1) is None
    assert chosen_ratio(0.25, 3) == 3
    assert chosen_ratio(0.25, 3, safety=3.0) is None


def test_sub_gaussian_ratio_keeps_the_probability():
    # 1 + 2 * 0.5 * sqrt(2 ln 200) = 4.255...
    assert sub_gaussian_ratio(0.5, 0.01) == 5
    assert sub_gaussian_ratio(1e-9, 0.01) == 2


def test_estimate_of_the_innovation():
    messages = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
    # Sample variances 1 and 3, mean 2.
    assert estimated_innovation(messages, 0.5) == pytest.approx(1.5 + 2 / 3)
    assert estimated_innovation(messages, 5.0) == pytest.approx(2 / 3)


def test_errors_name_the_argument():
    with pytest.raises(ArgumentError, match=r"messages of shape \(1, 3\)"):
        estimated_innovation(np.zeros((1, 3)), 0.1)
    with pytest.raises(ArgumentError, match="sigma=-1"):
        smallest_ratio(-1)
    with pytest.raises(ArgumentError, match="sigma=nan"):
        smallest_ratio(float("nan"))
