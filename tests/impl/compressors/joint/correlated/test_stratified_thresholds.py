import itertools
import math
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors.joint.correlated.stratified_thresholds import (
    draw_strata,
)
from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_literal,
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


def test_variance_with_coefficients_equals_the_literal_one():
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 7):
        y, c = rng.random((n, 4)), rng.random(n) * 10.0 ** rng.integers(-3, 4, n)
        literal = [stratified_variance_literal(y[:, j].tolist(), c.tolist()) for j in range(4)]
        np.testing.assert_allclose(stratified_variance(y, c), literal, rtol=1e-12)


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
