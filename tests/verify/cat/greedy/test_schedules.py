"""Schedules on isotropic quadratics: greedy ones, what is left, and the least cost against brute force."""

import itertools
from fractions import Fraction as F

import pytest

from impl.communication import Affine
from verify.cat.greedy.greedy_competitive import COSTS, random_instances
from verify.cat.greedy.schedules import fewest, greedy, least_cost, left_after


def test_what_is_left_and_how_many_entries_it_takes():
    squares = (1, 9, 4)
    assert [left_after(squares, sent) for sent in range(4)] == [14, 5, 1, 0]
    assert [fewest(squares, target) for target in (14, 13, 5, 1, F(1, 2), 0)] == [0, 1, 1, 2, 3, 3]


def test_greedy_stops_at_the_target_and_takes_the_smallest_of_ties():
    assert greedy((9, 4, 1), Affine(1, 0), target=1) == [1, 1]
    assert greedy((1, 1, 1, 0), Affine(1, 0)) == [1, 1, 1]
    assert greedy((1, 1, 1), Affine(1, 1)) == [3]
    assert greedy((0, 0), Affine(1, 1)) == []


@pytest.mark.parametrize("cost", [*COSTS, lambda T: T * T])
def test_least_cost_is_that_of_all_schedules(cost):
    for entries in range(1, 6):
        schedules = (
            sizes
            for count in range(1, entries + 1)
            for sizes in itertools.product(range(1, 7), repeat=count)
            if sum(sizes) >= entries
        )
        assert least_cost(entries, 6, cost) == min(sum(cost(size) for size in sizes) for sizes in schedules)


def test_costs_are_nondecreasing_and_subadditive():
    for cost in COSTS:
        for T in range(1, 12):
            assert cost(T) <= cost(T + 1)
            assert all(cost(T) <= cost(part) + cost(T - part) for part in range(1, T))


def test_random_instances_are_the_same_again():
    first, second = random_instances(20), random_instances(20)
    assert [item.start for item in first] == [item.start for item in second]
    assert any(len(set(item.start)) < len(item.start) for item in first)
