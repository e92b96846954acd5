"""Logic of the checks on correlated quantization in one coordinate and at equal inputs."""

from fractions import Fraction as F

import pytest

from verify.cq_marina.quantizer.cq_equal_inputs import odd_numbers, one_quantizer
from verify.cq_marina.quantizer.one_bit_protocols import PROTOCOLS, moments, nearest

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
