"""What a sample of a long vector takes beside its input: at most twice that, and some tiles."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from impl import tiers
from impl.compressors import (
    AtomicSparsification,
    BernoulliSparsifier,
    CorrelatedGrid,
    CorrelatedQuantizer,
    DitheredQuantizer,
    GreedySparsification,
    Independent,
    IndependentQuantizer,
    NaturalCompression,
    NestedDitheredQuantizer,
    OneBit,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    Scaled,
    StochasticQuantizer,
    TernGrad,
    TopK,
    TopKSigns,
    WeightedPartition,
)

D, CLIENTS = 2**21, 4
BLOCKS = [D // 64] * 64
TILES = 3.2e6  # bytes, of the 64 MB that are allowed at 10^8

SINGLE = [
    StochasticQuantizer(1 / 16),
    StochasticQuantizer(1 / 16, BLOCKS),
    StochasticQuantizer(1 / 16, norm="max"),
    TernGrad(),
    TernGrad(2.5),
    TernGrad(blocks=BLOCKS),
    TernGrad(2.5, blocks=BLOCKS),
    NaturalCompression(),
    OneBit(),
    DitheredQuantizer(3),
    DitheredQuantizer(3, BLOCKS),
    DitheredQuantizer(3, 512),
    NestedDitheredQuantizer(3, 3),
    NestedDitheredQuantizer(3, 3, blocks=BLOCKS),
    NestedDitheredQuantizer(3, 7, blocks=512, range_aware=True),
    RandK(10_000),
    TopK(10_000),
    TopKSigns(10_000),
    TopK(D // 2),
    TopKSigns(D // 2),
    AtomicSparsification(10_000),
    GreedySparsification(0.01),
    BernoulliSparsifier(0.01),
    BernoulliSparsifier(np.full(D, 0.01)),
]
JOINT = [
    CorrelatedGrid(0.5),
    CorrelatedQuantizer("binary"),
    CorrelatedQuantizer("ternary"),
    IndependentQuantizer("binary"),
    Independent(StochasticQuantizer(1 / 16)),
    PermK(),
    PermKQuantizer(2),
    RotatedQuantizer(True),
    Scaled(CorrelatedQuantizer("binary"), 0.5),
    WeightedPartition([Fraction(1, CLIENTS)] * CLIENTS),
]
# Without a kernel of their own.
TILED = [
    NaturalCompression(),
    BernoulliSparsifier(0.01),
    TernGrad(blocks=BLOCKS),
    AtomicSparsification(10_000),
    GreedySparsification(0.01),
]
needs_numba = pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed (extra fast)")


def names(compressors):
    """Return the types with a number: the arguments may be long."""
    return [f"{type(item).__name__}-{i}" for i, item in enumerate(compressors)]


def require_little(measured, x, tier):
    if isinstance(measured, NaturalCompression):  # it takes long
        x = x[: D // 4]
    side = {"side": x.astype(np.float64)} if isinstance(measured, NestedDitheredQuantizer) else {}
    tracemalloc.start()
    try:
        measured.sample(x, np.random.default_rng(0), tier=tier, **side)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 2.1 * x.nbytes + TILES


# Temporaries of float64 weigh most beside float32.
@pytest.mark.parametrize("measured", SINGLE, ids=names(SINGLE))
def test_of_one_vector(measured):
    require_little(measured, np.random.default_rng(0).standard_normal(D, np.float32), "numpy")


def test_all_entries_of_a_vector_beside_which_tiles_are_small():
    require_little(TopK(2**24), np.random.default_rng(0).standard_normal(2**24, np.float32), "numpy")


@pytest.mark.parametrize("measured", JOINT, ids=names(JOINT))
def test_of_all_clients(measured):
    x = np.random.default_rng(0).standard_normal((CLIENTS, D // CLIENTS), np.float32)
    require_little(measured, x, "numpy")


@needs_numba
@pytest.mark.parametrize("measured", TILED, ids=names(TILED))
def test_without_a_kernel(measured):
    x = np.random.default_rng(0).standard_normal(D, np.float32)
    with tiers.tier("fused"):  # compiled beforehand
        measured.draw(np.random.default_rng(0), (2,), np.float32).private + x[:2]
    require_little(measured, x, "fused")
