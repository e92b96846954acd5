import math

import pytest

from impl.errors import ArgumentError
from verify.cq_marina.cost.ratios import searched
from verify.cq_marina.fixtures.psi import cost, psi

NOISES = (1e-12, 1e-6, 1e-3, 0.04, 0.25, 0.7, 1.0, 3.0, 7.5, 8.0, 50.0)
LENGTHS = (1e-5, 1e-3, 1 / 32, 0.2, 0.4, 0.9, 1.0)


@pytest.mark.parametrize("c", LENGTHS)
@pytest.mark.parametrize("A", NOISES)
def test_agrees_with_a_search(A, c):
    best = psi(A, c)
    # The search finds p to 1e-8 at best, its cost to the square of that.
    assert best.value == pytest.approx(searched(A, c)[0], rel=1e-12)
    assert cost(A, c, best.probability) == pytest.approx(best.value, rel=1e-14)


@pytest.mark.parametrize(("A", "c"), [(0.25, 1 / 32), (1e-6, 0.1), (2.0, 0.02), (1.0, 0.1)])
def test_is_stationary_to_the_last_digits(A, c):
    # The derivative by t: c s t^4 - (1 - 3c) s t^2 - 2 (1 - c) t + s.
    p, s = psi(A, c).probability, math.sqrt(A)
    t = math.sqrt((1 - p) / p)
    terms = (c * s * t**4, -(1 - 3 * c) * s * t**2, -2 * (1 - c) * t, s)
    assert abs(sum(terms)) <= 1e-13 * max(map(abs, terms))


def test_jumps_to_full_rounds():
    threshold = (1 - 1 / 32) ** 2 / (4 / 32)
    assert psi(threshold * (1 + 1e-9), 1 / 32) == psi(1e6, 1 / 32)
    before = psi(threshold * (1 - 1e-9), 1 / 32)
    assert before.value < 1
    # c/(1 + c) up to some multiple of the distance to the threshold.
    assert before.probability == pytest.approx(1 / 33, rel=1e-7)


def test_without_noise_it_is_the_message_and_not_taken():
    assert psi(0, 0.3) == psi(0.0, 0.3)
    assert (psi(0, 0.3).value, psi(0, 0.3).probability) == (0.3, 0.0)
    assert psi(0, 1.0).probability == 1.0


def test_tiny_and_huge_noise():
    assert psi(1e-300, 1 / 32).value == pytest.approx(1 / 32, rel=1e-15)
    assert psi(1e300, 1 / 32).value == 1.0


@pytest.mark.parametrize(("A", "c"), [(-1.0, 0.5), (math.nan, 0.5), (math.inf, 0.5), (1.0, 0.0), (1.0, 1.5)])
def test_refuses_arguments_outside_their_range(A, c):
    with pytest.raises(ArgumentError, match="must be"):
        psi(A, c)
