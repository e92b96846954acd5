"""The random rule with a choice of sizes, and expected costs of many vectors at once."""

import numpy as np
import pytest

from impl.adaptive import cat_st, cat_st_reference, expected_cost, keep_probabilities
from impl.adaptive.expected_cost import expected_costs
from impl.communication import PRESETS
from impl.errors import ArgumentError

G = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0]


@pytest.mark.parametrize("name", list(PRESETS))
def test_expected_costs_are_those_of_each_vector(name):
    chances = np.array([keep_probabilities(G, T) for T in (1, 2.5, 5, 8)])
    found = expected_costs(chances, PRESETS[name], 35)
    single = [float(expected_cost(p, PRESETS[name], 35)) for p in chances]
    assert found == pytest.approx(single, rel=1e-12)


@pytest.mark.parametrize("name", list(PRESETS))
def test_all_sizes_are_the_literal_rule_and_a_subset_is_the_best_of_it(name):
    whole = cat_st(G, PRESETS[name])
    assert whole.size == cat_st_reference(G, PRESETS[name]).size
    assert cat_st(G, PRESETS[name], sizes=range(1, 9)).efficiency == whole.efficiency
    single = {T: cat_st(G, PRESETS[name], sizes=[T]) for T in (2, 5, 7)}
    assert all(choice.size == T for T, choice in single.items())
    best = max(single.values(), key=lambda choice: choice.efficiency)
    assert cat_st(G, PRESETS[name], sizes=[7, 2, 5]).efficiency == best.efficiency


def test_sizes_beyond_the_nonzeros_are_all_nonzeros():
    assert cat_st([1.0, 0.0, 2.0], PRESETS["payload"], sizes=[3]).size == 2


@pytest.mark.parametrize("sizes", [[], [0], [-1, 2], [1.5], "a", [[1], [2, 3]]])
def test_sizes_that_are_none_are_named(sizes):
    with pytest.raises(ArgumentError, match="sizes"):
        cat_st(G, PRESETS["payload"], sizes=sizes)
