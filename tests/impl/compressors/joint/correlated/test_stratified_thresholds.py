import itertools
import math
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors.joint.correlated.stratified_thresholds import (
    bit_outcomes,
    draw_strata,
    independent_outcomes,
    literal_bits,
)
from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_literal,
    stratified_variance_rational,
)
from impl.errors import ArgumentError


@pytest.mark.parametrize("n", [1, 2, 3, 5, 16, 17, 32, 33, 400, 513])
def test_strata_are_permutations_over_the_clients(n):
    strata = draw_strata(np.random.default_rng(n), (3, n, 50))
    assert strata.dtype.kind == "u"
    assert (np.sort(strata, axis=-2) == np.arange(n)[:, None]).all()


@pytest.mark.parametrize("n", [3, 4])
def test_all_permutations_are_equally_likely(n):
    count = 200_000
    found = Counter(map(tuple, draw_strata(np.random.default_rng(0), (n, count)).T.tolist()))
    expected = count / math.factorial(n)
    assert set(found) == set(itertools.permutations(range(n)))
    # Seven standard deviations of a binomial count, at a fixed seed.
    assert all(abs(item - expected) <= 7 * expected**0.5 for item in found.values())


def test_pairs_are_equally_likely_where_keys_tie():
    # 16 clients have 12 random bits: three columns of a hundred tie and are drawn again.
    count = 100_000
    strata = draw_strata(np.random.default_rng(1), (16, count)).astype(int)
    pairs = np.bincount(strata[0] * 16 + strata[15], minlength=256).reshape(16, 16)
    assert (np.diagonal(pairs) == 0).all()
    expected = count / 240
    assert (np.abs(pairs[~np.eye(16, dtype=bool)] - expected) <= 7 * expected**0.5).all()


def test_coordinates_have_permutations_of_their_own():
    strata = draw_strata(np.random.default_rng(4), (3, 5, 40))
    assert (strata[..., :1] != strata[..., 1:]).any(axis=-2).mean() > 0.95
    assert (strata[0] != strata[1]).any()


def test_the_same_stream_gives_the_same_strata():
    first, second = (draw_strata(np.random.default_rng(5), (2, 16, 9000)) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("shape", [(5,), (0, 3), (2, 0, 3)])
def test_shapes_without_clients_are_refused(shape):
    with pytest.raises(ArgumentError, match="at least one client"):
        draw_strata(np.random.default_rng(0), shape)


def test_a_legacy_generator_is_refused():
    with pytest.raises(ArgumentError, match="must be a numpy"):
        draw_strata(np.random.RandomState(0), (2, 3))


@pytest.mark.parametrize(
    "y",
    [
        [F(1, 9), F(2, 9), F(4, 9), F(8, 9)],
        [F(0), F(1), F(1, 2)],
        [F(1, 3), F(1, 2), F(3, 5)],
        [F(3, 7)],
        [F(1), F(1)],
    ],
)
def test_outcomes_of_bits_have_the_right_law(y):
    n, total, means = len(y), F(0), [F(0)] * len(y)
    for chance, permutation, jitter in bit_outcomes(y):
        bits = literal_bits(y, permutation, jitter)
        total += chance
        means = [m + chance * bit for m, bit in zip(means, bits, strict=True)]
        assert all(0 <= u < 1 for u in jitter)
    assert total == 1
    assert means == y
    second = sum(chance * (sum(literal_bits(y, s, u)) - sum(y)) ** 2 for chance, s, u in bit_outcomes(y))
    assert second == stratified_variance_literal(y)
    assert float(second) == pytest.approx(stratified_variance([[float(item)] for item in y])[0], abs=1e-15)
    assert len({tuple(p) for _, p, _ in bit_outcomes(y)}) == math.factorial(n)


def test_independent_outcomes():
    y = [F(1, 4), F(1), F(0), F(2, 3)]
    found = list(independent_outcomes(y))
    assert len(found) == 4
    assert sum(q for q, _ in found) == 1
    means = [sum(q * (u[i] < y[i]) for q, u in found) for i in range(4)]
    assert means == y


def test_variance_with_coefficients_equals_the_literal_one():
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 7):
        y, c = rng.random((n, 4)), rng.random(n) * 10.0 ** rng.integers(-3, 4, n)
        literal = [stratified_variance_literal(y[:, j].tolist(), c.tolist()) for j in range(4)]
        np.testing.assert_allclose(stratified_variance(y, c), literal, rtol=1e-12)


def test_variance_of_rational_numbers_is_the_literal_one():
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 5, 8):
        for size in (n, 12, 97):
            y = [F(int(item), size) for item in rng.integers(0, size + 1, size=n)]
            c = [F(int(item), 1 + place) for place, item in enumerate(rng.integers(0, 6, size=n))]
            for coefficients in (None, c):
                found = stratified_variance_rational(y, coefficients)
                assert found == stratified_variance_literal(y, coefficients)
                assert isinstance(found, F)


def test_small_variances_keep_their_digits():
    # Inputs on the border of a cell, one of them a little off: the sum of squares does not cancel.
    n, delta = 9, 1e-9
    y = np.full((n, 1), 4 / 9)
    y[0] += delta
    exact = stratified_variance_literal([F(float(item)) for item in y[:, 0]])
    assert stratified_variance(y)[0] == pytest.approx(float(exact), rel=1e-6)


def test_coefficients_that_do_not_fit_are_named():
    with pytest.raises(ArgumentError, match="one for each client"):
        stratified_variance(np.full((3, 2), 0.5), [1.0, 2.0])
    with pytest.raises(ArgumentError, match="must have shape"):
        stratified_variance([0.5, 0.5])


def many_clients():
    """Yield probabilities of 80 clients: any, close to each other, on the borders of cells, at the ends."""
    rng, shape = np.random.default_rng(4), (80, 3)
    yield rng.random(shape)
    yield np.full(shape, 0.3)
    yield 0.5 + 1e-6 * rng.standard_normal(shape)
    yield rng.integers(0, 81, size=shape) / 80
    yield rng.integers(0, 2, size=shape).astype(float)


def test_many_clients_by_ranks():
    rng = np.random.default_rng(5)
    for y in many_clients():
        for c in (np.ones(80), rng.random(80), 10.0 ** rng.integers(-6, 7, size=80)):
            found = stratified_variance(np.stack([y, y[::-1]]), np.stack([c, c[::-1]]))
            np.testing.assert_allclose(found[1], found[0], rtol=1e-10, atol=1e-26 * c.max() ** 2)
            for j in range(3):
                chances = [F(float(item)) for item in y[:, j]]
                exact = float(stratified_variance_literal(chances, [F(float(item)) for item in c]))
                # A position n y is rounded by up to 1e-14, and with it what lies within a cell.
                assert abs(found[0, j] - exact) <= 1e-10 * exact + 1e-14 * c.max() ** 2
