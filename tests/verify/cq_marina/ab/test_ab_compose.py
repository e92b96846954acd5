"""Golden numbers of the specification on `cq_marina/ab-compose`."""

from fractions import Fraction as F

import pytest

from verify.cq_marina.ab import ab_compose
from verify.cq_marina.ab.ab_compose import INSTANCES, compose, judge, weighted_squares

LAW = judge._law()


def bound(name, law=LAW):
    instance = INSTANCES[name]
    A, B = compose(law, instance.scheme, instance.sizes, instance.clients[1])
    M_w, m = weighted_squares(instance.inputs, instance.weights)
    return A * M_w - B * m


def test_permk_iq_in_two_groups():
    assert compose(LAW, "independent", {"q": 2, "size": 2}, 2) == (F(5, 6), F(1, 3))
    assert bound("permk-iq-p2") == F(83, 100)


def test_importance_sampling():
    assert bound("is-randk-p2") == F(125125, 100000)
    assert bound("partition-p2") == F(117125, 100000)


@pytest.mark.parametrize(
    ("name", "mutant", "factor"),
    [
        ("permk-cq-ones", "without_factor", 1.5),
        ("permk-cq-one-client-12", "one_over_q", 1.0476),
    ],
)
def test_factors_of_mutants(name, mutant, factor):
    # Both bounds are attained, so that the quotient of bounds is that of error and mutant's bound.
    wrong = getattr(ab_compose, mutant)(LAW)
    assert float(bound(name) / bound(name, wrong)) == pytest.approx(factor, abs=5e-5)
