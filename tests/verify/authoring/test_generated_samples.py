"""Mutants that nobody declared are sampled in the full profile alone, and only where a label needs them."""

from fractions import Fraction as F

import pytest

from verify.binding import Unit
from verify.rungs.montecarlo import MonteCarloCase

HONEST, SCALED = 1 / 3, 16 / 51


@pytest.fixture
def sampled(bench):
    """Declare sampling checks of one mean; return what the formula said at each judgement of the first."""
    said = []

    def declare(instance, label="mean", bound=lambda law: law("other", x=F(1, 9)), **changes):
        @bench.judge.montecarlo(instance=instance, label=label, **changes)
        def mean_of_square(law):
            value = bound(law)
            if instance == "first":
                said.append(value)
            return MonteCarloCase("eq", lambda rng, size: law.square(rng.random(size)), value, upper=1.0)

        return said

    return declare


@pytest.fixture
def judged(bench):
    """Judge the first check in the full profile; return its record and the number of its tests."""

    def judge():
        first = Unit(bench.claim, bench.judge.checks()[0])
        return bench.records("full")[0], first.tests("full")

    return judge


def test_a_label_that_no_mutant_is_for_is_sampled_with_scaled_formulas(sampled, judged):
    said = sampled("first")
    record, tests = judged()
    assert said == pytest.approx([HONEST, SCALED])
    assert tests == 3
    assert record["labels"]["mean"]["rejected_by"] == ["all formulas times 16/17"]


@pytest.mark.parametrize(
    ("second", "spared"),
    [
        ({}, True),
        ({"label": "another mean"}, False),
        ({"needs": "mnist"}, False),
    ],
    ids=["the same label", "another label", "a check that may not run"],
)
def test_it_is_not_where_a_declared_mutant_makes_the_label_fail_elsewhere(
    bench, sampled, judged, second, spared
):
    said = sampled("first")
    sampled("second", **second)
    bench.judge.sabotage("doubled at montecarlo/second: Double for square.", square=lambda value: 2 * value)
    record, tests = judged()
    assert said == pytest.approx([HONEST] if spared else [HONEST, SCALED])
    assert tests == (1 if spared else 3)
    assert bool(record["labels"]["mean"]["rejected_by"]) is not spared


def test_a_neutral_mutant_makes_nothing_fail(bench, sampled, judged):
    said = sampled("first")
    sampled("second")
    bench.judge.sabotage(
        "turned, neutral at montecarlo/second: Square 1 - x.", square=lambda value: (1 - value) ** 2
    )
    judged()
    assert said == pytest.approx([HONEST, SCALED])


def test_what_evaluates_no_formula_is_not_sampled_again(sampled, judged):
    said = sampled("first", bound=lambda law: HONEST)
    record, _ = judged()
    assert said == [HONEST]
    assert record["unwatched"] == ["mean"]
