import itertools

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.squant.fixtures.families import NAMES, diagonals, family
from verify.squant.fixtures.family_constants import (
    METHODS,
    condition_number,
    grouped_supremum,
    steps,
    variance_constants,
)
from verify.squant.fixtures.step_rules import block_norms, optimal_block_steps, optimal_steps
from verify.squant.fixtures.supremum import supremum_of

# Sums in another order, and a root found by another method.
CLOSE = 1e-12


def hadamard(d):
    matrix = np.ones((1, 1))
    while len(matrix) < d:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix / np.sqrt(d)


@pytest.mark.parametrize("name", NAMES)
def test_dense_diagonals_have_the_constants_of_the_groups(name):
    n, q = 4, 1
    found = family(name, n, q)
    dense, lengths = diagonals(name, n, q)
    assert dense.shape == (n, found.d)
    assert sum(lengths) == found.d
    assert len(set(lengths)) == 1
    if name == "H-rot":
        eigenvalues, _ = diagonals("H", n, q)
        U = hadamard(found.d)
        rotated = np.einsum("jk,ik,lk->ijl", U, eigenvalues, U)
        assert np.allclose(np.einsum("ijj->ij", rotated), dense, rtol=1e-14)
    else:
        eigenvalues = dense
    mean = eigenvalues.mean(axis=0)
    assert np.isclose(found.L, mean.max(), rtol=1e-15, atol=0)
    assert found.mu == pytest.approx(mean.min(), rel=1e-15)
    assert found.L_max == eigenvalues.max()
    assert found.nu == pytest.approx(eigenvalues.max(axis=1).sum() / eigenvalues.max(), rel=1e-15)
    assert found.nu_tr == pytest.approx(eigenvalues.sum(axis=1).max() / eigenvalues.max(), rel=1e-14)
    norms = np.array([block_norms(row, lengths) for row in dense])
    assert np.allclose(found.block_norms, norms, rtol=1e-14)
    c_block = np.sqrt(lengths[0]) * norms.sum(axis=1).max()
    assert found.nu_B == pytest.approx(c_block * len(lengths) / found.d / found.L_max, rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("beta", [0.7, 8.0, 200.0])
def test_steps_and_suprema_are_those_of_the_claims(name, method, beta):
    n, q = 4, 1
    found = family(name, n, q)
    dense, lengths = diagonals(name, n, q)
    h = np.repeat(steps(found, method, beta), found.multiplicity, axis=1)
    constants = variance_constants(found, method, beta, exact=True)
    for node in range(n):
        row = tuple(dense[node])
        if method == "vary":
            assert h[node] == pytest.approx(optimal_steps(row, beta), rel=CLOSE)
        if method == "block":
            wanted = optimal_block_steps(row, lengths, beta)
            assert h[node] == pytest.approx(np.repeat(wanted, lengths), rel=CLOSE)
        if method == "std":
            row = (found.L_nodes[node],) * found.d
        parts = lengths if method.startswith("block") else [found.d]
        edges = np.cumsum([0, *parts])
        suprema = [supremum_of(row[a:b], h[node][a:b]).upper for a, b in itertools.pairwise(edges)]
        assert constants[node] == pytest.approx(max(suprema), rel=CLOSE)
    assert np.all(constants <= variance_constants(found, method, beta) * (1 + CLOSE))


@pytest.mark.parametrize(
    ("L", "h", "multiplicity"),
    [
        ((4, 1), (3, 3), (1, 1)),
        ((9, 4, 0), (2, 3, 6), (2, 1, 3)),
        ((1,), (1,), (100,)),
        ((3, 2, 1), (0.9, 0.8, 0.7), (1, 1, 1)),
        ((1, 0), (1, 5), (1, 2)),
        ((2,), (0.4,), (1,)),
        ((1e6, 1e-6), (1, 2), (3, 40)),
    ],
)
def test_supremum_with_multiplicities(L, h, multiplicity):
    wanted = supremum_of(np.repeat(L, multiplicity), np.repeat(h, multiplicity))
    lower, upper = grouped_supremum([L], [h], multiplicity)
    assert lower[0] == pytest.approx(wanted.lower, rel=CLOSE)
    assert upper[0] == pytest.approx(wanted.upper, rel=CLOSE)


def test_large_families_are_small_data():
    found = family("H", 256)
    assert found.d == 8 * 256**2
    assert found.eigenvalues.shape == (256, 256)
    assert condition_number(found, "block", found.d / 256) == pytest.approx(3, rel=1e-14)


def test_node_order_is_immaterial():
    found = family("V", 4)
    moved = found.in_node_order([2, 0, 3, 1])
    assert (moved.L, moved.rho, moved.nu_B) == (found.L, found.rho, found.nu_B)


def test_one_heavy_coordinate_without_blocks():
    found = family("W", 256, d=64)
    assert list(found.block_lengths) == [64]
    assert found.eigenvalues[0, 0] == 1
    assert found.eigenvalues[1, 0] == 1 / (256 * 64)


def test_wrong_arguments_are_named():
    with pytest.raises(ArgumentError, match="name='X' is unknown; choose one of V, H"):
        family("X", 4)
    with pytest.raises(ArgumentError, match="n=1 must be at least 2"):
        family("V", 1)
    with pytest.raises(ArgumentError, match="d=10 must be a multiple of n=4"):
        family("V", 4, d=10)
    with pytest.raises(ArgumentError, match="must be a power of 2"):
        family("H-rot", 3)
    with pytest.raises(ArgumentError, match="method='Z'"):
        steps(family("V", 4), "Z", 1.0)
