"""Golden numbers of the specification for the expected decrease."""

from fractions import Fraction as F

import pytest

import theory
from impl.adaptive import keep_probabilities
from verify.cat.golden_vectors import GI, rational
from verify.cat.outcome_tree import kept_entries, square
from verify.cat.st_descent import INSTANCES, compare, sampled_entries, share
from verify.evaluation import evaluate, evaluate_exact

OMEGAS = (
    F(173, 961),
    F(346, 961),
    F(519, 961),
    F(519, 727),
    F(519, 607),
    F(346, 365),
    F(173, 175),
    F(1),
)
CLAIM = theory.claim("cat/st-descent")


def expected_decrease(T, step):
    g = rational(GI)
    law = kept_entries(tuple(g), keep_probabilities(g, T))
    after = sum(chance * square(a - step * b for a, b in zip(g, q, strict=True)) for chance, q in law)
    return (square(g) - after) / 2


@pytest.mark.parametrize(("T", "omega"), list(enumerate(OMEGAS, 1)))
def test_shares_of_gi(T, omega):
    assert share(rational(GI), keep_probabilities(rational(GI), T)) == omega


def test_share_of_a_size_between():
    found = share(rational(GI), keep_probabilities(rational(GI), F(5, 2)))
    assert float(found) == pytest.approx(0.450052029136, rel=1e-11)  # twelve digits are printed


@pytest.mark.parametrize(
    ("T", "guarantee", "unit"), [(1, 15.5718, F(-615, 2)), (3, 46.7154, F(77, 6))], ids=["one", "three"]
)
def test_decrease_with_both_steps(T, guarantee, unit):
    omega = OMEGAS[T - 1]
    values = {"omega": omega, "G": 173, "L": 1}
    assert evaluate(CLAIM.bound, values) == pytest.approx(guarantee, rel=1e-5)  # six digits are printed
    assert expected_decrease(T, omega) == evaluate_exact(CLAIM.bound, values)
    assert expected_decrease(T, 1) == unit == evaluate_exact(CLAIM.exact, {**values, "gamma": 1})


def test_factor_of_the_wrong_step():
    values = {"omega": OMEGAS[2], "G": 173, "L": 1}
    factor = evaluate(CLAIM.bound, values) / evaluate(CLAIM.exact, {**values, "gamma": 1})
    assert factor == pytest.approx(3.64, rel=1e-3)  # three digits are printed


def test_without_scaling_the_message_is_too_short():
    g = rational(GI)
    p = keep_probabilities(g, 3)
    mean = sum(chance * item * item for chance, item in zip(p, g, strict=True))
    assert float(mean / square(g)) == pytest.approx(0.655, rel=1e-3)  # section 10, three digits


@pytest.mark.parametrize("name", INSTANCES)
def test_each_mutant_is_seen_where_it_is_assigned(name):
    instance = INSTANCES[name]
    assert not any(item.excess for item in compare(instance))
    assert any(item.excess for item in compare(instance, lambda g, p: kept_entries(g, p, scaled=False)))


@pytest.mark.parametrize("name", ["dense", "dense-one"])
def test_only_the_decrease_sees_the_claim_of_twice_as_much(name):
    found = [item.label for item in compare(INSTANCES[name], factor=2) if item.excess]
    assert found == ["guaranteed decrease"]


def test_the_compressor_has_the_literal_law():
    g = tuple(rational(GI))
    p = keep_probabilities(list(g), 3)
    assert sorted(sampled_entries(g, p)) == sorted(kept_entries(g, p))
