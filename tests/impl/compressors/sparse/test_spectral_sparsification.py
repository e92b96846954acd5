"""Spectral sparsification: singular values by hand, the three decompositions, rank, rounding, errors."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import AtomicSparsification, Draws, SpectralSparsification
from impl.compressors.sparse.singular_triples import literal_triples, rational_atoms, singular_triples
from impl.errors import ArgumentError

# Singular values 30 and 15 with the vectors (3, 4) / 5, (2, 2, 1) / 3 and (-4, 3) / 5, (1, -2, 2) / 3.
MATRIX = [[8, 20, -2], [19, 10, 14]]
X = [F(item) for row in MATRIX for item in row]


def test_by_hand():
    """A budget of one: chances 2/3 and 1/3, each kept with 45."""
    compressor = SpectralSparsification(1, (2, 3))
    assert compressor.variance(X) == 900 * F(1, 2) + 225 * 2
    assert compressor.variance(np.array(X, dtype=float)) == pytest.approx(900, rel=1e-13)
    first = compressor.reference(X, Draws(private=[F(1, 2), F(1, 2)]))
    assert first == [F(3 * item, 2) for item in (12, 12, 6, 16, 16, 8)]
    assert compressor.expected_bits(X) == 2 + (1 + 2 + 3) * 64
    assert SpectralSparsification(2, (2, 3)).variance(X) == 0


def test_a_diagonal_matrix_is_sparsified_like_its_entries():
    values = [F(item) for item in (8, -4, 2, 1)]
    x = [values[i] if i == j else F(0) for i in range(4) for j in range(4)]
    for budget in (F(1, 2), 2, F(7, 2)):
        spectral, entries = SpectralSparsification(budget, (4, 4)), AtomicSparsification(budget)
        assert spectral.variance(x) == entries.variance(values) == entries.variance(x)


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (4, 4), (3, 7), (7, 3)])
def test_the_decompositions_agree(shape):
    a = np.random.default_rng(sum(shape)).standard_normal(shape)
    s, u, v = singular_triples(a)
    found = literal_triples(a.tolist())
    # Rounding of some sweeps of rotations; no two singular values are near each other.
    np.testing.assert_allclose([t[0] for t in found], s, rtol=1e-12)
    for j, (value, left, right) in enumerate(found):
        np.testing.assert_allclose(value * np.outer(left, right), s[j] * np.outer(u[j], v[j]), atol=1e-12)


@pytest.mark.parametrize("factor", [F(1), F(1, 7), F(10**12)])
def test_rational_atoms(factor):
    rows = [[factor * item for item in row] for row in MATRIX]
    (big, one), (small, other) = rational_atoms(rows, "test")
    assert (big, small) == (30 * factor, 15 * factor)
    assert one == [factor * item for item in (12, 12, 6, 16, 16, 8)]
    assert [a + b for a, b in zip(one, other, strict=True)] == [item for row in rows for item in row]


def test_equal_singular_values_have_orthogonal_atoms():
    rows = [[F(2), F(2), F(1)], [F(1), F(-2), F(2)], [F(2), F(-1), F(-2)]]
    atoms = rational_atoms(rows, "test")
    assert [s for s, _ in atoms] == [3, 3, 3]
    for i, (_, a) in enumerate(atoms):
        for j, (_, b) in enumerate(atoms):
            assert sum(x * y for x, y in zip(a, b, strict=True)) == (9 if i == j else 0)
    x = [item for row in rows for item in row]
    assert SpectralSparsification(1, (3, 3)).variance(x) == 3 * 9 * 2
    assert SpectralSparsification(1, (3, 3)).variance(np.array(x, dtype=float)) == pytest.approx(
        54, rel=1e-13
    )


def test_an_irrational_singular_value_is_an_error_in_exact_arithmetic():
    x = [F(1), F(1), F(0), F(1)]
    for call in (SpectralSparsification(1, (2, 2)).variance, SpectralSparsification(1, (2, 2)).expected_bits):
        with pytest.raises(
            ArgumentError, match=r"a singular value of .* is irrational; in rational mode give"
        ):
            call(x)


def test_what_is_rounding_of_zero_is_no_atom():
    """Of rank one: nothing is kept with a tiny chance, which would be sent with a value of ordinary size."""
    x = np.outer(np.arange(1.0, 6), [0.1, 0.3, 0.7]).reshape(-1)
    compressor = SpectralSparsification(F(1, 2), (5, 3))
    assert len(literal_triples(x.reshape(5, 3).tolist())) == 1
    assert compressor.expected_bits(x) == 3 + (1 + 5 + 3) * 64 / 2
    out = compressor.compress(x, Draws(private=np.array([0.75, 0.0, 0.0])))
    assert not out.any()


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200, 1e200, 1e300])
def test_extreme_sizes(size):
    compressor = SpectralSparsification(2, (2, 3))
    x = size * np.array([[8.0, 0, 0, 0, -3, 0], [0, 0, 0, 0, 0, 0], [4, 4, 2, 4, 4, 2]])
    draws = compressor.draw(np.random.default_rng(0), x.shape)
    out = compressor.compress(x, draws)
    # Two singular values of two are kept; subnormal ones are rounded before products of three numbers.
    np.testing.assert_allclose(out, x, rtol=1e-12, atol=2e-323)
    np.testing.assert_allclose(out, compressor.reference(x.tolist(), draws), rtol=1e-12, atol=2e-323)
    assert compressor.decode(compressor.encode(x, draws)).tobytes() == out.tobytes()
    small = SpectralSparsification(2, (2, 3), value_bits=32)
    if size > 1:
        with pytest.raises(ArgumentError, match="use value_bits=64"):
            small.compress(x, draws)
        with pytest.raises(ArgumentError, match="use value_bits=64"):
            small.reference(x.tolist(), draws)
    else:
        assert not small.compress(x, draws).any()  # below all of float32


def test_numbers_of_32_bits_are_rounded_before_use():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(12)
    compressor = SpectralSparsification(2, (4, 3), value_bits=32)
    mean = sum(q * compressor.compress(x, draws) for q, draws in compressor.outcomes(x))
    rounded = np.zeros((4, 3))
    for s, u, v in zip(*singular_triples(x.reshape(4, 3)), strict=True):
        s, u, v = (np.float64(np.float32(item)) for item in (s, u, v))
        rounded += s * np.outer(u, v)
    np.testing.assert_allclose(mean, rounded.reshape(-1), rtol=0, atol=1e-14)
    assert 0 < np.abs(mean - x).max() < 1e-6
    single = x.astype(np.float32)
    out = SpectralSparsification(3, (4, 3)).sample(single, rng)
    assert out.dtype == np.float32
    np.testing.assert_allclose(out, single, atol=1e-6)


def test_the_bound_on_the_error_is_sharp_where_atoms_are_orthogonal():
    x = np.random.default_rng(2).standard_normal(12)
    compressor = SpectralSparsification(F(3, 2), (3, 4))
    squares = [np.sum((compressor.compress(x, draws) - x) ** 2) for _, draws in compressor.outcomes(x)]
    assert compressor.moments(x).upper == pytest.approx(max(squares), rel=1e-12)


def test_draws_are_one_uniform_for_each_singular_value():
    compressor, x = SpectralSparsification(1, (2, 3)), np.ones((5, 6))
    assert compressor.draw(np.random.default_rng(0), (4, 5, 6)).private.shape == (4, 5, 2)
    for call in (compressor.compress, compressor.reference):
        for shape in ((5, 6), (4, 2)):
            with pytest.raises(
                ArgumentError, match=r"draws.* ha.*shape .*; take draws from draw\(rng, x.shape\)"
            ):
                call(x, Draws(private=np.full(shape, 0.5)))
    with pytest.raises(ArgumentError, match=r"shape=\(\) must end with d"):
        compressor.draw(np.random.default_rng(0), ())


def test_wrong_parameters():
    for shape in (6, (6,), (2, 0), (2, -3), (2, 1.5), "ab", None, (1, 2, 3)):
        with pytest.raises(ArgumentError, match=r"shape=.* must be two positive whole numbers"):
            SpectralSparsification(1, shape)
    with pytest.raises(ArgumentError, match=r"budget=nan(?s:.)*shape=3(?s:.)*value_bits=8"):
        SpectralSparsification(math.nan, 3, value_bits=8)
    with pytest.raises(ArgumentError, match=r"x / p exceeds the range of float64; scale x down"):
        SpectralSparsification(F(1, 2), (2, 2)).compress(np.full(4, 1.2e308), Draws(private=np.zeros(2)))
