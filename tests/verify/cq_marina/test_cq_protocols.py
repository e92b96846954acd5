"""Logic of the checks on correlated quantization in one coordinate and at equal inputs."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cq_marina.cq_equal_inputs import odd_numbers, one_quantizer
from verify.cq_marina.cq_klevel import GOLDEN, used_levels
from verify.cq_marina.cq_klevel_sabotage import IndependentShifts
from verify.cq_marina.cq_optimal_protocols import PROTOCOLS, moments, nearest

Y = (F(1, 7), F(3, 5), F(1, 2), F(1))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_protocols_are_laws_of_unbiased_bits(name):
    law = list(PROTOCOLS[name](Y))
    assert sum(chance for chance, _ in law) == 1
    chances, _ = moments(law, len(Y))
    assert tuple(chances) == Y


def test_protocols_differ():
    variances = [moments(law(Y), len(Y))[1] for law in PROTOCOLS.values()]
    assert len(set(variances)) == len(PROTOCOLS)
    chances, variance = moments(nearest(Y), len(Y))
    assert variance == 0
    assert tuple(chances) != Y


@pytest.mark.parametrize(("total", "count"), [(16, 8), (36, 4), (36, 12), (4, 4), (64, 24)])
def test_odd_numbers(total, count):
    found = odd_numbers(total, count)
    assert len(found) == count
    assert all(item % 2 for item in found)
    assert sum(item**2 for item in found) == total


def test_no_odd_numbers():
    with pytest.raises(ValueError, match="must be 5 modulo 8"):
        odd_numbers(16, 5)


def test_one_quantizer_is_unbiased():
    outcomes = list(one_quantizer((F(3), F(4)), F(10, 3)))
    assert sum(chance for chance, _ in outcomes) == 1
    assert sum(chance * point[0] for chance, point in outcomes) == 3


# The ratio n/2 + 1/(2n) of the specification, at two clients.
def test_independent_shifts_at_equal_inputs():
    quantizer = IndependentShifts(F(1), "random")
    assert quantizer.variance([[F(3, 10)]] * 2) == F(5, 4) * F(1, 24)
    with pytest.raises(ValueError, match="two clients"):
        quantizer.variance([[F(0)]] * 3)


@pytest.mark.parametrize(("n", "ratio"), [(2, 1.25), (4, 2.125), (8, 4.0625)])
def test_independent_shifts_when_sampled(n, ratio):
    rng = np.random.default_rng(20240601)
    errors = IndependentShifts(1.0, "random").sample(np.full((n, 1), 0.3), rng, size=100_000)[:, 0] - 0.3
    # The standard error is below half a percent of the mean.
    assert (errors**2).mean() * 6 * n**2 == pytest.approx(ratio, rel=0.03)


def test_leading_term():
    assert GOLDEN.leading_term() < GOLDEN.stated("averaged")


def test_used_levels():
    assert used_levels(F(1, 2), F(0)) == 3
    assert used_levels(F(1, 2), F(1, 4)) == 4
