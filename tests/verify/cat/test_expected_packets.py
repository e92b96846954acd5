"""Golden numbers of the specification for the expected cost of random messages."""

from fractions import Fraction as F

import pytest

import theory
from impl.adaptive import cat_st, expected_cost, keep_probabilities
from impl.communication import PRESETS, Packet
from verify.cat.expected_packets import INSTANCES, SABOTAGED, UNSEEN, compare, cost_of_the_mean, equal_chances
from verify.cat.finding_stochastic_packets import misled_choice
from verify.cat.golden_vectors import GI, gh, rational
from verify.evaluation import evaluate_exact


@pytest.mark.parametrize(("packet", "mean"), [(2, F(5, 4)), (3, F(1))])
def test_two_of_four_equal_entries(packet, mean):
    p = keep_probabilities(rational([1] * 4), 2)
    assert expected_cost(p, Packet(packet), 1) == mean
    assert cost_of_the_mean(p, Packet(packet), 1) == 1
    values = {"d": 4, "T": 2, "b": 1, "P_max": packet, "c_0": 0}
    assert evaluate_exact(theory.claim("cat/finding-stochastic-packets").exact, values) == mean


def test_two_of_gi():
    p = keep_probabilities(rational(GI), 2)
    # Twelve digits are printed, six for the binomial law.
    assert float(expected_cost(p, Packet(64), 35)) == pytest.approx(1.67005528028, rel=1e-11)
    assert cost_of_the_mean(p, Packet(64), 35) == 2
    assert float(equal_chances(p, Packet(64), 35)) == pytest.approx(1.65086, rel=1e-5)


@pytest.mark.parametrize("name", INSTANCES)
def test_mutants_are_seen_where_they_are_assigned(name):
    assert not any(item.excess for item in compare(INSTANCES[name]))
    for key, claimed in SABOTAGED.items():
        if key not in UNSEEN.get(name, ()):
            assert any(item.excess for item in compare(INSTANCES[name], claimed))


@pytest.mark.parametrize("name", [name for name in INSTANCES if "swapped-coin" not in UNSEEN.get(name, ())])
def test_a_swapped_coin_is_seen_by_the_stated_law(name):
    found = {item.label for item in compare(INSTANCES[name], swapped=True) if item.excess}
    assert found == {"stated"}


def test_the_rule_is_misled():
    equal = rational([1] * 4)
    assert misled_choice(equal, Packet(2), 1) == (2, F(2, 5))
    best = cat_st(equal, Packet(2), entry_bits=1)
    assert (best.size, best.efficiency) == (4, F(1, 2))
    size, efficiency = misled_choice(gh(), PRESETS["6lowpan"], 38)
    best = cat_st(gh(), PRESETS["6lowpan"])
    assert (size, best.size) == (17, 13)
    assert best.efficiency / float(efficiency) == pytest.approx(1.2076, rel=1e-4)
