"""Estimates of long inputs, client by client: numbers, draws and errors of the general way."""

from fractions import Fraction

import numpy as np
import pytest

from impl import tiers
from impl.compressors import (
    BernoulliSparsifier,
    CorrelatedGrid,
    CorrelatedQuantizer,
    DitheredQuantizer,
    Independent,
    IndependentQuantizer,
    NaturalCompression,
    OneBit,
    PermK,
    PermKQuantizer,
    RandK,
    RotatedQuantizer,
    Scaled,
    StochasticQuantizer,
    TernGrad,
    TopK,
    WeightedPartition,
)
from impl.compressors.joint import joint_contract
from impl.errors import ArgumentError

CLIENTS, D = 4, 2**16
COMPRESSORS = [
    CorrelatedGrid(0.5),
    CorrelatedGrid(0.75, "random"),
    CorrelatedQuantizer("binary"),
    CorrelatedQuantizer("ternary", norm_bits=32),
    IndependentQuantizer("binary", norm_bits=32),
    IndependentQuantizer("ternary"),
    PermK(),
    PermK(value_bits=32),
    PermKQuantizer(2),
    PermKQuantizer(4, correlated=False),
    RotatedQuantizer(True),
    RotatedQuantizer(False, norm_bits=32),
    Scaled(CorrelatedQuantizer("ternary"), -0.3),
    Scaled(StochasticQuantizer(1 / 4), Fraction(1, 2)),
    WeightedPartition([Fraction(1, 10), Fraction(1, 5), Fraction(3, 10), Fraction(2, 5)]),
    Independent(StochasticQuantizer(1 / 16, [D // 2, D // 2])),
    Independent(StochasticQuantizer(np.full((CLIENTS, D), 0.5))),
    Independent(TernGrad(2.5)),
    Independent(DitheredQuantizer(3)),
    Independent(NaturalCompression()),
    Independent(BernoulliSparsifier(0.1)),
    Independent(OneBit()),
    Independent(RandK(3)),
    Independent(RandK(D // 3)),
    Independent(TopK(D // 100)),
]
NAMES = [f"{type(item).__name__}-{i}" for i, item in enumerate(COMPRESSORS)]
fused = pytest.param(
    "fused", marks=pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed (extra fast)")
)


def inputs(dtype):
    x = np.random.default_rng(0).standard_normal((CLIENTS, D)).astype(dtype)
    x[:, ::5] = 0
    yield x
    yield np.concatenate([x[:3], np.zeros((1, D), dtype)])
    yield x * dtype(np.finfo(dtype).tiny)
    yield x * dtype(np.finfo(dtype).max / 1e2)
    x[3, -1] = np.nan
    yield x


def told(call, rng):
    """Return what a call makes, or what it raises, and where its generator is then."""
    try:
        found = call(rng)
    except ArgumentError as error:
        return type(error), str(error)
    return found.dtype, found.shape, found.tobytes(), rng.random()


@pytest.mark.parametrize("tier", ["numpy", fused])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("joint", COMPRESSORS, ids=NAMES)
def test_it_is_the_general_way(joint, dtype, tier, monkeypatch):
    for x in inputs(dtype):
        found = []
        for short in (True, False):
            if not short:
                monkeypatch.setattr(joint_contract, "sample_by_clients", lambda *given: None)
            found.append(told(lambda rng, x=x: joint.sample(x, rng, tier=tier), np.random.default_rng(5)))
            monkeypatch.undo()
        assert found[0] == found[1]


def test_a_subclass_shows_its_changes():
    class Doubled(IndependentQuantizer):
        def compress_counted(self, x, draws):
            decoded, bits = super().compress_counted(x, draws)
            return 2 * decoded, bits

    x = next(inputs(np.float64))
    plain, doubled = (
        kind("binary").sample(x, np.random.default_rng(0)) for kind in (IndependentQuantizer, Doubled)
    )
    assert np.array_equal(doubled, 2 * plain)


def test_what_is_wrong_leaves_the_generator_as_it_was():
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    with pytest.raises(ArgumentError, match="d=65535 must be a power of two"):
        RotatedQuantizer(True).sample(np.ones((CLIENTS, D - 1)), rng)
    with pytest.raises(ArgumentError, match="inputs of 3 clients"):
        WeightedPartition([Fraction(1, 2)] * 2).sample(np.ones((3, D)), rng)
    assert rng.bit_generator.state == before
