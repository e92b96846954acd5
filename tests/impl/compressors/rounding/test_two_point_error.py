"""Moments of a weighted square of two-point errors against full enumeration, with shift and sign."""

import itertools
import math

import numpy as np
import pytest

from impl.compressors.rounding.two_point_error import two_point_moments

WEIGHTS = {
    "identity": None,
    "diagonal": np.array([1.0, 0.0, 2.5, 4.0]),
    "full": np.array([[4.0, -1, 0.5, 0], [-1, 3, 1, 2], [0.5, 1, 2, -1], [0, 2, -1, 5]]),
    "rank one": np.outer([1.0, -2, 3, 0.5], [1.0, -2, 3, 0.5]),
}


def enumerate_square(up, down, p, matrix, shift, sign):
    """Return mean, variance and largest value of (e + b)^T W (e + b) over all patterns, term by term."""
    law = []
    for pattern in itertools.product([True, False], repeat=len(p)):
        chance = math.prod(pj if high else 1 - pj for high, pj in zip(pattern, p, strict=True))
        e = sign * np.where(pattern, up, -down) + shift
        if chance:
            law.append((chance, float(e @ matrix @ e)))
    mean = math.fsum(chance * square for chance, square in law)
    return mean, math.fsum(c * (square - mean) ** 2 for c, square in law), max(square for _, square in law)


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_moments_equal_enumeration(name, shifted, seed):
    rng = np.random.default_rng(seed)
    p = np.array([0.3, 1.0, 0.0, 0.85]) if seed == 0 else rng.random(4)
    size = rng.random(4) * 3
    up, down = size * (1 - p), size * p
    sign = np.array([1.0, -1, -1, 1])
    shift = rng.standard_normal(4) * 0.3 if shifted else np.zeros(4)
    weight = WEIGHTS[name]
    matrix = np.eye(4) if weight is None else np.diag(weight) if weight.ndim == 1 else weight
    mean, variance, largest = enumerate_square(up, down, p, matrix, shift, sign)
    moments = two_point_moments(up, down, p, weight, shift, sign)
    # Sums of at most 16 outcomes, of terms that cancel for the rank-one weight.
    assert moments.mean == pytest.approx(mean, rel=1e-11)
    assert moments.variance == pytest.approx(variance, rel=1e-10, abs=1e-12 * mean**2)
    assert moments.upper >= largest * (1 - 1e-12)
    if weight is None or weight.ndim == 1:
        assert moments.upper == pytest.approx(largest, rel=1e-12)


def test_golden_moments_of_one_fair_coin():
    # e = +-1/2 with equal chance and b = 1/2: the square is 1 or 0.
    moments = two_point_moments(np.array([0.5]), np.array([0.5]), np.array([0.5]), None, np.array([0.5]))
    assert (moments.mean, moments.variance, moments.upper) == (0.5, 0.25, 1.0)
