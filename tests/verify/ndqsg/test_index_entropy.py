"""Entropies by quadrature against closed forms and sums."""

import math

import numpy as np
import pytest

from verify.ndqsg.coding.entropy_index import atomic_entropies
from verify.ndqsg.fixtures.index_entropy import (
    Law,
    conditional_entropy,
    coset_entropy,
    entropy,
    index_entropy,
    index_probabilities,
    information_variance,
    laplace,
    normal,
    rounded_entropy,
    sparse,
    uniform,
)


def test_probabilities_sum_to_one():
    for law in (normal(0.3), normal(8.0), laplace(0.5), sparse(0.9), uniform(2.5)):
        assert index_probabilities(law).sum() == pytest.approx(1, abs=1e-14)


def test_uniform_law_has_the_closed_forms():
    for M in (1, 4):
        assert index_entropy(uniform(M)) == pytest.approx(math.log2(2 * M) + 1 / (2 * M), abs=1e-13)
        expected = math.log2(2 * M) + 1 / (4 * M * math.log(2))
        assert conditional_entropy(uniform(M)) == pytest.approx(expected, abs=1e-13)


def test_wide_normal_law_tends_to_the_differential_entropy():
    s = 30.0
    limit = math.log2(s * math.sqrt(2 * math.pi * math.e))
    # Convexity: above by at most log2(1 + 1 / (12 s^2)) / 2.
    assert 0 < conditional_entropy(normal(s)) - limit < math.log2(1 + 1 / (12 * s**2)) / 2 + 1e-12


def test_an_atom_at_zero_has_no_conditional_entropy():
    law = Law(lambda t: 1.0 * (t >= 0), 0.0)
    for found in (conditional_entropy(law), index_entropy(law), rounded_entropy(law)):
        assert found == pytest.approx(0, abs=1e-13)


def test_cosets_of_more_indices_than_there_are_change_nothing():
    law = uniform(1)
    assert coset_entropy(law, 11) == pytest.approx(index_entropy(law), abs=1e-14)
    assert coset_entropy(law, 1) == pytest.approx(0, abs=1e-13)


def test_atomic_entropies():
    # Half at 0, half at 1/4: f is 1/2 on [-1/2, -1/4], 1 on [-1/4, 1/2], 1/2 on [1/2, 3/4].
    given, index = atomic_entropies(np.array([0.0, 0.25]), np.array([0.5, 0.5]))
    assert given == pytest.approx(0.25, abs=1e-15)
    p = 0.5 * 0.25
    assert index == pytest.approx(entropy(np.array([p, 1 - p])), abs=1e-15)


def test_variance_of_the_information_of_a_uniform_law():
    # f is 1/2 on [-1/2, 1/2] and t/2 on both ends: -log2 f is 1 + log2(1/t) there.
    moments = [0.5 + 2 * 0.25, 0.5 + 2 * (0.25 + 0.25 / math.log(2) + 0.125 / math.log(2) ** 2)]
    mean = 0.5 + 2 * (0.25 + 0.125 / math.log(2))
    assert conditional_entropy(uniform(1)) == pytest.approx(mean, abs=1e-13)
    found = information_variance(uniform(1), given_dither=True)
    assert found == pytest.approx(moments[1] - mean**2, abs=1e-12)
    # Indices -1, 0, 1 with 1/4, 1/2, 1/4: 2, 1, 2 bits.
    assert information_variance(uniform(1), given_dither=False) == pytest.approx(0.25, abs=1e-13)
