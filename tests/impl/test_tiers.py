"""The choice of a tier: explicit, restored, refused with one sentence."""

import threading

import numpy as np
import pytest

import impl
from impl import tiers
from impl.compressors import (
    CorrelatedQuantizer,
    DitheredQuantizer,
    Key,
    NestedDitheredQuantizer,
    OneBit,
    RandK,
    RoundKey,
    StochasticQuantizer,
    TernGrad,
    TopK,
)
from impl.errors import ArgumentError

X = np.arange(1.0, 9.0)


@pytest.fixture
def _numba():
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")


@pytest.mark.usefixtures("_numba")
def test_a_block_holds_inside_and_is_left_whatever_happens():
    assert tiers.current() == "numpy"
    with impl.tier("fused") as name:
        assert name == tiers.current() == "fused"
        with impl.tier("numpy"):
            assert tiers.current() == "numpy"
        with impl.tier(None):
            assert tiers.current() == "fused"
        with pytest.raises(KeyError), impl.tier("numpy"):
            raise KeyError
        assert tiers.current() == "fused"
        found = []
        thread = threading.Thread(target=lambda: found.append(tiers.current()))
        thread.start()
        thread.join()
        assert found == ["numpy"]
    assert tiers.current() == "numpy"


@pytest.mark.usefixtures("_numba")
def test_the_argument_is_stronger_than_the_block():
    quantizer = StochasticQuantizer(1 / 4)

    def sampled(tier=None):
        return quantizer.sample(X, np.random.default_rng(1), 40, tier=tier).tolist()

    plain, fused = sampled("numpy"), sampled("fused")
    assert sampled() == plain != fused
    with impl.tier("fused"):
        assert sampled() == fused
        assert sampled("numpy") == plain


@pytest.mark.parametrize("name", ["cuda", "", 1, True, ["fused"]])
def test_unknown_tiers_list_what_there_is(name):
    with pytest.raises(ArgumentError, match=r"^impl.tier: tier=.* is unknown; choose one of numpy, fused$"):
        impl.tier(name)
    for compressor in (StochasticQuantizer(1), TernGrad(), TopK(2), RandK(2), OneBit(), DitheredQuantizer(2)):
        with pytest.raises(ArgumentError, match=rf"^{type(compressor).__name__}: tier=.* is unknown"):
            compressor.sample(X, np.random.default_rng(1), tier=name)
    with pytest.raises(ArgumentError, match=r"^NestedDitheredQuantizer: tier=.* is unknown"):
        NestedDitheredQuantizer(2, 3).sample(X, np.random.default_rng(1), side=X, tier=name)
    with pytest.raises(ArgumentError, match=r"^CorrelatedQuantizer: tier=.* is unknown"):
        CorrelatedQuantizer("binary").sample([X, X], np.random.default_rng(1), tier=name)


def test_without_numba_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(tiers, "find_spec", lambda name: None)
    told = r"tier='fused' needs numba, which is not installed; pip install 'boundcheck\[fast\]'"
    with pytest.raises(ArgumentError, match=told):
        impl.tier("fused")
    with pytest.raises(ArgumentError, match=told):
        StochasticQuantizer(1).sample(X, np.random.default_rng(1), tier="fused")
    assert StochasticQuantizer(1).sample(X, np.random.default_rng(1), tier="numpy").shape == X.shape


@pytest.mark.usefixtures("_numba")
def test_draws_of_a_round_are_the_same_on_every_tier():
    key = Key((1, 2), worker=3, iteration=4)
    for compressor in (StochasticQuantizer(1), TernGrad(), RandK(2), DitheredQuantizer(2)):
        plain = compressor.draw_keyed(key, X.shape)
        with impl.tier("fused"):
            fused = compressor.draw_keyed(key, X.shape)
        for name in ("shared", "private"):
            assert np.array_equal(getattr(plain, name), getattr(fused, name))
    rounds = RoundKey((1, 2), 5)
    plain = CorrelatedQuantizer("binary").draw_keyed(rounds, (3, 8))
    with impl.tier("fused"):
        fused = CorrelatedQuantizer("binary").draw_keyed(rounds, (3, 8))
        own = CorrelatedQuantizer("binary").client_draws(rounds, 1, (3, 8))
    assert np.array_equal(plain.shared, fused.shared)
    assert np.array_equal(plain.private, fused.private)
    assert np.array_equal(own.private, fused.private[1])
